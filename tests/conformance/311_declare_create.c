// declare create: a global that lives on the device from the start; update fills it.
// expect: launches=2 uploads=2 downloads=1
#include "check.h"

#define N 100

static float table[8];
#pragma acc declare create(table)
static int count;
#pragma acc declare create(count)

int main(void)
{
    float out[N];
    for (int i = 0; i < 8; i++)
        table[i] = i * 1.5f;
    count = 5;
#pragma acc update device(table, count)
#pragma acc parallel loop present(table)
    for (int i = 0; i < 8; i++)
        table[i] += 1.0f;
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = table[i % 8] * count;
    for (int i = 0; i < N; i++)
        check_near("out", i, out[i], (i % 8 * 1.5f + 1.0f) * 5, 1e-6);
    return finish();
}
