/* Functions that launch the kernels of gangs.c. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include "gangs_kernels.h"

static struct port_program program = {
#include "gangs_kernels.inc" /* the text of gangs_kernels.cl: see the Makefile */
    , NULL
};

void launch_rows_10(int n, int m, int (*a)[70], long num_gangs)
{
    const long gangs_x = (m + 63L) / 64 < num_gangs ? (m + 63L) / 64 : num_gangs;
    const long gangs_y = (num_gangs / (gangs_x > 1 ? gangs_x : 1) > 1 ? num_gangs / (gangs_x > 1 ? gangs_x : 1) : 1);
    const long grid[3] = {gangs_x, (n + 3L) / 4 < gangs_y ? (n + 3L) / 4 : gangs_y, 1};
    const size_t block[3] = {64, 4, 1};
    cl_kernel kernel = port_kernel(&program, "rows_10");
    port_value(kernel, 0, &n, sizeof n);
    port_value(kernel, 1, &m, sizeof m);
    port_array(kernel, 2, a, 0, sizeof *a);
    port_run(kernel, grid, block);
}

void launch_rows_14(int n, int (*a)[70], void *total)
{
    const long grid[3] = {(n + 31L) / 32 < 2 ? (n + 31L) / 32 : 2, 1, 1};
    const size_t block[3] = {32, 1, 1};
    cl_kernel kernel = port_kernel(&program, "rows_14");
    port_value(kernel, 0, &n, sizeof n);
    port_array(kernel, 1, a, 0, sizeof *a);
    port_array(kernel, 3, total, 0, 8);
    port_run(kernel, grid, block);
}
