// Every form of atomic (OpenACC 3.3 section 2.12).
#include <math.h>
void f(int n, int *h, double *d, int *out)
{
    int v, w;
#pragma acc parallel loop copy(h[0:n], d[0:n], out[0:n]) private(v, w)
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        h[i % 3]++;
#pragma acc atomic update
        d[0] += 2 * i;
#pragma acc atomic update
        h[1] = h[1] - i;
#pragma acc atomic update
        h[1] = i - h[1];
#pragma acc atomic read
        v = h[2];
#pragma acc atomic write
        h[3] = v + i;
#pragma acc atomic capture
        w = h[4]++;
#pragma acc atomic capture
        w = h[4] += 2;
#pragma acc atomic capture
        {
            v = h[5];
            h[5] |= i;
        }
#pragma acc atomic capture
        {
            h[5] &= i;
            v = h[5];
        }
#pragma acc atomic capture
        {
            v = h[6];
            h[6] = i;
        }
#pragma acc atomic
        d[1] = fmax(d[1], d[i]);
#pragma acc atomic
        h[7] = h[7] > i ? h[7] : i;
#pragma acc atomic
        h[7] = i < h[7] ? i : h[7];
#pragma acc atomic
        if (h[8] < i)
            h[8] = i;
        out[i] = v + w;
    }
}
