// Threads of a team that wait in a loop for what another one writes: the host's threads run them.
// expect: launches=1
#include "../check.h"
#include <omp.h>

static void atomic_read(void)
{
    int x = 0, y = 0, result = 0;
#pragma omp target parallel num_threads(2) map(tofrom: x, y, result)
    {
        if (omp_get_thread_num() == 1) {
            x = 10;
#pragma omp atomic write release
            y = 1;
        } else {
            int seen = 0;
            while (seen == 0) {
#pragma omp atomic read acquire
                seen = y;
            }
            result = x + 1;
        }
    }
    check_int("atomic read", 0, result, 11);
}

static void flush(void)
{
    int data[2] = {0, 0};
    volatile int flag = 0;
#pragma omp target teams num_teams(1) thread_limit(2) map(tofrom: data, flag)
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            do {
#pragma omp flush
            } while (flag == 0);
            data[1] = data[0] * 2;
        } else {
            data[0] = 21;
#pragma omp flush
            flag = 1;
#pragma omp flush
        }
    }
    check_int("flush", 0, data[1], 42);
}

static void around_the_ring(void)
{
    int turn = 0, order[4] = {-1, -1, -1, -1};
#pragma omp target parallel num_threads(4) map(tofrom: turn, order)
    {
        int me = omp_get_thread_num(), wanted = 3 - me, now;
        for (;;) {
#pragma omp atomic read
            now = turn;
            if (now == wanted)
                break;
        }
        order[wanted] = me;
#pragma omp atomic write
        turn = wanted + 1;
    }
    for (int i = 0; i < 4; i++)
        check_int("around the ring", i, order[i], 3 - i);
}

static void built_in(void)
{
    int flags[2] = {0, 0}, got = 0, data = 0;
#pragma omp target parallel num_threads(2) map(tofrom: flags, got, data)
    {
        if (omp_get_thread_num() == 0) {
            while (!__atomic_load_n(&flags[1], __ATOMIC_ACQUIRE))
                ;
            got = data;
        } else {
            data = 7;
            __atomic_store_n(&flags[1], 1, __ATOMIC_RELEASE);
        }
    }
    check_int("built in", 0, got, 7);
}

// Loops that end by themselves stay on the device.
static void no_wait(void)
{
    int out[8], limit = 100;
#pragma omp target parallel num_threads(8) map(from: out) map(to: limit)
    {
        int me = omp_get_thread_num(), x = me + 1, seen;
        for (;;) {
            x *= 2;
#pragma omp atomic read
            seen = limit;
            if (x >= seen)
                break;
        }
        while (x > limit)
            x -= 7;
        out[me] = x;
    }
    for (int i = 0; i < 8; i++) {
        int x = i + 1;
        while (x < 100)
            x *= 2;
        while (x > 100)
            x -= 7;
        check_int("no wait", i, out[i], x);
    }
}

int main(void)
{
    atomic_read();
    flush();
    around_the_ring();
    built_in();
    no_wait();
    return finish();
}
