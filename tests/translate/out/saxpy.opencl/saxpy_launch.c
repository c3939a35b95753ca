/* Functions that launch the kernels of saxpy.c. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include "saxpy_kernels.h"

static struct port_program program = {
#include "saxpy_kernels.inc" /* the text of saxpy_kernels.cl: see the Makefile */
    , NULL
};

void launch_saxpy_10(int n, float a, const float *x, float *y)
{
    const long grid[3] = {(n + 255L) / 256, 1, 1};
    const size_t block[3] = {256, 1, 1};
    cl_kernel kernel = port_kernel(&program, "saxpy_10");
    port_value(kernel, 0, &n, sizeof n);
    port_value(kernel, 1, &a, sizeof a);
    port_array(kernel, 2, x, 0, sizeof *x);
    port_array(kernel, 4, y, 0, sizeof *y);
    port_run(kernel, grid, block);
}

void launch_main_27(const float *y, double *sum)
{
    const long grid[3] = {4, 1, 1};
    const size_t block[3] = {256, 1, 1};
    cl_kernel kernel = port_kernel(&program, "main_27");
    port_array(kernel, 0, y, 0, sizeof *y);
    port_array(kernel, 2, sum, 0, 8);
    port_run(kernel, grid, block);
}
