// char, signed char, unsigned char, short and their promotions: sums wrap on assignment, not before.
// expect: launches=1 uploads=3 downloads=5
#include "check.h"

#define N 256

int main(void)
{
    unsigned char u[N], u_out[N];
    signed char s[N], s_out[N];
    short h[N], h_out[N];
    int mean[N], compare[N];
    for (int i = 0; i < N; i++) {
        u[i] = i;
        s[i] = i - 128;
        h[i] = i * 257 - 32768;
    }
#pragma acc parallel loop copyin(u, s, h) copyout(u_out, s_out, h_out, mean, compare)
    for (int i = 0; i < N; i++) {
        unsigned char next = u[(i + 1) % N];
        mean[i] = (u[i] + next) / 2;
        u_out[i] = u[i] + next + 3;
        s_out[i] = s[i] * 3;
        h_out[i] = h[i] + h[i];
        compare[i] = (u[i] > s[i]) + 2 * (~u[i] < 0) + 4 * (-u[i] < 0) + 8 * (u[i] - 200 < 0) +
                     16 * ((unsigned char)~u[i] > 200) + 32 * (s[i] >> 1 == s[i] / 2);
        u_out[i]++;
        s_out[i] -= 1;
        h_out[i] ^= 0x55;
    }
    for (int i = 0; i < N; i++) {
        int next = (i + 1) % N;
        check_int("mean", i, mean[i], (i + next) / 2);
        check_int("u_out", i, u_out[i], (i + next + 4) & 255);
        check_int("s_out", i, s_out[i], (signed char)((signed char)((i - 128) * 3) - 1));
        check_int("h_out", i, h_out[i], (short)((short)(2 * h[i]) ^ 0x55));
        check_int("compare", i, compare[i],
                  (i > i - 128) + 2 + 4 * (i > 0) + 8 * (i < 200) + 16 * (255 - i > 200) +
                      32 * (s[i] >> 1 == s[i] / 2));
    }
    return finish();
}
