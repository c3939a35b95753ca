// Bounds of loops that have another value on the device than on the host, since a kernel has changed them: greater and smaller
// ones, of one loop and of two, in variables, variables of the file and members.
// expect: launches=10
#include "check.h"

enum { LENGTH = 5000 };

struct range {
    int from, to;
    double *values;
};

static int a[LENGTH], b[LENGTH];
static int count;
#pragma acc declare create(count)

static void check_ones(const char *what, int *array, int from, int to, int step)
{
    for (int i = 0; i < LENGTH; i++) {
        check_int(what, i, array[i], i >= from && i < to && (i - from) % step == 0);
        array[i] = 0;
    }
}

static void greater(int n)
{
#pragma acc data copy(a) copyin(n)
    {
#pragma acc serial present(n)
        n = 4321;
#pragma acc parallel loop present(n)
        for (int i = 0; i < n; i++)
            a[i]++;
    }
    check_ones("greater", a, 0, 4321, 1);
}

static void smaller(int n)
{
#pragma acc data copy(a, b) copyin(n)
    {
#pragma acc serial present(n)
        n = 77;
#pragma acc parallel loop gang vector vector_length(64) present(n)
        for (int i = 0; i < n; i++)
            a[i]++;
#pragma acc kernels present(n)
        for (int i = 5; i <= n; i += 3)
            b[i]++;
    }
    check_ones("smaller", a, 0, 77, 1);
    check_ones("smaller, with a step", b, 5, 78, 3);
}

static void counted(void)
{
    count = 3;
#pragma acc update device(count)
#pragma acc data copy(a)
    {
#pragma acc parallel loop
        for (int i = 0; i < LENGTH; i++)
            if (i % 5 == 0) {
#pragma acc atomic update
                count++;
            }
#pragma acc parallel loop collapse(2)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < count; i++)
                a[j * count + i]++;
#pragma acc parallel loop gang
        for (int j = 0; j < 3; j++) {
#pragma acc loop vector
            for (int i = 0; i < count; i++)
                a[j + i * 3]++;
        }
    }
    for (int i = 0; i < LENGTH; i++) {
        check_int("counted", i, a[i], (i < 2006) + (i < 3009));
        a[i] = 0;
    }
    check_int("count on the host", 0, count, 3);
}

static void member(void)
{
    struct range range = {0, 7, 0};
#pragma acc data copy(a) copyin(range)
    {
#pragma acc parallel num_gangs(1)
        {
            range.from = 10;
            range.to = 999;
        }
#pragma acc parallel loop
        for (int i = range.from; i < range.to; i++)
            a[i]++;
    }
    check_ones("member", a, 10, 999, 1);
}

int main(void)
{
    greater(10);
    smaller(3000);
    counted();
    member();
    return finish();
}
