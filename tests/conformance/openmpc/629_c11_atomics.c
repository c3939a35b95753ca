// Operators on C11's atomic objects, and its functions, in loops of a parallel program: atomic updates on the device. What
// stands outside of the loops, in other functions of the file, keeps no loop on the host.
// expect: launches=2
#include "../check.h"
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users;
static _Atomic double level;
static atomic_int scaled = 2;

static int enter(void)
{
    int expected = 0;
    atomic_store_explicit(&level, 2.5, memory_order_release);
    atomic_compare_exchange_strong(&users, &expected, 7);
    atomic_thread_fence(memory_order_seq_cst);
    scaled *= 3;
    return atomic_exchange(&users, 1) + (int)atomic_load_explicit(&level, memory_order_acquire);
}

int main(void)
{
    enum { N = 1000 };
    atomic_int found[10];
    _Atomic long total = 0;
    int plain[10] = {0}, *keys = malloc(N * sizeof *keys);
    for (int i = 0; i < 10; i++)
        atomic_init(&found[i], 0);
    for (int i = 0; i < N; i++)
        keys[i] = i * 7 % 10;
    check_int("enter", 0, enter(), 9);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        atomic_fetch_add(&found[keys[i]], 1);
        __atomic_fetch_add(&plain[keys[i]], 1, __ATOMIC_RELAXED);
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        total += keys[i];
    for (int i = 0; i < 10; i++) {
        check_int("found", i, found[i], N / 10);
        check_int("plain", i, plain[i], N / 10);
    }
    check_int("total", 0, total, 45 * N / 10);
    check_int("users", 0, users, 1);
    check_int("scaled", 0, scaled, 6);
    return finish();
}
