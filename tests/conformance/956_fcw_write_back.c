// fcw types that write back: own elements, elements of others, several in one directive; the user's own barriers.
// expect: launches=5
#include "check.h"

#define N 1003

static int a[N], b[N], c[N], d[N], e[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i % 19;
        b[i] = c[i] = d[i] = -1;
        e[i] = i;
    }
#pragma acc data copy(a, b, c, d, e)
    {
        // Each its own, by one that is fetched and one that is not.
#pragma acc parallel loop gang vector(128)
        for (int i = 0; i < N; i++) {
#pragma acc fcw FETCH_WB(a[i:0:0]) WB_ONLY(b[i:0:0])
            {
                a[i] += 5;
                if (i % 3)
                    b[i] = a[i];
            }
        }
        // Reversed within each block of 128, by way of the block.
#pragma acc parallel loop gang vector(128)
        for (int i = 0; i < N; i++) {
            int first = i - (i & 127);
            int other = first + 127 - (i & 127);
#pragma acc fcw CHANNEL_WB(c[i:0:0])
            if (other < N)
                c[other] = i;
        }
        // The user's barriers alone.
#pragma acc parallel loop gang vector(128)
        for (int i = 0; i < N; i++) {
            int at = i & 127;
            int v = 0;
#pragma acc fcw CHANNEL_ONLY(d[i:0:0])
            {
                d[i] = i * 2;
#pragma acc fcw_barrier
                v = at > 0 ? d[i - 1] : -7;
#pragma acc fcw_barrier
                d[i] = v + 1;
#pragma acc fcw_barrier
                v += at < 127 && i + 1 < N ? d[i + 1] : 0;
            }
            d[i] = v;
        }
        // Two steps in place, with barriers put in.
#pragma acc parallel loop gang vector(128)
        for (int i = 0; i < N; i++) {
            int at = i & 127;
#pragma acc fcw FETCH_CHANNEL_WB(e[i:0:0])
            for (int s = 0; s < 2; s++)
                if (at > 0 && i > 0)
                    e[i] += e[i - 1];
        }
        // Doubled, to see what others write.
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            b[i] *= 2;
    }
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], i % 19 + 5);
        check_int("b", i, b[i], 2 * (i % 3 ? i % 19 + 5 : -1));
        int first = i - i % 128, other = first + 127 - i % 128;
        check_int("c", i, c[i], other < N ? other : -1);
        int at = i % 128;
        int v = at > 0 ? (i - 1) * 2 : -7;
        int right = at < 127 && i + 1 < N ? i * 2 + 1 : 0;
        check_int("d", i, d[i], v + right);
        int want = at == 0 ? i : at == 1 ? i + 2 * (i - 1) : 4 * i - 4;
        check_int("e", i, e[i], want);
    }
    return finish();
}
