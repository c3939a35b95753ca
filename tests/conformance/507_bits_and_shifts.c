// Shifts of signed, unsigned and 64-bit values, masks, complement, and their precedence.
// expect: launches=1 uploads=1 downloads=4
#include <stdint.h>
#include "check.h"

#define N 320

static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

int main(void)
{
    int a[N], right[N];
    uint32_t hash[N];
    uint64_t wide[N];
    int precedence[N];
    for (int i = 0; i < N; i++)
        a[i] = (i - 150) * 123457;
#pragma acc parallel loop copyin(a) copyout(right, hash, wide, precedence)
    for (int i = 0; i < N; i++) {
        right[i] = (a[i] >> 3) + (a[i] >> (i & 31));
        uint32_t x = a[i];
        x ^= x >> 16;
        x *= 0x7feb352du;
        x ^= x >> 15;
        x *= 0x846ca68bu;
        hash[i] = x ^ x >> 16;
        wide[i] = ((uint64_t)x << 32 | (uint32_t)a[i]) >> (i % 64);
        wide[i] |= 1ULL << (i & 63);
        precedence[i] = a[i] & 0xff | ~(unsigned)i << 2 ^ (i & 1) + 1;
    }
    for (int i = 0; i < N; i++) {
        check_int("right", i, right[i], (a[i] >> 3) + (a[i] >> (i & 31)));
        check_int("hash", i, hash[i], mix(a[i]));
        uint32_t x = a[i];
        x ^= x >> 16;
        x *= 0x7feb352du;
        x ^= x >> 15;
        x *= 0x846ca68bu;
        uint64_t want = ((uint64_t)x << 32 | (uint32_t)a[i]) >> (i % 64) | 1ULL << (i & 63);
        check_int("wide", i, (long long)wide[i], (long long)want);
        check_int("precedence", i, precedence[i],
                  (a[i] & 0xff) | ((int)(~(unsigned)i << 2) ^ ((i & 1) + 1)));
    }
    return finish();
}
