// Structures that hold a pointer to an array and its lengths, handed on by value or by address: of memory that the runtime
// does not know, as another library's, the host runs the loop, as it does where a variable leads there.
// expect: launches=2
#define _DEFAULT_SOURCE
#include "../check.h"
#include <stdlib.h>
#include <sys/mman.h>

typedef struct {
    void *owner;
    char *data;
    long shape[8];
} View;

static void add(double a, View x, View y)
{
#pragma omp parallel for
    for (long i = 0; i < x.shape[0]; i++)
        *(double *)(y.data + i * sizeof(double)) += a * *(double *)(x.data + i * sizeof(double));
}

static void scale(double a, View *x)
{
    long n = x->shape[0];
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        ((double *)x->data)[i] *= a;
}

static void scale_none(double a, const View *x, long n)
{
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        ((double *)x->data)[i] *= a;
}

int main(void)
{
    enum { N = 5000 };
    double *own = malloc(N * sizeof *own), *more = calloc(N, sizeof *more);
    double *unknown =
        mmap(NULL, N * sizeof *unknown, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < N; i++)
        own[i] = unknown[i] = i;
    View a = {NULL, (char *)own, {N}}, b = {NULL, (char *)more, {N}}, other = {NULL, (char *)unknown, {N}};
    add(2, a, b);     // a launch
    add(3, other, b); // the host
    add(1, b, other); // the host
    scale(2, &b);     // a launch
    scale(2, &other); // the host
    scale_none(2, NULL, 0); // the host
    for (int i = 0; i < N; i += 7) {
        check_near("own", i, own[i], i, 0);
        check_near("more", i, more[i], 10.0 * i, 0);
        check_near("unknown", i, unknown[i], 12.0 * i, 0);
    }
    return finish();
}
