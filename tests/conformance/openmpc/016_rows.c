// Arrays of pointers: what the pointers lead to is resident, and kernels get a translated copy of the array. Rows in one
// allocation, each in its own, small ones, some that are shared or missing, arrays of arrays of pointers, and an array on the
// stack, whose rows lie in one that the program names, too.
// expect: launches=11
// devices: cpu cuda opencl
#include "../check.h"
#include <stdlib.h>

#define N 40
#define M 5000

struct matrix {
    int rows;
    double **at;
};

static float *fixed[N];

static float row_sum(const float *row, int n)
{
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += row[j];
    return sum;
}

static void scale(float **w, int rows, int n, float by)
{
#pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            w[i][j] *= by;
}

int main(void)
{
    float **wide = malloc(N * sizeof *wide), **narrow = malloc(N * sizeof *narrow);
    wide[0] = malloc(N * M * sizeof **wide);
    for (int i = 1; i < N; i++)
        wide[i] = wide[i - 1] + M;
    for (int i = 0; i < N; i++) {
        narrow[i] = malloc(7 * sizeof **narrow);
        fixed[i] = wide[N - 1 - i];
        for (int j = 0; j < M; j++)
            wide[i][j] = i + j % 3;
        for (int j = 0; j < 7; j++)
            narrow[i][j] = i * j;
    }
    // Twice, so that nothing is sent again.
    scale(wide, N, M, 2);
    scale(wide, N, M, 0.5f);
    scale(narrow, N, 7, 3);
    float sums[N];
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        sums[i] = row_sum(fixed[i], M) + row_sum(narrow[i], 7);
    for (int i = 0; i < N; i++) {
        float want = 0;
        for (int j = 0; j < M; j++)
            want += N - 1 - i + j % 3;
        check_near("sum", i, sums[i], want + 3 * 21 * i, 1e-5);
        check_near("wide", i, wide[i][i], i + i % 3, 0);
    }

    // The host changes the array of pointers: rows change places, one is missing, two are the same.
    float *first = narrow[0];
    narrow[0] = narrow[1];
    narrow[1] = first;
    free(narrow[2]);
    narrow[2] = NULL;
    float *third = narrow[3];
    narrow[3] = narrow[4];
    free(third);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        if (narrow[i] && i != 4)
            narrow[i][1] = 100 + i;
    check_near("moved", 0, narrow[0][1], 100, 0);
    check_near("moved", 1, first[1], 101, 0);
    check_near("same", 4, narrow[4][1], 103, 0);

    // A row that the loop also has by its own name.
    float *alone = narrow[5];
#pragma omp parallel for
    for (int i = 0; i < 7; i++)
        alone[i] = narrow[6][i] + 1;
    check_near("alone", 2, narrow[5][2], 3 * 12 + 1, 0);

    // An array of pointers to arrays of pointers.
    int **counts[3];
    for (int k = 0; k < 3; k++) {
        counts[k] = malloc(N * sizeof **counts);
        for (int i = 0; i < N; i++)
            counts[k][i] = calloc(k + 1, sizeof ***counts);
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            counts[k][i][k] += i + k;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            check_int("count", i, counts[k][i][k], i + k);

    // A member, and rows of a variable-length array.
    struct matrix *m = malloc(sizeof *m);
    m->rows = N;
    m->at = malloc(N * sizeof *m->at);
    for (int i = 0; i < N; i++)
        m->at[i] = malloc(3000 * sizeof **m->at);
#pragma omp parallel for
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < 3000; j++)
            m->at[i][j] = i - j;
    double *row[4];
    for (int i = 0; i < 4; i++)
        row[i] = m->at[2 * i];
    double total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int j = 0; j < 3000; j++)
        for (int i = 0; i < 4; i++)
            total += row[i][j];
    check_near("total", 0, total, 4 * -4498500.0 + 12 * 3000.0, 1e-9);
    m->at[3][4] = 7;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        m->at[i][4] += 1;
    check_near("member", 3, m->at[3][4], 8, 0);
    check_near("member", 5, m->at[5][4], 2, 0);

    // Pointers that lie in a structure beside other members.
    struct {
        int n;
        float *bias[3];
    } layer = {N, {wide[0], wide[1], wide[2]}};
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        layer.bias[i % 3][i] = i;
    check_near("bias", 1, wide[1][7], 7, 0);

    // Rows on the stack are the host's affair.
    float stack[2][8] = {{0}}, *on_stack[2] = {stack[0], stack[1]};
    scale(on_stack, 2, 8, 1);
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
        on_stack[i][i] = i + 1;
    check_near("stack", 1, stack[1][1], 2, 0);
    return finish();
}
