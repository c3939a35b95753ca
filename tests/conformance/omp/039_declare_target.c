// declare target in each form: blocks, lists, scalars, structures, constants, nested blocks.
// expect: launches=4
// needs: separate
#include "../check.h"

#define N 48

struct config {
    int scale;
    double weights[3];
};

#pragma omp declare target
static struct config config = { 3, { 0.5, 1, 2 } };
#pragma omp declare target
static int inner = 6;
#pragma omp end declare target
static int outer = 7;
static const int powers[3] = { 1, 10, 100 };
int weigh(int i);
#pragma omp end declare target

static int grid[4][N];
static long total;
#pragma omp declare target to(grid) to(total)

static double pi = 3;
static int twice(int x)
{
    return 2 * x;
}
#pragma omp declare target to(pi, twice)

int weigh(int i)
{
    return (int)(config.weights[i % 3] * powers[i % 3]) * config.scale;
}

static int calls = 5;
#pragma omp declare target to(calls)

static int count(void)
{
#pragma omp target
    calls++;
    int seen = 0;
#pragma omp target map(from: seen)
    seen = calls;
    return seen;
}

int main(void)
{
    int a[N];
#pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < N; i++) {
        grid[i % 4][i] = i;
        a[i] = weigh(i) + inner * outer + twice((int)pi);
    }
    static const int weights[3] = { 0, 30, 600 };
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], weights[i % 3] + 42 + 6);
    check_int("grid", 0, grid[1][1], 0);
#pragma omp target update from(grid[0:2])
    check_int("grid", 1, grid[1][1], 1);
    check_int("grid", 2, grid[2][2], 0);
    // A clause changes nothing for what is on the device for good; always moves it.
    config.scale = 100;
    total = 1;
#pragma omp target map(to: config) map(always, tofrom: total)
    total += config.scale;
    check_int("total", 0, total, 4);
    check_int("count", 0, count(), 6);
    return finish();
}
