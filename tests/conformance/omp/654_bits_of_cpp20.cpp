// Functions of <bit> that C++20 has beside those of 593.
// flags: -std=c++20
// expect: launches=1
#include "../check.h"
#include <bit>
#include <cstdint>

static unsigned long long all(unsigned x)
{
    unsigned long long sum = std::bit_ceil(x >> 1) + 3ull * std::bit_floor(x);
    sum += std::countl_one(x) * 5 + std::countr_one(x) * 7;
    return sum * 3 + std::bit_ceil((std::uint8_t)(x & 127)) + std::countr_one((std::uint16_t)x) + std::bit_floor((std::uint64_t)x << 20);
}

int main()
{
    unsigned long long sums[200];
#pragma omp target teams distribute parallel for map(from : sums)
    for (int i = 0; i < 200; i++)
        sums[i] = all(i < 100 ? i : ~0u << (i % 32));
    for (int i = 0; i < 200; i++)
        check_int("sums", i, sums[i], all(i < 100 ? i : ~0u << (i % 32)));
    return finish();
}
