/* The parallel loops of macros.c. Addresses are the host's. */
#ifndef PORT_MACROS_KERNELS_H
#define PORT_MACROS_KERNELS_H
#ifdef __cplusplus
extern "C" {
#endif
void main_21(const void *points, double *sum, float *farthest);
void main_27(int *histogram, const void *points);
#ifdef __cplusplus
}
#endif
#endif
