// C11's atomic objects and functions: an operator on such an object is an atomic update, and the functions of <stdatomic.h>
// are those of GNU C. Each iteration adds to shared counters, finds a maximum by comparing and exchanging, and sets bits.
// expect: launches=1
#include "../check.h"
#include <stdatomic.h>

enum { N = 777 };

static atomic_int counts[16], last;
static _Atomic unsigned long bits;
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void)
{
    struct { int before; atomic_long sum; } pair = {1, 0};
    _Atomic int most = -1;
    _Atomic float small = 1.5f;
    _Atomic short least = 100;
    int wrong = 0;
    check_true("the flag was clear", !atomic_flag_test_and_set(&flag));
    check_true("the flag is set", atomic_flag_test_and_set(&flag));
#pragma omp target teams distribute parallel for map(tofrom : counts, bits, pair, most, small, least, last, wrong) reduction(+ : wrong)
    for (int i = 0; i < N; i++) {
        int k = i % 16;
        int before = atomic_fetch_add_explicit(&counts[k], 2, memory_order_relaxed);
        counts[k]++;
        int after = --counts[k];
        wrong += before < 0 || after < 2;
        bits |= 1ul << k;
        atomic_fetch_sub(&pair.sum, i);
        least -= 1;
        int seen = atomic_load(&most);
        while (seen < i && !atomic_compare_exchange_weak(&most, &seen, i))
            ;
        if (before < 0)
            atomic_store(&small, 3.0f);
        if (i == N - 1) {
            last = i;
            wrong += atomic_exchange(&last, i + 1) != i;
        }
    }
    for (int k = 0; k < 16; k++)
        check_int("counts", k, counts[k], 2 * (N / 16 + (k < N % 16)));
    check_int("bits", 0, bits, 0xffff);
    check_int("sum", 0, pair.sum, -N * (N - 1) / 2);
    check_int("before", 0, pair.before, 1);
    check_int("least", 0, least, 100 - N);
    check_int("most", 0, most, N - 1);
    check_int("last", 0, last, N);
    check_near("small", 0, small, 1.5, 0);
    check_int("wrong", 0, wrong, 0);
    return finish();
}
