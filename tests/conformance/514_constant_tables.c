// const tables: global, static, local to a function and local to the loop; initialised with values,
// designators and expressions.
// expect: launches=1 downloads=1
#include "check.h"

#define N 180

static const float coefficients[] = {0.5f, -0.25f, 0.125f};
const int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
static const int directions[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
static const double scale = 1.0 / 16;

int main(void)
{
    static const char name[] = "gang";
    double out[N];
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < N; i++) {
        const int local[3] = {[1] = 10, [2] = i};
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += coefficients[k] * local[k];
        sum += primes[i % 8] * directions[i % 4][0] + directions[i % 4][1] * 100;
        out[i] = sum * scale + name[i % 4];
    }
    for (int i = 0; i < N; i++) {
        double sum = -0.25 * 10 + 0.125 * i;
        sum += primes[i % 8] * directions[i % 4][0] + directions[i % 4][1] * 100;
        check_near("out", i, out[i], sum / 16 + "gang"[i % 4], 1e-15);
    }
    return finish();
}
