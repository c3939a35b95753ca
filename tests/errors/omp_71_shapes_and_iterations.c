/* A shape where none may stand, and iterations before the current one in other nests than one loop. */
void f(int n, int *p, double a[64][64], double *b)
{
#pragma omp target enter data map(to : (([n][n])p)[0:n][0:n])
#pragma omp target update from((([n:2])p)[0:n])
#pragma omp target update from((([n]))p)[0:n])
#pragma omp parallel for ordered(2)
    for (int i = 1; i < 64; i++) {
        for (int j = 1; j < 64; j++) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1)
            a[i][j] += a[i - 1][j];
#pragma omp ordered doacross(source :)
        }
    }
#pragma omp parallel for ordered(1)
    for (int i = 1; i < 64; i++) {
#pragma omp ordered doacross(sink : omp_cur_iteration + 1)
        b[i] += b[i - 1];
    }
}
