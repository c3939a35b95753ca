// routine(name) apart from the declaration; a routine that uses a declared global, and one that
// holds a static const table.
// expect: launches=2 downloads=1
#include "check.h"

#define N 128

static int offset;
#pragma acc declare create(offset)

static int shifted(int i);
#pragma acc routine(shifted) seq

static int month_length(int month);
#pragma acc routine(month_length) seq

static int shifted(int i)
{
    return i + offset;
}

static int month_length(int month)
{
    static const int length[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return length[month % 12];
}

int main(void)
{
    int out[N];
    offset = 42;
#pragma acc update device(offset)
#pragma acc data copyout(out)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            out[i] = shifted(i);
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            out[i] += 1000 * month_length(i);
    }
    for (int i = 0; i < N; i++)
        check_int("out", i, out[i], i + 42 + 1000 * month_length(i));
    return finish();
}
