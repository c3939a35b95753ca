/* CG in CUDA: a kernel for each loop that must end before the next begins; the scalars of a step stay on the device. */
#define FRAME_MAIN
#include "cg.h"
#include "../../common/reduce.cuh"

static int *drowstr, *dcolidx;
static double *da, *dx, *dz, *dp, *dq, *dr;
/* d, rho of this step and of the next, two norms, the norm of the residue */
static double *dsums;
enum { D, RHO, NEXT, NORM1, NORM2, SUM, SUMS };

__global__ void begin(int na, const double *x, double *z, double *p, double *q, double *r, double *sums)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    double own = 0;
    if (j < na) {
        q[j] = z[j] = 0;
        p[j] = r[j] = x[j];
        own = x[j] * x[j];
    }
    own = bench_block_reduce<bench_sum>(own);
    if (bench_first_of_block())
        atomicAdd(&sums[RHO], own);
}

/* Eight threads a row: q = A p, and p . q; or the norm of x - A z. */
__global__ void product(int na, const int *rowstr, const int *colidx, const double *a, const double *p, double *q,
                        const double *minus, double *to)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, j = thread / 8, lane = thread % 8;
    double sum = 0, own = 0;
    if (j < na)
        for (int k = rowstr[j] + lane; k < rowstr[j + 1]; k += 8)
            sum += a[k] * p[colidx[k]];
    for (int by = 4; by > 0; by /= 2)
        sum += __shfl_down_sync(0xFFFFFFFFu, sum, by, 8);
    if (j < na && lane == 0) {
        q[j] = sum;
        own = minus ? (minus[j] - sum) * (minus[j] - sum) : p[j] * sum;
    }
    own = bench_block_reduce<bench_sum>(own);
    if (bench_first_of_block())
        atomicAdd(to, own);
}

__global__ void advance(int na, double *z, const double *p, const double *q, double *r, double *sums)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    double alpha = sums[RHO] / sums[D], own = 0;
    if (j < na) {
        z[j] += alpha * p[j];
        r[j] -= alpha * q[j];
        own = r[j] * r[j];
    }
    own = bench_block_reduce<bench_sum>(own);
    if (bench_first_of_block())
        atomicAdd(&sums[NEXT], own);
}

__global__ void turn(int na, double *p, const double *r, const double *sums)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < na)
        p[j] = r[j] + sums[NEXT] / sums[RHO] * p[j];
}

__global__ void next_step(double *sums)
{
    sums[RHO] = sums[NEXT];
    sums[NEXT] = sums[D] = 0;
}

__global__ void norms(int na, const double *x, const double *z, double *sums)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    double one = j < na ? x[j] * z[j] : 0, two = j < na ? z[j] * z[j] : 0;
    one = bench_block_reduce<bench_sum>(one);
    two = bench_block_reduce<bench_sum>(two);
    if (bench_first_of_block()) {
        atomicAdd(&sums[NORM1], one);
        atomicAdd(&sums[NORM2], two);
    }
}

__global__ void scale(int na, double *x, const double *z, const double *sums)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < na)
        x[j] = z[j] / sqrt(sums[NORM2]);
}

LINKAGE void to_device(void)
{
    put(drowstr, rowstr, na + 1);
    put(dcolidx, colidx, rowstr[na]);
    put(da, a, rowstr[na]);
    put(dx, x, na);
    room(dz, na);
    room(dp, na);
    room(dq, na);
    room(dr, na);
    room(dsums, SUMS);
}

LINKAGE void compute(void)
{
    unsigned flat = bench_blocks(na, BENCH_BLOCK), rows = bench_blocks(8L * na, BENCH_BLOCK);
    double sums[SUMS];
    for (int it = 0; it < niter; it++) {
        CUDA_CHECK(cudaMemsetAsync(dsums, 0, sizeof sums));
        begin<<<flat, BENCH_BLOCK>>>(na, dx, dz, dp, dq, dr, dsums);
        for (int step = 0; step < CGITMAX; step++) {
            product<<<rows, BENCH_BLOCK>>>(na, drowstr, dcolidx, da, dp, dq, NULL, &dsums[D]);
            advance<<<flat, BENCH_BLOCK>>>(na, dz, dp, dq, dr, dsums);
            turn<<<flat, BENCH_BLOCK>>>(na, dp, dr, dsums);
            next_step<<<1, 1>>>(dsums);
        }
        product<<<rows, BENCH_BLOCK>>>(na, drowstr, dcolidx, da, dz, dr, dx, &dsums[SUM]);
        norms<<<flat, BENCH_BLOCK>>>(na, dx, dz, dsums);
        scale<<<flat, BENCH_BLOCK>>>(na, dx, dz, dsums);
        get(sums, dsums, SUMS);
        zeta = 10.0 + 1.0 / sums[NORM1];
        residue = sqrt(sums[SUM]);
    }
}

LINKAGE void from_device(void) { get(x, dx, na); }
