// Gather and scatter through index arrays.
// expect: launches=2 uploads=4 downloads=2
#include "check.h"

#define N 500

int main(void)
{
    unsigned index[N];
    float a[N], gathered[N], scattered[N];
    for (int i = 0; i < N; i++) {
        index[i] = (unsigned)(i * 7 + 3) % N;
        a[i] = i * 0.5f;
    }
#pragma acc parallel loop copyin(index, a) copyout(gathered)
    for (int i = 0; i < N; i++)
        gathered[i] = a[index[i]];
#pragma acc parallel loop independent copyin(index, a) copyout(scattered)
    for (int i = 0; i < N; i++)
        scattered[index[i]] = a[i];
    for (int i = 0; i < N; i++) {
        check_near("gathered", i, gathered[i], index[i] * 0.5f, 0.0);
        check_near("scattered", index[i], scattered[index[i]], i * 0.5f, 0.0);
    }
    return finish();
}
