/* The milliseconds of four products of matrices, by the product's own clock or (BY_CALLER) by ours. */
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void fill(int n, double *m);
double product(int n, const double *a, const double *b, double *c);

#ifdef BY_CALLER
static double now(void)
{
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return moment.tv_sec + 1e-9 * moment.tv_nsec;
}
#endif

static double *matrix(int n)
{
    double *m = malloc(n * n * sizeof *m);
    acc_create(m, n * n * sizeof *m);
    fill(n, m);
    return m;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 8;
    double *a = matrix(n), *b = matrix(n), *c = matrix(n), seconds = 0.0;
    /* The device's compiler takes its time at the first; of this size a matrix has the variant that large ones have. */
    product(n < 64 ? n : 64, a, b, c);
    for (int i = 0; i < 4; i++) {
#ifdef BY_CALLER
        double start = now();
        product(n, a, b, c);
        seconds += now() - start;
#else
        seconds += product(n, a, b, c);
#endif
    }
    printf("%.3f\n", 1e3 * seconds);
    return 0;
}
