// omp_target_memcpy_rect of one, two and three dimensions: boxes out of arrays of other extents, in each direction.
// flags: -fopenmp
// needs: runtime
// expect: launches=3 uploads=5 downloads=5
#include <limits.h>
#include <omp.h>
#include <stdint.h>
#include "check.h"

#define P 5
#define Q 7
#define R 11
#define CELLS (P * Q * R)
#define LIST(...) ((const size_t[]){__VA_ARGS__})

static const int host = -1; /* omp_initial_device, which not every omp.h has */
static double array[P][Q][R], back[6][8][9], line[40];

static double value(int i, int j, int k)
{
    return i * 10000 + j * 100 + k;
}

static void three(int device, double *d)
{
    double *flat = d;
    /* Two planes of three rows of four, at (1,2,3), go to (2,1,4) of another array, which the kernel counts in. */
    int rc = omp_target_memcpy_rect(d, array, sizeof(double), 3, LIST(2, 3, 4), LIST(2, 1, 4), LIST(1, 2, 3),
                                    LIST(P, Q + 1, R - 1), LIST(P, Q, R), device, host);
    check_int("to the device", 3, rc, 0);
#pragma acc parallel loop deviceptr(flat)
    for (int i = 0; i < P * (Q + 1) * (R - 1); i++)
        flat[i] += 0.5;
    rc = omp_target_memcpy_rect(back, d, sizeof(double), 3, LIST(2, 3, 4), LIST(4, 5, 5), LIST(2, 1, 4),
                                LIST(6, 8, 9), LIST(P, Q + 1, R - 1), host, device);
    check_int("to the host", 3, rc, 0);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < 9; k++) {
                int in = i >= 4 && j >= 5 && k >= 5;
                check_near("box", (i * 8 + j) * 9 + k, back[i][j][k], in ? value(i - 3, j - 3, k - 2) + 0.5 : 0.0, 0.0);
            }
}

static void two(int device, double *d)
{
    /* The extents are the same on both sides. */
    int rc = omp_target_memcpy_rect(d, array, sizeof(double), 2, LIST(3, 5), LIST(1, 2), LIST(0, 6), LIST(P * Q, R),
                                    LIST(P * Q, R), device, host);
    check_int("to the device", 2, rc, 0);
#pragma acc parallel loop collapse(2) deviceptr(d)
    for (int j = 1; j < 4; j++)
        for (int k = 2; k < 7; k++)
            d[j * R + k] *= 2.0;
    rc = omp_target_memcpy_rect(array, d, sizeof(double), 2, LIST(3, 5), LIST(30, 1), LIST(1, 2), LIST(P * Q, R),
                                LIST(P * Q, R), host, device);
    check_int("to the host", 2, rc, 0);
    for (int j = 0; j < 5; j++)
        for (int k = 0; k < 9; k++) {
            int in = j < 3 && k >= 1 && k < 6;
            check_near("rows", j * 9 + k, array[4][2 + j][k], in ? 2 * value(0, j, k + 5) : value(4, 2 + j, k), 0.0);
        }
    /* Elements of other sizes: a row is one element. */
    rc = omp_target_memcpy_rect(d, back, sizeof back[0][0], 2, LIST(1, 2), LIST(0, 0), LIST(5, 6), LIST(1, 2), LIST(6, 8),
                                device, host);
    check_int("rows to the device", 2, rc, 0);
    rc = omp_target_memcpy_rect(line, d, sizeof(double), 1, LIST(18), LIST(0), LIST(0), LIST(40), LIST(18), host, device);
    check_int("rows to the host", 2, rc, 0);
    for (int k = 0; k < 18; k++)
        check_near("row", k, line[k], back[5][6 + k / 9][k % 9], 0.0);
}

static void one(int device, double *d)
{
    for (int k = 0; k < 40; k++)
        line[k] = k;
    int rc = omp_target_memcpy_rect(d, line, sizeof(double), 1, LIST(10), LIST(4), LIST(7), LIST(40), LIST(40), device, host);
    check_int("to the device", 1, rc, 0);
#pragma acc parallel loop deviceptr(d)
    for (int k = 4; k < 14; k++)
        d[k] += 0.25;
    /* Within the device, to the places behind, and from there to the host. */
    rc = omp_target_memcpy_rect(d, d, sizeof(double), 2, LIST(2, 5), LIST(0, 20), LIST(0, 4), LIST(2, 40), LIST(2, 5), device,
                                device);
    check_int("within", 1, rc, 0);
    rc = omp_target_memcpy_rect(line, d, sizeof(double), 2, LIST(2, 5), LIST(0, 0), LIST(0, 20), LIST(2, 5), LIST(2, 40), host,
                                device);
    check_int("to the host", 1, rc, 0);
    for (int k = 0; k < 10; k++)
        check_near("line", k, line[k], 7 + k + 0.25, 0.0);
    check_near("behind", 0, line[10], 10, 0.0);
}

/* The arrays are said to be larger than any memory; of the offsets only the sums count. */
static void far(int device, double *d)
{
    size_t plane = (size_t)3 << 30;
    void *early = (void *)((uintptr_t)line - 2 * plane * sizeof(double));
    int rc = omp_target_memcpy_rect(d, early, sizeof(double), 2, LIST(1, 6), LIST(0, 1), LIST(2, 3), LIST(1, 40),
                                    LIST(3, plane), device, host);
    check_int("far", 0, rc, 0);
    rc = omp_target_memcpy_rect(line, d, sizeof(double), 1, LIST(6), LIST(30), LIST(1), LIST(40), LIST(40), host, device);
    check_int("far", 1, rc, 0);
    for (int k = 0; k < 6; k++)
        check_near("far", k, line[30 + k], line[3 + k], 0.0);
}

int main(void)
{
    int device = omp_get_default_device();
    for (int i = 0; i < P; i++)
        for (int j = 0; j < Q; j++)
            for (int k = 0; k < R; k++)
                array[i][j][k] = value(i, j, k);
    check_int("dimensions", 0, omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, device, host), INT_MAX);
    double *d = omp_target_alloc(CELLS * sizeof(double) * 2, device);
    three(device, d);
    two(device, d);
    one(device, d);
    far(device, d);
    int rc = omp_target_memcpy_rect(line, array, sizeof(double), 2, LIST(2, 2), LIST(0, 0), LIST(1, 1), LIST(2, 3), LIST(P * Q, R),
                                    host, host);
    check_int("on the host", 0, rc, 0);
    check_near("on the host", 0, line[0], value(0, 1, 1), 0.0);
    check_near("on the host", 4, line[4], value(0, 2, 2), 0.0);
    rc = omp_target_memcpy_rect(d, line, sizeof(double), 2, LIST(4, 0), LIST(0, 0), LIST(0, 0), LIST(4, 4), LIST(4, 4), device, host);
    check_int("no elements", 0, rc, 0);
    omp_target_free(d, device);
    return finish();
}
