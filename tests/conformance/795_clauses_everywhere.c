// Clauses on each of the directives that take them (2.5 to 2.7, 2.12, 2.14, 2.16).
// needs: runtime
// gcc: rejects, new in OpenACC 3.3
#include "check.h"
#include <openacc.h>
#include <stdlib.h>

#define N 200

#pragma acc routine gang
static void fill(int *p, int n, int value)
{
#pragma acc loop gang
    for (int i = 0; i < n; i++)
        p[i] = value;
}

#pragma acc routine device_type(nvidia) seq device_type(*) seq
static int twice(int x)
{
    return 2 * x;
}

static void all(const char *what, const int *p, int value)
{
    for (int i = 0; i < N; i++)
        check_int(what, i, p[i], value);
}

int main(void)
{
    int a[N], b[N], one = 1, zero = 0;
    int *p = malloc(N * sizeof *p);
    for (int i = 0; i < N; i++)
        a[i] = b[i] = p[i] = 0;

    /* Devices. */
#pragma acc init device_type(host) if (zero)
#pragma acc init device_num(0) if (one)
#pragma acc set device_num(0) device_type(default) if (one)
#pragma acc set default_async(3)
    check_int("default_async", 0, acc_get_default_async(), 3);
#pragma acc set default_async(4) if (zero)
    check_int("default_async", 1, acc_get_default_async(), 3);
#pragma acc set default_async(acc_async_noval)

    /* Queues: data constructs, and compute constructs that wait. */
#pragma acc data copy(a) async(1) wait(2)
    {
#pragma acc kernels async(1) wait(2) default(present)
        for (int i = 0; i < N; i++)
            a[i] = 1;
#pragma acc serial wait(1) default(present)
        {
            a[0]++;
        }
    }
#pragma acc wait(1) if (one)
    check_int("a", 1, a[1], 1);
    check_int("a", 0, a[0], 2);
    a[0] = 1;

    /* Synchronous work inside a data region on a queue. */
#pragma acc data copy(b) async(2)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            b[i] = i ? 3 : 3;
    }
#pragma acc wait(2) if (zero)
#pragma acc wait
    all("b", b, 3);

    /* Where to run. */
#pragma acc serial if (zero) copy(a)
    a[0] = 5;
#pragma acc parallel self(one) copy(a)
    a[0] += 1;
#pragma acc kernels self copy(a)
    a[0] += 1;
    check_int("a", 0, a[0], 7);

    /* Sizes of kernels; clauses for types of devices. */
#pragma acc kernels num_gangs(4) num_workers(2) vector_length(32) copyout(a)
#pragma acc loop independent
    for (int i = 0; i < N; i++)
        a[i] = 7;
    all("a", a, 7);
#pragma acc kernels copyout(b) device_type(nvidia) num_gangs(8) device_type(*) num_gangs(2)
#pragma acc loop independent
    for (int i = 0; i < N; i++)
        b[i] = twice(4);
    all("b", b, 8);
#pragma acc serial copy(a) device_type(nvidia) async(5) device_type(*) async(6)
    a[0] = 9;
#pragma acc wait
    check_int("a", 0, a[0], 9);
#pragma acc data copy(a) device_type(nvidia) async(5) device_type(*) async(6)
    {
    }
#pragma acc wait

    /* Data that is there, or not. */
#pragma acc data create(b)
    {
#pragma acc data present(b) no_create(p[0:N])
        {
#pragma acc kernels no_create(b)
#pragma acc loop independent
            for (int i = 0; i < N; i++)
                b[i] = 11;
#pragma acc serial no_create(b) create(zero)
            {
                zero = 1;
                b[0] += zero;
            }
#pragma acc update self(b)
        }
        zero = 0;
    }
    check_int("b", 0, b[0], 12);
    check_int("b", 1, b[1], 11);

    /* A routine of gangs. */
#pragma acc parallel copyout(a)
    fill(a, N, 13);
    all("a", a, 13);

    /* Memory that the program gets itself; pointers in structures. */
    int *on_device = acc_malloc(N * sizeof(int));
#pragma acc serial deviceptr(on_device) copyout(zero)
    {
        on_device[0] = 17;
        zero = on_device[0];
    }
    check_int("deviceptr", 0, zero, 17);
    zero = 0;
    acc_free(on_device);

    struct list {
        int n;
        int *items;
    } list = {N, p};
#pragma acc enter data copyin(list) copyin(p[0:N])
#pragma acc kernels attach(list.items) present(list)
#pragma acc loop independent
    for (int i = 0; i < N; i++)
        list.items[i] = 19;
#pragma acc serial attach(list.items) present(list)
    list.items[0]++;
#pragma acc exit data copyout(p[0:N]) delete(list)
    check_int("p", 0, p[0], 20);
    check_int("p", 1, p[1], 19);

    /* What a pointer leads to, private to lanes, and to gangs whose lanes share it. */
    int *t = p;
#pragma acc parallel loop gang vector private(t[2:5]) copyout(a)
    for (int i = 0; i < N; i++) {
        int sum = 0;
        for (int k = 2; k < 7; k++)
            t[k] = i + k;
        for (int k = 2; k < 7; k++)
            sum += t[k];
        a[i] = sum;
    }
#pragma acc parallel loop gang private(t[0:64]) copyout(b)
    for (int i = 0; i < N; i++) {
        int sum = 0;
#pragma acc loop vector
        for (int k = 0; k < 64; k++)
            t[k] = i + k;
#pragma acc loop vector reduction(+ : sum)
        for (int k = 0; k < 64; k++)
            sum += t[63 - k];
        b[i] = sum;
    }
    for (int i = 0; i < N; i++) {
        check_int("lanes", i, a[i], 5 * i + 20);
        check_int("gangs", i, b[i], 64 * i + 2016);
    }
    check_int("p", 2, p[2], 19);

    /* A condition of atomic is for programs that go without. */
    int count = 0;
#pragma acc parallel loop copy(count)
    for (int i = 0; i < N; i++) {
#pragma acc atomic update if (one)
        count++;
    }
    check_int("count", 0, count, N);
    free(p);

#pragma acc shutdown device_num(0) if (zero)
#pragma acc shutdown device_type(default)
    return finish();
}
