/* The diagonals of SP's systems along x in CUDA, one row a thread; or (STAGED) transformed by hand as in paper 003: two kernels, the
   first along x, the second through tiles in shared memory. */
#include "xsolve.h"

typedef float (*cubes)[CELLS][CELLS];

#ifdef STAGED
#define TILE 32
#define ROWS 8

__global__ void by_rows(int n, cubes us, cubes rho, cubes velocity, cubes viscosity)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = 1 + blockIdx.y * blockDim.y + threadIdx.y, k = 1 + blockIdx.z;
    if (i < n && j < n - 1) {
        velocity[k][j][i] = us[k][j][i];
        viscosity[k][j][i] = VISCOSITY(rho[k][j][i]);
    }
}

__global__ void by_columns(int n, cubes velocity, cubes viscosity, float (*diagonals)[CELLS][CELLS][CELLS])
{
    __shared__ float u[TILE][TILE + 3], v[TILE][TILE + 3];
    int first_j = 1 + blockIdx.x * TILE, first_i = 1 + blockIdx.y * TILE, k = 1 + blockIdx.z;
    for (int y = threadIdx.y; y < TILE; y += ROWS)
        for (int x = threadIdx.x; x < TILE + 2; x += TILE) {
            int j = first_j + y, i = first_i - 1 + x;
            if (j < n - 1 && i < n) {
                u[y][x] = velocity[k][j][i];
                v[y][x] = viscosity[k][j][i];
            }
        }
    __syncthreads();
    int x = threadIdx.x, j = first_j + x;
    for (int y = threadIdx.y; y < TILE && j < n - 1; y += ROWS) {
        int i = first_i + y;
        if (i < n - 1) {
            diagonals[0][k][i][j] = 0.0f;
            diagonals[1][k][i][j] = -DTTX2 * u[x][y] - DTTX1 * v[x][y];
            diagonals[2][k][i][j] = 1.0f + 2.0f * DTTX1 * v[x][y + 1];
            diagonals[3][k][i][j] = DTTX2 * u[x][y + 2] - DTTX1 * v[x][y + 2];
            diagonals[4][k][i][j] = 0.0f;
        }
    }
}
#else
__global__ void rows(int n, cubes us, cubes rho, cubes velocity, cubes viscosity, float (*diagonals)[CELLS][CELLS][CELLS])
{
    int k = 1 + blockIdx.x, j = 1 + threadIdx.x;
    if (j >= n - 1)
        return;
    for (int i = 0; i < n; i++) {
        velocity[k][j][i] = us[k][j][i];
        viscosity[k][j][i] = VISCOSITY(rho[k][j][i]);
    }
    for (int i = 1; i < n - 1; i++) {
        diagonals[0][k][i][j] = 0.0f;
        diagonals[1][k][i][j] = -DTTX2 * velocity[k][j][i - 1] - DTTX1 * viscosity[k][j][i - 1];
        diagonals[2][k][i][j] = 1.0f + 2.0f * DTTX1 * viscosity[k][j][i];
        diagonals[3][k][i][j] = DTTX2 * velocity[k][j][i + 1] - DTTX1 * viscosity[k][j][i + 1];
        diagonals[4][k][i][j] = 0.0f;
    }
}
#endif

static cubes device_cube(const float *host, size_t count)
{
    return (cubes)bench_device<float>((float *)host, count * CELLS * CELLS * CELLS);
}

static void xsolve(int n, cube us, cube rho, cube velocity, cube viscosity, cube diagonals[5], bench_timer *t)
{
    cubes dus = device_cube(&us[0][0][0], 1), drho = device_cube(&rho[0][0][0], 1);
    cubes dvelocity = device_cube(NULL, 1), dviscosity = device_cube(NULL, 1);
    float (*ddiagonals)[CELLS][CELLS][CELLS] = (float (*)[CELLS][CELLS][CELLS])device_cube(NULL, 5);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#ifdef STAGED
            int tiles = bench_blocks(n - 2, TILE);
            by_rows<<<dim3(bench_blocks(n, 64), bench_blocks(n - 2, 4), n - 2), dim3(64, 4)>>>(n, dus, drho, dvelocity,
                                                                                               dviscosity);
            by_columns<<<dim3(tiles, tiles, n - 2), dim3(TILE, ROWS)>>>(n, dvelocity, dviscosity, ddiagonals);
#else
            rows<<<n - 2, n - 2>>>(n, dus, drho, dvelocity, dviscosity, ddiagonals);
#endif
        }
        bench_wait();
    }
    bench_fetch(&diagonals[0][0][0][0], (float *)ddiagonals, 5L * CELLS * CELLS * CELLS);
    for (cubes a : {dus, drho, dvelocity, dviscosity, (cubes)ddiagonals})
        CUDA_CHECK(cudaFree(a));
}
