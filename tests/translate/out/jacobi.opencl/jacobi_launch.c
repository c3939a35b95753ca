/* Functions that launch the kernels of jacobi.c. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include "jacobi_kernels.h"

static struct port_program program = {
#include "jacobi_kernels.inc" /* the text of jacobi_kernels.cl: see the Makefile */
    , NULL
};

void launch_step_23(int n, double (*old)[66], double (*now)[66], double *change)
{
    const long grid[3] = {(n + 61L) / 64, (n + 1L) / 4, 1};
    const size_t block[3] = {64, 4, 1};
    cl_kernel kernel = port_kernel(&program, "step_23");
    port_value(kernel, 0, &n, sizeof n);
    port_array(kernel, 1, old, 0, sizeof *old);
    port_array(kernel, 3, now, 0, sizeof *now);
    port_array(kernel, 5, change, 0, 8);
    port_run(kernel, grid, block);
}
