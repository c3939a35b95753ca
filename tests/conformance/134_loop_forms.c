// Loops that people write and whose own variable cannot count the iterations: unsigned ones that fall, steps in the
// condition, comparisons of a signed with an unsigned value. Under directives, collapsed, and in kernels.
// expect: launches=12
#include <stddef.h>
#include "check.h"

#define N 150

static int a[N], b[10][N];

static void check(const char *what, int from, int to)
{
    for (int i = 0; i < N; i++) {
        check_int(what, i, a[i], i >= from && i < to ? i + 1 : 0);
        a[i] = 0;
    }
}

int main(void)
{
    int n = N, i, low = -5, hits;
    unsigned m = N, ten = 10;
    long less = -3, sum = 0;
    size_t size = N;

#pragma acc parallel loop copy(a)
    for (int i = n; i-- > 0;)
        a[i] += i + 1;
    check("i-- > 0", 0, N);
#pragma acc parallel loop copy(a)
    for (i = n; --i >= 7;)
        a[i] += i + 1;
    check("--i >= 7", 7, N);
#pragma acc parallel loop copy(a)
    for (unsigned i = m; i--;)
        a[i] += i + 1;
    check("i--", 0, N);
#pragma acc parallel loop copy(a)
    for (size_t i = size; i-- > 0;)
        a[i] += (int)i + 1;
    check("size_t", 0, N);
#pragma acc parallel loop copy(a)
    for (unsigned i = m - 1; i > 0; i--)
        a[i] += i + 1;
    check("unsigned > 0", 1, N);
#pragma acc parallel loop copy(a)
    for (size_t i = size - 1; i >= 3; i -= 1)
        a[i] += (int)i + 1;
    check("size_t >= 3", 3, N);
#pragma acc parallel loop copy(a)
    for (unsigned char i = 149; i > 20; --i)
        a[i] += i + 1;
    check("unsigned char", 21, N);

#pragma acc parallel loop collapse(2) copy(b)
    for (unsigned i = ten; i-- > 0;)
        for (unsigned j = N - 1; j > 0; j--)
            b[i][j] += i + j;
#pragma acc kernels copy(b)
    for (unsigned i = ten; i-- > 0;)
        for (unsigned j = N - 1; j > i; j--)
            b[i][j] += i + j;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < N; j++)
            check_int("b", i * N + j, b[i][j], (j > 0 ? i + j : 0) + (j > i ? i + j : 0));

    // As C compares them: -5 is beyond an unsigned 150, no unsigned value is below a long -3.
    hits = 0;
#pragma acc parallel loop reduction(+ : hits)
    for (int i = low; i < m; i++)
        hits++;
    check_int("int < unsigned", 0, hits, 0);
#pragma acc parallel loop reduction(+ : hits)
    for (unsigned i = 0; i < less; i++)
        hits++;
    check_int("unsigned < long", 0, hits, 0);
#pragma acc parallel loop reduction(+ : hits)
    for (int i = low + 5; i < m; i++)
        hits++;
    check_int("int < unsigned", 1, hits, N);

    // Sequential ones in a kernel.
#pragma acc parallel loop reduction(+ : sum)
    for (int k = 0; k < 10; k++) {
        unsigned r;
        for (r = m; r-- > 0;)
            sum += r;
        for (unsigned s = 3; s > 0; s--)
            sum -= s;
        int t = k, u = 0;
        while (t-- > 0)
            u++;
        sum += u - k;
    }
    check_int("sum", 0, sum, 10L * (N * (N - 1) / 2 - 6));

    // More than one variable, a pointer, two conditions: run in order.
    int first = -1;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc kernels copy(a, first)
    {
        for (int i = 0, j = N - 1; i < n; i++, j--)
            a[i] += j;
        for (int *p = a; p < a + n; p++)
            *p += 1;
        for (int i = 0; i < n && first < 0; i++)
            if (a[i] == N && i >= 12)
                first = i;
    }
    for (int i = 0; i < N; i++)
        check_int("in order", i, a[i], N);
    check_int("first", 0, first, 12);
    return finish();
}
