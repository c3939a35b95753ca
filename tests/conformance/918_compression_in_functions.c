// Compressed arrays handed to functions and routines, which read and write elements: whole arrays, parts, one function
// through another, a vector routine, an array of file scope.
// expect: launches=4 uploads=2 downloads=2
#include "check.h"
#include <stdlib.h>

enum { N = 4000 };

static float table[16];

static float middle(const float *p, int i)
{
    return 0.5f * (p[i] + p[i + 1]);
}

static float twice(const float *first, int i)
{
    return middle(first, i) + middle(first + 1, i);
}

static void store(float *to, int i, float x)
{
    to[i] = x;
    to[i] += 1.0f;
}

#pragma acc routine vector
static void row(float *restrict to, const float *restrict from, int n)
{
#pragma acc loop vector
    for (int k = 0; k < n; k++)
        to[k] = 2.0f * from[k];
}

int main(void)
{
    int n = N;
    float *a = malloc((n + 2) * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n + 2; i++)
        a[i] = i % 31;
    for (int i = 0; i < 16; i++)
        table[i] = i;
#pragma acc data ccopyin(a[0:n + 2], table) ccopyout(b[0:n:-100:200])
    {
#pragma acc parallel loop compression(a, b)
        for (int i = 0; i < n; i++)
            store(b, i, twice(a, i));
#pragma acc update self(b[0:n])
        for (int i = 0; i < n; i++)
            check_near("functions", i, b[i], 1.0f + 0.5f * (i % 31 + 2 * ((i + 1) % 31) + (i + 2) % 31), 0.01);
#pragma acc parallel loop compression(a, b)
        for (int i = 0; i < n / 100; i++)
            store(&b[i * 100], 7, middle(a + i, i));
#pragma acc parallel loop gang compression(a, b)
        for (int i = 0; i < n / 100; i += 2)
            row(b + i * 100, a + i * 100, 100);
#pragma acc parallel loop compression(b, table)
        for (int i = 0; i < 15; i++)
            store(b, i, middle(table, i));
    }
    for (int i = 15; i < n; i++) {
        int at = i / 100, odd = at % 2;
        float want = 1.0f + 0.5f * (i % 31 + 2 * ((i + 1) % 31) + (i + 2) % 31);
        if (i % 100 == 7)
            want = 1.0f + 0.5f * (2 * at % 31 + (2 * at + 1) % 31);
        check_near("rows", i, b[i], odd ? want : 2.0f * (i % 31), 0.02);
    }
    for (int i = 0; i < 15; i++)
        check_near("table", i, b[i], i + 1.5f, 0.02);
    free(a);
    free(b);
    return finish();
}
