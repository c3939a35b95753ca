/* Rows counted by hand, in a block whose column is the variable of a loop around: no two iterations of the loop over rows share an element
 * where the block is no wider than a row. With rows of 20 the launch finds that, with rows of 3 they meet. */
// expect-remark: Loop is parallelizable where w > 7
#include "check.h"

#define COLUMNS 8

static void columns(double *a, int w, int begin)
{
#pragma acc kernels copy(a[0:400])
    for (int i = 0; i < COLUMNS; i++)
        for (int j = i + 1; j < COLUMNS; j++) {
            for (int k = 0; k < i; k++)
                a[begin * w + j * w + i] -= a[begin * w + j * w + k] * a[begin * w + k * w + i];
            a[begin * w + j * w + i] *= 0.25;
        }
}

static void on_host(double *a, int w, int begin)
{
    for (int i = 0; i < COLUMNS; i++)
        for (int j = i + 1; j < COLUMNS; j++) {
            for (int k = 0; k < i; k++)
                a[begin * w + j * w + i] -= a[begin * w + j * w + k] * a[begin * w + k * w + i];
            a[begin * w + j * w + i] *= 0.25;
        }
}

int main(void)
{
    static double a[400], b[400];
    for (int w = 3; w <= 20; w += 17) {
        for (int i = 0; i < 400; i++)
            a[i] = b[i] = (i * 7 % 23) * 0.1;
        columns(a, w, 2);
        on_host(b, w, 2);
        for (int i = 0; i < 400; i++)
            check_near("a", i, a[i], b[i], 1e-12);
    }
    return finish();
}
