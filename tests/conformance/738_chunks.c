// expect: launches=5
#include "check.h"

/* Chunks of the outermost loop of a launch: a block takes several times its iterations of it, one after the other. Sizes leave
 * rests everywhere. */

enum { N = 1003, ROWS = 77, COLUMNS = 45, LAYERS = 21 };

static int flat[N], rows[ROWS][COLUMNS], layers[LAYERS][ROWS][COLUMNS];

static void of_one_loop(void)
{
#pragma accl schedule(block(64) chunk(i:4))
#pragma acc parallel loop copy(flat)
    for (int i = 3; i < N; i++) {
        if (i % 7 == 0)
            continue;
        flat[i] += i;
    }
}

static void of_rows(void)
{
#pragma accl schedule(block(32, 4) chunk(i:4))
#pragma acc parallel loop collapse(2) copyout(rows)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int sum = 0;
            for (int k = 0; k <= j; k++) {
                if (k == 5)
                    continue;
                sum += k * i;
            }
            rows[i][j] = sum;
        }
}

static void of_layers(long last)
{
#pragma accl schedule(chunk(k:16))
#pragma acc parallel loop collapse(3) copy(layers)
    for (long k = 1; k <= last; k++)
        for (int i = 0; i < ROWS; i += 2)
            for (int j = COLUMNS - 1; j >= 0; j--)
                layers[k][i][j] += (int)k * 10000 + i * 100 + j;
}

/* Rows are spread over x. */
static void of_columns(void)
{
#pragma accl schedule(grid(i:x, j:y) chunk(j:4))
#pragma acc parallel loop collapse(2) copy(rows)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            rows[i][j] -= i + j;
}

/* More rows than a grid has blocks in y, and updates that meet. */
static void of_many_rows(int *bins, int n)
{
#pragma accl schedule(block(32, 1) chunk(i:4))
#pragma acc parallel loop collapse(2) copy(bins[:4])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++) {
#pragma acc atomic update
            bins[(i + j) % 4]++;
        }
}

int main(void)
{
    of_one_loop();
    of_rows();
    of_layers(LAYERS - 1);
    of_columns();
    int bins[4] = {0};
    of_many_rows(bins, 300000);
    for (int i = 0; i < N; i++)
        check_int("flat", i, flat[i], i < 3 || i % 7 == 0 ? 0 : i);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            check_int("rows", i * COLUMNS + j, rows[i][j], i * (j * (j + 1) / 2 - (j >= 5 ? 5 : 0)) - i - j);
    for (int k = 0; k < LAYERS; k++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                check_int("layers", (k * ROWS + i) * COLUMNS + j, layers[k][i][j], k > 0 && i % 2 == 0 ? k * 10000 + i * 100 + j : 0);
    for (int b = 0; b < 4; b++)
        check_int("bins", b, bins[b], 150000);
    return finish();
}
