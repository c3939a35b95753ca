/* What compression does to values, in OpenACC: numbers of several distributions through every scheme, products of
 * matrices and HotSpot with compressed arrays as the papers have them. It prints lines for the table of errors; what
 * RESULT tells as the error is that of HotSpot. */
#include "errors.h"

/* Numbers of a distribution, encoded by the host and decoded by the device. */
#define THROUGH(NAME, TYPE, ...)                                                                             \
    static void NAME(int n, const TYPE *restrict a, TYPE *restrict out)                                      \
    {                                                                                                        \
        PRAGMA(acc parallel loop ccopyin(__VA_ARGS__: a[0:n]) copyout(out[0:n]))                             \
        for (int i = 0; i < n; i++)                                                                          \
            out[i] = a[i];                                                                                   \
    }

THROUGH(range8, float, scheme(range), bits(8))
THROUGH(range16, float, scheme(range), bits(16))
THROUGH(range20, float, scheme(range), bits(20))
THROUGH(affine16, float, scheme(affine), bits(16))
THROUGH(block8, float, scheme(block), bits(8))
THROUGH(block16, float, scheme(block), bits(16))
THROUGH(block20, float, scheme(block), bits(20))
THROUGH(half16, float, scheme(half))
THROUGH(bfloat16, float, scheme(bfloat))

static const scheme schemes[] = {
    {"range", 8, range8}, {"range", 16, range16}, {"range", 20, range20}, {"affine", 16, affine16},
    {"block", 8, block8}, {"block", 16, block16}, {"block", 20, block20}, {"half", 16, half16},
    {"bfloat", 16, bfloat16}, {NULL, 0, NULL},
};

/* c = a b, matrices of n by n; `most` is the largest element of c. */
#define PRODUCT(NAME, IN, OUT, HELD)                                                                         \
    static void NAME(int n, const float *restrict a, const float *restrict b, float *restrict c, float most) \
    {                                                                                                        \
        (void)most;                                                                                          \
        PRAGMA(acc parallel loop collapse(2) IN(a[0:n * n], b[0:n * n]) OUT)                                 \
        for (int i = 0; i < n; i++)                                                                          \
            for (int j = 0; j < n; j++) {                                                                    \
                float sum = 0.0f;                                                                            \
                for (int k = 0; k < n; k++)                                                                  \
                    sum += a[i * n + k] * b[k * n + j];                                                      \
                c[i * n + j] = sum;                                                                          \
            }                                                                                                \
    }

#define IN_RANGE(...) ccopyin(bits(16): __VA_ARGS__)
#define IN_BLOCKS(...) ccopyin(scheme(block), bits(16): __VA_ARGS__)
PRODUCT(product_plain, copyin, copyout(c[0:n * n]), )
PRODUCT(product_range, IN_RANGE, ccopyout(bits(16): c[0:n * n:0:most]), )
PRODUCT(product_block, IN_BLOCKS, ccopyout(scheme(block), bits(16): c[0:n * n]), )

static const product products[] = {
    {"plain", product_plain}, {"range, 16 of 32", product_range}, {"block, 16 of 32", product_block}, {NULL, NULL}};

/* A step of HotSpot, in double as in the papers; the power is compressed. */
#define SIMULATION(NAME, IN, HELD)                                                                           \
    static void NAME(int n, int steps, const double *restrict power, double *restrict t, double *restrict u) \
    {                                                                                                        \
        int cells = n * n;                                                                                   \
        PRAGMA(acc data IN(power[0:cells]) copy(t[0:cells]) create(u[0:cells]))                              \
        for (int s = 0; s < steps; s += 2) {                                                                 \
            PRAGMA(acc parallel loop collapse(2) HELD)                                                       \
            for (int i = 0; i < n; i++)                                                                      \
                for (int j = 0; j < n; j++)                                                                  \
                    u[i * n + j] = next(n, i, j, power[i * n + j], t);                                       \
            PRAGMA(acc parallel loop collapse(2) HELD)                                                       \
            for (int i = 0; i < n; i++)                                                                      \
                for (int j = 0; j < n; j++)                                                                  \
                    t[i * n + j] = next(n, i, j, power[i * n + j], u);                                       \
        }                                                                                                    \
    }

#define DOUBLES_IN_RANGE(...) ccopyin(bits(32): __VA_ARGS__)
#define DOUBLES_IN_BLOCKS(...) ccopyin(scheme(block), bits(32): __VA_ARGS__)
SIMULATION(simulation_plain, copyin, )
SIMULATION(simulation_range, DOUBLES_IN_RANGE, compression(power))
SIMULATION(simulation_block, DOUBLES_IN_BLOCKS, compression(power))

static const simulation simulations[] = {{"plain", simulation_plain},
                                         {"range, 32 of 64", simulation_range},
                                         {"block, 32 of 64", simulation_block},
                                         {NULL, NULL}};

#include "main.h"
