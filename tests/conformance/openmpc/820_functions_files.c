// Functions of another file in parallel regions: what they call and the constants they use come with them.
// expect: launches=2
// sources: parts/820_random.c
#include "../check.h"

double next_random(double *x, double a);
void fill(int n, double *row, double seed);

#define N 400
#define M 12

static double a[N], rows[N][M];

int main(void)
{
    double sum = 0, want = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        double x = i + 1;
        a[i] = next_random(&x, 1220703) + next_random(&x, 1220703);
        sum += a[i];
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        fill(M, rows[i], i + 0.5);
    for (int i = 0; i < N; i++) {
        double x = i + 1, row[M];
        double one = next_random(&x, 1220703) + next_random(&x, 1220703);
        check_near("a", i, a[i], one, 1e-13);
        want += one;
        fill(M, row, i + 0.5);
        for (int j = 0; j < M; j++)
            check_near("row", i * M + j, rows[i][j], row[j], 1e-13);
    }
    check_near("sum", 0, sum, want, 1e-12);
    return finish();
}
