/* Launches the kernels of macros.c. Addresses are the host's. */
#ifndef PORT_MACROS_KERNELS_H
#define PORT_MACROS_KERNELS_H
#include "accl_port.h"
#ifdef __cplusplus
extern "C" {
#endif
void launch_main_21(const void *points, double *sum, float *farthest);
void launch_main_27(int *histogram, const void *points);
#ifdef __cplusplus
}
#endif
#endif
