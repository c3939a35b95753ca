// Constant tables in routines: static and not, of one and two dimensions, of structures, partly given, in a
// routine that is inlined because it uses a variable of file scope, and in one with vector loops; a table of the host's
// that a declare directive has put on the device, with values that differ there.
// expect: launches=6
#include "check.h"

#define N 200

struct entry {
    int key;
    double weight;
};

static int shift = 5;
static int gain = 1;
#pragma acc declare copyin(gain)

#pragma acc routine seq
static int bits(int i)
{
    static const unsigned char count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const int part[4] = {8, 4};
    return count[i & 15] + 100 * part[i % 4];
}

#pragma acc routine seq
static double weight(int i)
{
    static const struct entry table[3] = {{7, 0.5}, {8, 1.5}, {9}};
    static const float grid[2][3] = {{1, 2, 3}, {-1, -2, -3.5f}};
    double sum = 0;
    for (int k = 0; k < 3; k++)
        if (table[k].key - 7 == i % 4)
            sum += table[k].weight + table[k].key;
    return sum + grid[i % 2][i % 3];
}

#pragma acc routine seq
static int moved(int i)
{
    static const int by[5] = {3, 1, 4, 1, 5};
    return by[i % 5] + shift;
}

#pragma acc routine vector
static void row(int *out, int r)
{
    static const int step[4] = {10, 20, 30, 40};
#pragma acc loop vector
    for (int j = 0; j < N; j++)
        out[j] = step[r] * j + step[j % 4];
}

int main(void)
{
    static int out[N], rows[4][N];
    static double d[N];
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = bits(i);
    for (int i = 0; i < N; i++)
        check_int("bits", i, out[i], bits(i));
#pragma acc parallel loop copyout(d)
    for (int i = 0; i < N; i++)
        d[i] = weight(i);
    for (int i = 0; i < N; i++)
        check_near("weight", i, d[i], weight(i), 1e-12);
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = moved(i);
    for (int i = 0; i < N; i++)
        check_int("moved", i, out[i], moved(i));
#pragma acc parallel loop gang copyout(rows)
    for (int r = 0; r < 4; r++)
        row(rows[r], r);
    for (int r = 0; r < 4; r++)
        for (int j = 0; j < N; j++)
            check_int("rows", r * N + j, rows[r][j], 10 * (r + 1) * j + 10 * (j % 4 + 1));
    // The device has its own value of a declared variable until an update.
    gain = 50;
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = gain * i;
    for (int i = 0; i < N; i++)
        check_int("gain", i, out[i], i);
#pragma acc update device(gain)
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = gain * i;
    for (int i = 0; i < N; i++)
        check_int("updated", i, out[i], 50 * i);
    return finish();
}
