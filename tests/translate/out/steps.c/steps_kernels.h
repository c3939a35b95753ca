/* The parallel loops of steps.c. Addresses are the host's. */
#ifndef PORT_STEPS_KERNELS_H
#define PORT_STEPS_KERNELS_H
#ifdef __cplusplus
extern "C" {
#endif
void steps_22(double (*now)[40], double (*next)[40]);
void steps_26(double (*next)[40], double (*now)[40], double *largest);
void macros_41(double *heat);
void macros_44(double (*now)[40]);
void macros_51(double *heat);
#ifdef __cplusplus
}
#endif
#endif
