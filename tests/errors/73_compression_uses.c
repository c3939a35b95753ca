// Elements of compressed arrays have no address.
static float first(const float *p)
{
    return p[0];
}
void f(float *restrict a, float *restrict b, int n)
{
#pragma acc data ccopy(a[0:n:-1:1]) copyout(b[0:n])
    {
#pragma acc parallel loop compression(a)
        for (int i = 0; i < n; i++)
            b[i] = first(&a[i]);
#pragma acc parallel loop compression(a)
        for (int i = 0; i < n; i++)
            b[i] = first(a);
#pragma acc parallel loop compression(a)
        for (int i = 0; i < n; i++) {
#pragma acc atomic
            a[i % 4] += 1;
        }
#pragma acc parallel loop compression(a)
        for (int i = 0; i < n; i++) {
            float *p = a + 1;
            b[i] = p[i];
        }
    }
}
