// A private array for each iteration: by clause, and declared inside the loop.
// expect: launches=2 uploads=1 downloads=2
#include "check.h"

#define N 133
#define W 5

int main(void)
{
    int in[N + W], out[N], out2[N], window[W];
    for (int i = 0; i < N + W; i++)
        in[i] = (i * 71) % 103;
#pragma acc data copyin(in)
    {
#pragma acc parallel loop gang vector private(window) copyout(out)
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < W; k++)
                window[k] = in[i + k];
            for (int k = 1; k < W; k++) /* insertion sort, for the median */
                for (int l = k; l > 0 && window[l] < window[l - 1]; l--) {
                    int swap = window[l];
                    window[l] = window[l - 1];
                    window[l - 1] = swap;
                }
            out[i] = window[W / 2];
        }
#pragma acc parallel loop gang vector copyout(out2)
        for (int i = 0; i < N; i++) {
            int below[W] = {0}, median = -1;
            for (int k = 0; k < W; k++)
                for (int l = 0; l < W; l++)
                    below[k] += in[i + l] < in[i + k];
            for (int k = 0; k < W; k++)
                if (below[k] == W / 2)
                    median = in[i + k];
            out2[i] = median;
        }
    }
    for (int i = 0; i < N; i++) {
        int median = -1;
        for (int k = 0; k < W; k++) {
            int below = 0;
            for (int l = 0; l < W; l++)
                below += in[i + l] < in[i + k];
            if (below == W / 2)
                median = in[i + k];
        }
        check_int("out", i, out[i], median);
        check_int("out2", i, out2[i], median);
    }
    return finish();
}
