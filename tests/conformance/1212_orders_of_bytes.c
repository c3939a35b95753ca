// Numbers with their bytes in the opposite order, by the compiler's functions, those of <byteswap.h> and the network's.
// expect: launches=1
#include "check.h"
#include <arpa/inet.h>
#include <byteswap.h>
#include <stdint.h>

#define N 64

static uint64_t swapped(uint64_t v, int bytes)
{
    uint64_t out = 0;
    for (int i = 0; i < bytes; i++)
        out |= (v >> 8 * i & 0xff) << 8 * (bytes - 1 - i);
    return out;
}

int main()
{
    uint64_t in[N], all[N], by_library[N];
    uint32_t word[N], host[N], network[N];
    uint16_t half[N], shorter[N];
    for (int i = 0; i < N; i++)
        in[i] = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
#pragma acc parallel loop copyin(in) copyout(all, by_library, word, host, network, half, shorter)
    for (int i = 0; i < N; i++) {
        all[i] = __builtin_bswap64(in[i]);
        by_library[i] = bswap_64(in[i]) + bswap_32((uint32_t)in[i]);
        word[i] = __builtin_bswap32(in[i]);
        network[i] = htonl((uint32_t)in[i]);
        host[i] = ntohl(network[i]);
        half[i] = __builtin_bswap16(in[i] >> 48);
        shorter[i] = bswap_16(htons((uint16_t)in[i])) + (uint16_t)(__builtin_bswap16((short)in[i]) >> 15);
    }
    for (int i = 0; i < N; i++) {
        check_int("all", i, all[i], swapped(in[i], 8));
        check_int("by_library", i, by_library[i], swapped(in[i], 8) + swapped(in[i], 4));
        check_int("word", i, word[i], swapped(in[i], 4));
        check_int("network", i, network[i], swapped(in[i], 4));
        check_int("host", i, host[i], (uint32_t)in[i]);
        check_int("half", i, half[i], swapped(in[i] >> 48, 2));
        check_int("shorter", i, shorter[i], (uint16_t)((uint16_t)in[i] + (swapped(in[i], 2) >> 15)));
    }
    return finish();
}
