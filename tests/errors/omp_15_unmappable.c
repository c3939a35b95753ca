/* A function, a member with a width in bits, and an enumerator have no place that could be mapped. */
struct flags {
    unsigned on : 1;
    int n;
};
enum { RED = 3 };

static int helper(int x)
{
    return x + 1;
}

void f(int n, int *a)
{
    struct flags s = { 1, 2 };
#pragma omp target map(to: helper) map(a[0:n])
    a[0] = helper(n);
#pragma omp target map(to: s.on) map(a[0:n])
    a[0] = s.on;
#pragma omp target map(to: RED) map(a[0:n])
    a[0] = RED;
}
