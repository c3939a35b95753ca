// Locks made of atomic operations with an order of memory, and of `flush`, around what they protect.
// expect: launches=4
#include "../check.h"

#define N 500

struct account {
    long sum;
    int count;
};

#pragma omp declare target
static void lock(int *held)
{
    int before = 1;
    while (before) {
#pragma omp atomic capture acquire
        {
            before = *held;
            *held = 1;
        }
    }
}

static void unlock(int *held)
{
#pragma omp atomic write release
    *held = 0;
}
#pragma omp end declare target

int main(void)
{
    int held = 0;
    struct account account = {0, 0};
#pragma omp target teams distribute parallel for num_teams(4) map(tofrom: held, account)
    for (int i = 0; i < N; i++) {
        lock(&held);
        account.sum += i;
        account.count++;
        unlock(&held);
    }
    check_int("sum", 0, account.sum, N * (N - 1) / 2);
    check_int("count", 0, account.count, N);

    int filled[N], ready[N] = {0}, seen[N];
#pragma omp target teams distribute parallel for map(tofrom: filled, ready)
    for (int i = 0; i < N; i++) {
        filled[i] = 3 * i;
#pragma omp flush
#pragma omp atomic write
        ready[i] = 1;
    }
#pragma omp target teams distribute parallel for map(to: filled, ready) map(from: seen)
    for (int i = 0; i < N; i++) {
        int is_ready;
#pragma omp atomic read seq_cst
        is_ready = ready[i];
#pragma omp flush acquire
        seen[i] = is_ready ? filled[i] : -1;
    }
    for (int i = 0; i < N; i++)
        check_int("seen", i, seen[i], 3 * i);

    int bins[16] = {0};
#pragma omp target teams distribute parallel for map(tofrom: bins)
    for (int i = 0; i < N; i++) {
#pragma omp atomic update acq_rel
        bins[i % 16]++;
    }
    for (int i = 0; i < 16; i++)
        check_int("bins", i, bins[i], N / 16 + (i < N % 16));
    return finish();
}
