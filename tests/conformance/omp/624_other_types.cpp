// Memory that device code reads as another type, and offsets of members.
// expect: launches=3
#include "../check.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define N 50

struct Inner {
    char c;
    struct {
        int a, b;
    } pair;
    double z[3];
};

static int bits(const float &x) { return reinterpret_cast<const uint32_t &>(x); }
static int bits_by_pointer(const float &x) { return *(const uint32_t *)&x; }
static void set_bits(float &x, uint32_t to) { reinterpret_cast<uint32_t &>(x) = to; }

template <typename T> bool compare_and_swap(T &x, const T &before, const T &after)
{
    return __sync_bool_compare_and_swap(&x, before, after);
}

template <> inline bool compare_and_swap(float &x, const float &before, const float &after)
{
    return __sync_bool_compare_and_swap(reinterpret_cast<uint32_t *>(&x),
                                        reinterpret_cast<const uint32_t &>(before),
                                        reinterpret_cast<const uint32_t &>(after));
}

int main()
{
    int r[N], s[N];
    float t[N];
#pragma omp target teams distribute parallel for map(from: r, s, t)
    for (int i = 0; i < N; i++) {
        float x = (float)i;
        r[i] = bits(x);
        s[i] = bits_by_pointer(x) - bits(i);
        set_bits(x, 0x40000000 + i);
        t[i] = x;
    }
    for (int i = 0; i < N; i++) {
        float x = (float)i;
        int32_t expected;
        uint32_t set = 0x40000000 + i;
        memcpy(&expected, &x, 4);
        memcpy(&x, &set, 4);
        check_int("bits", i, r[i], expected);
        check_int("bits by pointer", i, s[i], 0);
        check_near("set", i, t[i], x, 0);
    }

    float least = 1e9f;
    int parent[N], claims = 0;
    for (int i = 0; i < N; i++)
        parent[i] = -1;
#pragma omp target teams distribute parallel for map(tofrom: least, parent, claims)
    for (int i = 0; i < 4 * N; i++) {
        float v = ((i * 77) % (4 * N)) * 0.5f + 1, old = least;
        while (v < old && !compare_and_swap(least, old, v))
            old = least;
        if (compare_and_swap(parent[i % N], -1, i))
            __sync_fetch_and_add(&claims, 1);
    }
    check_near("least", 0, least, 1, 0);
    check_int("claims", 0, claims, N);

#pragma omp target teams distribute parallel for map(from: r)
    for (int i = 0; i < N; i++)
        r[i] = offsetof(Inner, pair.b) + 100 * offsetof(Inner, z[2]) + i;
    for (int i = 0; i < N; i++)
        check_int("offsets", i, r[i], offsetof(Inner, pair.b) + 100 * offsetof(Inner, z[2]) + i);
    return finish();
}
