// Minima and maxima with their places: in critical, in variables of each thread that critical joins, in nests; the first place of
// equal values, or the last, as the serial loop has it.
// expect: launches=14
#include "../check.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

#define N 100000
#define M 300

static double a[N];
static float m[M][M];

static float measure(int i, int j) { return fabsf(m[i][j] - 500.5f); }

int main(void)
{
    int i, j, place = -1, last = -1, of_all = -1, row = -1, column = -1, near_i = -1, near_j = -1;
    double least = 1e30, low = 1e30, all = DBL_MAX, nothing = -1e9;
    float most = -1, nearest = 1e9;
    for (i = 0; i < N; i++)
        a[i] = (i * 7919L) % 100003;
    a[4321] = a[77777] = -5;
    for (i = 0; i < M; i++)
        for (j = 0; j < M; j++)
            m[i][j] = (i * 31 + j * 17) % 1009;

#pragma omp parallel for
    for (i = 0; i < N; i++) {
#pragma omp critical
        if (a[i] < least) {
            least = a[i];
            place = i;
        }
    }
    check_near("least", 0, least, -5, 0);
    check_int("place", 0, place, 4321);

    // Equal values replace what was found; from above.
#pragma omp parallel for
    for (i = N - 1; i >= 0; i--)
#pragma omp critical(name)
    {
        if (low >= a[i]) {
            last = i;
            low = a[i];
        }
    }
    check_int("last", 0, last, 4321);

#pragma omp parallel private(i)
    {
        double mine = DBL_MAX;
        int where = -1;
#pragma omp for nowait
        for (i = 0; i < N; i++)
            if (a[i] < mine) {
                mine = a[i];
                where = i;
            }
#pragma omp critical
        if (mine < all || (mine == all && where < of_all)) {
            all = mine;
            of_all = where;
        }
    }
    check_near("all", 0, all, -5, 0);
    check_int("of_all", 0, of_all, 4321);

#pragma omp parallel for private(i, j)
    for (i = 0; i < M; i++)
        for (j = 0; j < M; j++) {
#pragma omp critical
            if (m[i][j] > most) {
                most = m[i][j];
                row = i;
                column = j;
            }
        }
    float want = -1;
    int want_row = 0, want_column = 0;
    for (i = 0; i < M; i++)
        for (j = 0; j < M; j++)
            if (m[i][j] > want) {
                want = m[i][j];
                want_row = i;
                want_column = j;
            }
    check_near("most", 0, most, want, 0);
    check_int("row", 0, row, want_row);
    check_int("column", 0, column, want_column);

    // By a function, with a condition around it.
#pragma omp parallel for
    for (int k = 0; k < M; k++) {
        int skip = k % 3;
        for (int l = skip; l < M; l++) {
            float distance = measure(k, l);
            if (k != l)
#pragma omp critical
            {
                if (distance < nearest) {
                    nearest = distance;
                    near_i = k;
                    near_j = l;
                }
            }
        }
    }
    float expected = 1e9;
    int wi = 0, wj = 0;
    for (int k = 0; k < M; k++)
        for (int l = k % 3; l < M; l++)
            if (k != l && measure(k, l) < expected)
                expected = measure(k, l), wi = k, wj = l;
    check_near("nearest", 0, nearest, expected, 0);
    check_int("near_i", 0, near_i, wi);
    check_int("near_j", 0, near_j, wj);

    // None is less: nothing is set.
    place = -7;
#pragma omp parallel for
    for (i = 0; i < N; i++) {
#pragma omp critical
        {
            if (a[i] < nothing) {
                nothing = a[i];
                place = i;
            }
        }
    }
    check_int("place", 1, place, -7);

    // A loop that does more stays with the host's threads.
    int count = 0;
    least = 1e30;
#pragma omp parallel for reduction(+ : count)
    for (i = 0; i < N; i++) {
        count++;
#pragma omp critical
        if (a[i] < least) {
            least = a[i];
            place = i;
        }
    }
    check_int("count", 0, count, N);
    check_near("least", 2, a[place], -5, 0);

    // On the heap, with a step.
    double *b = malloc(N * sizeof *b);
    double top = 0;
    int at = -1;
#pragma omp parallel for
    for (i = 0; i < N; i++)
        b[i] = i < 5 ? -1 : a[i] / 7;
#pragma omp parallel for schedule(static)
    for (i = 5; i < N; i += 2) {
#pragma omp critical
        if (b[i] > top) {
            top = b[i];
            at = i;
        }
    }
    int want_at = 5;
    for (i = 5; i < N; i += 2)
        want_at = b[i] > b[want_at] ? i : want_at;
    check_int("at", 0, at, want_at);
    free(b);
    return finish();
}
