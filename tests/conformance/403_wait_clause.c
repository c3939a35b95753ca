// The wait clause on compute, update, enter data and exit data, with and without async.
// expect: launches=4 uploads=2 downloads=2
#include "check.h"

#define N 3000

static float a[N], b[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
#pragma acc enter data copyin(a) async(1)
#pragma acc enter data copyin(b) async(2)
#pragma acc parallel loop present(a) async(1)
    for (int i = 0; i < N; i++)
        a[i] += 1.0f;
#pragma acc parallel loop present(a, b) async(2) wait(1)
    for (int i = 0; i < N; i++)
        b[i] += a[i];
#pragma acc parallel loop present(a, b) wait(2)
    for (int i = 0; i < N; i++)
        a[i] = b[i] * 0.5f;
#pragma acc parallel loop present(b) async(4)
    for (int i = 0; i < N; i++)
        b[i] -= 1.0f;
#pragma acc update self(b[0:N]) wait(4)
    for (int i = 0; i < N; i++)
        check_near("b", i, b[i], 2.0f * i, 0.0);
#pragma acc exit data copyout(a) delete (b) async(5) wait(1, 2)
#pragma acc wait(5)
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], (2.0f * i + 1.0f) * 0.5f, 0.0);
    return finish();
}
