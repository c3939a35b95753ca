// fcw: conditions that become ranges of a loop on the cpu: equalities, limits of each iteration's own, limits far away,
// values that change within a loop, and a test that its own statement makes false.
// expect: launches=5
// flags: --no-check
#include "check.h"

#define N 1000
#define B 64

static int limit[N], sums[N], far_away[N];

/* Iteration `k` of a block has the sum of those before its limit; k differs from step to step. */
static void limits(int n, int pick, const int *restrict most, int *restrict x)
{
#pragma acc parallel loop vector(B) present(most[:n], x[:n])
    for (int i = 0; i < n; i++) {
        int at = i % B, own = most[i];
#pragma acc fcw FETCH_CHANNEL_WB(x[i:0:0])
        for (int s = 0; s < B; s++) {
            int left = own - s;
            if (at < left && i + 1 < n && at + 1 < B)
                x[i] += x[i + 1] % 7;
            if (at == pick + s)
                x[i] -= 3;
            left++;
            if (at > 0 && left > at)
                x[i] += left;
        }
    }
}

static void limits_by_hand(int n, int pick, const int *most, int *x)
{
    for (int first = 0; first < n; first += B) {
        int count = first + B < n ? B : n - first, old[B];
        for (int s = 0; s < B; s++) {
            for (int t = 0; t < count; t++)
                old[t] = x[first + t];
            for (int t = 0; t < count; t++) {
                int i = first + t, left = most[i] - s;
                if (t < left && i + 1 < n && t + 1 < B)
                    x[i] += old[t + 1] % 7;
                if (t == pick + s)
                    x[i] -= 3;
                left++;
                if (t > 0 && left > t)
                    x[i] += left;
            }
        }
    }
}

/* No iteration of a block, all of it, or a part has `i + ahead` between the bounds, which no int holds. */
static void far(long n, long ahead, long from, long until, int *restrict x)
{
#pragma acc parallel loop vector(B) present(x[:n])
    for (long i = 0; i < n; i++) {
#pragma acc fcw FETCH_CHANNEL_WB(x[i:0:0])
        for (int s = 0; s < 2; s++)
            if (i + ahead >= from && i + ahead < until)
                x[i] += s + 1;
    }
}

/* The loop's variable is the function's, and outlives what was computed of it. */
static void counted(int n, int *restrict x, int *restrict last)
{
#pragma acc parallel loop vector(B) present(x[:n], last[:n])
    for (int i = 0; i < n; i++) {
        int at = i % B, s, seen = 0, rest = 3;
#pragma acc fcw FETCH_CHANNEL_WB(x[i:0:0])
        {
            s = 5;
            int before = at + s;
            for (s = 0; s < 4; s++) {
                int now = at + s;
                if (rest > 0) {
                    if (now % 2)
                        rest = 0;
                    if (rest > 0)
                        x[i] += before;
                }
                if (rest > 0)
                    seen++;
            }
            x[i] += before * 100;
        }
        last[i] = seen;
    }
}

/* In some blocks all iterations store, in some none, in some a few. */
static void agreed(int n, int *restrict x, int *restrict to)
{
#pragma acc parallel loop vector(B) present(x[:n], to[:n])
    for (int i = 0; i < n; i++) {
        int stored = 0;
#pragma acc fcw FETCH_CHANNEL_WB(x[i:0:0])
        for (int s = 0; s < 2; s++) {
            stored = x[i] % 4;
            x[i] += s;
        }
        if (stored)
            to[i] = x[i];
    }
}

int main(void)
{
    static int want[N], x[N], last[N], to[N];
    for (int i = 0; i < N; i++) {
        limit[i] = i * 37 % (B + 9) - 4;
        sums[i] = want[i] = i % 13;
    }
#pragma acc data copyin(limit) copy(sums)
    limits(N, -7, limit, sums);
    limits_by_hand(N, -7, limit, want);
    for (int i = 0; i < N; i++)
        check_int("sums", i, sums[i], want[i]);

    long ahead = 5000000000, from = ahead + 100, until = ahead + 700;
#pragma acc data copy(far_away)
    {
        far(N, ahead, from, until, far_away);
        far(N, ahead, -ahead, 2 * ahead, far_away);
    }
    for (int i = 0; i < N; i++)
        check_int("far", i, far_away[i], 3 + (i >= 100 && i < 700 ? 3 : 0));

#pragma acc data copy(x) copyout(last)
    counted(N, x, last);
    for (int i = 0; i < N; i++) {
        int at = i % B, seen = 0, sum = 0, before = at + 5;
        for (int s = 0; s < 4 && (at + s) % 2 == 0; s++) {
            seen++;
            sum += before;
        }
        check_int("x", i, x[i], sum + before * 100);
        check_int("last", i, last[i], seen);
    }

    for (int i = 0; i < N; i++) {
        int block = i / B;
        want[i] = x[i] = block % 3 == 0 ? 4 * i + 2 : block % 3 == 1 ? 4 * i : 3 * i;
        to[i] = -1;
    }
#pragma acc data copy(x, to)
    agreed(N, x, to);
    for (int i = 0; i < N; i++)
        check_int("to", i, to[i], want[i] % 4 ? want[i] + 1 : -1);
    return finish();
}
