/* Launches the kernels of jacobi.c. Addresses are the host's. */
#ifndef PORT_JACOBI_KERNELS_H
#define PORT_JACOBI_KERNELS_H
#include "accl_port.h"
#ifdef __cplusplus
extern "C" {
#endif
void launch_step_23(int n, double (*old)[66], double (*now)[66], double *change);
#ifdef __cplusplus
}
#endif
#endif
