/* Tracking of points in CUDA: a block for a point, with its pattern, its area and the sums of corners in shared memory. */
#include "heartwall.h"
#include "../common/reduce.cuh"

__global__ void track(film m, int frame, const float *picture, const float *pattern, int *place, float *best)
{
    __shared__ float mine[PATTERN], area[AREA * AREA], sum[CORNERS], square[CORNERS], score[PLACES];
    __shared__ float mean, spread, most;
    const int p = blockIdx.x, lane = threadIdx.x;
    const float *from = picture + (size_t)frame * m.rows * m.columns +
                        (place[2 * p] - RADIUS - REACH) * m.columns + place[2 * p + 1] - RADIUS - REACH;
    for (int k = lane; k < PATTERN; k += BENCH_BLOCK)
        mine[k] = pattern[p * PATTERN + k];
    for (int k = lane; k < AREA * AREA; k += BENCH_BLOCK)
        area[k] = from[k / AREA * m.columns + k % AREA];
    for (int k = lane; k < EDGE; k += BENCH_BLOCK)
        sum[k] = sum[k * EDGE] = square[k] = square[k * EDGE] = 0.0f;
    __syncthreads();
    for (int i = lane; i < AREA; i += BENCH_BLOCK) {
        float total = 0.0f, squares = 0.0f;
        for (int j = 0; j < AREA; j++) {
            float value = area[i * AREA + j];
            total += value;
            squares += value * value;
            sum[(i + 1) * EDGE + j + 1] = total;
            square[(i + 1) * EDGE + j + 1] = squares;
        }
    }
    __syncthreads();
    for (int j = 1 + lane; j < EDGE; j += BENCH_BLOCK)
        for (int i = 1; i < EDGE; i++) {
            sum[i * EDGE + j] += sum[(i - 1) * EDGE + j];
            square[i * EDGE + j] += square[(i - 1) * EDGE + j];
        }
    float total = 0.0f, squares = 0.0f;
    for (int k = lane; k < PATTERN; k += BENCH_BLOCK) {
        total += mine[k];
        squares += mine[k] * mine[k];
    }
    total = bench_block_reduce<bench_sum>(total);
    squares = bench_block_reduce<bench_sum>(squares);
    if (lane == 0) {
        mean = total / PATTERN;
        spread = squares - total * mean;
    }
    __syncthreads();
    float largest = -INFINITY;
    for (int at = lane; at < PLACES; at += BENCH_BLOCK) {
        int row = at / MOVES, column = at % MOVES;
        float product = 0.0f;
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++)
                product += mine[i * SIDE + j] * area[(row + i) * AREA + column + j];
        score[at] = score_of(product, mean, spread, window(sum, 0, row, column), window(square, 0, row, column), row, column);
        largest = fmaxf(largest, score[at]);
    }
    largest = bench_block_reduce<bench_max>(largest);
    if (lane == 0)
        most = largest;
    __syncthreads();
    int where = PLACES;
    for (int at = lane; at < PLACES; at += BENCH_BLOCK)
        if (score[at] == most)
            where = min(where, at);
    where = bench_block_reduce<bench_min>(where);
    if (lane == 0) {
        best[p] = most;
        place[2 * p] = inside(place[2 * p] + where / MOVES - REACH, m.rows);
        place[2 * p + 1] = inside(place[2 * p + 1] + where % MOVES - REACH, m.columns);
    }
}

__global__ void refresh(film m, int frame, float kept, const float *picture, const int *place, float *pattern)
{
    const int p = blockIdx.x;
    for (int k = threadIdx.x; k < PATTERN; k += BENCH_BLOCK) {
        int row = place[2 * p] + k / SIDE - RADIUS, column = place[2 * p + 1] + k % SIDE - RADIUS;
        float old = kept == 0.0f ? 0.0f : kept * pattern[p * PATTERN + k];
        pattern[p * PATTERN + k] = old + (1.0f - kept) * picture[((size_t)frame * m.rows + row) * m.columns + column];
    }
}

static void heartwall(film m, int *place, float *best, bench_timer *t)
{
    const size_t bytes = 2 * m.points * sizeof(int);
    float *picture = bench_device(m.picture, (size_t)m.frames * m.rows * m.columns);
    int *start = bench_device(m.start, 2 * m.points);
    int *dplace = bench_device<int>(NULL, 2 * m.points);
    float *dbest = bench_device<float>(NULL, m.points);
    float *pattern = bench_device<float>(NULL, (size_t)m.points * PATTERN);
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            CUDA_CHECK(cudaMemcpyAsync(dplace, start, bytes, cudaMemcpyDeviceToDevice));
            for (int frame = 0; frame < m.frames; frame++) {
                if (frame > 0)
                    track<<<m.points, BENCH_BLOCK>>>(m, frame, picture, pattern, dplace, dbest);
                if (frame % REFRESH == 0)
                    refresh<<<m.points, BENCH_BLOCK>>>(m, frame, frame == 0 ? 0.0f : KEPT, picture, dplace, pattern);
            }
        }
        bench_wait();
    }
    bench_fetch(place, dplace, 2 * m.points);
    bench_fetch(best, dbest, m.points);
    CUDA_CHECK(cudaFree(picture));
    CUDA_CHECK(cudaFree(start));
    CUDA_CHECK(cudaFree(dplace));
    CUDA_CHECK(cudaFree(dbest));
    CUDA_CHECK(cudaFree(pattern));
}
