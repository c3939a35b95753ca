/* A mapper that no directive declares, an unknown name in a section of an iterator, a mapper without a variable. */
struct vec {
    int n;
    double *data;
};
#pragma omp declare mapper(struct vec v) map(v, v.data[0:v.n])

void f(int n, int **a, struct vec v)
{
#pragma omp target map(mapper(id), tofrom: v)
    v.n = 1;
#pragma omp target map(iterator(i = 0 : n), to: a[j][0:n])
    n = 1;
#pragma omp declare mapper(struct) map(n)
}
