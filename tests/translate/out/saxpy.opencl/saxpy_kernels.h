/* Launches the kernels of saxpy.c. Addresses are the host's. */
#ifndef PORT_SAXPY_KERNELS_H
#define PORT_SAXPY_KERNELS_H
#include "accl_port.h"
#ifdef __cplusplus
extern "C" {
#endif
void launch_saxpy_10(int n, float a, const float *x, float *y);
void launch_main_27(const float *y, double *sum);
#ifdef __cplusplus
}
#endif
#endif
