// The asynchronous copies come after the tasks that their depend objects name, and before those that depend on them.
// flags: -fopenmp
// needs: runtime
// expect: launches=1 uploads=2 downloads=2
#include <omp.h>
#include <time.h>
#include "check.h"

#define N 64

/* Not in every omp.h. */
int omp_target_memcpy_async(void *, const void *, size_t, size_t, size_t, int, int, int, omp_depend_t *);
int omp_target_memcpy_rect_async(void *, const void *, size_t, int, const size_t *, const size_t *, const size_t *, const size_t *,
                                 const size_t *, int, int, int, omp_depend_t *);

static int in[N], out[N], more[N];

static void fill_slowly(int *values, int first)
{
    nanosleep(&(struct timespec){0, 20000000}, NULL);
    for (int i = 0; i < N; i++)
        values[i] = first + i;
}

int main(void)
{
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    const size_t bytes = sizeof in, volume[2] = {4, 8}, none[2] = {0, 0}, wide[2] = {4, 16}, close[2] = {4, 8};
    int *d = omp_target_alloc(bytes, device), rc[4] = {1, 1, 1, 1}, sum = 0;
    omp_depend_t objects[3];
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp depobj(objects[0]) depend(inout : in)
#pragma omp depobj(objects[1]) depend(in : more)
#pragma omp depobj(objects[2]) depend(inout : out)
#pragma omp task depend(out : in)
        fill_slowly(in, 100);
#pragma omp task depend(out : more)
        fill_slowly(more, 1000);
        rc[0] = omp_target_memcpy_async(d, in, bytes, 0, 0, device, host, 2, objects);
        /* `more` is there, too. */
        rc[1] = omp_target_memcpy_rect_async(d, more, sizeof(int), 2, volume, none, none, wide, close, device, host, 1, objects + 1);
#pragma acc parallel loop deviceptr(d)
        for (int i = 0; i < N; i++)
            d[i] += 1;
        rc[2] = omp_target_memcpy_async(out, d, bytes, 0, 0, host, device, 1, objects + 2);
#pragma omp task depend(in : out) shared(sum)
        for (int i = 0; i < N; i++)
            sum += out[i];
#pragma omp taskwait
        rc[3] = omp_target_memcpy_async(in, d, sizeof(int), 0, 0, host, device, 0, NULL);
#pragma omp depobj(objects[0]) destroy
#pragma omp depobj(objects[1]) destroy
#pragma omp depobj(objects[2]) destroy
    }
    int want = 0;
    for (int i = 0; i < N; i++) {
        int row = i / 16, column = i % 16, value = column < 8 ? 1000 + row * 8 + column : 100 + i;
        check_int("out", i, out[i], value + 1);
        want += value + 1;
    }
    check_int("sum", 0, sum, want);
    check_int("in", 0, in[0], 1001);
    for (int i = 0; i < 4; i++)
        check_int("rc", i, rc[i], 0);
    omp_target_free(d, device);
    return finish();
}
