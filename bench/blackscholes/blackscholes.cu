/* Options in CUDA, one option a thread. */
#include "blackscholes.h"

/* The normal distribution from minus infinity to d: a polynomial in 1 / (1 + k |d|). */
__device__ static inline float cumulative(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * expf(-0.5f * d * d) *
                 (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
                  k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0.0f ? 1.0f - tail : tail;
}

__global__ void options(int n, const float *price, const float *strike, const float *years,
                        float *call, float *put)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = price[i], x = strike[i], y = years[i];
    float root = VOLATILITY * sqrtf(y);
    float d1 = (logf(s / x) + (RISK_FREE + 0.5f * VOLATILITY * VOLATILITY) * y) / root;
    float n1 = cumulative(d1), n2 = cumulative(d1 - root);
    float discounted = x * expf(-RISK_FREE * y);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}

static void blackscholes(int n, const float *price, const float *strike, const float *years,
                         float *call, float *put, bench_timer *t)
{
    const int block = 256;
    float *dprice = bench_device(price, n);
    float *dstrike = bench_device(strike, n);
    float *dyears = bench_device(years, n);
    float *dcall = bench_device<float>(NULL, n);
    float *dput = bench_device<float>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            options<<<bench_blocks(n, block), block>>>(n, dprice, dstrike, dyears, dcall, dput);
        bench_wait();
    }
    bench_fetch(call, dcall, n);
    bench_fetch(put, dput, n);
    CUDA_CHECK(cudaFree(dprice));
    CUDA_CHECK(cudaFree(dstrike));
    CUDA_CHECK(cudaFree(dyears));
    CUDA_CHECK(cudaFree(dcall));
    CUDA_CHECK(cudaFree(dput));
}
