// Loops over the rows and columns of a tile, in a loop over tiles: lanes share all elements of a tile. Tiles at the border that are
// cut off, counters that are declared outside, a row that is shorter than a tile, sums over a tile.
// flags: -fopenmp
// expect: launches=7
#include "check.h"
#include <stdlib.h>

#define T 16

// As Rodinia's HOTSPOT has it.
static void smooth(float *to, float *from, int rows, int columns)
{
    int tile, r, c, across = (columns + T - 1) / T, tiles = across * ((rows + T - 1) / T);
#pragma omp target teams distribute parallel for private(r, c) map(from : to[ : rows * columns]) map(to : from[ : rows * columns])
    for (tile = 0; tile < tiles; tile++) {
        int first_r = T * (tile / across), first_c = T * (tile % across);
        int last_r = first_r + T > rows ? rows : first_r + T, last_c = first_c + T > columns ? columns : first_c + T;
        if (first_r == 0 || first_c == 0 || last_r == rows || last_c == columns) {
            for (r = first_r; r < last_r; ++r)
                for (c = first_c; c < last_c; ++c) {
                    float sum = from[r * columns + c];
                    if (r > 0)
                        sum += from[(r - 1) * columns + c];
                    if (c + 1 < columns)
                        sum += from[r * columns + c + 1];
                    to[r * columns + c] = sum;
                }
            continue;
        }
        for (r = first_r; r < first_r + T; ++r)
#pragma omp simd
            for (c = first_c; c < first_c + T; ++c)
                to[r * columns + c] = from[r * columns + c] + from[(r - 1) * columns + c] + from[r * columns + c + 1];
    }
}

static float smoothed(const float *from, int rows, int columns, int r, int c)
{
    float sum = from[r * columns + c];
    if (r > 0)
        sum += from[(r - 1) * columns + c];
    if (c + 1 < columns)
        sum += from[r * columns + c + 1];
    return rows > 0 ? sum : 0;
}

static void check_smooth(int rows, int columns)
{
    float *from = malloc(rows * columns * sizeof *from), *to = malloc(rows * columns * sizeof *to);
    for (int i = 0; i < rows * columns; i++)
        from[i] = i % 17;
    smooth(to, from, rows, columns);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            check_near("smooth", r * columns + c, to[r * columns + c], smoothed(from, rows, columns, r, c), 0);
    free(from);
    free(to);
}

// A sum and a largest value for each tile, and rows of one tile.
static void sums(int tiles, int width, const double *restrict from, double *restrict sum, double *restrict most)
{
#pragma omp target teams distribute parallel for map(to : from[ : tiles * T * width]) map(from : sum[ : tiles], most[ : tiles])
    for (int tile = 0; tile < tiles; tile++) {
        double total = 0, largest = -1;
        int first = tile * T;
        for (int i = first; i < first + T; i++)
            for (int j = 0; j < width; j++) {
                total += from[i * width + j];
                if (from[i * width + j] > largest)
                    largest = from[i * width + j];
            }
        sum[tile] = total;
        most[tile] = largest;
    }
}

int main(void)
{
    check_smooth(64, 64);
    check_smooth(70, 90);
    check_smooth(33, 16);
    check_smooth(40, 7);
    check_smooth(5, 100);
    for (int width = 3; width < 200; width += 150) {
        int tiles = 30;
        double *from = malloc(tiles * T * width * sizeof *from), sum[30], most[30];
        for (int i = 0; i < tiles * T * width; i++)
            from[i] = i * 7 % 1009;
        sums(tiles, width, from, sum, most);
        for (int tile = 0; tile < tiles; tile++) {
            double total = 0, largest = -1;
            for (int i = 0; i < T * width; i++) {
                double value = from[tile * T * width + i];
                total += value;
                largest = value > largest ? value : largest;
            }
            check_near("sum", tile, sum[tile], total, 1e-12);
            check_near("most", tile, most[tile], largest, 0);
        }
        free(from);
    }
    return finish();
}
