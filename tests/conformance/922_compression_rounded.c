// Small arrays that kernels write: GPUs keep plain copies, whose stores are rounded, and the held form follows when it is needed.
// Whatever the form, the numbers are those that encoding and decoding give, to the bit.
// flags: --no-check
#include "rounded.h"

enum { N = 1003, STEPS = 9 };

/* A step reads one array and writes the other, then their roles change; in the middle the host reads one, and replaces a part of
   it. Some values lie past the ends. Factors are powers of two, so contraction changes nothing. */
#define TURNS(name, real, width, kind, is_affine, low, high)                                                           \
    static void name(int n)                                                                                           \
    {                                                                                                                 \
        static real a[N], b[N], seen[N], wanted_a[N], wanted_b[N];                                                    \
        double min = low, max = high;                                                                                 \
        for (int i = 0; i < n; i++) {                                                                                 \
            a[i] = (real)(min + (max - min) * ((i * 37 % 1000) / 1000.0));                                            \
            b[i] = (real)max;                                                                                         \
            wanted_a[i] = rounded_##real(a[i], width, is_affine, min, max);                                           \
            wanted_b[i] = rounded_##real(b[i], width, is_affine, min, max);                                           \
        }                                                                                                             \
        _Pragma("acc data copy(seen)")                                                                                \
        _Pragma(DATA(width, kind, low, high))                                                                         \
        {                                                                                                             \
            for (int step = 0; step < STEPS; step++) {                                                                \
                real *from = step % 2 ? b : a, *to = step % 2 ? a : b;                                                \
                real *wanted_from = step % 2 ? wanted_b : wanted_a, *wanted_to = step % 2 ? wanted_a : wanted_b;      \
                _Pragma(LOOP(width, kind))                                                                            \
                for (int i = 1; i < n - 1; i++) {                                                                     \
                    real mean = (from[i - 1] + from[i + 1]) / 2;                                                      \
                    to[i] = i % 100 == 7 ? mean * 4 : mean;                                                           \
                }                                                                                                     \
                for (int i = 1; i < n - 1; i++) {                                                                     \
                    real mean = (wanted_from[i - 1] + wanted_from[i + 1]) / 2;                                        \
                    wanted_to[i] = rounded_##real(i % 100 == 7 ? mean * 4 : mean, width, is_affine, min, max);        \
                }                                                                                                     \
                if (step == 5) {                                                                                      \
                    _Pragma("acc update self(to[0:n])")                                                               \
                    count_differences(#name " in the middle", n, to, wanted_to, sizeof(real));                        \
                    for (int i = 101; i < 333; i++) {                                                                 \
                        to[i] = from[i] = (real)(min + (max - min) / 4);                                              \
                        wanted_to[i] = rounded_##real(to[i], width, is_affine, min, max);                             \
                    }                                                                                                 \
                    _Pragma("acc update device(to[101:232])")                                                         \
                }                                                                                                     \
                if (step == 6) {                                                                                      \
                    _Pragma(IN_PLACE(width, kind))                                                                    \
                    for (int i = 0; i < n; i++)                                                                       \
                        to[i] += (real)0.125;                                                                         \
                    for (int i = 0; i < n; i++)                                                                       \
                        wanted_to[i] = rounded_##real(wanted_to[i] + (real)0.125, width, is_affine, min, max);        \
                }                                                                                                     \
            }                                                                                                         \
            _Pragma(SEEN(width, kind))                                                                                \
            for (int i = 0; i < n; i++)                                                                               \
                seen[i] = b[i];                                                                                       \
        }                                                                                                             \
        count_differences(#name " seen", n, seen, wanted_b, sizeof(real));                                            \
        count_differences(#name " a", n, a, wanted_a, sizeof(real));                                                  \
        count_differences(#name " b", n, b, wanted_b, sizeof(real));                                                  \
    }

#define TEXT(...) #__VA_ARGS__
#define DATA(width, kind, low, high) TEXT(acc data ccopy(bits(width), scheme(kind): a[0:N:low:high], b[0:N:low:high]))
#define LOOP(width, kind) TEXT(acc parallel loop compression(bits(width), scheme(kind): from, to) present(from[0:n], to[0:n]))
#define IN_PLACE(width, kind) TEXT(acc parallel loop compression(bits(width), scheme(kind): to) present(to[0:n]))
#define SEEN(width, kind) TEXT(acc parallel loop compression(bits(width), scheme(kind): b) present(b))

TURNS(float_8, float, 8, range, 0, -3.0, 3.0)
TURNS(float_13, float, 13, range, 0, -3.3, 3.3)
TURNS(float_23, float, 23, range, 0, -3.3, 3.3)
TURNS(float_16_far, float, 16, affine, 1, 1000.1, 1001.2)
TURNS(float_22_far, float, 22, affine, 1, 77.7, 99.9)
TURNS(double_16, double, 16, affine, 1, -1.0, 7.0)
TURNS(double_32, double, 32, range, 0, -9.7, 9.7)
TURNS(double_45, double, 45, affine, 1, 100.3, 111.0)
TURNS(double_52, double, 52, range, 0, -1.7, 1.7)

int main(void)
{
    float_8(N);
    float_13(N);
    float_23(N);
    float_16_far(N);
    float_22_far(N);
    double_16(N);
    double_32(N);
    double_45(N);
    double_52(N);
    return finish();
}
