// Widths, error bounds and element types that cannot be.
struct point { float x, y; int label; };
void f(float *restrict a, double *restrict b, int *restrict k, struct point *restrict p, int n)
{
#pragma acc enter data ccopyin(bits(24): a[0:n])
#pragma acc enter data ccopyin(bits(n): b[0:n])
#pragma acc enter data ccopyin(bits(16), error(rel: 1e-3): b[0:n])
#pragma acc enter data ccopyin(error(abs: 1e-3): b[0:n])
#pragma acc enter data ccopyin(error(rel: 1e-12): a[0:n])
#pragma acc enter data ccopyin(k[0:n])
#pragma acc enter data ccopyin(p[0:n])
#pragma acc enter data ccopyin(scheme(block): a[0:n:-1:1])
#pragma acc enter data ccopyin(scheme(block), error(abs: 1e-3): a[0:n])
#pragma acc enter data ccopyin(layout(aos): a[0:n])
#pragma acc enter data ccopyin(scheme(half), bits(12): a[0:n])
#pragma acc enter data copyin(bits(16): a[0:n])
}
