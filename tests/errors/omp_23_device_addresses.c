/* Names that mean device addresses: arrays and pointers. */
struct pair {
    int first, second;
};

void f(int n, int *a, struct pair p)
{
    int scalar = 1;
#pragma omp target data map(tofrom: scalar, p) use_device_addr(scalar, p)
    a[0] = 1;
#pragma omp target has_device_addr(scalar)
    a[0] = scalar;
}
