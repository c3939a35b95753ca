// What only gcc understands, nested functions and shuffles of vectors, keeps regions elsewhere in the file from nothing.
// expect: launches=2
#include "../check.h"
#include <stdlib.h>

typedef int four __attribute__((vector_size(16)));

static int reversed(four a)
{
    four order = {3, 2, 1, 0};
    four r = __builtin_shuffle(a, order);
    return r[0] * 8 + r[1] * 4 + r[2] * 2 + r[3];
}

int nested(int x)
{
    int plus(int y) { return y + x; }
    return plus(3);
}

int main(void)
{
    int n = 10000;
    double *p = malloc(n * sizeof(double)), sum = 0;
    const double factor = nested(4) + reversed((four){1, 2, 3, 4});
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] = i * factor;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            p[i] += 1;
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += p[i];
    }
    check_near("factor", 0, factor, 7 + 49, 0);
    check_near("sum", 0, sum, factor * n * (n - 1.0) / 2 + n, 1e-9);
    return finish();
}
