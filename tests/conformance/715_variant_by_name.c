// ACCL_VARIANT names the variant that launches take: one that is usually not the choice, two of one product that do not pay
// for so few iterations. Where the named one would be wrong (arrays that overlap, a misaligned one) or does not exist, a
// launch takes the usual one, and that is said. Results are right, and the log and the table of times say which variant ran.
// devices: opencl cuda
// env: ACCL_TIME=1 ACCL_VARIANT=add:31=plain,tiled:38=tile64;jammed:50=jam,*:62=noalias,twice:*=wide,square:*=none,nobody:1=
// expect: launches=8
// expect-stderr: ^launch \S+ kernel .* function=add line=31 .* variant=plain$
// expect-stderr: ^launch \S+ kernel .* function=tiled line=38 .* variant=tile64$
// expect-stderr: ^launch \S+ kernel .* function=jammed line=50 .* variant=jam$
// expect-stderr: ^launch \S+ kernel .* function=spread line=62 .* variant=noalias$
// expect-stderr: ^launch \S+ kernel .* function=spread line=62 .* variant=plain$
// expect-stderr: ^launch \S+ kernel .* function=twice line=69 .* variant=wide$
// expect-stderr: ^launch \S+ kernel .* function=twice line=69 .* variant=plain$
// expect-stderr: ^    kernel   parallel loop  +count       1 .*  variant tile64( +predicted .*)?$
// expect-stderr: ^    kernel   parallel loop  +count       2 .*  max +[0-9.]+( +predicted .*)?$
// expect-stderr: ^      variant noalias  +count       1  total
// expect-stderr: ^      variant plain  +count       1  total
// expect-stderr: variant noalias cannot run a launch, .*: an array that the kernel writes overlaps another
// expect-stderr: variant wide cannot run a launch, .*: an array does not begin at a multiple of 16 bytes
// expect-stderr: the kernel has no variant none; its variants: .*plain$
// expect-stderr: no launch was told by `nobody:1=`
#include "check.h"

#define N 1000
#define M 40

static float x[N], y[N], a[M * M], b[M * M], c[M * M];

static void add(int n, float *x, const float *y)
{
#pragma acc parallel loop copy(x[0 : n]) copyin(y[0 : n])
    for (int i = 0; i < n; i++)
        x[i] += y[i];
}

static void tiled(int n, float *c, const float *a, const float *b)
{
#pragma acc parallel loop collapse(2) copyin(a[0 : n * n], b[0 : n * n]) copyout(c[0 : n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void jammed(int n, float *c, const float *a, const float *b)
{
#pragma acc parallel loop collapse(2) copyin(a[0 : n * n], b[0 : n * n]) copyout(c[0 : n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void spread(int n, float *to, const float *from)
{
#pragma acc parallel loop present(to[0 : 2 * n - 1], from[0 : 2 * n - 1])
    for (int i = 0; i < n; i++)
        to[2 * i] = from[2 * i] + 1;
}

static void twice(int n, float *x)
{
#pragma acc parallel loop present(x[0 : n])
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}

static void square(int n, float *x)
{
#pragma acc parallel loop copy(x[0 : n])
    for (int i = 0; i < n; i++)
        x[i] *= x[i];
}

static void check_product(const char *what)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            float sum = 0;
            for (int k = 0; k < M; k++)
                sum += a[i * M + k] * b[k * M + j];
            check_near(what, i * M + j, c[i * M + j], sum, 1e-6);
            c[i * M + j] = -1;
        }
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = i % 100;
        y[i] = 3 * i;
    }
    for (int i = 0; i < M * M; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 5 + 1;
    }
    add(N, x, y);
    tiled(M, c, a, b);
    check_product("tiled");
    jammed(M, c, a, b);
    check_product("jammed");
#pragma acc data copy(x, y)
    {
        spread(200, x, y);
        // Each array lies between the elements of the other.
        spread(200, x + 500, x + 501);
        twice(N / 2, y);
        twice(N / 2 - 1, y + N / 2 + 1);
    }
    square(10, y);
    for (int i = 0; i < N; i++) {
        float own = i % 100 + 3 * i, next = (i + 1) % 100 + 3 * (i + 1);
        float want = i % 2 == 0 && i < 400 ? 3 * i + 1 : i % 2 == 0 && i >= 500 && i < 900 ? next + 1 : own;
        check_near("x", i, x[i], want, 0);
        want = i == N / 2 ? 3 * i : 6 * i;
        check_near("y", i, y[i], i < 10 ? want * want : want, 0);
    }
    return finish();
}
