// What threads of a team compute again behind barriers, arrays of objects that need no constructor, loops whose iterations
// are ordered, and classes with members that devices do not know.
// expect: launches=4 uploads=3 downloads=6
#include "../check.h"
#include <omp.h>
#include <string>
#include <vector>

#define TEAMS 3
#define THREADS 16

struct pair {
    float x, y;
};

struct vec {
    float x, y;
    vec() {}
    vec(float x, float y) : x(x), y(y) {}
    vec operator+(const vec &o) const { return vec(x + o.x, y + o.y); }
};

// `l` follows from `tx` and `ty`, which the first part declares.
static void made_of_others()
{
    int out[TEAMS * THREADS];
#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(from : out)
    {
        int kept[THREADS];
#pragma omp parallel num_threads(THREADS)
        {
            int tx = omp_get_thread_num() % 4, ty = omp_get_thread_num() / 4;
            kept[tx + ty * 4] = tx;
#pragma omp barrier
            int l = tx + ty * 4;
            kept[l] += 100;
#pragma omp barrier
            const int other = THREADS - 1 - l;
            out[omp_get_team_num() * THREADS + l] = kept[other] + ty;
        }
    }
    for (int i = 0; i < TEAMS * THREADS; i++) {
        int l = i % THREADS;
        check_int("made of others", i, out[i], (THREADS - 1 - l) % 4 + 100 + l / 4);
    }
}

static void objects()
{
    float out[TEAMS * THREADS];
#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(from : out)
    {
        pair large[4 * THREADS];
        vec shared[THREADS];
#pragma omp parallel num_threads(THREADS)
        {
            int t = omp_get_thread_num();
            pair own[2];
            own[0].x = t;
            large[4 * t].y = 2 * t;
            shared[t] = vec(t, 1) + vec(1, 1);
#pragma omp barrier
            own[1].x = large[4 * (THREADS - 1 - t)].y;
#pragma omp barrier
            out[omp_get_team_num() * THREADS + t] = own[0].x + own[1].x + shared[(t + 1) % THREADS].x;
        }
    }
    for (int i = 0; i < TEAMS * THREADS; i++) {
        int t = i % THREADS;
        check_near("objects", i, out[i], t + 2 * (THREADS - 1 - t) + (t + 1) % THREADS + 1, 0);
    }
}

static void ordered()
{
    int a[100], steps[100], next = 0;
#pragma omp target map(from : a, steps) map(tofrom : next)
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp for
        for (int i = 0; i < 100; i++)
            a[i] = 1;
#pragma omp for ordered
        for (int i = 0; i < 100; i++) {
#pragma omp ordered
            {
                a[i] += i;
                steps[i] = next++;
            }
        }
#pragma omp for
        for (int i = 0; i < 100; i++)
            a[i] *= 2;
    }
    for (int i = 0; i < 100; i++) {
        check_int("ordered", i, a[i], 2 * (1 + i));
        check_int("step", i, steps[i], i);
    }
}

class Grid {
    int n_;
    std::vector<double> store_;
    std::string name_;
    double *u_;

public:
    Grid(int n) : n_(n), store_(n), name_("grid"), u_(store_.data())
    {
        for (int i = 0; i < n_; i++)
            u_[i] = i;
#pragma omp target enter data map(to : this[0 : 1])
#pragma omp target enter data map(to : u_[0 : n_])
    }
    ~Grid()
    {
#pragma omp target exit data map(delete : u_[0 : n_])
#pragma omp target exit data map(delete : this[0 : 1])
    }
    void scale(double k)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n_; i++)
            u_[i] *= k;
#pragma omp target update from(u_[0 : n_])
    }
    double at(int i) const { return store_[i]; }
};

int main()
{
    made_of_others();
    objects();
    ordered();
    Grid grid(50);
    grid.scale(3);
    for (int i = 0; i < 50; i++)
        check_near("grid", i, grid.at(i), 3.0 * i, 0);
    return finish();
}
