// Loops whose lengths only the device knows (sparse rows, edges of nodes), inside a loop over rows: each launch chooses how
// many lanes run a row, by what earlier launches measured. All choices, and each number of lanes that a schedule names, give
// the results of the serial loops; rows may be empty.
// devices: cpu opencl cuda
// expect: launches=63
#include "check.h"
#include <string.h>

#define DO(...) _Pragma(#__VA_ARGS__)
#define N 1501
#define MOST 90

static int row[N + 1], col[N * MOST], mark[N], cost[N], best[N];
static double v[N * MOST], x[N], y[N], y_ok[N];

// The pointers may overlap for all that the compiler knows.
#define PRODUCT(name, ...)                                                                                              \
    static void name(int n, const int *row, const int *col, const double *v, const double *x, double *y)                \
    {                                                                                                                   \
        __VA_ARGS__                                                                                                     \
        DO(acc parallel loop gang present(row[0:n + 1], col[0:row[n]], v[0:row[n]], x[0:n], y[0:n]))                    \
        for (int i = 0; i < n; i++) {                                                                                   \
            double sum = 0.5;                                                                                           \
            DO(acc loop vector reduction(+ : sum))                                                                      \
            for (int k = row[i]; k < row[i + 1]; k++)                                                                   \
                sum += v[k] * x[col[k]];                                                                                \
            y[i] = sum;                                                                                                 \
        }                                                                                                               \
    }
PRODUCT(product, )
PRODUCT(product1, DO(accl schedule(lanes(1))))
PRODUCT(product2, DO(accl schedule(lanes(2))))
PRODUCT(product4, DO(accl schedule(lanes(4))))
PRODUCT(product8, DO(accl schedule(lanes(8))))
PRODUCT(product16, DO(accl schedule(lanes(16))))
PRODUCT(product32, DO(accl schedule(lanes(32) restrict)))
PRODUCT(product_any, DO(accl schedule(lanes)))

// No directive says that lanes may run the inner loop, whose bounds are variables of the row.
static void undirected(int n, const int *restrict row, const int *restrict col, const double *restrict v,
                       const double *restrict x, double *restrict y)
{
#pragma acc parallel loop present(row[0 : n + 1], col[0 : row[n]], v[0 : row[n]], x[0 : n], y[0 : n])
    for (int i = 0; i < n; i++) {
        const int first = row[i], end = row[i + 1];
        double sum = 0.5;
        for (int k = first; k < end; k++)
            sum += v[k] * x[col[k]];
        y[i] = sum;
    }
}

// Rows under a condition, stores through subscripts.
static void visit(int n, const int *restrict row, const int *restrict col, const int *restrict mark, int *restrict cost)
{
#pragma acc parallel loop present(row[0 : n + 1], col[0 : row[n]], mark[0 : n], cost[0 : n])
    for (int i = 0; i < n; i++)
        if (mark[i]) {
#pragma acc loop independent
            for (int k = row[i]; k < row[i + 1]; k++)
                cost[col[k]] = 7;
        }
}

// Two inner loops of different lengths, the second from the back; a maximum; and a sum over all rows.
static long two(int n, const int *restrict row, const int *restrict col, int *restrict best)
{
    long total = 3;
#pragma acc parallel loop reduction(+ : total) present(row[0 : n + 1], col[0 : row[n]], best[0 : n])
    for (int i = 0; i < n; i++) {
        int most = -1, few = 0;
#pragma acc loop reduction(max : most)
        for (int k = row[i]; k < row[i + 1]; k++)
            most = col[k] > most ? col[k] : most;
#pragma acc loop reduction(+ : few)
        for (int k = row[i + 1] - 1; k >= row[i]; k -= 2)
            few += col[k] & 1;
        best[i] = most + few;
        total += most - few;
    }
    return total;
}

// Rows of `kernels`, whose sum is found.
static void found(int n, const int *restrict row, const double *restrict v, double *restrict y)
{
#pragma acc kernels loop independent present(row[0 : n + 1], v[0 : row[n]], y[0 : n])
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += v[k];
        y[i] = sum;
    }
}

static void make(int most)
{
    row[0] = 0;
    for (int i = 0; i < N; i++)
        row[i + 1] = row[i] + (i % 7 == 3 ? 0 : (i * 37) % (most + 1));
    for (int k = 0; k < row[N]; k++) {
        col[k] = (k * 131 + 7) % N;
        v[k] = k % 9 - 4;
    }
}

#define PRODUCT_CHECKED(name)                                 \
    memset(y, 0, sizeof y);                         \
    DO(acc update device(y))                        \
    name(N, row, col, v, x, y);                     \
    DO(acc update self(y))                          \
    for (int i = 0; i < N; i++)                     \
        check_near(#name, i, y[i], y_ok[i], 0)

static void all(int most)
{
    make(most);
    for (int i = 0; i < N; i++)
        x[i] = i % 5 - 2;
    for (int i = 0; i < N; i++) {
        y_ok[i] = 0.5;
        mark[i] = i % 3 == 0;
        cost[i] = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            y_ok[i] += v[k] * x[col[k]];
    }
    const int m = row[N];
#pragma acc data copyin(row, col[0 : m], v[0 : m], x, mark) copy(cost) create(y, best)
    {
        for (int times = 0; times < 3; times++) {
            PRODUCT_CHECKED(product);
            PRODUCT_CHECKED(undirected);
            PRODUCT_CHECKED(product_any);
            visit(N, row, col, mark, cost);
        }
        PRODUCT_CHECKED(product1);
        PRODUCT_CHECKED(product2);
        PRODUCT_CHECKED(product4);
        PRODUCT_CHECKED(product8);
        PRODUCT_CHECKED(product16);
        PRODUCT_CHECKED(product32);
        long total = 3, got = 0;
        for (int times = 0; times < 2; times++)
            got = two(N, row, col, best);
#pragma acc update self(best)
        for (int i = 0; i < N; i++) {
            int large = -1, few = 0;
            for (int k = row[i]; k < row[i + 1]; k++)
                large = col[k] > large ? col[k] : large;
            for (int k = row[i + 1] - 1; k >= row[i]; k -= 2)
                few += col[k] & 1;
            check_int("best", i, best[i], large + few);
            total += large - few;
        }
        check_int("total", 0, got, total);
        found(N, row, v, y);
#pragma acc update self(y)
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int k = row[i]; k < row[i + 1]; k++)
                sum += v[k];
            check_near("found", i, y[i], sum, 0);
        }
    }
    for (int i = 0; i < N; i++)
        if (mark[i])
            for (int k = row[i]; k < row[i + 1]; k++)
                check_int("cost", col[k], cost[col[k]], 7);
}

int main(void)
{
    all(3);
    all(MOST);
    all(0);
    return finish();
}
