/* Launches the kernels of steps.c. Addresses are the host's. */
#ifndef PORT_STEPS_KERNELS_H
#define PORT_STEPS_KERNELS_H
#include "accl_port.h"
#ifdef __cplusplus
extern "C" {
#endif
void launch_steps_22(double (*now)[40], double (*next)[40]);
void launch_steps_26(double (*next)[40], double (*now)[40], double *largest);
void launch_macros_41(double *heat);
void launch_macros_44(double (*now)[40]);
void launch_macros_51(double *heat);
#ifdef __cplusplus
}
#endif
#endif
