/* Names in clauses that nothing has. */
void f(int n, int *array)
{
#pragma omp target map(to: aray[0:n])
    array[0] = 1;
#pragma omp target enter data map(to: nowhere)
#pragma omp target update from(missing[0:n])
#pragma omp target teams distribute parallel for private(temp) map(array[0:n])
    for (int i = 0; i < n; i++)
        array[i] = i;
#pragma omp target map(to: array[0:count])
    array[0] = 1;
#pragma omp target data map(to: array[0:n]) use_device_ptr(arrray)
    array[0] = 1;
}
