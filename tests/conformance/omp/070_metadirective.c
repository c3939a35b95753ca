// metadirective: resolved by the place, by constants, by the device, and while the program runs.
// expect: launches=6
// gcc: rejects, metadirectives are of OpenMP 5.0 and newer than gcc 12
#include "../check.h"
#include <omp.h>

#define N 100
#define WANTED 1

static int a[N], b[N];

static int threads_of(int many)
{
    int threads = 0;
#pragma omp metadirective when(user = {condition(many > 1)} : parallel num_threads(3)) otherwise(parallel num_threads(1))
    {
#pragma omp single
        threads = omp_get_num_threads();
    }
    return threads;
}

static void fill(int n, int on_device)
{
#pragma omp metadirective \
    when(user = {condition(on_device && n > 0)} : target teams distribute parallel for map(tofrom : b[0:n])) \
    when(implementation = {vendor(score(5) : nobody)} : error at(compilation)) default(parallel for)
    for (int i = 0; i < n; i++)
        if (i % 2)
            b[i] = 3 * i;
        else
            b[i] = i;
}

int main(void)
{
    // In a target construct.
#pragma omp target map(from : a)
#pragma omp metadirective when(device = {arch("nvptx")} : teams distribute parallel for) default(parallel for)
    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i);

#pragma omp target map(tofrom : a)
#pragma omp metadirective when(device = {kind(host)} : nothing) when(construct = {target} : teams num_teams(4)) default(parallel)
#pragma omp distribute parallel for
    for (int i = 0; i < N; i++)
        a[i] += 5;
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i + 5);

    // Chosen on the device.
    for (int many = 0; many < 2; many++) {
#pragma omp target map(tofrom : a)
        {
#pragma omp metadirective when(user = {condition(many)} : parallel for num_threads(4)) default(nothing)
            for (int i = 0; i < N; i++)
                a[i] += many ? 10 : 1;
        }
    }
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], i + 16);

    // On the host, by a constant and by its kind.
    int threads = 0;
#pragma omp metadirective when(user = {condition(WANTED)}, device = {kind(cpu)} : parallel num_threads(2)) default()
#pragma omp masked
    threads = omp_get_num_threads();
    check_int("threads", 0, threads, 2);
#pragma omp metadirective when(user = {condition(!WANTED)} : parallel num_threads(2)) default(nothing)
    threads = omp_get_num_threads();
    check_int("threads", 1, threads, 1);
    check_int("threads", 2, threads_of(5), 3);
    check_int("threads", 3, threads_of(1), 1);

    // A line that follows keeps its number, and both statements are there.
    for (int on_device = 0; on_device < 2; on_device++) {
        for (int i = 0; i < N; i++)
            b[i] = -1;
        fill(N, on_device);
        fill(0, on_device);
        for (int i = 0; i < N; i++)
            check_int("b", i, b[i], i % 2 ? 3 * i : i);
    }
    check_int("line", 0, __LINE__, 86);

    // With an end, around several statements.
    int count = 0;
#pragma omp begin metadirective when(user = {condition(threads == 1)} : parallel num_threads(2) reduction(+ : count)) default(nothing)
    count++;
    count += 10;
#pragma omp end metadirective
    check_int("count", 0, count, 22);

    // By the device that would run the construct.
    int where = -1;
#pragma omp metadirective when(target_device = {kind(nohost)} : target map(from : where)) default(nothing)
    where = omp_is_initial_device();
    check_int("where", 0, where, 0);
#pragma omp metadirective when(target_device = {device_num(omp_get_initial_device()), kind(nohost)} : target map(from : where)) \
    default(nothing)
    where = omp_is_initial_device();
    check_int("where", 1, where, 1);
    return finish();
}
