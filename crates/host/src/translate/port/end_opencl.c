
void port_wait(void)
{
    if (queue)
        check(clFinish(queue), "kernels");
}

static void build(struct port_program *program)
{
    static char log[16384];
    const char *sources[1];
    cl_int status;
    sources[0] = program->source;
    program->program = clCreateProgramWithSource(context, 1, sources, NULL, &status);
    check(status, "clCreateProgramWithSource");
    status = clBuildProgram(program->program, 1, &device, "", NULL, NULL);
    if (status != CL_SUCCESS) {
        clGetProgramBuildInfo(program->program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fputs(log, stderr);
    }
    check(status, "clBuildProgram");
}

cl_kernel port_kernel(struct port_program *program, const char *name)
{
    cl_int status;
    cl_kernel kernel;
    if (!queue)
        choose_device();
    if (!program->program)
        build(program);
    kernel = clCreateKernel(program->program, name, &status);
    check(status, name);
    return kernel;
}

void port_value(cl_kernel kernel, cl_uint index, const void *value, size_t size)
{
    check(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
}

void port_array(cl_kernel kernel, cl_uint index, const void *host, ptrdiff_t first, size_t element)
{
    struct entry *e = present((const char *)host + first, 0);
    const ptrdiff_t bytes = (const char *)host - e->host;
    const cl_long start = e->bytes > 0 ? bytes / (ptrdiff_t)element : 0;
    if (e->bytes > 0 && bytes % (ptrdiff_t)element != 0)
        fail("not aligned with what is on the device", host, element);
    port_value(kernel, index, &e->device, sizeof e->device);
    port_value(kernel, index + 1, &start, sizeof start);
}

void port_array_or_null(cl_kernel kernel, cl_uint index, const void *host, ptrdiff_t first, size_t element)
{
    const cl_mem none = NULL;
    const cl_long start = 0;
    if (find((const char *)host + first, 0)) {
        port_array(kernel, index, host, first, element);
        return;
    }
    port_value(kernel, index, &none, sizeof none);
    port_value(kernel, index + 1, &start, sizeof start);
}

void port_run(cl_kernel kernel, const long grid[3], const size_t block[3])
{
    size_t items[3];
    int d;
    for (d = 0; d < 3; d++)
        items[d] = grid[d] > 0 ? (size_t)grid[d] * block[d] : 0;
    if (items[0] * items[1] * items[2] > 0)
        check(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, items, block, 0, NULL, NULL), "launch");
    check(clReleaseKernel(kernel), "clReleaseKernel");
}
