/* Launches the kernels of gangs.c. Addresses are the host's. */
#ifndef PORT_GANGS_KERNELS_H
#define PORT_GANGS_KERNELS_H
#include "accl_port.h"
#ifdef __cplusplus
extern "C" {
#endif
void launch_rows_10(int n, int m, int (*a)[70], long num_gangs);
void launch_rows_14(int n, int (*a)[70], void *total);
#ifdef __cplusplus
}
#endif
#endif
