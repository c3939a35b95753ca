// A histogram: threads of all gangs add to few bins, with types of 32 and 64 bits.
// expect: launches=2 uploads=4 downloads=3
#include <stdlib.h>
#include "check.h"

#define BINS 13

int main(void)
{
    int n = 30011;
    unsigned char *a = malloc(n);
    unsigned counts[BINS] = {0};
    unsigned long long totals[BINS] = {0};
    float weights[BINS] = {0.0f};
    for (int i = 0; i < n; i++)
        a[i] = (i * 7919 + i / 3) % 251;
#pragma acc data copyin(a[0:n])
    {
#pragma acc parallel loop copy(counts)
        for (int i = 0; i < n; i++) {
#pragma acc atomic update
            counts[a[i] % BINS]++;
        }
#pragma acc kernels copy(totals, weights)
        {
#pragma acc loop independent
            for (int i = 0; i < n; i++) {
#pragma acc atomic update
                totals[a[i] % BINS] += 1000000007ULL * a[i];
#pragma acc atomic update
                weights[a[i] % BINS] += 0.25f;
            }
        }
    }
    unsigned want[BINS] = {0};
    unsigned long long want_totals[BINS] = {0};
    for (int i = 0; i < n; i++) {
        want[a[i] % BINS]++;
        want_totals[a[i] % BINS] += 1000000007ULL * a[i];
    }
    for (int b = 0; b < BINS; b++) {
        check_int("counts", b, counts[b], want[b]);
        check_int("totals", b, (long long)totals[b], (long long)want_totals[b]);
        check_near("weights", b, weights[b], 0.25 * want[b], 0.0);
    }
    free(a);
    return finish();
}
