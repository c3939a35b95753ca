// Every form of atomic update the standard lists; the word update may be left out.
// expect: launches=1 uploads>=1 downloads>=1
#include "check.h"

#define N 1000

int main(void)
{
    int c[16] = {0};
    double d[3] = {0.0, 0.0, 1.0};
    c[9] = -1;
#pragma acc parallel loop copy(c, d)
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        c[0]++;
#pragma acc atomic update
        ++c[1];
#pragma acc atomic
        c[2]--;
#pragma acc atomic
        --c[3];
#pragma acc atomic update
        c[4] += i;
#pragma acc atomic update
        c[5] -= 2 * i;
#pragma acc atomic update
        c[6] = c[6] + i % 3;
#pragma acc atomic update
        c[7] = i % 5 + c[7];
#pragma acc atomic update
        c[8] |= 1 << (i % 20);
#pragma acc atomic update
        c[9] &= ~(1 << (i % 7));
#pragma acc atomic update
        c[10] ^= i;
#pragma acc atomic update
        d[0] += 0.5;
#pragma acc atomic update
        d[1] = d[1] - 0.25;
#pragma acc atomic update
        d[2] *= i % 100 == 0 ? 2.0 : 1.0;
    }
    int sum = 0, thirds = 0, fifths = 0, bits = 0;
    for (int i = 0; i < N; i++) {
        sum += i;
        thirds += i % 3;
        fifths += i % 5;
        bits ^= i;
    }
    check_int("c", 0, c[0], N);
    check_int("c", 1, c[1], N);
    check_int("c", 2, c[2], -N);
    check_int("c", 3, c[3], -N);
    check_int("c", 4, c[4], sum);
    check_int("c", 5, c[5], -2 * sum);
    check_int("c", 6, c[6], thirds);
    check_int("c", 7, c[7], fifths);
    check_int("c", 8, c[8], (1 << 20) - 1);
    check_int("c", 9, c[9], -1 & ~127);
    check_int("c", 10, c[10], bits);
    check_near("d", 0, d[0], 0.5 * N, 0.0);
    check_near("d", 1, d[1], -0.25 * N, 0.0);
    check_near("d", 2, d[2], 1024.0, 0.0);
    return finish();
}
