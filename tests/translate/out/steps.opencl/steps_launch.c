/* Functions that launch the kernels of steps.c. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include "steps_kernels.h"

static struct port_program program = {
#include "steps_kernels.inc" /* the text of steps_kernels.cl: see the Makefile */
    , NULL
};

void launch_steps_22(double (*now)[40], double (*next)[40])
{
    const long grid[3] = {1, 10, 1};
    const size_t block[3] = {64, 4, 1};
    cl_kernel kernel = port_kernel(&program, "steps_22");
    port_array(kernel, 0, now, 0, sizeof *now);
    port_array(kernel, 2, next, 0, sizeof *next);
    port_run(kernel, grid, block);
}

void launch_steps_26(double (*next)[40], double (*now)[40], double *largest)
{
    const long grid[3] = {1, 10, 1};
    const size_t block[3] = {64, 4, 1};
    cl_kernel kernel = port_kernel(&program, "steps_26");
    port_array(kernel, 0, next, 0, sizeof *next);
    port_array(kernel, 2, now, 0, sizeof *now);
    port_array(kernel, 4, largest, 0, 8);
    port_run(kernel, grid, block);
}

void launch_macros_41(double *heat)
{
    const long grid[3] = {1, 1, 1};
    const size_t block[3] = {256, 1, 1};
    cl_kernel kernel = port_kernel(&program, "macros_41");
    port_array(kernel, 0, heat, 0, sizeof *heat);
    port_run(kernel, grid, block);
}

void launch_macros_44(double (*now)[40])
{
    const long grid[3] = {1, 10, 1};
    const size_t block[3] = {64, 4, 1};
    cl_kernel kernel = port_kernel(&program, "macros_44");
    port_array(kernel, 0, now, 0, sizeof *now);
    port_run(kernel, grid, block);
}

void launch_macros_51(double *heat)
{
    const long grid[3] = {1, 1, 1};
    const size_t block[3] = {256, 1, 1};
    cl_kernel kernel = port_kernel(&program, "macros_51");
    port_array(kernel, 0, heat, 0, sizeof *heat);
    port_run(kernel, grid, block);
}
