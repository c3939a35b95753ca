// Sequential loops that write elements by a remainder, a quotient or an index that was read, and read them again in later
// iterations. clang 14 and 15 made vectors of the first for processors with AVX2.
// expect: launches=2
#include "check.h"

#define N 14

static double a[4096], o[4096], o_ok[4096];
static int ix[N];

#define ROWS(O, H) \
    for (int i = n - 1; i >= 2; i--) \
        for (int k = 2; k < n; k++) { \
            H[k % 3] = 0.5 * H[k % 3] + 0.25 * O[i * 256 + k]; \
            O[(i - 1) * 256 + k] = 0.25 * a[i * 256 + k]; \
        }

#define OTHERS(H) \
    for (int t = 0; t < 5; t++) \
        for (int k = 2; k < n; k++) { \
            H[k / 4] = 0.5 * H[k / 4] + a[k]; \
            H[ix[k]] += 0.25 * H[k & 3]; \
        }

static void rows(int n, const double *restrict a, double *restrict o, double *restrict h)
{
#pragma acc serial copyin(a[0:4096]) copy(o[0:4096], h[0:16])
    {
        ROWS(o, h)
    }
}

static void others(int n, const double *restrict a, const int *restrict ix, double *restrict h)
{
#pragma acc serial copyin(a[0:4096], ix[0:N]) copy(h[0:16])
    {
        OTHERS(h)
    }
}

int main(void)
{
    int n = N;
    double h[16], h_ok[16];
    for (int i = 0; i < 4096; i++)
        a[i] = i % 31, o[i] = o_ok[i] = i % 17;
    for (int i = 0; i < 16; i++)
        h[i] = h_ok[i] = i;
    for (int i = 0; i < N; i++)
        ix[i] = i * i % 5;
    rows(n, a, o, h);
    others(n, a, ix, h);
    ROWS(o_ok, h_ok)
    OTHERS(h_ok)
    for (int i = 0; i < 4096; i++)
        check_near("o", i, o[i], o_ok[i], 1e-12);
    for (int i = 0; i < 16; i++)
        check_near("h", i, h[i], h_ok[i], 1e-12);
    return finish();
}
