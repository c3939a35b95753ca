// Functions of bits, character arrays from strings, alignments, and functions of exponents.
#include "check.h"
#include <math.h>
#include <strings.h>

#define N 70

struct wide {
    char a;
    double b;
};

int main(void)
{
    int bits[N], letters[N], aligned[N], exponents[N];
    double steps[N];
    float small[N];
#pragma acc parallel loop copyout(bits, letters, aligned, exponents, steps, small)
    for (int i = 0; i < N; i++) {
        unsigned u = 2654435761u * i + 1;
        unsigned long l = u * 0x9E3779B97F4A7C15ul + i;
        bits[i] = __builtin_popcount(u) + 100 * __builtin_clz(u) + 10000 * __builtin_ctzl(l | 1ul << 40) +
                  __builtin_popcountll(l) + __builtin_parity(u) + ffs(i) + __builtin_ffsll((long)i << 33) +
                  __builtin_clzl(l | 1);
        char word[8] = "ab\n\x41\0z", table[2][4] = {"one", "two!"};
        unsigned char bytes[] = "\377" "0";
        letters[i] = word[i % 8] + table[i % 2][i % 4] + bytes[i % 3] + (int)sizeof bytes;
        aligned[i] = (int)(_Alignof(double) + 100 * _Alignof(struct wide) + 10000 * __alignof__(char));
        exponents[i] = ilogb(i + 0.5) + ilogbf(1.0f / (i + 1)) + (int)logb(i * 3.0 + 1);
        steps[i] = nextafter(i, 100.0) - i + logb(i + 1.0);
        small[i] = nextafterf((float)i, -1.0f) + logbf(i + 2.0f);
    }
    for (int i = 0; i < N; i++) {
        unsigned u = 2654435761u * i + 1;
        unsigned long l = u * 0x9E3779B97F4A7C15ul + i;
        check_int("bits", i, bits[i],
                  __builtin_popcount(u) + 100 * __builtin_clz(u) + 10000 * __builtin_ctzl(l | 1ul << 40) +
                      __builtin_popcountll(l) + __builtin_parity(u) + ffs(i) + __builtin_ffsll((long)i << 33) +
                      __builtin_clzl(l | 1));
        char word[8] = "ab\n\x41\0z", table[2][4] = {"one", "two!"};
        unsigned char bytes[] = "\377" "0";
        check_int("letters", i, letters[i],
                  word[i % 8] + table[i % 2][i % 4] + bytes[i % 3] + (int)sizeof bytes);
        check_int("aligned", i, aligned[i], 8 + 800 + 10000);
        check_int("exponents", i, exponents[i],
                  ilogb(i + 0.5) + ilogbf(1.0f / (i + 1)) + (int)logb(i * 3.0 + 1));
        check_near("steps", i, steps[i], nextafter(i, 100.0) - i + logb(i + 1.0), 0);
        check_near("small", i, small[i], nextafterf((float)i, -1.0f) + logbf(i + 2.0f), 0);
    }
    return finish();
}
