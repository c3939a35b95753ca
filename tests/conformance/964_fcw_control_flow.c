// fcw under control flow: `continue` and `break` that differ between iterations of a block, branches that do not,
// barriers in both, loops inside conditions, an iteration that ends early.
// expect: launches=4
#include "check.h"

#define N 300
#define B 64

static int a[N], b[N], c[N], d[N], e[N], last[N];

int main(void)
{
    int rounds = 5, on = 1;
    for (int i = 0; i < N; i++)
        a[i] = b[i] = c[i] = d[i] = e[i] = i % 13;
#pragma acc data copy(a, b, c, e) copyin(d) copyout(last)
    {
#pragma acc parallel loop vector(B)
        for (int i = 0; i < N; i++) {
            int at = i % B;
#pragma acc fcw FETCH_CHANNEL_WB(a[i:0:0])
            for (int s = 0; s < rounds; s++) {
                if (at < s)
                    continue;
                if (s == 3)
                    break;
                if (at > 0)
                    a[i] += a[i - 1];
                else
                    a[i] -= 1;
            }
        }
#pragma acc parallel loop vector(B)
        for (int i = 0; i < N; i++) {
            int at = i % B;
            if (d[i] == 5)
                continue;
#pragma acc fcw FETCH_CHANNEL_WB(b[i:0:0])
            {
                if (on) {
                    for (int w = B / 2; w > 0; w /= 2)
                        if (at < w && i + w < N)
                            b[i] += b[i + w];
                } else {
                    b[i] = 0;
                }
            }
        }
#pragma acc parallel loop vector(B)
        for (int i = 0; i < N; i++) {
            int at = i % B;
#pragma acc fcw FETCH_CHANNEL_WB(c[i:0:0])
            for (int s = 0; s < 4; s++) {
                if (at == s)
                    break;
                if (on)
                    c[i] = at > 0 ? c[i - 1] + 1 : c[i];
            }
        }
        /* All leave the loop between a write and what would part it from the read behind. */
#pragma acc parallel loop vector(B)
        for (int i = 0; i < N; i++) {
            int at = i % B, other = i - at + (at + 9) % B;
            int sum = 0;
#pragma acc fcw FETCH_CHANNEL_WB(e[i:0:0])
            {
                for (int s = 0; s < rounds; s++) {
                    e[i] = 2 * (other < N ? e[other] : 1) + s;
                    if (s == rounds - 2)
                        break;
                    sum += other < N ? e[other] : 1;
                }
                last[i] = sum + (other < N ? e[other] : 1);
            }
        }
    }
    for (int first = 0; first < N; first += B) {
        int n = first + B < N ? B : N - first, old[B], now[B], sum[B];
        for (int t = 0; t < n; t++) {
            now[t] = (first + t) % 13;
            sum[t] = 0;
        }
        for (int s = 0; s < rounds - 1; s++) {
            for (int t = 0; t < n; t++)
                old[t] = now[t];
            for (int t = 0; t < n; t++)
                now[t] = 2 * ((t + 9) % B < n ? old[(t + 9) % B] : 1) + s;
            for (int t = 0; t < n && s < rounds - 2; t++)
                sum[t] += (t + 9) % B < n ? now[(t + 9) % B] : 1;
        }
        for (int t = 0; t < n; t++) {
            check_int("e", first + t, e[first + t], now[t]);
            check_int("last", first + t, last[first + t], sum[t] + ((t + 9) % B < n ? now[(t + 9) % B] : 1));
        }
    }
    for (int first = 0; first < N; first += B) {
        int n = first + B < N ? B : N - first, x[B], y[B], gone[B];
        for (int t = 0; t < n; t++)
            x[t] = (first + t) % 13;
        for (int s = 0; s < rounds && s < 3; s++) {
            for (int t = 0; t < n; t++)
                y[t] = t < s ? x[t] : t > 0 ? x[t] + x[t - 1] : x[t] - 1;
            for (int t = 0; t < n; t++)
                x[t] = y[t];
        }
        for (int t = 0; t < n; t++)
            check_int("a", first + t, a[first + t], x[t]);
        for (int t = 0; t < n; t++)
            x[t] = (first + t) % 13;
        for (int w = B / 2; w > 0; w /= 2)
            for (int t = 0; t < w && t + w < n; t++)
                if ((first + t) % 13 != 5)
                    x[t] += x[t + w];
        for (int t = 0; t < n; t++)
            check_int("b", first + t, b[first + t], x[t]);
        for (int t = 0; t < n; t++) {
            x[t] = (first + t) % 13;
            gone[t] = 0;
        }
        for (int s = 0; s < 4; s++) {
            for (int t = 0; t < n; t++) {
                gone[t] |= t == s;
                y[t] = gone[t] || t == 0 ? x[t] : x[t - 1] + 1;
            }
            for (int t = 0; t < n; t++)
                x[t] = y[t];
        }
        for (int t = 0; t < n; t++)
            check_int("c", first + t, c[first + t], x[t]);
    }
    return finish();
}
