// Loops and conditions around barriers that are directed by how many threads and teams there are.
//
// expect: launches=2
#include "../check.h"
#include <omp.h>

#define THREADS 64

int main(void)
{
    int r[6] = {0};
#pragma omp target teams num_teams(1) thread_limit(THREADS) map(tofrom: r)
    {
        int shared[THREADS];
#pragma omp parallel num_threads(THREADS)
        {
            int t = omp_get_thread_num();
            shared[t] = 1;
#pragma omp barrier
            for (int s = omp_get_num_threads() / 2; s; s >>= 1) {
                if (t < s)
                    shared[t] += shared[t + s];
#pragma omp barrier
            }
            if (t == 0)
                r[0] = shared[0];
            if (omp_get_num_threads() == THREADS) {
                shared[t] = t;
#pragma omp barrier
                if (t == 0)
                    r[1] = shared[THREADS - 1];
            }
            int half = (omp_get_num_threads() + 1) / 2;
            const int quarter = half / 2;
            do {
                if (t < half)
                    shared[t] = half;
#pragma omp barrier
                half -= quarter;
            } while (half > 0);
            if (t == 0)
                r[2] = shared[0] + shared[THREADS / 2 - 1];
            for (int d = omp_get_num_teams() + omp_in_parallel() + omp_get_level(); d < 5; d++) {
#pragma omp barrier
                if (t == d)
                    r[d] = d;
            }
            int last = omp_get_thread_limit();
            while (last > omp_get_num_threads() - 4) {
#pragma omp barrier
                if (t == last)
                    r[5] += last;
                last -= omp_get_num_threads() / THREADS;
            }
        }
    }
    check_int("a sum", 0, r[0], THREADS);
    check_int("under a condition", 0, r[1], THREADS - 1);
    check_int("halves", 0, r[2], 16 + 32);
    check_int("levels", 0, r[3], 3);
    check_int("levels", 1, r[4], 4);
    check_int("from the last on", 0, r[5], 63 + 62 + 61);

    double most[2] = {0};
#pragma omp target teams num_teams(2) thread_limit(32) map(from: most)
    {
        double both[64];
#pragma omp parallel num_threads(32)
        {
            int t = omp_get_thread_num(), n = omp_get_num_threads();
            double *a = both, *b = both + n;
            a[t] = t;
            b[t] = 2 * t;
#pragma omp barrier
            int i = n >> 1;
            while (i != 0) {
                if (t < i) {
                    a[t] = fmax(a[t], a[t + i]);
                    b[t] = fmax(b[t], b[t + i]);
                }
#pragma omp barrier
                i >>= 1;
            }
            if (t == 0)
                most[omp_get_team_num()] = a[0] + b[0];
        }
    }
    for (int i = 0; i < 2; i++)
        check_near("most", i, most[i], 93, 0);
    return finish();
}
