// Elements of compressed arrays have no address.
static float second(const float *p)
{
    p++;
    return p[0];
}
struct point { float x, y; };
void f(float *restrict a, float *restrict b, struct point *restrict p, int n)
{
#pragma acc data ccopy(a[0:n:-1:1]) copyout(b[0:n])
    {
#pragma acc parallel loop compression(a)
        for (int i = 0; i < n; i++)
            b[i] = second(&a[i]);
#pragma acc parallel loop compression(a)
        for (int i = 0; i < n; i++)
            b[i] = second(a);
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
#pragma acc parallel loop ccopyin(p[0:n]) copyout(b[0:n])
    for (int i = 0; i < n; i++) {
        struct point *q = &p[i];
        b[i] = q->x + q->y;
    }
}
