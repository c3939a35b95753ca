// The mathematical functions of float, with the suffix f.
// expect: launches=1 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

#define N 200
#define FORMS 26

#define EVALUATE(out, x)               \
    do {                               \
        (out)[0] = sqrtf(x);           \
        (out)[1] = fabsf(1.0f - (x));  \
        (out)[2] = expf(-(x));         \
        (out)[3] = logf(x);            \
        (out)[4] = powf(x, 1.5f);      \
        (out)[5] = sinf(x);            \
        (out)[6] = cosf(x);            \
        (out)[7] = tanf(x * 0.1f);     \
        (out)[8] = atanf(x);           \
        (out)[9] = atan2f(1.0f, x);    \
        (out)[10] = floorf(x * 10.0f); \
        (out)[11] = ceilf(x * 10.0f);  \
        (out)[12] = fminf(x, 2.5f);    \
        (out)[13] = fmaxf(x, 2.5f);    \
        (out)[14] = fmodf(x, 0.75f);   \
        (out)[15] = tanhf(x);          \
        (out)[16] = log10f(x);         \
        (out)[17] = log2f(x);          \
        (out)[18] = exp2f(x);          \
        (out)[19] = cbrtf(x);          \
        (out)[20] = hypotf(x, 3.0f);   \
        (out)[21] = roundf(x * 10.0f); \
        (out)[22] = truncf(-x);        \
        (out)[23] = erff(x);           \
        (out)[24] = copysignf(x, -1);  \
        (out)[25] = fmaf(x, x, 1.0f);  \
    } while (0)

int main(void)
{
    static float x[N], got[N][FORMS], want[FORMS];
    for (int i = 0; i < N; i++)
        x[i] = 0.013f + i * 0.0371f;
#pragma acc parallel loop copyin(x) copyout(got)
    for (int i = 0; i < N; i++)
        EVALUATE(got[i], x[i]);
    for (int i = 0; i < N; i++) {
        EVALUATE(want, x[i]);
        for (int k = 0; k < FORMS; k++)
            check_near("function", k, got[i][k], want[k], 2e-6);
    }
    return finish();
}
