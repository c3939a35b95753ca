// Global scalars in kernels: read with the value they have at launch; written through a clause.
// expect: launches=3 downloads>=3
#include "check.h"

#define N 70

static int factor = 3;
double offset = 0.5;
static long result;

static void run(double *out)
{
#pragma acc parallel loop copyout(out[0:N])
    for (int i = 0; i < N; i++)
        out[i] = factor * i + offset;
}

int main(void)
{
    double out[N];
    run(out);
    for (int i = 0; i < N; i++)
        check_near("out", i, out[i], 3 * i + 0.5, 0.0);
    factor = -2;
    offset = 100.0;
    run(out);
    for (int i = 0; i < N; i++)
        check_near("out", i, out[i], -2 * i + 100.0, 0.0);
#pragma acc parallel copy(result) num_gangs(1) vector_length(1)
    {
        result = factor * 21L;
    }
    check_int("result", 0, result, -42);
    return finish();
}
