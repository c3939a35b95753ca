// A queue that waits for another one: what the host then sees of both, and in which order their downloads and sums arrive.
// expect: launches=9
#include "check.h"

enum { N = 3000 };
static double x[N], y[N];

static void fill(double by)
{
    for (int i = 0; i < N; i++)
        x[i] = y[i] = by;
}

int main(void)
{
    // The host waits for the second queue alone.
    fill(1);
#pragma acc data copyin(x)
    {
#pragma acc parallel loop async(3) present(x)
        for (int i = 0; i < N; i++)
            x[i] = 2;
#pragma acc update self(x) async(3)
#pragma acc wait(3) async(1)
#pragma acc wait(1)
        for (int i = 0; i < N; i++)
            check_near("followed", i, x[i], 2, 0);
    }
    // Two downloads of one array, from queues in order: the later one stays.
    fill(1);
#pragma acc data copyin(x)
    {
#pragma acc parallel loop async(3) present(x)
        for (int i = 0; i < N; i++)
            x[i] = 2;
#pragma acc update self(x) async(3)
#pragma acc wait(3) async(1)
#pragma acc parallel loop async(1) present(x)
        for (int i = 0; i < N; i++)
            x[i] = 3;
#pragma acc update self(x) async(0) wait(1)
#pragma acc wait
        for (int i = 0; i < N; i++)
            check_near("later", i, x[i], 3, 0);
    }
    // A sum that goes on in another queue, and one that begins with what a download brings.
    double sum = 1;
#pragma acc parallel loop reduction(+:sum) async(1)
    for (int i = 0; i < N; i++)
        sum += 1;
#pragma acc parallel loop reduction(+:sum) async(2) wait(1)
    for (int i = 0; i < N; i++)
        sum += 2;
#pragma acc wait(2)
    check_near("sum", 0, sum, 1 + 3.0 * N, 0);
    double last = 0;
#pragma acc enter data create(last)
#pragma acc serial async(1) present(last)
    last = 5;
#pragma acc exit data copyout(last) async(1)
#pragma acc parallel loop reduction(+:last) async(1)
    for (int i = 0; i < N; i++)
        last += 1;
#pragma acc wait(1)
    check_near("last", 0, last, 5 + N, 0);
    // A sum that is sent to the device in order.
    double sent = 0, seen = 0;
#pragma acc enter data create(sent)
#pragma acc exit data delete(sent)
#pragma acc parallel loop reduction(+:sent) async(1)
    for (int i = 0; i < N; i++)
        sent += 1;
#pragma acc enter data copyin(sent) async(2) wait(1)
#pragma acc serial async(2) present(sent) copyout(seen)
    seen = sent;
#pragma acc wait(2)
#pragma acc exit data delete(sent)
    check_near("sent", 0, seen, N, 0);
    return finish();
}
