// Constructs for devices that depend on tasks of the host, and tasks that depend on them.
// expect: launches=3
#include "../check.h"
#include <time.h>

#define N 500

static int a[N], b[N];

static void slowly(int value)
{
    struct timespec a_while = { 0, 50000000 };
    nanosleep(&a_while, NULL);
    for (int i = 0; i < N; i++)
        a[i] = value + i;
}

int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : a)
        slowly(3);
#pragma omp target enter data map(to : a) depend(inout : a) nowait
#pragma omp target teams distribute parallel for nowait depend(in : a) depend(out : b) map(from : b)
        for (int i = 0; i < N; i++)
            b[i] = 2 * a[i];
#pragma omp task depend(inout : b)
        for (int i = 0; i < N; i++)
            b[i]++;
#pragma omp target nowait depend(inout : b) map(tofrom : b)
        for (int i = 0; i < N; i++)
            b[i] *= 10;
#pragma omp target exit data map(release : a) depend(inout : a)
#pragma omp task depend(in : b) shared(sum)
        for (int i = 0; i < N; i++)
            sum += b[i];
#pragma omp taskwait
    }
    int want = 0;
    for (int i = 0; i < N; i++) {
        check_int("b", i, b[i], 10 * (2 * (3 + i) + 1));
        want += 10 * (2 * (3 + i) + 1);
    }
    check_int("sum", 0, sum, want);
#pragma omp target if (sum < 0) depend(inout : b)
    b[0] = 1;
    check_int("host", 0, b[0], 1);
#pragma omp target map(tofrom : b)
    b[1] = 2;
    check_int("device", 0, b[1], 2);
    return finish();
}
