// fcw FETCH_ONLY in launches with few iterations: blocks run in parts where each iteration uses its own window, and whole
// where it uses what others' windows bring.
// env: ACCL_RESIDENT_THREADS=100000000
// expect: launches=3
#include "check.h"

#define N 1000
#define B 256

struct body {
    float at, mass;
};

static float a[N], b[N], c[N], d[N];
static struct body bodies[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i % 17;
        bodies[i] = (struct body){i % 7, i % 3};
    }
#pragma acc data copyin(a, bodies) copyout(b, c, d)
    {
#pragma acc parallel loop vector(B)
        for (int i = 0; i < N; i++) {
#pragma acc fcw FETCH_ONLY(a[i:2:2])
            {
                float sum = 0.0f;
                for (int j = i - 2; j < i + 3; j++)
                    sum += j >= 0 && j < N ? a[j] : 0.0f;
                b[i] = sum;
            }
        }
#pragma acc parallel loop vector(B)
        for (int i = 0; i < N; i++) {
            int at = i % B;
#pragma acc fcw FETCH_ONLY(a[i:0:0])
            {
                int other = i - at + (at + 100) % B;
                c[i] = other < N ? a[other] : -1.0f;
            }
        }
#pragma acc parallel loop vector(B)
        for (int i = 0; i < N; i++) {
            float sum = 0.0f;
            for (int first = 0; first < N; first += B) {
                int end = first + B < N ? first + B : N;
#pragma acc fcw FETCH_ONLY(bodies[first:0:B - 1])
                for (int j = first; j < end; j++)
                    sum += bodies[j].at * bodies[j].mass + i;
            }
            d[i] = sum;
        }
    }
    for (int i = 0; i < N; i++) {
        float sum = 0.0f, all = 0.0f;
        for (int j = i - 2; j < i + 3; j++)
            sum += j >= 0 && j < N ? a[j] : 0.0f;
        for (int j = 0; j < N; j++)
            all += bodies[j].at * bodies[j].mass + i;
        int at = i % B, other = i - at + (at + 100) % B;
        check_near("b", i, b[i], sum, 0);
        check_near("c", i, c[i], other < N ? a[other] : -1.0f, 0);
        check_near("d", i, d[i], all, 0.01 * all);
    }
    return finish();
}
