// Rodinia SRAD: subscripts and values that are private by a clause of the outer loop, or of the region, and belong to the
// inner one's iterations.
// expect: launches=17
#include "../check.h"
#include <stdlib.h>

static void diffuse(float *image, float *c, float *north, float *east, const int *above, const int *right, int rows,
                    int columns, int parallel)
{
    int i, j, k;
    float here, gradient, flow, down;
#pragma omp parallel for shared(image, c) private(i, j, k, here, gradient) if (parallel)
    for (i = 0; i < rows; i++)
        for (j = 0; j < columns; j++) {
            k = i * columns + j;
            here = image[k];
            north[k] = image[above[i] * columns + j] - here;
            east[k] = image[i * columns + right[j]] - here;
            gradient = (north[k] * north[k] + east[k] * east[k]) / (here * here);
            c[k] = 1 / (1 + gradient);
            if (c[k] < 0)
                c[k] = 0;
            else if (c[k] > 1)
                c[k] = 1;
        }
#pragma omp parallel private(i, j, k, flow, down) if (parallel)
    {
#pragma omp for
        for (i = 0; i < rows; i++)
            for (j = 0; j < columns; j++) {
                k = i * columns + j;
                down = c[above[i] * columns + j];
                flow = c[k] * north[k] + down * east[k];
                image[k] = image[k] + 0.125f * flow;
            }
    }
}

static int totals[23];

// One that the loops of two levels use, one that keeps its value from one inner iteration to the next.
static void of_the_outer_loop(void)
{
    int i, j, k, sum, before;
#pragma omp parallel for private(j, k, sum, before)
    for (i = 0; i < 23; i++) {
        sum = before = 0;
        for (j = 0; j < i; j++) {
            k = j * 2;
            for (int m = 0; m < 3; m++)
                sum += k + m;
            sum -= before;
            before = k;
        }
        totals[i] = sum;
    }
    for (i = 0; i < 23; i++) {
        int want = 0;
        for (j = 0; j < i; j++)
            want += 3 * 2 * j + 3 - (j ? 2 * (j - 1) : 0);
        check_int("totals", i, totals[i], want);
    }
}

int main(void)
{
    enum { rows = 61, columns = 83, size = rows * columns };
    float *image[2], *c = malloc(size * sizeof(float)), *north = malloc(size * sizeof(float)),
                     *east = malloc(size * sizeof(float));
    int *above = malloc(rows * sizeof(int)), *right = malloc(columns * sizeof(int));
    for (int i = 0; i < rows; i++)
        above[i] = i > 0 ? i - 1 : 0;
    for (int j = 0; j < columns; j++)
        right[j] = j < columns - 1 ? j + 1 : j;
    for (int side = 0; side < 2; side++) {
        image[side] = malloc(size * sizeof(float));
        for (int k = 0; k < size; k++)
            image[side][k] = 1 + (k * 7 % 13) / 13.f;
        for (int step = 0; step < 8; step++)
            diffuse(image[side], c, north, east, above, right, rows, columns, side == 0);
    }
    for (int k = 0; k < size; k++)
        check_near("image", k, image[0][k], image[1][k], 1e-4);
    of_the_outer_loop();
    free(image[0]), free(image[1]), free(c), free(north), free(east), free(above), free(right);
    return finish();
}
