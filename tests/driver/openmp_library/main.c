#include <omp.h>
#include <openacc.h>

int main(void)
{
    int host = omp_get_initial_device(), *d = omp_target_alloc(8 * sizeof(int), 0), h[8], sum = 0;
#pragma acc parallel loop deviceptr(d)
    for (int i = 0; i < 8; i++)
        d[i] = i;
    /* Another library's routines know neither the device nor its memory. */
    if (omp_get_num_devices() != 1 || omp_target_associate_ptr(h, d, sizeof h, 0, 0) != 0 || acc_deviceptr(h) != (void *)d)
        return 1;
    if (omp_target_memcpy(h, d, sizeof h, 0, 0, host, 0) != 0 || omp_target_disassociate_ptr(h, 0) != 0)
        return 2;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 8; i++)
        sum += h[i];
    omp_target_free(d, 0);
    return sum != 28;
}
