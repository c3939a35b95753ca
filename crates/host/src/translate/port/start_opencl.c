/* See accl_port.h. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include "accl_port.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLATFORMS = 8 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "%s: OpenCL error %d\n", what, (int)status);
        exit(1);
    }
}

/* A GPU, or whatever there is. */
static void choose_device(void)
{
    cl_platform_id platforms[PLATFORMS];
    cl_uint count = 0, i;
    cl_int status;
    check(clGetPlatformIDs(PLATFORMS, platforms, &count), "clGetPlatformIDs");
    for (i = 0; i < count && i < PLATFORMS; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &device, NULL) == CL_SUCCESS)
            break;
    for (i = 0; i < count && i < PLATFORMS && !device; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
            device = NULL;
    if (!device)
        check(CL_DEVICE_NOT_FOUND, "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
}

typedef cl_mem device_memory;

static device_memory device_allocate(size_t bytes)
{
    cl_int status;
    cl_mem memory;
    if (!queue)
        choose_device();
    memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    check(status, "clCreateBuffer");
    return memory;
}

static void device_free(device_memory memory)
{
    check(clReleaseMemObject(memory), "clReleaseMemObject");
}

static void device_zero(device_memory memory, size_t bytes)
{
    const char zero = 0;
    check(clEnqueueFillBuffer(queue, memory, &zero, 1, 0, bytes, 0, NULL, NULL), "clEnqueueFillBuffer");
}

static void device_write(device_memory memory, size_t offset, const void *host, size_t bytes)
{
    check(clEnqueueWriteBuffer(queue, memory, CL_TRUE, offset, bytes, host, 0, NULL, NULL),
          "copy to the device");
}

static void device_read(device_memory memory, size_t offset, void *host, size_t bytes)
{
    check(clEnqueueReadBuffer(queue, memory, CL_TRUE, offset, bytes, host, 0, NULL, NULL),
          "copy to the host");
}
