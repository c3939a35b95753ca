/* The parallel loops of gangs.c. Addresses are the host's. */
#ifndef PORT_GANGS_KERNELS_H
#define PORT_GANGS_KERNELS_H
#ifdef __cplusplus
extern "C" {
#endif
void rows_10(int n, int m, int (*a)[70]);
void rows_14(int n, int (*a)[70], void *total);
#ifdef __cplusplus
}
#endif
#endif
