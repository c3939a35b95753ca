
/* Waits for all kernels. */
void port_wait(void);

#ifdef CL_VERSION_1_2
/* For kernels: an array is two arguments, the buffer that holds it and its first element there. `first`: that
 * many bytes behind `host` lies the first element that is on the device. */
struct port_program {
    const char *source;
    cl_program program;
};
cl_kernel port_kernel(struct port_program *program, const char *name);
void port_value(cl_kernel kernel, cl_uint index, const void *value, size_t size);
void port_array(cl_kernel kernel, cl_uint index, const void *host, ptrdiff_t first, size_t element);
void port_array_or_null(cl_kernel kernel, cl_uint index, const void *host, ptrdiff_t first, size_t element);
void port_run(cl_kernel kernel, const long grid[3], const size_t block[3]);
#endif

#ifdef __cplusplus
}
#endif
#endif
