/* The host's version would have no private memory behind the pointer. */
void add(int n, int *x, int *p, int (*f)(int))
{
#pragma acc parallel loop copy(x[0:n]) private(p[0:8])
    for (int i = 0; i < n; i++) {
        p[0] = f(i);
        x[i] = p[0];
    }
}
