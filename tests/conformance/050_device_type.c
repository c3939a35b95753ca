// Clauses behind `device_type` hold for that type alone: numbers of gangs, seen by gangs that count themselves, async and
// wait, sizes of levels; `*` is for the types not named, and what stands in front for all.
// needs: runtime
// expect: launches=6 uploads=5 downloads=6
#include <openacc.h>
#include "check.h"

#define N 1000

static int a[N], b[N];

static int is_cpu(void)
{
    return acc_get_device_type() == acc_device_host || acc_get_device_type() == acc_device_multicore;
}

static void named(int gangs)
{
    int count = 0;
#pragma acc parallel copy(count) num_gangs(2) device_type(nvidia) num_gangs(7) dtype(opencl) num_gangs(gangs) device_type(host, multicore) num_gangs(3)
    {
#pragma acc atomic
        count++;
    }
    int want = is_cpu() ? 3 : acc_get_device_type() == acc_device_nvidia ? 7 : gangs;
    check_int("gangs of named types", 0, count, want);
}

static void others(void)
{
    int count = 0;
#pragma acc parallel copy(count) num_gangs(2) device_type(host) num_gangs(4) vector_length(32) device_type(*) num_gangs(6)
    {
#pragma acc atomic
        count++;
    }
    check_int("gangs of other types", 0, count, is_cpu() ? 4 : 6);
}

static void for_all(void)
{
    int count = 0;
#pragma acc parallel copy(count) num_gangs(5) device_type(*) vector_length(64)
    {
#pragma acc atomic
        count++;
    }
    check_int("gangs of all types", 0, count, 5);
}

/* Where a queue is given on some types only, the others do it at once. */
static void queues(int q)
{
#pragma acc enter data copyin(a, b)
#pragma acc parallel loop present(a) device_type(host) async(q) wait(q) device_type(*) async(q + 1)
    for (int i = 0; i < N; i++)
        a[i] += i;
#pragma acc parallel loop present(a, b) async(9) wait(q) device_type(*) wait(q, q + 1)
    for (int i = 0; i < N; i++)
        b[i] = a[i] + 1;
#pragma acc update self(a, b) device_type(*) wait(9)
#pragma acc exit data delete(a, b)
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], 2 * i);
        check_int("b", i, b[i], 2 * i + 1);
    }
}

/* Sizes of a loop's levels. */
static void levels(void)
{
#pragma acc parallel loop gang copyout(b) device_type(nvidia) vector(128) device_type(*) vector(64)
    for (int i = 0; i < N; i++)
        b[i] = 3 * i;
    for (int i = 0; i < N; i++)
        check_int("levels", i, b[i], 3 * i);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i;
    named(5);
    others();
    for_all();
    queues(3);
    levels();
    return finish();
}
