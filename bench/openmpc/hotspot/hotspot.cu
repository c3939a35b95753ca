/* HOTSPOT in CUDA, an element a thread. */
#define FRAME_MAIN
#include "hotspot.h"

static FLOAT *dtemp, *dpower, *dresult;

__global__ void step(FLOAT *result, const FLOAT *temp, const FLOAT *power, int row, int col, FLOAT amb, factors f)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y, at = r * col + c;
    if (r >= row || c >= col)
        return;
    FLOAT here = temp[at], up = r ? temp[at - col] : here, down = r < row - 1 ? temp[at + col] : here;
    FLOAT left = c ? temp[at - 1] : here, right = c < col - 1 ? temp[at + 1] : here;
    result[at] = here + f.cap_1 * (power[at] + (down + up - 2.f * here) * f.ry_1 + (right + left - 2.f * here) * f.rx_1 +
                                   (amb - here) * f.rz_1);
}

LINKAGE void to_device(void)
{
    put(dtemp, temp, (size_t)row * col);
    put(dpower, power, (size_t)row * col);
    room(dresult, (size_t)row * col);
}

LINKAGE void compute(void)
{
    dim3 block(32, 8), grid(bench_blocks(col, 32), bench_blocks(row, 8));
    for (int i = 0; i < sim_time; i++)
        step<<<grid, block>>>(i & 1 ? dtemp : dresult, i & 1 ? dresult : dtemp, dpower, row, col, amb_temp,
                              factors_of(row, col));
}

LINKAGE void from_device(void)
{
    FLOAT *last = sim_time & 1 ? result : temp;
    get(last, sim_time & 1 ? dresult : dtemp, (size_t)row * col);
}
