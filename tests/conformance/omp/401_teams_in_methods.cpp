// flags: -std=c++17
// gcc: rejects, with an internal error
// expect: launches=3
// A construct in a template that calls function objects: in branches of `if constexpr` without braces, with lambdas inside of the lambda that
// it is given, and with methods in which a team's threads wait for each other.
#include "../check.h"
#include <omp.h>
#include <type_traits>

struct Member {
    int rank, size, thread;
    int league_rank() const { return rank; }
    void barrier() const
    {
#pragma omp barrier
    }
    int sum(int own, int *shared) const
    {
        shared[thread] = own;
        barrier();
        int all = 0;
        for (int k = 0; k < size; k++) all += shared[k];
        barrier();
        return all;
    }
};

struct Tag {};

template <class L> std::enable_if_t<!std::is_arithmetic<L>::value> each(const Member &team, int n, const L &body)
{
    for (int k = team.thread; k < n; k += team.size) body(k);
}

template <class F> struct Loop {
    const F function;
    int league;

    template <class Kind> void run() const
    {
        F own(function);
        const int n = league;
#pragma omp target teams num_teams(n) thread_limit(16) map(to : own)
#pragma omp parallel num_threads(16)
        {
            Member team{omp_get_team_num(), omp_get_num_threads(), omp_get_thread_num()};
            if constexpr (std::is_same<Kind, void>::value)
                own(team);
            else
                own(Kind(), team);
        }
    }
};

template <class F> void for_each_team(int n, const F &function)
{
    Loop<F> loop{function, n};
    loop.template run<void>();
}

struct Sums {
    int *to, *scratch;
    void operator()(Tag, const Member &team) const
    {
        int all = team.sum(team.thread + 1, scratch + 16 * team.rank);
        if (team.thread == 0) to[team.rank] = all;
    }
};

int main()
{
    const int n = 12, m = 40;
    static int x[n * m], sums[n], scratch[n * 16];
#pragma omp target enter data map(to : x, sums, scratch)
    int *d, *s, *t;
#pragma omp target data use_device_addr(x, sums, scratch)
    d = x, s = sums, t = scratch;
    for_each_team(n, [=](const Member &team) {
        const int row = team.league_rank();
        each(team, m, [=](int k) { d[row * m + k] = row + k; });
        team.barrier();
        if (team.thread == 0) d[row * m] = d[row * m + m - 1];
    });
    for_each_team(n, [=](const Member &team) {
        const int row = team.league_rank();
        each(team, m, [&](int k) { d[row * m + k] *= 2; });
    });
    Loop<Sums> loop{Sums{s, t}, n};
    loop.run<Tag>();
#pragma omp target exit data map(from : x, sums) map(delete : scratch)
    for (int i = 0; i < n * m; i++) check_near("x", i, x[i], 2 * (i / m + (i % m ? i % m : m - 1)), 0);
    for (int i = 0; i < n; i++) check_near("sums", i, sums[i], 136, 0);
    return finish();
}
