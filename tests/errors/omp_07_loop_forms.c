/* Loops that do not count, and a statement that is no loop. */
struct list {
    struct list *next;
    int value;
};

void f(int n, int *a, struct list *l)
{
#pragma omp target teams distribute parallel for map(a[0:n])
    while (n > 0)
        a[--n] = 1;
#pragma omp target teams distribute parallel for
    for (struct list *p = l; p; p = p->next)
        p->value = 1;
#pragma omp target parallel for map(a[0:n])
    a[0] = 1;
#pragma omp target teams distribute parallel for map(a[0:n])
    for (int i = 0; i < n; i *= 2)
        a[i] = 1;
#pragma omp target teams distribute parallel for map(a[0:n])
    for (int i = 0; i < n; i++) {
        a[i] = i;
        i++;
    }
}
