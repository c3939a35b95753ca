// Loops that end where a counter without a sign meets a bound on the other side of an end of its type: `i != -1` counting down. A
// first value that is the bound means no iteration.
// expect: launches=8
#include "check.h"
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define N 50

static void down(unsigned n, int *a)
{
#pragma acc parallel loop copy(a [0:N])
    for (unsigned i = n - 1; i != (unsigned)-1; i--)
        a[i] += 1;
}

static void down_far(size_t n, int *a)
{
#pragma acc parallel loop copy(a [0:N])
    for (size_t i = n - 1; i != SIZE_MAX; --i)
        a[i] += 10;
}

static void down_in_order(unsigned n, int *a)
{
#pragma acc serial loop copy(a [0:N])
    for (unsigned i = n - 1; i != UINT_MAX; i -= 1)
        a[i] += 100;
}

int main()
{
    int a[N] = {0}, b[N] = {0}, c[N] = {0}, sum = 0, counts[3] = {0};
    unsigned i;
    down(N, a);
    down(0, a);
    down_far(N / 2, a);
    down_far(0, a);
    down_in_order(10, a);
    down_in_order(0, a);
    for (int k = 0; k < N; k++)
        check_int("a", k, a[k], 1 + 10 * (k < N / 2) + 100 * (k < 10));

#pragma acc kernels copy(b)
    for (i = N - 1; i != -1; i--)
        b[i] = i;
    check_int("i", 0, i == UINT_MAX, 1);
    for (int k = 0; k < N; k++)
        check_int("b", k, b[k], k);

#pragma acc parallel loop collapse(2) reduction(+ : sum) copy(c)
    for (unsigned j = 3; j != -1; j--)
        for (unsigned char k = 250; k != 4; k++) {
            sum += j;
            if (j == 2) {
#pragma acc atomic update
                c[k % N] += 1;
            }
        }
    check_int("sum", 0, sum, 60);
    for (int k = 0; k < N; k++)
        check_int("c", k, c[k], (k < 4) + (k < 6));

#pragma acc parallel loop gang copy(counts)
    for (int g = 0; g < 3; g++) {
        int own = 0;
#pragma acc loop vector reduction(+ : own)
        for (uint16_t k = g; k != 65535; k--)
            own += k + 1;
        counts[g] = own;
    }
    for (int g = 0; g < 3; g++)
        check_int("counts", g, counts[g], (g + 1) * (g + 2) / 2);

#pragma acc parallel num_gangs(1) copy(b)
    {
        unsigned k;
#pragma acc loop seq
        for (k = N - 1; k != -1; k--)
            b[k] += b[(k + 1) % N];
        b[0] += k == UINT_MAX;
    }
    int want[N];
    for (int k = 0; k < N; k++)
        want[k] = k;
    for (int k = N - 1; k >= 0; k--)
        want[k] += want[(k + 1) % N];
    check_int("in order", 0, b[0], want[0] + 1);
    check_int("in order", 7, b[7], want[7]);
    return finish();
}
