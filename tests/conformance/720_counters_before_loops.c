// Counters declared before their loops, in all the ways older C uses them: shared by several loops, read after a loop, left by
// break, counting down, without iterations, private in a clause, of narrow types.
// expect: launches=10
#include "check.h"

enum { N = 37, M = 29 };
static int a[N][M], got[N], want[N];

static void expect(const char *what)
{
    for (int i = 0; i < N; i++)
        check_int(what, i, got[i], want[i]);
}

/* Each body is run serially into want and on the device into got. */
#define BOTH(what, extra, ...)                                                        \
    do {                                                                              \
        int *out = want;                                                              \
        for (int i = 0; i < N; i++) { int k, m; k = m = -7; (void)m; __VA_ARGS__ }     \
        {                                                                             \
            int k, m;                                                                 \
            int *out = got;                                                           \
            _Pragma(extra)                                                            \
            for (int i = 0; i < N; i++) { k = m = -7; __VA_ARGS__ }                    \
        }                                                                             \
        expect(what);                                                                 \
    } while (0)
#define LOOP "acc parallel loop copyin(a) copyout(out[0:N]) private(k, m)"

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i * 7 + j * 5) % 11 - 4;

    BOTH("shared", LOOP,
         int s = 0; for (k = 0; k < M; k++) s += a[i][k]; for (k = M - 1; k >= 0; k -= 3) s -= k * a[i][k]; out[i] = s;);
    BOTH("read after", LOOP,
         int s = 0; for (k = 0; k < i; k += 4) s += a[i][k % M]; out[i] = s * 100 + k;);
    BOTH("no iterations", LOOP, int s = 1; for (k = i; k < i - 5; k++) s += 2; out[i] = s + k;);
    BOTH("downwards, read after", LOOP, int s = 0; for (k = i; k > 3; k -= 5) s += k; out[i] = s + 1000 * k;);
    BOTH("left by break", LOOP, for (k = 0; k < M; k++) if (a[i][k] == 3) break; out[i] = k;);
    BOTH("one of two read after", LOOP,
         int s = 0; for (k = 0; k < 5; k++) s += k * i; for (k = 0; k < i % 6; k++) s ^= k; out[i] = s + k;);
    BOTH("nested", LOOP,
         int s = 0; for (m = 0; m < 4; m++) { for (k = m; k < 9; k += 2) s += a[i][k]; s += k; } out[i] = s * 8 + m;);
    BOTH("read in the next round", LOOP,
         int s = 0; for (m = 0; m < 5; m++) { s += k; if (m == i % 3) continue; for (k = m; k != 11; k++) s++;
         if (m % 2) continue; k = m; } out[i] = s;);
    BOTH("starts where another ended", LOOP,
         int s = 0; for (k = 0; k < i % 9; k++) s += k; for (k = k; k < 20; k++) s -= a[i][k]; out[i] = s + k;);

    for (int i = 0; i < N; i++) {
        short narrow;
        int s = 0;
        for (narrow = -3; narrow <= i; narrow += 2)
            s += narrow;
        want[i] = s + 50 * narrow;
    }
    short narrow;
    int limit;
#pragma acc parallel loop copyout(got) private(narrow, limit)
    for (int i = 0; i < N; i++) {
        int s = 0;
        limit = i;
        for (narrow = -3; narrow <= limit; narrow += 2)
            s += narrow;
        got[i] = s + 50 * narrow;
    }
    expect("narrow");
    return finish();
}
