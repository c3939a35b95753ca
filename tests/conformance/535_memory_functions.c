// memset, memcpy and memmove in regions: on arrays, pointers, local arrays and structures; of whole elements, of bytes,
// and from one type to another.
// expect: launches=11
#include <stdlib.h>
#include <string.h>
#include "check.h"

#define N 300
#define M 7

struct pair {
    int first;
    double second;
};

static float as_float(unsigned bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static unsigned as_bits(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static int x[N], y[N], z[N];
static double rows[N][M], last[N];
static struct pair p[N], q[N];
static long fills[N];
static float numbers[N];
static unsigned words[N];
static char bytes[N * 4];

int main(void)
{
    int n = N;
    int *from = malloc(n * sizeof *from), *to = malloc(n * sizeof(int));
    unsigned char *marks = malloc(n);
    for (int i = 0; i < N; i++) {
        x[i] = i;
        from[i] = 3 * i;
        q[i].first = i;
        q[i].second = 0.5 * i;
    }
#pragma acc kernels copyin(x) copyout(y)
    memcpy(y, x, sizeof x);
#pragma acc parallel copyin(from[0:n]) copyout(to[0:n])
    memcpy(to, from, n * sizeof(int));
#pragma acc parallel copyout(z, marks[0:n], bytes)
    {
        memset(z, 0xfe, sizeof(z));
        memset(marks, n, n);
        memset(bytes, 0, n * sizeof(int));
    }
#pragma acc parallel loop copyout(rows, last)
    for (int i = 0; i < N; i++) {
        double row[M];
        memset(row, 0, sizeof row);
        row[i % M] = i;
        memcpy(rows[i], row, sizeof row);
        memmove(row + 1, row, (M - 1) * sizeof(double));
        last[i] = row[(i + 1) % M];
    }
#pragma acc parallel loop copyin(q) copyout(p)
    for (int i = 0; i < N; i++)
        memcpy(&p[i], &q[i], sizeof(struct pair));
#pragma acc parallel loop copyout(fills)
    for (int i = 0; i < N; i++)
        memset(&fills[i], i, sizeof fills[i]);
#pragma acc parallel loop copyout(numbers, words)
    for (int i = 0; i < N; i++) {
        numbers[i] = as_float(0x3f800000u + i);
        words[i] = as_bits(1.5f * i);
    }
#pragma acc serial copy(x)
    {
        memmove(x + 3, x, 20 * sizeof(int));
        memmove(&x[30], &x[40], 50 * sizeof(int));
    }
    int copy[4] = {1, 2, 3, 4};
#pragma acc serial copy(copy)
    {
        int *end = memcpy(&copy[2], copy, 2 * sizeof *copy);
        end[1] += 10;
    }
    for (int i = 0; i < N; i++) {
        check_int("y", i, y[i], i);
        check_int("to", i, to[i], from[i]);
        check_int("z", i, z[i], (int)0xfefefefe);
        check_int("marks", i, marks[i], n & 0xff);
        for (int j = 0; j < M; j++)
            check_int("rows", i * M + j, rows[i][j], j == i % M ? i : 0);
        check_int("last", i, last[i], (i + 1) % M == 0 ? 0 : i);
        check_int("first", i, p[i].first, i);
        check_near("second", i, p[i].second, 0.5 * i, 0);
        long want;
        memset(&want, i, sizeof want);
        check_int("fills", i, fills[i], want);
        check_near("numbers", i, numbers[i], as_float(0x3f800000u + i), 0);
        check_int("words", i, words[i], as_bits(1.5f * i));
        check_int("x", i, x[i], i >= 3 && i < 23 ? i - 3 : i >= 30 && i < 80 ? i + 10 : i);
    }
    check_int("bytes", 0, bytes[0] | bytes[6] | bytes[N * 4 - 1], 0);
    check_int("copy", 2, copy[2], 1);
    check_int("copy", 3, copy[3], 12);
    return finish();
}
