// Blocks beside and below one on the diagonal, as LU of Rodinia has them: a thread has the block on the diagonal in an array of its
// own, and works on the others in place. Gangs run the blocks and lanes their rows and columns, which share no element where the
// matrix' rows are long enough. Integers are set several times in an iteration.
// expect: launches=4 fallbacks=1
#include "../check.h"
#include <stdlib.h>

#define B 16

static void perimeter(float *a, int size, int offset, int chunks)
{
    int chunk;
#pragma omp parallel for private(chunk)
    for (chunk = 0; chunk < chunks; chunk++) {
        int i, j, k, row, column, here, there;
        float sum;
        float block[B * B];

        for (i = 0; i < B; i++)
            for (j = 0; j < B; j++)
                block[i * B + j] = a[size * (i + offset) + offset + j];
        row = offset;
        column = offset;
        column += B * (chunk + 1);
        for (j = 0; j < B; j++) {
            for (i = 0; i < B; i++) {
                sum = 0.f;
                for (k = 0; k < i; k++)
                    sum += block[B * i + k] * a[(row + k) * size + column + j];
                here = row + i;
                there = column + j;
                a[here * size + there] = a[here * size + there] - sum;
            }
        }
        column = offset;
        row += B * (chunk + 1);
        for (i = 0; i < B; i++) {
            for (j = 0; j < B; j++) {
                sum = 0.f;
                for (k = 0; k < j; k++)
                    sum += a[(row + i) * size + column + k] * block[B * k + j];
                here = row + i;
                there = column + j;
                a[here * size + there] = (a[here * size + there] - sum) / a[size * (offset + j) + offset + j];
            }
        }
    }
}

static void in_order(float *a, int size, int offset, int chunks)
{
    for (int chunk = 0; chunk < chunks; chunk++) {
        int right = offset + B * (chunk + 1);
        float block[B * B];
        for (int i = 0; i < B * B; i++)
            block[i] = a[size * (i / B + offset) + offset + i % B];
        for (int j = 0; j < B; j++)
            for (int i = 0; i < B; i++) {
                float sum = 0;
                for (int k = 0; k < i; k++)
                    sum += block[B * i + k] * a[(offset + k) * size + right + j];
                a[(offset + i) * size + right + j] -= sum;
            }
        for (int i = 0; i < B; i++)
            for (int j = 0; j < B; j++) {
                float sum = 0;
                for (int k = 0; k < j; k++)
                    sum += a[(right + i) * size + offset + k] * block[B * k + j];
                int at = (right + i) * size + offset + j;
                a[at] = (a[at] - sum) / a[size * (offset + j) + offset + j];
            }
    }
}

static void compare(int size, int offset, int chunks, int cells)
{
    float *a = malloc(cells * sizeof(float)), *want = malloc(cells * sizeof(float));
    for (int i = 0; i < cells; i++)
        a[i] = want[i] = (float)(i % 11) * 0.1f + (i % (size + 1) == 0 ? 20.0f : 1.0f);
    perimeter(a, size, offset, chunks);
    in_order(want, size, offset, chunks);
    for (int i = 0; i < cells; i++)
        check_near("a", size * 100000 + i, a[i], want[i], 1e-4);
    free(a);
    free(want);
}

int main(void)
{
    enum { SIZE = 8 * B };
    for (int offset = 0; offset < 3 * B; offset += B)
        compare(SIZE, offset, (SIZE - offset - B) / B, SIZE * SIZE);
    // Rows shorter than a block: no matrix any more, but what a thread does with it is defined.
    compare(9, 0, 1, 9 * 2 * B + 2 * B);
    return finish();
}
