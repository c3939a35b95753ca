/* Distances from an array of structures in CUDA, one record a thread. */
#include "nearest.h"

#ifdef COMPRESSED
#include "../common/compressed.cuh"

enum { aos, soa };

/* `latitudes` and `longitudes` are `step` apart from one record to the next. */
__global__ void distances(int n, const unsigned short *latitudes, const unsigned short *longitudes, int step,
                          float latitude, float longitude, float *distance, float scale, float bias)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float y = bench_decode(latitudes[i * step], scale, bias) - latitude;
        float x = bench_decode(longitudes[i * step], scale, bias) - longitude;
        distance[i] = sqrtf(x * x + y * y);
    }
}

static void nearest(int n, const record *records, float latitude, float longitude, float *distance, bench_timer *t)
{
    const int block = 256;
    bench_keys keys = bench_range(180.0);
    float *numbers = (float *)bench_alloc(2 * (size_t)n, sizeof *numbers);
    for (int i = 0; i < n; i++) {
        numbers[COMPRESSED == soa ? (size_t)i : 2 * (size_t)i] = records[i].latitude;
        numbers[COMPRESSED == soa ? n + (size_t)i : 2 * (size_t)i + 1] = records[i].longitude;
    }
    unsigned short *encoded = bench_device_encoded(numbers, 2 * (size_t)n, keys);
    float *away = bench_device<float>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            distances<<<bench_blocks(n, block), block>>>(n, encoded, encoded + (COMPRESSED == soa ? n : 1),
                                                         COMPRESSED == soa ? 1 : 2, latitude, longitude, away,
                                                         (float)keys.scale, (float)keys.bias);
        bench_wait();
    }
    bench_fetch(distance, away, n);
    free(numbers);
    CUDA_CHECK(cudaFree(encoded));
    CUDA_CHECK(cudaFree(away));
}
#else
__global__ void distances(int n, const record *records, float latitude, float longitude, float *distance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float y = records[i].latitude - latitude;
        float x = records[i].longitude - longitude;
        distance[i] = sqrtf(x * x + y * y);
    }
}

static void nearest(int n, const record *records, float latitude, float longitude, float *distance, bench_timer *t)
{
    const int block = 256;
    record *drecords = bench_device(records, n);
    float *away = bench_device<float>(NULL, n);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            distances<<<bench_blocks(n, block), block>>>(n, drecords, latitude, longitude, away);
        bench_wait();
    }
    bench_fetch(distance, away, n);
    CUDA_CHECK(cudaFree(drecords));
    CUDA_CHECK(cudaFree(away));
}
#endif
