/* Statements that no atomic operation is. */
void f(int n, int *a)
{
    int sum = 0, old = 0;
#pragma omp target teams distribute parallel for map(tofrom: sum, old) map(a[0:n])
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        sum = a[i] + 1;
#pragma omp atomic read
        sum += a[i];
#pragma omp atomic capture
        sum += a[i];
#pragma omp atomic write
        sum++;
#pragma omp atomic updat
        sum += old;
    }
}
