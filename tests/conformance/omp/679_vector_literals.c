// GNU's vectors in C: compound literals as operands and arguments, pointers to vectors, arrays of them, and one that a construct maps.
// expect: launches=3
#include "../check.h"

#define N 32

typedef float float8 __attribute__((vector_size(32)));
typedef long long2 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));

static float8 a[N], b[N];
static float flat[8 * N] __attribute__((aligned(32)));

static float8 joined(float8 x, float8 y, float8 z)
{
    return x * y + z;
}

static float sum(float8 v)
{
    float s = 0;
    for (int i = 0; i < 8; i++)
        s += v[i];
    return s;
}

int main(void)
{
    float out[N];
    for (int i = 0; i < 8 * N; i++)
        flat[i] = i % 11;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 8; k++) {
            a[i][k] = i + k;
            b[i][k] = k * 0.5f;
        }
    }
#pragma omp target teams distribute parallel for map(to : a, b, flat) map(from : out)
    for (int i = 0; i < N; i++) {
        float8 v = joined(a[i], b[i], (float8){1, 1, 1, 1, 2, 2, 2, 2});
        const float8 *row = (const float8 *)(flat + 8 * i);
        v += *row;
        float8 both[2] = {v, -v};
        out[i] = sum(v) + sum((float8){0} + 1) + both[i & 1][3];
    }
    for (int i = 0; i < N; i++) {
        float expected = 8, third = 0;
        for (int k = 0; k < 8; k++) {
            float v = (i + k) * (k * 0.5f) + (k < 4 ? 1 : 2) + (8 * i + k) % 11;
            expected += v;
            if (k == 3)
                third = v;
        }
        check_near("out", i, out[i], expected + (i & 1 ? -third : third), 1e-2);
    }

    long2 c[20];
    for (int i = 0; i < 20; i++)
        c[i] = (long2){i, 3 * i};
#pragma omp target teams distribute parallel for map(tofrom : c)
    for (int i = 0; i < 20; i++) {
        long2 same = c[i] == (long2){4, 12};
        c[i] = (c[i] << 2) ^ same;
        c[i] %= 7;
        long2 *p = &c[i];
        (*p)[1]++;
    }
    for (int i = 0; i < 20; i++) {
        check_int("first", i, c[i][0], (i == 4 ? ~(4L * i) : 4L * i) % 7);
        check_int("second", i, c[i][1], (i == 4 ? ~(12L * i) : 12L * i) % 7 + 1);
    }

    double4 x = {1, 2, 3, 4}, y = {0};
#pragma omp target map(from : y) firstprivate(x)
    {
        y = x * 2;
        x += 1;
        y -= x / 4;
        for (int i = 0; i < 4; i++)
            if (y[i] > 5)
                y[i] = 0;
    }
    for (int i = 0; i < 4; i++) {
        double expected = 2.0 * (i + 1) - (i + 2) / 4.0;
        check_near("y", i, y[i], expected > 5 ? 0 : expected, 1e-12);
    }
    return finish();
}
