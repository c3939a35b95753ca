// Small arrays of half and bfloat that kernels write: plain copies, rounded as the elements are, and made of them again. Values
// of all magnitudes, beyond the largest, below the least normal one, and no numbers.
#include "rounded.h"

enum { N = 2000, STEPS = 6 };

static float h[N], b[N], seen[N], wanted_h[N], wanted_b[N];
static double d[N], wanted_d[N];

static float factor(int i, int step)
{
    return i % 50 == step ? 1024 : i % 50 == step + 10 ? 1.0f / 4096 : 1.4375f;
}

static void step_all(int n, int step)
{
#pragma acc parallel loop compression(scheme(half): h, d) compression(scheme(bfloat): b) present(h[0:n], b[0:n], d[0:n])
    for (int i = 0; i < n; i++) {
        float by = i % 50 == step ? 1024 : i % 50 == step + 10 ? 1.0f / 4096 : 1.4375f;
        h[i] *= by;
        b[i] *= by;
        d[i] *= by;
    }
}

static int same(float x, float y)
{
    return x != x ? y != y : memcmp(&x, &y, sizeof x) == 0;
}

static void compare(const char *when, int n)
{
    for (int i = 0; i < n; i++) {
        if (!same(h[i], wanted_h[i]) || !same(b[i], wanted_b[i]) || !same((float)d[i], (float)wanted_d[i])) {
            check_near("half", i, h[i], wanted_h[i], 0);
            check_near("bfloat", i, b[i], wanted_b[i], 0);
            check_near("double", i, d[i], wanted_d[i], 0);
            printf("    %s\n", when);
            return;
        }
    }
}

int main(void)
{
    int n = N;
    for (int i = 0; i < n; i++) {
        float x = ldexpf((float)(i % 97) - 48.3f, i % 31 - 20);
        if (i % 400 == 399)
            x = i % 800 == 399 ? NAN : INFINITY;
        d[i] = h[i] = b[i] = x;
        wanted_d[i] = wanted_h[i] = rounded_floating(x, 0);
        wanted_b[i] = rounded_floating(x, 1);
    }
#pragma acc data ccopy(scheme(half): h[0:n], d[0:n]) ccopy(scheme(bfloat): b[0:n]) copyout(seen[0:n])
    {
        for (int step = 0; step < STEPS; step++) {
            step_all(n, step);
            for (int i = 0; i < n; i++) {
                wanted_h[i] = rounded_floating(wanted_h[i] * factor(i, step), 0);
                wanted_b[i] = rounded_floating(wanted_b[i] * factor(i, step), 1);
                wanted_d[i] = rounded_floating((float)(wanted_d[i] * factor(i, step)), 0);
            }
            if (step == 3) {
#pragma acc update self(h[0:n], b[0:n], d[0:n])
                compare("in the middle", n);
                for (int i = 7; i < 19; i++) {
                    d[i] = h[i] = b[i] = 3;
                    wanted_d[i] = wanted_h[i] = wanted_b[i] = 3;
                }
#pragma acc update device(h[7:12], b[7:12], d[7:12])
            }
        }
        /* Copies that are read. */
#pragma acc parallel loop compression(scheme(half): h) compression(scheme(bfloat): b) present(h[0:n], b[0:n], seen[0:n])
        for (int i = 0; i < n; i++)
            seen[i] = i % 2 ? h[i] : b[i];
    }
    compare("at the end", n);
    for (int i = 0; i < n; i++)
        check_true("seen", same(seen[i], i % 2 ? h[i] : b[i]));
    return finish();
}
