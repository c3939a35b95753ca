/* Functions that launch the kernels of macros.c. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include "macros_kernels.h"

static struct port_program program = {
#include "macros_kernels.inc" /* the text of macros_kernels.cl: see the Makefile */
    , NULL
};

void launch_main_21(const void *points, double *sum, float *farthest)
{
    const long grid[3] = {2, 1, 1};
    const size_t block[3] = {256, 1, 1};
    cl_kernel kernel = port_kernel(&program, "main_21");
    port_array(kernel, 0, points, 0, 12);
    port_array(kernel, 2, sum, 0, 8);
    port_array(kernel, 4, farthest, 0, 4);
    port_run(kernel, grid, block);
}

void launch_main_27(int *histogram, const void *points)
{
    const long grid[3] = {2, 1, 1};
    const size_t block[3] = {256, 1, 1};
    cl_kernel kernel = port_kernel(&program, "main_27");
    port_array(kernel, 0, histogram, 0, sizeof *histogram);
    port_array(kernel, 2, points, 0, 12);
    port_run(kernel, grid, block);
}
