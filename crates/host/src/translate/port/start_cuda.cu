/* See accl_port.h. */
#include "accl_port.h"
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t status, const char *what)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        exit(1);
    }
}

typedef void *device_memory;

static device_memory device_allocate(size_t bytes)
{
    void *device;
    check(cudaMalloc(&device, bytes), "cudaMalloc");
    return device;
}

static void device_free(device_memory device)
{
    check(cudaFree(device), "cudaFree");
}

static void device_zero(device_memory device, size_t bytes)
{
    check(cudaMemset(device, 0, bytes), "cudaMemset");
}

static void device_write(device_memory device, size_t offset, const void *host, size_t bytes)
{
    check(cudaMemcpy((char *)device + offset, host, bytes, cudaMemcpyHostToDevice), "copy to the device");
}

static void device_read(device_memory device, size_t offset, void *host, size_t bytes)
{
    check(cudaMemcpy(host, (char *)device + offset, bytes, cudaMemcpyDeviceToHost), "copy to the host");
}
