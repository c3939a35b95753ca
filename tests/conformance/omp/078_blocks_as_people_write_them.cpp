// Blocks of threads: functions with barriers whose result is used, sizes that only the launch knows, flags of the team that
// decide about barriers, thread's arrays that outlive them, and directives between a loop and its construct.
// expect: launches=7
#include "../check.h"
#include <omp.h>

#define TEAMS 3

#pragma omp begin declare target
template <typename T> inline T sum_of_block(T value, T *shared, int thread, int threads)
{
    shared[thread] = value;
#pragma omp barrier
    for (int s = threads / 2; s > 0; s >>= 1) {
        if (thread < s)
            shared[thread] += shared[thread + s];
#pragma omp barrier
    }
    T result = shared[0];
#pragma omp barrier
    return result;
}
#pragma omp end declare target

// Both sums in one statement list; the second in a declaration with a conversion.
template <int block> static void sums(const int *a, double *out)
{
#pragma omp target teams num_teams(TEAMS) thread_limit(block) map(to : a[0 : TEAMS * block])                    \
    map(from : out[0 : TEAMS * block])
    {
        int shared[block];
        double other[block];
#pragma omp parallel num_threads(block)
        {
            int t = omp_get_thread_num(), at = omp_get_team_num() * block + t;
            const int v = a[at];
            double total = sum_of_block(v, shared, t, block);
            double squares = 0;
            squares += 2 * sum_of_block<double>((v - total) * (v - total), other, t, block);
            out[at] = total + squares + v;
        }
    }
}

static void reversed(int *a, const int block)
{
#pragma omp target teams num_teams(TEAMS) thread_limit(block) map(tofrom : a[0 : TEAMS * block])
    {
        int shared[128];
#pragma omp parallel
        {
            int t = omp_get_thread_num(), at = omp_get_team_num() * block + t;
            int v = a[at];
            shared[t] = v;
#pragma omp barrier
            v += 10 * shared[omp_get_num_threads() - 1 - t];
#pragma omp barrier
            a[at] = v;
        }
    }
}

static void steps(int *out, int *count)
{
#pragma omp target teams num_teams(TEAMS) thread_limit(32) map(from : out[0 : TEAMS * 32], count[0 : TEAMS])
    {
        int again, rounds, value[32];
#pragma omp parallel num_threads(32)
        {
            int t = omp_get_thread_num(), team = omp_get_team_num();
            value[t] = t + team;
#pragma omp single
            {
                again = 1;
                rounds = 0;
            }
            while (again) {
#pragma omp barrier
#pragma omp masked
                {
                    again = 0;
                    rounds++;
                }
#pragma omp barrier
                if (value[t] < 40) {
                    value[t] += t % 7 + 1;
                    if (value[t] < 40) {
#pragma omp atomic write
                        again = 1;
                    }
                }
#pragma omp barrier
            }
            out[team * 32 + t] = value[t];
            if (t == 0)
                count[team] = rounds;
        }
    }
}

static void arrays_of_threads(float *out)
{
#pragma omp target teams num_teams(TEAMS) thread_limit(64) map(from : out[0 : TEAMS * 64])
    {
        float shared[64];
#pragma omp parallel num_threads(64)
        {
            float own[100];
            int t = omp_get_thread_num();
            for (int k = 0; k < 100; k++)
                own[k] = t * k;
            shared[t] = own[99];
#pragma omp barrier
            for (int k = 0; k < 100; k++)
                own[k] += shared[(t + k) % 64];
#pragma omp barrier
            out[omp_get_team_num() * 64 + t] = own[3] + own[70];
        }
    }
}

int main()
{
    enum { MOST = 128 };
    static int a[TEAMS * MOST];
    static double out[TEAMS * MOST];
    for (int i = 0; i < TEAMS * MOST; i++)
        a[i] = i % 11 - 4;
    sums<MOST>(a, out);
    for (int i = 0; i < TEAMS * MOST; i++) {
        int first = i / MOST * MOST, total = 0;
        double squares = 0;
        for (int k = first; k < first + MOST; k++)
            total += a[k];
        for (int k = first; k < first + MOST; k++)
            squares += (a[k] - total) * (a[k] - total);
        check_near("sums", i, out[i], total + 2 * squares + a[i], 1e-9);
    }
    for (int block = MOST; block > 16; block -= 41) {
        for (int i = 0; i < TEAMS * block; i++)
            a[i] = i;
        reversed(a, block);
        for (int i = 0; i < TEAMS * block; i++)
            check_int("reversed", i, a[i], i + 10 * (i / block * block + block - 1 - i % block));
    }

    int ends[TEAMS * 32], count[TEAMS];
    steps(ends, count);
    for (int team = 0; team < TEAMS; team++) {
        int most = 1;
        for (int t = 0; t < 32; t++) {
            int v = t + team, rounds = 0;
            do {
                v += v < 40 ? t % 7 + 1 : 0;
                rounds++;
            } while (v < 40);
            most = rounds > most ? rounds : most;
            check_int("end", team * 32 + t, ends[team * 32 + t], v);
        }
        check_int("rounds", team, count[team], most);
    }

    float values[TEAMS * 64];
    arrays_of_threads(values);
    for (int i = 0; i < TEAMS * 64; i++) {
        int t = i % 64;
        check_near("arrays", i, values[i], 73 * t + 99 * ((t + 3) % 64) + 99 * ((t + 70) % 64), 0);
    }

    int b[100];
#pragma omp target teams distribute parallel for map(from : b)
#pragma omp tile sizes(8)
    for (int i = 0; i < 100; i++)
        b[i] = 3 * i;
    for (int i = 0; i < 100; i++)
        check_int("tiled", i, b[i], 3 * i);
    return finish();
}
