/* LUD in CUDA, as Rodinia's: three kernels for each block of the diagonal, which work in shared memory. */
#define FRAME_MAIN
#include "lud.h"

enum { B = 16 };
static float *dmatrix;

__global__ void diagonal(float *m, int size, int offset)
{
    __shared__ float s[B][B];
    int t = threadIdx.x;
    float *block = m + (size_t)offset * size + offset;
    for (int i = 0; i < B; i++)
        s[i][t] = block[(size_t)i * size + t];
    __syncthreads();
    for (int i = 0; i < B - 1; i++) {
        if (t > i) {
            for (int k = 0; k < i; k++)
                s[t][i] -= s[t][k] * s[k][i];
            s[t][i] /= s[i][i];
        }
        __syncthreads();
        if (t > i)
            for (int k = 0; k < i + 1; k++)
                s[i + 1][t] -= s[i + 1][k] * s[k][t];
        __syncthreads();
    }
    for (int i = 1; i < B; i++)
        block[(size_t)i * size + t] = s[i][t];
}

__global__ void perimeter(float *m, int size, int offset)
{
    __shared__ float dia[B][B], row[B][B], column[B][B];
    int t = threadIdx.x % B, half = threadIdx.x / B, far = (blockIdx.x + 1) * B;
    float *block = m + (size_t)offset * size + offset;
    for (int i = half * (B / 2); i < (half + 1) * (B / 2); i++)
        dia[i][t] = block[(size_t)i * size + t];
    for (int i = 0; i < B; i++)
        if (half == 0)
            row[i][t] = block[(size_t)i * size + far + t];
        else
            column[i][t] = block[(size_t)(far + i) * size + t];
    __syncthreads();
    if (half == 0) {
        for (int i = 1; i < B; i++)
            for (int k = 0; k < i; k++)
                row[i][t] -= dia[i][k] * row[k][t];
    } else {
        for (int i = 0; i < B; i++) {
            for (int k = 0; k < i; k++)
                column[t][i] -= column[t][k] * dia[k][i];
            column[t][i] /= dia[i][i];
        }
    }
    __syncthreads();
    for (int i = 0; i < B; i++)
        if (half == 0)
            block[(size_t)i * size + far + t] = row[i][t];
        else
            block[(size_t)(far + i) * size + t] = column[i][t];
}

__global__ void inside(float *m, int size, int offset)
{
    __shared__ float row[B][B], column[B][B];
    int i = offset + (blockIdx.y + 1) * B + threadIdx.y, j = offset + (blockIdx.x + 1) * B + threadIdx.x;
    row[threadIdx.y][threadIdx.x] = m[(size_t)(offset + threadIdx.y) * size + j];
    column[threadIdx.y][threadIdx.x] = m[(size_t)i * size + offset + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < B; k++)
        sum += column[threadIdx.y][k] * row[k][threadIdx.x];
    m[(size_t)i * size + j] -= sum;
}

LINKAGE void to_device(void) { put(dmatrix, matrix, (size_t)size * size); }

LINKAGE void compute(void)
{
    int offset;
    for (offset = 0; offset < size - B; offset += B) {
        int rest = (size - offset) / B - 1;
        diagonal<<<1, B>>>(dmatrix, size, offset);
        perimeter<<<rest, 2 * B>>>(dmatrix, size, offset);
        inside<<<dim3(rest, rest), dim3(B, B)>>>(dmatrix, size, offset);
    }
    diagonal<<<1, B>>>(dmatrix, size, offset);
}

LINKAGE void from_device(void) { get(matrix, dmatrix, (size_t)size * size); }
