/* NW for a CPU, as Rodinia has it: diagonals of blocks of 16 by 16, each of which a thread works on in arrays of its own. */
#define FRAME_MAIN
#include "nw.h"

#define BLOCK_SIZE 16

static void nw_optimized(int *input_itemsets, int *output_itemsets, int *referrence, int max_rows, int max_cols, int penalty)
{
    (void)output_itemsets;
    for (int blk = 1; blk <= (max_cols - 1) / BLOCK_SIZE; blk++) {
#pragma omp parallel for schedule(static) shared(input_itemsets, referrence) firstprivate(blk, max_rows, max_cols, penalty)
        for (int b_index_x = 0; b_index_x < blk; ++b_index_x) {
            int b_index_y = blk - 1 - b_index_x;
            int input_itemsets_l[(BLOCK_SIZE + 1) * (BLOCK_SIZE + 1)];
            int reference_l[BLOCK_SIZE * BLOCK_SIZE];

            for (int i = 0; i < BLOCK_SIZE; ++i)
                for (int j = 0; j < BLOCK_SIZE; ++j)
                    reference_l[i * BLOCK_SIZE + j] =
                        referrence[max_cols * (b_index_y * BLOCK_SIZE + i + 1) + b_index_x * BLOCK_SIZE + j + 1];
            for (int i = 0; i < BLOCK_SIZE + 1; ++i)
                for (int j = 0; j < BLOCK_SIZE + 1; ++j)
                    input_itemsets_l[i * (BLOCK_SIZE + 1) + j] =
                        input_itemsets[max_cols * (b_index_y * BLOCK_SIZE + i) + b_index_x * BLOCK_SIZE + j];
            for (int i = 1; i < BLOCK_SIZE + 1; ++i)
                for (int j = 1; j < BLOCK_SIZE + 1; ++j)
                    input_itemsets_l[i * (BLOCK_SIZE + 1) + j] =
                        maximum(input_itemsets_l[(i - 1) * (BLOCK_SIZE + 1) + j - 1] + reference_l[(i - 1) * BLOCK_SIZE + j - 1],
                                input_itemsets_l[i * (BLOCK_SIZE + 1) + j - 1] - penalty,
                                input_itemsets_l[(i - 1) * (BLOCK_SIZE + 1) + j] - penalty);
            for (int i = 0; i < BLOCK_SIZE; ++i)
                for (int j = 0; j < BLOCK_SIZE; ++j)
                    input_itemsets[max_cols * (b_index_y * BLOCK_SIZE + i + 1) + b_index_x * BLOCK_SIZE + j + 1] =
                        input_itemsets_l[(i + 1) * (BLOCK_SIZE + 1) + j + 1];
        }
    }
    for (int blk = 2; blk <= (max_cols - 1) / BLOCK_SIZE; blk++) {
#pragma omp parallel for schedule(static) shared(input_itemsets, referrence) firstprivate(blk, max_rows, max_cols, penalty)
        for (int b_index_x = blk - 1; b_index_x < (max_cols - 1) / BLOCK_SIZE; ++b_index_x) {
            int b_index_y = (max_cols - 1) / BLOCK_SIZE + blk - 2 - b_index_x;
            int input_itemsets_l[(BLOCK_SIZE + 1) * (BLOCK_SIZE + 1)];
            int reference_l[BLOCK_SIZE * BLOCK_SIZE];

            for (int i = 0; i < BLOCK_SIZE; ++i)
                for (int j = 0; j < BLOCK_SIZE; ++j)
                    reference_l[i * BLOCK_SIZE + j] =
                        referrence[max_cols * (b_index_y * BLOCK_SIZE + i + 1) + b_index_x * BLOCK_SIZE + j + 1];
            for (int i = 0; i < BLOCK_SIZE + 1; ++i)
                for (int j = 0; j < BLOCK_SIZE + 1; ++j)
                    input_itemsets_l[i * (BLOCK_SIZE + 1) + j] =
                        input_itemsets[max_cols * (b_index_y * BLOCK_SIZE + i) + b_index_x * BLOCK_SIZE + j];
            for (int i = 1; i < BLOCK_SIZE + 1; ++i)
                for (int j = 1; j < BLOCK_SIZE + 1; ++j)
                    input_itemsets_l[i * (BLOCK_SIZE + 1) + j] =
                        maximum(input_itemsets_l[(i - 1) * (BLOCK_SIZE + 1) + j - 1] + reference_l[(i - 1) * BLOCK_SIZE + j - 1],
                                input_itemsets_l[i * (BLOCK_SIZE + 1) + j - 1] - penalty,
                                input_itemsets_l[(i - 1) * (BLOCK_SIZE + 1) + j] - penalty);
            for (int i = 0; i < BLOCK_SIZE; ++i)
                for (int j = 0; j < BLOCK_SIZE; ++j)
                    input_itemsets[max_cols * (b_index_y * BLOCK_SIZE + i + 1) + b_index_x * BLOCK_SIZE + j + 1] =
                        input_itemsets_l[(i + 1) * (BLOCK_SIZE + 1) + j + 1];
        }
    }
}

void compute(void) { nw_optimized(input_itemsets, NULL, referrence, max_rows, max_cols, penalty); }
