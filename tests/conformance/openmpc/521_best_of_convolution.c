// Each point looks for the largest value of the convolution of its window and its template, and for its row and column: the lanes of a
// gang share all values, each of which is a sum over two loops whose ends differ from value to value.
// expect-remark: Generating implicit reduction\(max:best\) with its place: column, row|with its place: row, column
// expect: launches=2
#include "../check.h"
#include <stdlib.h>

#define POINTS 13

typedef struct {
    int side, part;
    float *window, *part_of;
} images;

static float best_of[POINTS];
static int row_of[POINTS], column_of[POINTS];

static void track(const images *im)
{
    int window = im->side, part = im->part, all = window + part - 1;
    const float *in = im->window, *like = im->part_of;
#pragma omp parallel for
    for (int p = 0; p < POINTS; p++) {
        float best = -1e30f;
        int row = 0, column = 0;
        for (int c = 0; c < all; c++)
            for (int r = 0; r < all; r++) {
                int j0 = c - part + 1 > 0 ? c - part + 1 : 0, j1 = c < window - 1 ? c : window - 1;
                int i0 = r - part + 1 > 0 ? r - part + 1 : 0, i1 = r < window - 1 ? r : window - 1;
                float sum = 0;
                for (int j = j0; j <= j1; j++)
                    for (int i = i0; i <= i1; i++)
                        sum += in[(p * window + j) * window + i] * like[(p * part + c - j) * part + r - i];
                if (sum > best) {
                    best = sum;
                    row = r;
                    column = c;
                }
            }
        best_of[p] = best;
        row_of[p] = row;
        column_of[p] = column;
    }
}

int main(void)
{
    images im = {21, 9, NULL, NULL};
    im.window = malloc(POINTS * 21 * 21 * sizeof(float));
    im.part_of = malloc(POINTS * 9 * 9 * sizeof(float));
    for (int turn = 0; turn < 2; turn++) {
        // Small whole numbers: sums are exact, and equal ones are many.
        for (int k = 0; k < POINTS * 21 * 21; k++)
            im.window[k] = turn ? k * 7919 % 5 : k % 3 == 0;
        for (int k = 0; k < POINTS * 9 * 9; k++)
            im.part_of[k] = turn ? k * 31 % 7 - 3 : 1;
        track(&im);
        for (int p = 0; p < POINTS; p++) {
            float best = -1e30f;
            int row = 0, column = 0;
            for (int c = 0; c < 29; c++)
                for (int r = 0; r < 29; r++) {
                    float sum = 0;
                    for (int j = 0; j < 21; j++)
                        for (int i = 0; i < 21; i++)
                            if (c - j >= 0 && c - j < 9 && r - i >= 0 && r - i < 9)
                                sum += im.window[(p * 21 + j) * 21 + i] * im.part_of[(p * 9 + c - j) * 9 + r - i];
                    if (sum > best)
                        best = sum, row = r, column = c;
                }
            check_near("best", p, best_of[p], best, 0);
            check_int("row", p, row_of[p], row);
            check_int("column", p, column_of[p], column);
        }
    }
    free(im.window);
    free(im.part_of);
    return finish();
}
