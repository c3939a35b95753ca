/* HEARTWALL in CUDA: a block for a point, with its pattern, its area and the sums of corners in shared memory. */
#define FRAME_MAIN
#include "heartwall.h"
#include "../../common/reduce.cuh"
#include "input.h"

static int *row, *column, *rows, *columns;
static float *frame, *patterns;

__global__ void track(common all, int *row, int *column, int *rows, int *columns, const float *frame, float *patterns)
{
    __shared__ float pattern[SIDE * SIDE], area[AREA * AREA], sum[EDGE * EDGE], square[EDGE * EDGE], match[MOVES * MOVES];
    __shared__ float mean, spread, most;
    const int p = blockIdx.x, lane = threadIdx.x, elements = SIDE * SIDE;
    int top = row[p] - RADIUS - REACH, left = column[p] - RADIUS - REACH;
    for (int k = lane; k < elements; k += BENCH_BLOCK)
        pattern[k] = patterns[p * elements + k];
    if (all.frame_no > 0) {
        for (int k = lane; k < AREA * AREA; k += BENCH_BLOCK)
            area[k] = frame[(left + k / AREA) * all.rows + top + k % AREA];
        for (int k = lane; k < EDGE; k += BENCH_BLOCK)
            sum[k] = sum[k * EDGE] = square[k] = square[k * EDGE] = 0;
        __syncthreads();
        for (int j = 1 + lane; j < EDGE; j += BENCH_BLOCK) {
            float total = 0, squares = 0;
            for (int i = 1; i < EDGE; i++) {
                float value = area[(j - 1) * AREA + i - 1];
                total += value;
                squares += value * value;
                sum[j * EDGE + i] = total;
                square[j * EDGE + i] = squares;
            }
        }
        __syncthreads();
        for (int i = 1 + lane; i < EDGE; i += BENCH_BLOCK)
            for (int j = 1; j < EDGE; j++) {
                sum[j * EDGE + i] += sum[(j - 1) * EDGE + i];
                square[j * EDGE + i] += square[(j - 1) * EDGE + i];
            }
        float total = 0, squares = 0;
        for (int k = lane; k < elements; k += BENCH_BLOCK) {
            total += pattern[k];
            squares += pattern[k] * pattern[k];
        }
        total = bench_block_reduce<bench_sum>(total);
        squares = bench_block_reduce<bench_sum>(squares);
        if (lane == 0) {
            mean = total / elements;
            spread = squares - total * mean;
        }
        __syncthreads();
        float largest = -INFINITY;
        for (int at = lane; at < MOVES * MOVES; at += BENCH_BLOCK) {
            int j = at / MOVES, i = at % MOVES, first = j * EDGE + i, behind = first + SIDE * EDGE;
            float product = 0;
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++)
                    product += pattern[y * SIDE + x] * area[(j + y) * AREA + i + x];
            float in = sum[behind + SIDE] - sum[first + SIDE] - sum[behind] + sum[first];
            float squared = square[behind + SIDE] - square[first + SIDE] - square[behind] + square[first];
            float windows = fmaxf((squared - in * in / elements) * spread, 1e-6f);
            float away = sqrtf((float)((i - REACH) * (i - REACH) + (j - REACH) * (j - REACH)));
            match[at] = (product - mean * in) / sqrtf(windows) * (1 - FAR_LESS * away);
            largest = fmaxf(largest, match[at]);
        }
        largest = bench_block_reduce<bench_max>(largest);
        if (lane == 0)
            most = largest;
        __syncthreads();
        int where = MOVES * MOVES;
        for (int at = lane; at < MOVES * MOVES; at += BENCH_BLOCK)
            if (match[at] == most)
                where = min(where, at);
        where = bench_block_reduce<bench_min>(where);
        if (lane == 0) {
            row[p] = inside(row[p] + where % MOVES - REACH, all.rows);
            column[p] = inside(column[p] + where / MOVES - REACH, all.columns);
        }
    }
    __syncthreads();
    if (lane == 0) {
        rows[p * all.frames + all.frame_no] = row[p];
        columns[p * all.frames + all.frame_no] = column[p];
    }
    if (all.frame_no % REFRESH == 0)
        for (int k = lane; k < elements; k += BENCH_BLOCK) {
            float seen = frame[(column[p] - RADIUS + k / SIDE) * all.rows + row[p] - RADIUS + k % SIDE];
            patterns[p * elements + k] = all.frame_no == 0 ? seen : KEPT * pattern[k] + (1 - KEPT) * seen;
        }
}

LINKAGE void to_device(void)
{
    room(rows, (size_t)film.points * film.frames);
    room(columns, (size_t)film.points * film.frames);
    room(patterns, (size_t)film.points * SIDE * SIDE);
}

LINKAGE void compute(void)
{
    put(row, start_row, film.points);
    put(column, start_column, film.points);
    for (film.frame_no = 0; film.frame_no < film.frames; film.frame_no++) {
        float *picture = get_frame(film.frame_no);
        put(frame, picture, (size_t)film.rows * film.columns);
        free(picture);
        track<<<film.points, BENCH_BLOCK>>>(film, row, column, rows, columns, frame, patterns);
    }
}

LINKAGE void from_device(void)
{
    get(place_row, rows, (size_t)film.points * film.frames);
    get(place_column, columns, (size_t)film.points * film.frames);
}
