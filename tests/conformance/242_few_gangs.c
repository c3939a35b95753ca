// A few gangs around long vector loops: sums, extrema, loops that read what other lanes of the gang have written, values that one
// thread sets between them, and gangs that take several iterations.
// expect: launches=24
#include "check.h"
#include <stdlib.h>

#define MOST 70
#define N 50021

static double a[MOST][N], b[MOST][N];
static float sums[MOST];
static int greatest[MOST], place[MOST];
static long long counts[MOST];

static void fill(int rows)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j * 13) % 101;
            b[i][j] = -1;
        }
        sums[i] = counts[i] = greatest[i] = place[i] = 0;
    }
}

static void reduce(int rows, int n)
{
    fill(rows);
#pragma acc parallel loop gang copyin(a[0:rows]) copy(sums, counts, greatest)
    for (int i = 0; i < rows; i++) {
        float sum = 0.5f;
        long long count = i;
        int most = -1;
#pragma acc loop vector reduction(+ : sum, count) reduction(max : most)
        for (int j = 0; j < n; j++) {
            sum += (float)a[i][j] * 0.125f;
            count += (int)a[i][j] % 3;
            most = (int)a[i][j] > most ? (int)a[i][j] : most;
        }
        sums[i] = sum;
        counts[i] = count;
        greatest[i] = most;
    }
    for (int i = 0; i < rows; i++) {
        double sum = 0.5;
        long long count = i;
        int most = -1;
        for (int j = 0; j < n; j++) {
            sum += a[i][j] * 0.125;
            count += (int)a[i][j] % 3;
            most = a[i][j] > most ? (int)a[i][j] : most;
        }
        check_near("sum", i, sums[i], sum, 1e-4);
        check_int("count", i, counts[i], count);
        check_int("greatest", i, greatest[i], most);
    }
}

static void exchange(int rows, int n)
{
    fill(rows);
#pragma acc parallel loop gang copyin(a[0:rows]) copy(b[0:rows], place, sums)
    for (int i = 0; i < rows; i++) {
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            b[i][j] = 2 * a[i][j] + i;
        place[i] = (int)b[i][n / 2];
        b[i][n / 3] = 1000;
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < n; j++)
            sum += b[i][(j + 4099) % n] + place[i];
        sums[i] = (float)(sum / n);
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            b[i][j] = sum;
    }
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        int at = 2 * (int)a[i][n / 2] + i;
        for (int j = 0; j < n; j++)
            sum += (j == n / 3 ? 1000 : 2 * a[i][j] + i) + at;
        check_int("place", i, place[i], at);
        check_near("mean", i, sums[i], sum / n, 1e-5);
        for (int j = 0; j < n; j += 97)
            check_near("b", j, b[i][j], sum, 1e-9);
        for (int j = n; j < N; j += 997)
            check_near("rest", j, b[i][j], -1, 0);
    }
}

// Two gangs for five iterations; a loop of unknown length in each turn of another.
static void turns(int n)
{
    fill(5);
#pragma acc parallel loop gang num_gangs(2) copyin(a[0:5]) copy(sums)
    for (int i = 0; i < 5; i++) {
        double all = 0;
        for (int turn = 0; turn < 3; turn++) {
            double sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int j = turn; j < n; j += turn + 1)
                sum += a[i][j];
            if (sum > 100)
                all += sum;
            else
                all -= 1;
        }
        sums[i] = (float)all;
    }
    for (int i = 0; i < 5; i++) {
        double all = 0;
        for (int turn = 0; turn < 3; turn++) {
            double sum = 0;
            for (int j = turn; j < n; j += turn + 1)
                sum += a[i][j];
            all += sum > 100 ? sum : -1;
        }
        check_near("turns", i, sums[i], all, 1e-6);
    }
}

int main(void)
{
    int rows[] = {1, 3, 16, MOST}, lengths[] = {0, 1, 333, N};
    for (int r = 0; r < 4; r++)
        for (int l = 0; l < 4; l++) {
            reduce(rows[r], lengths[l]);
            if (lengths[l] > 1 && r != 1)
                exchange(rows[r], lengths[l]);
        }
    turns(0);
    turns(N);
    return finish();
}
