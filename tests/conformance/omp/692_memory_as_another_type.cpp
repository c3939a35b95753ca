// Functions that read and write a thread's words as halves of them, and whole, in turn.
// expect: launches=1
#include "../check.h"
#include <stdint.h>

#pragma omp declare target
static void absorb(uint32_t *words, const uint32_t *in, int count)
{
    while (count--)
        *words++ ^= *in++;
}

static void mix(uint64_t *state, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        uint64_t all = state[0] ^ state[1] ^ state[2] ^ state[3];
        for (int i = 0; i < 4; i++)
            state[i] = (state[i] << 13 ^ state[i] >> 51) + all * (i + 1);
    }
}
#pragma omp end declare target

static void hash(const uint32_t *in, uint32_t *out)
{
    uint64_t state[4];
    for (int i = 0; i < 4; i++)
        state[i] = i;
    for (int part = 0; part < 3; part++) {
        absorb((uint32_t *)state, in + part * 8, 8);
        mix(state, 5);
    }
    const uint32_t *words = reinterpret_cast<const uint32_t *>(&state[0]);
    for (int i = 0; i < 8; i++)
        out[i] = words[i];
}

int main()
{
    const int n = 50;
    uint32_t in[n * 24], out[n * 8];
    for (int i = 0; i < n * 24; i++)
        in[i] = i * 2654435761u;
#pragma omp target teams distribute parallel for map(to : in) map(from : out)
    for (int i = 0; i < n; i++)
        hash(in + i * 24, out + i * 8);
    for (int i = 0; i < n; i++) {
        // The same with shifts alone.
        uint64_t state[4] = {0, 1, 2, 3};
        for (int part = 0; part < 3; part++) {
            for (int word = 0; word < 8; word++)
                state[word / 2] ^= (uint64_t)in[i * 24 + part * 8 + word] << 32 * (word % 2);
            mix(state, 5);
        }
        for (int word = 0; word < 8; word++)
            check_int("words", i * 8 + word, (int)out[i * 8 + word], (int)(uint32_t)(state[word / 2] >> 32 * (word % 2)));
    }
    return finish();
}
