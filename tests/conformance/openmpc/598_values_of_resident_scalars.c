// Scalars that stay on the device while a loop of the host has launches are sent where the loop reads what they had before,
// and fetched where somebody reads them afterwards: in the function, in a loop around, or in the next call.
// expect: launches>=40 uploads<=21 downloads<=27
#include "../check.h"

enum { N = 20000 };
static double p[N], q[N];

static double step(double *old, int steps)
{
    static double kept, total;
    double d, before, sum = 3;
    *old = kept;
    for (int s = 0; s < steps; s++) {
        before = sum;
        d = 0;
        sum = 1;
        kept = kept + before / N;
#pragma omp parallel
        {
#pragma omp for reduction(+ : d)
            for (int i = 0; i < N; i++)
                d += p[i];
#pragma omp for reduction(+ : sum)
            for (int i = 0; i < N; i++) {
                q[i] = d + before + kept;
                sum += 1;
            }
        }
        total = total + d;
    }
    return total + sum;
}

int main(void)
{
    double old, kept = 0, total = 0;
    for (int i = 0; i < N; i++)
        p[i] = i % 2;
    int steps[] = {2, 0, 3, 1};
    for (int call = 0; call < 4; call++) {
        double got = step(&old, steps[call]);
        check_near("kept by the last call", call, old, kept, 1e-12);
        double sum = 3;
        for (int s = 0; s < steps[call]; s++) {
            kept += sum / N;
            total += N / 2;
            if (s == steps[call] - 1)
                check_near("q", call, q[N - 1], N / 2 + sum + kept, 1e-12);
            sum = N + 1;
        }
        check_near("total", call, got, total + sum, 1e-12);
    }
    // A loop around goes on with what the loop inside left.
    double rho = 1, alpha = 0;
    for (int outer = 0; outer < 4; outer++) {
        double first = alpha;
        for (int s = 0; s < 3; s++) {
            alpha = rho / 2;
            rho = 0;
#pragma omp parallel for reduction(+ : rho)
            for (int i = 0; i < N; i++) {
                q[i] = alpha;
                rho += p[i] / N;
            }
        }
        check_near("first", outer, first, outer == 0 ? 0 : 0.25, 1e-12);
        check_near("alpha", outer, q[5], 0.25, 1e-12);
        check_near("rho", outer, rho, 0.5, 1e-12);
    }
    return finish();
}
