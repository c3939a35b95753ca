// The host adds up a window of an image after each launch, every second page of its first rows; later it reads a smaller window, then one element.
// What it accesses comes with the first access; to find out how far it gets takes few accesses.
// flags: -gpu=nohostloops
// expect: launches=240 uploads<=2 downloads<=330
#include "../check.h"
#include <stdlib.h>

#define ROWS 400
#define COLUMNS 2048

static float window_sum(const float *image, int rows, int columns)
{
    float sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            sum += image[i * COLUMNS + j];
    return sum;
}

int main(void)
{
    float *image = malloc(sizeof *image * ROWS * COLUMNS), *value = malloc(sizeof *value * ROWS);
    int wrong = 0;
    for (int i = 0; i < ROWS; i++)
        value[i] = i % 5;
    for (int k = 0; k < ROWS * COLUMNS; k++)
        image[k] = value[k / COLUMNS];
    for (int step = 0; step < 240; step++) {
        int rows = step < 120 ? 128 : step < 200 ? 20 : 1, columns = step < 200 ? 16 : 1;
#pragma omp parallel for
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                image[i * COLUMNS + j] += 1 + i % 3;
        float sum = 0;
        for (int i = 0; i < rows; i++) {
            value[i] += 1 + i % 3;
            sum += value[i] * columns;
        }
        wrong += window_sum(image, rows, columns) != sum;
        for (int i = rows; i < ROWS; i++)
            value[i] += 1 + i % 3;
    }
    // All of it, and what the host itself writes in between.
    image[300 * COLUMNS] = 7;
    value[0] = image[0];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            wrong += image[i * COLUMNS + j] != (i == 300 && j == 0 ? 7 : value[i]);
    check_int("wrong", 0, wrong, 0);
    free(image);
    free(value);
    return finish();
}
