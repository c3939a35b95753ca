// Stencils whose windows the compiler makes by itself: 5, 9 and 49 points, one subscript and two, float, double and int, rows
// that are no multiples of 16 bytes, bounds that are no multiples of a block, sections that do not begin at 0, no iterations at all.
// env: ACCL_RESIDENT_THREADS=1
// expect: launches=34
#include <stdlib.h>
#include "check.h"

#define ROWS 70
#define COLUMNS 300

static double grid[ROWS][COLUMNS], out[ROWS][COLUMNS];
static int counts[ROWS][COLUMNS], sums[ROWS][COLUMNS];
static float odd[ROWS][COLUMNS + 1], even[ROWS][COLUMNS];
static const float weights[49] = {1, 2, 3, 1, 4, 2, 1, 3, 1, 2, 5, 1, 2, 2, 1, 1, 3, 2, 4, 1, 2, 6, 1, 2, 1,
                                  3, 2, 1, 2, 1, 1, 4, 2, 3, 1, 2, 1, 5, 1, 2, 1, 3, 2, 1, 1, 2, 4, 1, 2};

static float value(int k)
{
    return (float)((k * 37 + k / 11) % 101) / 8;
}

static void cross(int n, int m, const float *restrict a, float *restrict b)
{
#pragma acc parallel loop collapse(2) copyin(a[0:n * m]) copy(b[0:n * m])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i * m + j] = a[i * m + j] + a[i * m + j - 1] + 2 * a[i * m + j + 1] + 3 * a[(i - 1) * m + j] + a[i * m + j + m];
}

static void square(int n, int m, const float *restrict a, const float *restrict w, float *restrict b)
{
#pragma acc parallel loop collapse(2) copyin(a[0:n * m], w[0:49]) copy(b[0:n * m])
    for (int i = 3; i < n - 3; i++)
        for (int j = 3; j < m - 3; j++) {
            float sum = 0;
            for (int y = -3; y <= 3; y++)
                for (int x = -3; x <= 3; x++)
                    sum += w[(y + 3) * 7 + x + 3] * a[(i + y) * m + j + x];
            b[i * m + j] = sum;
        }
}

/* Ends of the loops that only the launch knows, the array's own ends under conditions, a local for the place. */
static void between(int n, int m, int first, int last, const float *restrict a, float *restrict b)
{
#pragma acc parallel loop collapse(2) copyin(a[0:n * m]) copy(b[0:n * m])
    for (int i = 0; i < n; i++)
        for (int j = first; j <= last; j++) {
            int at = i * m + j;
            float up = i > 0 ? a[at - m] : 0, down = i + 1 < n ? a[at + m] : 1;
            float left = j > 0 ? a[at - 1] : 2, right = j + 1 < m ? a[at + 1] : 3;
            b[at] = up - 2 * down + 3 * left - 4 * right;
        }
}

static void serial(int n, int m)
{
    float *a = malloc(n * m * sizeof *a), *b = calloc(n * m, sizeof *b);
    for (int k = 0; k < n * m; k++)
        a[k] = value(k);
    cross(n, m, a, b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int k = i * m + j, inside = i > 0 && j > 0 && i < n - 1 && j < m - 1;
            check_near("cross", k, b[k], inside ? a[k] + a[k - 1] + 2 * a[k + 1] + 3 * a[k - m] + a[k + m] : 0, 1e-6);
        }
    for (int k = 0; k < n * m; k++)
        b[k] = 0;
    square(n, m, a, weights, b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            if (i >= 3 && j >= 3 && i < n - 3 && j < m - 3)
                for (int y = -3; y <= 3; y++)
                    for (int x = -3; x <= 3; x++)
                        sum += weights[(y + 3) * 7 + x + 3] * a[(i + y) * m + j + x];
            check_near("square", i * m + j, b[i * m + j], sum, 1e-5);
        }
    for (int k = 0; k < n * m; k++)
        b[k] = k % 5;
    int first = m / 3, last = m - 1;
    between(n, m, first, last, a, b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int k = i * m + j;
            float up = i > 0 ? a[k - m] : 0, down = i + 1 < n ? a[k + m] : 1;
            float left = j > 0 ? a[k - 1] : 2, right = j + 1 < m ? a[k + 1] : 3;
            float changed = up - 2 * down + 3 * left - 4 * right;
            check_near("between", k, b[k], j >= first && j <= last ? changed : k % 5, 1e-5);
        }
    free(a);
    free(b);
}

int main(void)
{
    static const int sizes[][2] = {{67, 259}, {64, 256}, {33, 1000}, {130, 132}, {7, 7}, {40, 129}, {9, 4}, {100, 130}, {65, 516}};
    for (int s = 0; s < 9; s++)
        serial(sizes[s][0], sizes[s][1]);

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            grid[i][j] = value(i * COLUMNS + j);
            counts[i][j] = (i * 7 + j * 3) % 17;
        }
#pragma acc parallel loop collapse(2) copyin(grid) copy(out)
    for (int i = 2; i < ROWS - 2; i++)
        for (int j = 2; j < COLUMNS - 2; j++) {
            double sum = 0;
            for (int y = -2; y < 3; y++)
                for (int x = -2; x < 3; x++)
                    sum += (x + 3 * y) * grid[i + y][j + x];
            out[i][j] = sum;
        }
    /* Rows of one of the two that are no multiples of 16 bytes. */
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j <= COLUMNS; j++)
            odd[i][j] = value(i * 7 + j);
#pragma acc parallel loop collapse(2) copyin(odd) copyout(even)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            even[i][j] = i > 0 && i < ROWS - 1 ? odd[i - 1][j] + odd[i][j + 1] + 2 * odd[i + 1][j] : odd[i][j];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int inside = i > 0 && i < ROWS - 1;
            float expected = inside ? odd[i - 1][j] + odd[i][j + 1] + 2 * odd[i + 1][j] : odd[i][j];
            check_near("odd rows", i * COLUMNS + j, even[i][j], expected, 1e-6);
        }
#pragma acc parallel loop collapse(2) copyin(even) copy(odd)
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 1; j < COLUMNS - 1; j++)
            odd[i][j] = even[i - 1][j] + even[i][j + 1] + 2 * even[i + 1][j] - even[i][j - 1];
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 1; j < COLUMNS - 1; j++)
            check_near("to odd rows", i * COLUMNS + j, odd[i][j],
                       even[i - 1][j] + even[i][j + 1] + 2 * even[i + 1][j] - even[i][j - 1], 1e-6);
    /* Only forward, two rows on. */
#pragma acc parallel loop collapse(2) copyin(counts) copy(sums)
    for (int i = 0; i < ROWS - 2; i++)
        for (int j = 0; j < COLUMNS - 3; j++)
            sums[i][j] = counts[i][j] + counts[i + 1][j + 1] + counts[i + 2][j + 3] - counts[i + 2][j];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double sum = 0;
            if (i >= 2 && j >= 2 && i < ROWS - 2 && j < COLUMNS - 2)
                for (int y = -2; y < 3; y++)
                    for (int x = -2; x < 3; x++)
                        sum += (x + 3 * y) * grid[i + y][j + x];
            check_near("double", i * COLUMNS + j, out[i][j], sum, 1e-12);
            int inside = i < ROWS - 2 && j < COLUMNS - 3;
            int expected = inside ? counts[i][j] + counts[i + 1][j + 1] + counts[i + 2][j + 3] - counts[i + 2][j] : 0;
            check_int("int", i * COLUMNS + j, sums[i][j], expected);
        }

    /* A part of a longer array, that does not begin at a multiple of 16 bytes, and a row of known length. */
    enum { N = 50, M = 136, SKIP = 5 };
    static float a[SKIP + N * M + 3], b[SKIP + N * M];
    for (int k = 0; k < SKIP + N * M + 3; k++)
        a[k] = value(k);
    for (int part = 0; part < 2; part++) {
        const float *from = part ? a + SKIP : a + 4;
        float *to = part ? b + SKIP : b;
#pragma acc parallel loop collapse(2) copyin(from[0:N * M - 1 + part]) copy(to[0:N * M])
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                to[i * M + j] = from[i * M + j - M] + from[i * M + j + M] - from[i * M + j - 1] - from[i * M + j + 1];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) {
                int k = i * M + j;
                check_near("part", k, to[k], from[k - M] + from[k + M] - from[k - 1] - from[k + 1], 1e-6);
            }
    }

    /* A wide window of columns, one of rows. */
    static float wide[40][160], across[40][160], along[40][160];
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 160; j++)
            wide[i][j] = value(i * 160 + j);
#pragma acc parallel loop collapse(2) copyin(wide) copy(across)
    for (int i = 0; i < 40; i++)
        for (int j = 13; j < 147; j++) {
            float sum = 0;
            for (int x = -13; x <= 13; x++)
                sum += x * wide[i][j + x];
            across[i][j] = sum;
        }
#pragma acc parallel loop collapse(2) copyin(wide) copy(along)
    for (int i = 13; i < 27; i++)
        for (int j = 0; j < 160; j++) {
            float sum = 0;
            for (int y = -13; y <= 13; y++)
                sum += y * wide[i + y][j];
            along[i][j] = sum;
        }
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 160; j++) {
            float row = 0, column = 0;
            for (int x = -13; x <= 13; x++) {
                row += j >= 13 && j < 147 ? x * wide[i][j + x] : 0;
                column += i >= 13 && i < 27 ? x * wide[i + x][j] : 0;
            }
            check_near("across", i * 160 + j, across[i][j], row, 1e-4);
            check_near("along", i * 160 + j, along[i][j], column, 1e-4);
        }
    return finish();
}
