/* Input and check of NW: Needleman-Wunsch alignment (after Rodinia). */
#include "../frame.h"

static int *input_itemsets, *referrence;
static int max_rows, max_cols, penalty = 10;

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_nw", "", bench_arg(argc, argv, 2, 1), 0};
    max_rows = max_cols = bench_arg(argc, argv, 1, 256) + 1;
    if ((max_rows - 1) % 16)
        exit(2);
    input_itemsets = (int *)bench_alloc((size_t)max_rows * max_cols, sizeof(int));
    referrence = (int *)bench_alloc((size_t)max_rows * max_cols, sizeof(int));
    snprintf(facts.size, sizeof facts.size, "%d", max_rows - 1);
    return facts;
}

LINKAGE void input(void)
{
    for (int i = 0; i < max_rows; i++)
        for (int j = 0; j < max_cols; j++) {
            int one = (int)(((unsigned)i * 2654435761u >> 20) % 10), two = (int)(((unsigned)j * 40503u >> 7) % 10);
            input_itemsets[i * max_cols + j] = 0;
            referrence[i * max_cols + j] = one == two ? 5 : (one + two) % 7 - 4;
        }
    for (int i = 1; i < max_rows; i++)
        input_itemsets[i * max_cols] = -i * penalty;
    for (int j = 1; j < max_cols; j++)
        input_itemsets[j] = -j * penalty;
}

LINKAGE double digest(void)
{
    double sum = 0;
    for (int i = 0; i < max_rows * max_cols; i++)
        sum += input_itemsets[i];
    return sum;
}

#ifdef __CUDACC__
__host__ __device__
#endif
static inline int maximum(int a, int b, int c)
{
    int k;
    if (a <= b)
        k = b;
    else
        k = a;
    if (k <= c)
        return (c);
    else
        return (k);
}

LINKAGE double check(void)
{
    double error = 0;
    size_t cells = (size_t)max_rows * max_cols;
    int *got = (int *)bench_alloc(cells, sizeof *got), *s = input_itemsets;
    memcpy(got, s, cells * sizeof *got);
    input();
    for (int i = 1; i < max_rows; i++)
        for (int j = 1; j < max_cols; j++) {
            int at = i * max_cols + j;
            s[at] = maximum(s[at - 1 - max_cols] + referrence[at], s[at - 1] - penalty, s[at - max_cols] - penalty);
        }
    for (size_t i = 0; i < cells; i++)
        error = bench_worst(error, got[i], s[i], 1.0);
    free(got);
    return error;
}
