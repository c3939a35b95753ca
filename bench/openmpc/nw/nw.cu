/* NW in CUDA: a block of threads for each block of a diagonal, which it works on in shared memory, as Rodinia's. */
#define FRAME_MAIN
#include "nw.h"

enum { B = 16 };
static int *dscore, *dref;

__global__ void diagonal(int *score, const int *ref, int cols, int penalty, int first_x, int sum)
{
    __shared__ int s[B + 1][B + 1], r[B][B];
    int bx = first_x + blockIdx.x, by = sum - bx, t = threadIdx.x;
    size_t corner = (size_t)cols * by * B + bx * B;
    for (int i = 0; i < B; i++)
        r[i][t] = ref[corner + (size_t)cols * (i + 1) + t + 1];
    for (int i = 0; i <= B; i++)
        s[i][t + 1] = score[corner + (size_t)cols * i + t + 1];
    s[t + 1][0] = score[corner + (size_t)cols * (t + 1)];
    if (t == 0)
        s[0][0] = score[corner];
    __syncthreads();
    for (int d = 0; d < 2 * B - 1; d++) {
        int i = d - t + 1, j = t + 1;
        if (i >= 1 && i <= B)
            s[i][j] = maximum(s[i - 1][j - 1] + r[i - 1][j - 1], s[i][j - 1] - penalty, s[i - 1][j] - penalty);
        __syncthreads();
    }
    for (int i = 0; i < B; i++)
        score[corner + (size_t)cols * (i + 1) + t + 1] = s[i + 1][t + 1];
}

LINKAGE void to_device(void)
{
    put(dscore, input_itemsets, (size_t)max_rows * max_cols);
    put(dref, referrence, (size_t)max_rows * max_cols);
}

LINKAGE void compute(void)
{
    int blocks = (max_cols - 1) / B;
    for (int k = 1; k <= blocks; k++)
        diagonal<<<k, B>>>(dscore, dref, max_cols, penalty, 0, k - 1);
    for (int k = 2; k <= blocks; k++)
        diagonal<<<blocks - k + 1, B>>>(dscore, dref, max_cols, penalty, k - 1, blocks + k - 2);
}

LINKAGE void from_device(void) { get(input_itemsets, dscore, (size_t)max_rows * max_cols); }
