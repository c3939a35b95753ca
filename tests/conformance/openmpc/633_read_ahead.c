// A host that reads large arrays page after page has them read ahead: with kernels, writes, other threads and frees in between.
// expect: launches=26
#include "../check.h"
#include <stdlib.h>

enum { N = 6 << 20 };
static int fixed[N];

static void add(int *a, int value)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] += value;
}

/* How many of the first ones are not as they should be. */
static int differences(const int *a, int count, int value)
{
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += a[i] != value;
    return wrong;
}

int main(void)
{
    int *a = calloc(N, sizeof *a);
    for (int step = 1; step <= 8; step++) {
        add(a, 1);
        check_int("a part is read, and the next kernel comes", step, differences(a, N / 8 * step, step), 0);
    }
    for (int step = 1; step <= 8; step++) {
        add(fixed, 1);
        check_int("half is read", step, differences(fixed, N / 2, step), 0);
        fixed[N / 2 + 5000 * step] += 100;
        fixed[N - step] += 100;
        check_int("what was written stays", step, fixed[N / 2 + 5000 * step] + fixed[N - step], 2 * (100 + step));
        fixed[N / 2 + 5000 * step] -= 100;
        fixed[N - step] -= 100;
    }
    check_int("all is read", 0, differences(fixed, N, 8), 0);
    add(a, 1);
    add(fixed, 1);
    int wrong = 0;
#pragma cuda cpurun
#pragma omp parallel for schedule(static) reduction(+ : wrong)
    for (int part = 0; part < 4; part++) {
        const int *array = part % 2 ? fixed : a;
        wrong += differences(array + part / 2 * (N / 2), N / 2, 9);
    }
    check_int("threads read two arrays", 0, wrong, 0);
    for (int step = 1; step <= 8; step++) {
        free(a);
        a = calloc(N, sizeof *a);
        add(a, step);
        check_int("it is freed while it is read", step, differences(a, N / 4 * 3, step), 0);
    }
    differences(fixed, N / 2, 9);
    return finish();
}
