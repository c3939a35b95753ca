// A variable that counts in loops of each thread and in loops around barriers, as in decompositions of matrices by blocks; what
// `modf` and `frexp` give through a pointer.
// expect: launches=2
#include "../check.h"
#include <math.h>
#include <omp.h>

#define N 16

int main(void)
{
    float a[N * N], lu[N * N];
    for (int i = 0; i < N * N; i++)
        a[i] = lu[i] = (float)(i * 7 % 13) + (i % (N + 1) == 0 ? 32 : 0);

#pragma omp target teams num_teams(1) thread_limit(N) map(tofrom : lu)
    {
        float part[N * N];
#pragma omp parallel num_threads(N)
        {
            int i, j, at = 0;
            int t = omp_get_thread_num();
            for (i = 0; i < N; i++) {
                part[i * N + t] = lu[at + t];
                at += N;
            }
#pragma omp barrier
            for (i = 0; i < N - 1; i++) {
                if (t > i) {
                    for (j = 0; j < i; j++)
                        part[t * N + i] -= part[t * N + j] * part[j * N + i];
                    part[t * N + i] /= part[i * N + i];
                }
#pragma omp barrier
                if (t > i)
                    for (j = 0; j < i + 1; j++)
                        part[(i + 1) * N + t] -= part[(i + 1) * N + j] * part[j * N + t];
#pragma omp barrier
            }
            at = N;
            for (i = 1; i < N; i++) {
                lu[at + t] = part[i * N + t];
                at += N;
            }
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k <= i && k <= j; k++)
                sum += (k == i ? 1.0 : lu[i * N + k]) * lu[k * N + j];
            check_true("the product of both parts", fabs(sum - a[i * N + j]) < 1e-3);
        }

    double x[6] = {3.75, -3.75, 0, 1e300, -0.001, INFINITY}, whole[6], rest[6], mantissa[6];
    float whole_f[6], rest_f[6];
    int power[6];
#pragma omp target teams distribute parallel for map(to : x) map(from : whole, rest, mantissa, power, whole_f, rest_f)
    for (int i = 0; i < 6; i++) {
        rest[i] = modf(x[i], &whole[i]);
        rest_f[i] = modff((float)x[i], &whole_f[i]);
        mantissa[i] = frexp(x[i], &power[i]);
    }
    for (int i = 0; i < 6; i++) {
        double w, r = modf(x[i], &w);
        float wf, rf = modff((float)x[i], &wf);
        int p = 0;
        double m = frexp(x[i], &p);
        check_true("modf", w == whole[i] && r == rest[i] && signbit(r) == signbit(rest[i]));
        check_true("modff", wf == whole_f[i] && rf == rest_f[i]);
        check_true("frexp", m == mantissa[i] && (isinf(x[i]) || p == power[i]));
    }
    return finish();
}
