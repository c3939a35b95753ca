// scheme(block): arrays that kernels write, wholly, in part, in any order, by `+=`, by two kernels at a time; updates of
// parts of groups.
// expect: launches=7 uploads=3 downloads=3
#include "check.h"
#include <math.h>
#include <stdlib.h>

enum { N = 1000 };

static float a[N], b[N], want[N];
static double d[N], e[N];

int main(void)
{
    int n = N;
    for (int i = 0; i < n; i++) {
        a[i] = want[i] = (float)(i % 13);
        b[i] = -1;
        d[i] = i;
    }
#pragma acc data ccopy(scheme(block): a[0:n]) ccopyout(scheme(block), bits(12): b[0:n]) ccopyin(scheme(block): d[0:n]) \
    ccreate(scheme(block): e[0:n])
    {
        /* A part of a group, some elements, any order. */
#pragma acc parallel loop compression(a, d)
        for (int i = 5; i < 17; i++)
            a[i] += (float)d[i];
#pragma acc parallel loop compression(a)
        for (int i = 0; i < n / 7; i++)
            a[(i * 11) % (n / 7) * 7] = 2.5f;
        /* A sequential loop, and one array made of another. */
#pragma acc parallel loop compression(d, e)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += d[(i + k) % n];
            e[i] = sum;
        }
#pragma acc parallel loop compression(b, e)
        for (int i = 0; i < n; i++)
            b[i] = (float)(e[i] / 4);
        /* Under a condition, and up to the middle of a group. */
#pragma acc parallel loop compression(a, d)
        for (int i = 0; i < n - 7; i++)
            if (d[i] > 40 && i % 3 == 0)
                a[i] += 0.5f;
        /* Halves of one array on two queues. */
#pragma acc parallel loop compression(a) async(1)
        for (int i = 0; i < 500; i++)
            a[i] = -a[i];
#pragma acc parallel loop compression(a) async(2)
        for (int i = 500; i < n; i++)
            a[i] = 10 + a[i];
#pragma acc wait
        for (int i = 0; i < n; i++) {
            if (i >= 5 && i < 17)
                want[i] += (float)i;
            if (i % 7 == 0 && i < n / 7 * 7)
                want[i] = 2.5f;
            if (i > 40 && i < n - 7 && i % 3 == 0)
                want[i] += 0.5f;
            want[i] = i < 500 ? -want[i] : 10 + want[i];
        }
#pragma acc update self(a[101:7])
        for (int i = 101; i < 108; i++)
            check_near("a part comes back", i, a[i], want[i], 30.0 / 32768);
        check_near("its neighbour does not", 100, a[100], 100 % 13, 0);
        for (int i = 0; i < n; i++)
            a[i] = 77;
#pragma acc update device(a[301:50])
        for (int i = 301; i < 351; i++)
            want[i] = 77;
    }
    for (int i = 0; i < n; i++) {
        check_near("a", i, a[i], want[i], 200.0 / 32768);
        double mean = 0;
        for (int k = 0; k < 4; k++)
            mean += (i + k) % n / 4.0;
        check_near("b", i, b[i], mean, 1.0 / 1024);
    }
    return finish();
}
