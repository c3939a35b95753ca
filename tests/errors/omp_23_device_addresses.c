/* The name of a member cannot mean the one on the device. */
struct pair {
    int first, second;
};

void f(int *a, struct pair p)
{
#pragma omp target data map(tofrom: p) use_device_addr(p.first)
    a[0] = 1;
}
