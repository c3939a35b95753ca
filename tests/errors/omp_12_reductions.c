/* Operators that are none, and variables that they cannot work on. */
struct pair {
    int first, second;
};

void f(int n, int *a, double x)
{
    int sum = 0;
    struct pair p = { 0, 0 };
#pragma omp target teams distribute parallel for reduction(% : sum) map(a[0:n])
    for (int i = 0; i < n; i++)
        sum += a[i];
#pragma omp target teams distribute parallel for reduction(sum) map(a[0:n])
    for (int i = 0; i < n; i++)
        sum += a[i];
#pragma omp target teams distribute parallel for reduction(& : x) map(a[0:n])
    for (int i = 0; i < n; i++)
        x += a[i];
#pragma omp target teams distribute parallel for reduction(+ : p) map(a[0:n])
    for (int i = 0; i < n; i++)
        p.first += a[i];
#pragma omp target teams distribute parallel for reduction(average : sum) map(a[0:n])
    for (int i = 0; i < n; i++)
        sum += a[i];
}
