/* HOTSPOT for a CPU, as Rodinia has it: threads share blocks of 16 by 16; those at the border ask where they are at each
 * element, and the others do not. */
#define FRAME_MAIN
#include "hotspot.h"

#define BLOCK_SIZE 16
#define BLOCK_SIZE_C BLOCK_SIZE
#define BLOCK_SIZE_R BLOCK_SIZE

static void single_iteration(FLOAT *result, FLOAT *temp, FLOAT *power, int row, int col, FLOAT Cap_1, FLOAT Rx_1, FLOAT Ry_1,
                             FLOAT Rz_1)
{
    FLOAT delta;
    int r, c;
    int chunk;
    int num_chunk = row * col / (BLOCK_SIZE_R * BLOCK_SIZE_C);
    int chunks_in_row = col / BLOCK_SIZE_C;

#pragma omp parallel for shared(power, temp, result) private(chunk, r, c, delta) \
    firstprivate(row, col, num_chunk, chunks_in_row) schedule(static)
    for (chunk = 0; chunk < num_chunk; ++chunk) {
        int r_start = BLOCK_SIZE_R * (chunk / chunks_in_row);
        int c_start = BLOCK_SIZE_C * (chunk % chunks_in_row);
        int r_end = r_start + BLOCK_SIZE_R > row ? row : r_start + BLOCK_SIZE_R;
        int c_end = c_start + BLOCK_SIZE_C > col ? col : c_start + BLOCK_SIZE_C;

        if (r_start == 0 || c_start == 0 || r_end == row || c_end == col) {
            for (r = r_start; r < r_start + BLOCK_SIZE_R; ++r) {
                for (c = c_start; c < c_start + BLOCK_SIZE_C; ++c) {
                    if ((r == 0) && (c == 0)) {
                        delta = Cap_1 * (power[0] + (temp[1] - temp[0]) * Rx_1 + (temp[col] - temp[0]) * Ry_1 +
                                         (amb_temp - temp[0]) * Rz_1);
                    } else if ((r == 0) && (c == col - 1)) {
                        delta = Cap_1 * (power[c] + (temp[c - 1] - temp[c]) * Rx_1 + (temp[c + col] - temp[c]) * Ry_1 +
                                         (amb_temp - temp[c]) * Rz_1);
                    } else if ((r == row - 1) && (c == col - 1)) {
                        delta = Cap_1 * (power[r * col + c] + (temp[r * col + c - 1] - temp[r * col + c]) * Rx_1 +
                                         (temp[(r - 1) * col + c] - temp[r * col + c]) * Ry_1 +
                                         (amb_temp - temp[r * col + c]) * Rz_1);
                    } else if ((r == row - 1) && (c == 0)) {
                        delta = Cap_1 * (power[r * col] + (temp[r * col + 1] - temp[r * col]) * Rx_1 +
                                         (temp[(r - 1) * col] - temp[r * col]) * Ry_1 + (amb_temp - temp[r * col]) * Rz_1);
                    } else if (r == 0) {
                        delta = Cap_1 * (power[c] + (temp[c + 1] + temp[c - 1] - 2.0f * temp[c]) * Rx_1 +
                                         (temp[col + c] - temp[c]) * Ry_1 + (amb_temp - temp[c]) * Rz_1);
                    } else if (c == col - 1) {
                        delta = Cap_1 * (power[r * col + c] +
                                         (temp[(r + 1) * col + c] + temp[(r - 1) * col + c] - 2.0f * temp[r * col + c]) * Ry_1 +
                                         (temp[r * col + c - 1] - temp[r * col + c]) * Rx_1 +
                                         (amb_temp - temp[r * col + c]) * Rz_1);
                    } else if (r == row - 1) {
                        delta = Cap_1 * (power[r * col + c] +
                                         (temp[r * col + c + 1] + temp[r * col + c - 1] - 2.0f * temp[r * col + c]) * Rx_1 +
                                         (temp[(r - 1) * col + c] - temp[r * col + c]) * Ry_1 +
                                         (amb_temp - temp[r * col + c]) * Rz_1);
                    } else if (c == 0) {
                        delta = Cap_1 * (power[r * col] +
                                         (temp[(r + 1) * col] + temp[(r - 1) * col] - 2.0f * temp[r * col]) * Ry_1 +
                                         (temp[r * col + 1] - temp[r * col]) * Rx_1 + (amb_temp - temp[r * col]) * Rz_1);
                    } else {
                        delta = Cap_1 * (power[r * col + c] +
                                         (temp[(r + 1) * col + c] + temp[(r - 1) * col + c] - 2.f * temp[r * col + c]) * Ry_1 +
                                         (temp[r * col + c + 1] + temp[r * col + c - 1] - 2.f * temp[r * col + c]) * Rx_1 +
                                         (amb_temp - temp[r * col + c]) * Rz_1);
                    }
                    result[r * col + c] = temp[r * col + c] + delta;
                }
            }
            continue;
        }

        for (r = r_start; r < r_start + BLOCK_SIZE_R; ++r) {
#pragma omp simd
            for (c = c_start; c < c_start + BLOCK_SIZE_C; ++c) {
                result[r * col + c] =
                    temp[r * col + c] +
                    (Cap_1 * (power[r * col + c] +
                              (temp[(r + 1) * col + c] + temp[(r - 1) * col + c] - 2.f * temp[r * col + c]) * Ry_1 +
                              (temp[r * col + c + 1] + temp[r * col + c - 1] - 2.f * temp[r * col + c]) * Rx_1 +
                              (amb_temp - temp[r * col + c]) * Rz_1));
            }
        }
    }
}

void compute(void)
{
    factors f = factors_of(row, col);
    FLOAT *r = result, *t = temp;
    for (int i = 0; i < sim_time; i++) {
        single_iteration(r, t, power, row, col, f.cap_1, f.rx_1, f.ry_1, f.rz_1);
        FLOAT *tmp = t;
        t = r;
        r = tmp;
    }
}
