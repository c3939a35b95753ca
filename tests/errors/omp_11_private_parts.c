/* Private variables are whole variables. */
struct pair {
    int first, second;
};

void f(int n, int *a, int b[10])
{
    struct pair p = { 1, 2 };
    int fixed[4] = { 0 };
#pragma omp target private(p.first) map(a[0:n])
    a[0] = p.first;
#pragma omp target firstprivate(fixed[1]) map(a[0:n])
    a[0] = fixed[1];
#pragma omp target teams distribute parallel for lastprivate(fixed[0:2]) map(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = fixed[0] = i;
}
