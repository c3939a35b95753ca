// The mathematical functions of double, abs and labs, and the classification macros.
// expect: launches=1 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

#define N 200
#define FORMS 30

#define EVALUATE(out, x)                      \
    do {                                      \
        (out)[0] = sqrt(x);                   \
        (out)[1] = fabs(1.0 - (x));           \
        (out)[2] = exp(-(x));                 \
        (out)[3] = log(x);                    \
        (out)[4] = pow(x, 2.5);               \
        (out)[5] = sin(x);                    \
        (out)[6] = cos(x);                    \
        (out)[7] = tan((x) * 0.1);            \
        (out)[8] = asin((x) * 0.1);           \
        (out)[9] = acos((x) * 0.1);           \
        (out)[10] = atan2(1.0, -(x));         \
        (out)[11] = floor(-(x) * 10.0);       \
        (out)[12] = ceil(-(x) * 10.0);        \
        (out)[13] = fmin(x, 2.5);             \
        (out)[14] = fmax(x, 2.5);             \
        (out)[15] = fmod(-(x), 0.75);         \
        (out)[16] = sinh((x) * 0.1);          \
        (out)[17] = cosh((x) * 0.1);          \
        (out)[18] = tanh(x);                  \
        (out)[19] = log1p(x);                 \
        (out)[20] = expm1((x) * 0.1);         \
        (out)[21] = cbrt(-(x));               \
        (out)[22] = rint((x) * 10.0);         \
        (out)[23] = abs((int)(3.5 - (x)));    \
        (out)[24] = labs((long)(-(x) * 1e6)); \
        (out)[25] = isnan(sqrt(1.0 - (x)));   \
        (out)[26] = isinf((x) / 0.0) != 0;    \
        (out)[27] = signbit(2.5 - (x)) != 0;  \
        (out)[28] = erf(x);                   \
        (out)[29] = fdim(x, 2.5);             \
    } while (0)

int main(void)
{
    static double x[N], got[N][FORMS], want[FORMS];
    for (int i = 0; i < N; i++)
        x[i] = 0.013 + i * 0.0371;
#pragma acc parallel loop copyin(x) copyout(got)
    for (int i = 0; i < N; i++)
        EVALUATE(got[i], x[i]);
    for (int i = 0; i < N; i++) {
        EVALUATE(want, x[i]);
        for (int k = 0; k < FORMS; k++)
            check_near("function", k, got[i][k], want[k], 1e-13);
    }
    return finish();
}
