/* The parallel loops of saxpy.c. Addresses are the host's. */
#ifndef PORT_SAXPY_KERNELS_H
#define PORT_SAXPY_KERNELS_H
#ifdef __cplusplus
extern "C" {
#endif
void saxpy_10(int n, float a, const float *x, float *y);
void main_27(const float *y, double *sum);
#ifdef __cplusplus
}
#endif
#endif
