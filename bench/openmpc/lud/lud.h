/* Input and check of LUD: a matrix is decomposed in place into a lower and an upper triangle (after Rodinia). */
#include "../frame.h"

static float *matrix;
static int size;

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_lud", "", bench_arg(argc, argv, 2, 1), 1e-3};
    size = bench_arg(argc, argv, 1, 256);
    if (size % 16)
        exit(2);
    matrix = (float *)bench_alloc((size_t)size * size, sizeof *matrix);
    snprintf(facts.size, sizeof facts.size, "%d", size);
    return facts;
}

LINKAGE void input(void)
{
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            matrix[(size_t)i * size + j] = (i == j ? 0.3f * size : 0.0f) + (float)((i * 3 + j * 5) % 11) * 0.1f;
}

LINKAGE double digest(void)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)size * size; i++)
        sum += matrix[i];
    return sum;
}

/* What the product of the triangles has at some places. */
LINKAGE double check(void)
{
    double error = 0;
    size_t cells = (size_t)size * size;
    float *got = (float *)bench_alloc(cells, sizeof *got);
    memcpy(got, matrix, cells * sizeof *got);
    input();
    for (int n = 0; n < 20000; n++) {
        int i = (int)(size * noise(n, 1)), j = (int)(size * noise(n, 2)), last = i < j ? i : j;
        double product = 0;
        for (int k = 0; k <= last; k++)
            product += (k == i ? 1.0 : (double)got[(size_t)i * size + k]) * got[(size_t)k * size + j];
        error = bench_worst(error, product, matrix[(size_t)i * size + j], 1.0);
    }
    free(got);
    return error;
}
