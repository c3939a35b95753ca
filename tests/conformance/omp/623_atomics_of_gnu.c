// The atomic functions that GNU C has built in.
// expect: launches=6
#include "../check.h"
#include <stdint.h>

#define N 400

static void updates(void)
{
    int before[N], taken[N], after[N], next = 0, down = N;
    unsigned long sum = 0;
    uint8_t bits = 0;
#pragma omp target teams distribute parallel for map(from: before, taken, after) map(tofrom: next, down, sum, bits)
    for (int i = 0; i < N; i++) {
        int at = __sync_fetch_and_add(&next, 1);
        before[at] = i;
        taken[at] = at;
        after[N - 1 - __sync_sub_and_fetch(&down, 1)] = i;
        __atomic_fetch_add(&sum, (unsigned long)i, __ATOMIC_RELAXED);
        __atomic_or_fetch(&bits, 1 << (i % 5), __ATOMIC_SEQ_CST);
    }
    long total = 0;
    for (int i = 0; i < N; i++) {
        check_int("taken", i, taken[i], i);
        total += before[i] - after[i];
    }
    check_int("total", 0, total, 0);
    check_int("next", 0, next, N);
    check_int("down", 0, down, 0);
    check_int("sum", 0, sum, N * (N - 1) / 2);
    check_int("bits", 0, bits, 31);
}

static void replaced(void)
{
    int parent[N], claims = 0, most = -1, least = N;
    for (int i = 0; i < N; i++)
        parent[i] = -1;
#pragma omp target teams distribute parallel for map(tofrom: parent, claims)
    for (int i = 0; i < 4 * N; i++)
        if (__sync_bool_compare_and_swap(&parent[i % N], -1, i))
            __sync_add_and_fetch(&claims, 1);
#pragma omp target teams distribute parallel for map(tofrom: most, least)
    for (int i = 0; i < N; i++) {
        int v = (i * 37) % N, old = most, found;
        while (old < v && (found = __sync_val_compare_and_swap(&most, old, v)) != old)
            old = found;
        int low = __atomic_load_n(&least, __ATOMIC_RELAXED);
        while (low > v &&
               !__atomic_compare_exchange_n(&least, &low, v, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            ;
    }
    check_int("claims", 0, claims, N);
    for (int i = 0; i < N; i++)
        check_int("parent", i, parent[i] % N, i);
    check_int("most", 0, most, N - 1);
    check_int("least", 0, least, 0);
}

static void locked(void)
{
    int lock = 0, count = 0;
    double sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: lock, count, sum) num_teams(2)
    for (int i = 0; i < N; i++) {
        while (__sync_lock_test_and_set(&lock, 1))
            ;
        sum = sum + i;
        count = count + 1;
        __sync_lock_release(&lock);
    }
    check_int("count", 0, count, N);
    check_near("sum under a lock", 0, sum, N * (N - 1) / 2, 1e-9);
}

static void lists(void)
{
    int head[8], next[N], seen = 0;
    for (int i = 0; i < 8; i++)
        head[i] = -1;
#pragma omp target data map(tofrom: head) map(from: next)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            next[i] = __atomic_exchange_n(&head[i % 8], i, __ATOMIC_ACQ_REL);
#pragma omp target teams distribute parallel for map(tofrom: seen)
        for (int i = 0; i < 8; i++) {
            int length = 0;
            for (int at = head[i]; at >= 0; at = next[at])
                length++;
            __atomic_fetch_add(&seen, length, __ATOMIC_RELAXED);
            __atomic_store_n(&head[i], -2, __ATOMIC_RELEASE);
        }
    }
    check_int("seen", 0, seen, N);
    for (int i = 0; i < 8; i++)
        check_int("stored", i, head[i], -2);
}

int main(void)
{
    updates();
    replaced();
    locked();
    lists();
    return finish();
}
