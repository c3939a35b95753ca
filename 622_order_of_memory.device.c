typedef struct accl_site { const char *file; const char *function; const char *directive; int line; int end_line; } accl_site;
typedef struct accl_format { unsigned scheme; unsigned bits; unsigned type; unsigned members; unsigned layout; unsigned has_range; double min; double max; unsigned checked; unsigned reserved; } accl_format;
typedef struct accl_dim { unsigned long stride; unsigned long count; } accl_dim;
typedef struct accl_var { const char *name; void *base; unsigned long offset; unsigned long bytes; unsigned kind; unsigned flags; unsigned elem_size; unsigned n_dims; const accl_dim *dims; int line; int reserved; const accl_format *format; unsigned long row_bytes; const char *pointers; } accl_var;
typedef struct accl_variant { const char *symbol; unsigned needs; unsigned block[3]; unsigned per_thread[3]; unsigned shared_bytes; unsigned femtoseconds; } accl_variant;
typedef struct accl_dynamic_tile_dim { unsigned long span; unsigned before; unsigned after; } accl_dynamic_tile_dim;
typedef struct accl_dynamic_tile { const char *array; unsigned variant; unsigned elem_size; unsigned n_dims; const accl_dynamic_tile_dim *dims; } accl_dynamic_tile;
typedef struct accl_arg { unsigned kind; unsigned index; unsigned size; unsigned flags; } accl_arg;
typedef struct accl_reduction { unsigned op; unsigned type; } accl_reduction;
typedef void (*accl_cpu_entry)(long begin, long end, long total, void *const *args);
typedef struct accl_indirect_pointer { unsigned index; unsigned further; unsigned long stride; unsigned long offset; unsigned long bytes; } accl_indirect_pointer;
typedef struct accl_kernel { const accl_site *site; accl_cpu_entry cpu; unsigned flags; unsigned n_dims; unsigned grid[3]; unsigned n_variants; const accl_variant *variants; unsigned n_args; unsigned n_reductions; const accl_arg *args; const accl_reduction *reductions; unsigned n_indirect_pointers; const accl_indirect_pointer *indirect_pointers; const char *obstacle; accl_cpu_entry cpu_apart; } accl_kernel;
typedef struct accl_image { const char *arch; const void *data; unsigned long size; } accl_image;
typedef struct accl_module { unsigned abi_version; unsigned n_images; const char *file; const char *cuda; const char *opencl; const accl_image *images; } accl_module;
void accl_register(const accl_module *module);
void accl_data_begin(const accl_site *, accl_var *vars, unsigned n, long async);
void accl_data_end(const accl_site *, accl_var *vars, unsigned n, long async);
void accl_enter_data(const accl_site *, accl_var *vars, unsigned n, long async);
void accl_exit_data(const accl_site *, accl_var *vars, unsigned n, long async);
void accl_update(const accl_site *, accl_var *vars, unsigned n, long async);
typedef struct accl_object { const void *address; unsigned long bytes; } accl_object;
void accl_note_objects(const accl_object *objects, unsigned n);
void accl_declare(const accl_site *, const accl_var *vars, unsigned n);
void *accl_use_device(const accl_site *, const accl_var *var);
void accl_translate_pointers(const accl_site *, void *copy, const unsigned long *offsets, unsigned n);
typedef struct accl_launch_info { const accl_module *module; const accl_kernel *kernel; accl_var *vars; const void *const *values; void *const *reduction_vars; long trips[3]; long num_gangs, num_workers, vector_length; long row_length; long async; const accl_dynamic_tile *dynamic_tiles; const long *halo_extents; unsigned n_dynamic_tiles; } accl_launch_info;
int accl_launch(const accl_launch_info *);
void accl_host_begin(const accl_site *, const accl_var *vars, unsigned n, long async);
void accl_host_end(const accl_site *);
void accl_outside_window(const char *place, const char *array, long index, long first, long last);
void accl_no_number(const char *place, const char *array, long index);
void accl_stop(const char *message);
void accl_exit(int status);
void accl_decode_floats(float *to, const unsigned *words, long first, long count, unsigned bits, float scale, float bias);
void accl_decode_doubles(double *to, const unsigned *words, long first, long count, unsigned bits, double scale, double bias);
void accl_encode_floats(const float *from, unsigned *words, long first, long count, unsigned bits, float inverse, float offset);
void accl_encode_doubles(const double *from, unsigned *words, long first, long count, unsigned bits, double inverse, double offset);
typedef struct accl_list { accl_var *vars; unsigned n; unsigned capacity; } accl_list;
void accl_list_add(accl_list *, const char *name, const void *base, unsigned long offset, unsigned long bytes, unsigned kind, unsigned flags, unsigned elem_size, int line);
void accl_list_complete(accl_list *);
void accl_list_free(accl_list *);
int accl_is_beside_present(const void *array, unsigned long bytes, const void *element, unsigned long size);
long accl_larger(long, long);
long accl_present_element(const void *base, unsigned long size, long index);
void accl_wait(const accl_site *, const long *queues, unsigned n, long async);
void accl_wait_device(const accl_site *, int device_num, const long *queues, unsigned n);
int accl_offload(const accl_site *, int if_clause);
int accl_omp_offloads(int device);
int accl_omp_device_here(void);
void accl_omp_return_to(int device);
void accl_omp_requires_shared_memory(void);
int *accl_omp_this_device(void);
int *accl_omp_devices(void);
long accl_by_device(long cuda, long opencl, long cpu);
void accl_init(const accl_site *, int device_type, int device_num);
void accl_shutdown(const accl_site *, int device_type, int device_num);
void accl_set(const accl_site *, int device_type, int device_num, long default_async);
static const char accl_cuda[] =
    "struct account {\n"
    "    long sum;\n"
    "    int count;\n"
    "};\n"
    "\n"
    "/* Updates *place, which may be a variable of the thread's own; gives the value before. */\n"
    "static __device__ __noinline__ int accl_own_or_atomic_exchange_int(int *place, int value)\n"
    "{\n"
    "    if (!__isLocal(place))\n"
    "        return atomicExch(place, value);\n"
    "    const int old = *place;\n"
    "    *place = value;\n"
    "    return old;\n"
    "}\n"
    "\n"
    "/* The kernel before this one on the stream is done, and what it wrote is there. */\n"
    "static __device__ __forceinline__ void accl_await_last_kernel()\n"
    "{\n"
    "#if __CUDA_ARCH__ >= 900\n"
    "    asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
    "#endif\n"
    "}\n"
    "\n"
    "static __device__ __forceinline__ void accl_fence()\n"
    "{\n"
    "    __threadfence();\n"
    "}\n"
    "\n"
    "static __device__ void lock(int *held)\n"
    "{\n"
    "    int before = 1;\n"
    "    while (before) {\n"
    "        before = accl_own_or_atomic_exchange_int(held, 1);\n"
    "        accl_fence();\n"
    "    }\n"
    "}\n"
    "\n"
    "static __device__ void unlock(int *held)\n"
    "{\n"
    "    accl_fence();\n"
    "    *(volatile int *)held = 0;\n"
    "}\n"
    "\n"
    "//accl:variant 0 main_36\n"
    "/* tests/conformance/omp/622_order_of_memory.c:36: parallel loop */\n"
    "extern \"C\" __global__ void main_36(int *__restrict__ held_2, account *__restrict__ account_2)\n"
    "{\n"
    "    accl_await_last_kernel();\n"
    "\n"
    "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 500; i += (int)(gridDim.x * blockDim.x)) {\n"
    "        lock(held_2);\n"
    "        account_2->sum += i;\n"
    "        account_2->count++;\n"
    "        unlock(held_2);\n"
    "    }\n"
    "}\n"
    "\n"
    "//accl:variant 0 main_47\n"
    "/* tests/conformance/omp/622_order_of_memory.c:47: parallel loop */\n"
    "extern \"C\" __global__ void main_47(int *__restrict__ filled_2, int *__restrict__ ready_2)\n"
    "{\n"
    "    accl_await_last_kernel();\n"
    "\n"
    "    int i_2 = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i_2 < 500) {\n"
    "        filled_2[i_2] = 3 * i_2;\n"
    "        accl_fence();\n"
    "        *(volatile int *)&ready_2[i_2] = 1;\n"
    "    }\n"
    "}\n"
    "\n"
    "//accl:variant 0 main_54\n"
    "/* tests/conformance/omp/622_order_of_memory.c:54: parallel loop */\n"
    "extern \"C\" __global__ void main_54(const int *__restrict__ ready_2,\n"
    "                                   const int *__restrict__ filled_2, int *__restrict__ seen_2)\n"
    "{\n"
    "    accl_await_last_kernel();\n"
    "\n"
    "    int i_3 = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i_3 < 500) {\n"
    "        int is_ready;\n"
    "        accl_fence();\n"
    "        is_ready = *(volatile int *)&ready_2[i_3];\n"
    "        accl_fence();\n"
    "        accl_fence();\n"
    "        seen_2[i_3] = is_ready ? filled_2[i_3] : -1;\n"
    "    }\n"
    "}\n"
    "\n"
    "//accl:variant 0 main_66\n"
    "/* tests/conformance/omp/622_order_of_memory.c:66: parallel loop */\n"
    "extern \"C\" __global__ void main_66(int *__restrict__ bins_2)\n"
    "{\n"
    "    accl_await_last_kernel();\n"
    "\n"
    "    int i_4 = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i_4 < 500) {\n"
    "        accl_fence();\n"
    "        atomicAdd(&bins_2[i_4 % 16], 1);\n"
    "        accl_fence();\n"
    "    }\n"
    "}\n"
    "";
static const char accl_opencl[] =
    "typedef struct account {\n"
    "    long sum;\n"
    "    int count;\n"
    "} account;\n"
    "\n"
    "static void accl_fence(void)\n"
    "{\n"
    "    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "}\n"
    "\n"
    "static void lock(__global int *held)\n"
    "{\n"
    "    int before = 1;\n"
    "    while (before) {\n"
    "        before = atomic_xchg(held, 1);\n"
    "        accl_fence();\n"
    "    }\n"
    "}\n"
    "\n"
    "static void unlock(__global int *held)\n"
    "{\n"
    "    accl_fence();\n"
    "    *(volatile __global int *)held = 0;\n"
    "}\n"
    "\n"
    "/* tests/conformance/omp/622_order_of_memory.c:36: parallel loop */\n"
    "__kernel void main_36(__global int *restrict held_2_buf, long held_2_off,\n"
    "                      __global account *restrict account_2_buf, long account_2_off)\n"
    "{\n"
    "    __global int *held_2 = (__global int *)((__global char *)held_2_buf + held_2_off);\n"
    "    __global account *account_2 = (__global account *)((__global char *)account_2_buf + account_2_off);\n"
    "\n"
    "    for (int i = get_global_id(0); i < 500; i += (int)(get_num_groups(0) * get_local_size(0))) {\n"
    "        lock(held_2);\n"
    "        account_2->sum += i;\n"
    "        account_2->count++;\n"
    "        unlock(held_2);\n"
    "    }\n"
    "}\n"
    "\n"
    "/* tests/conformance/omp/622_order_of_memory.c:47: parallel loop */\n"
    "__kernel void main_47(__global int *restrict filled_2_buf, long filled_2_off,\n"
    "                      __global int *restrict ready_2_buf, long ready_2_off)\n"
    "{\n"
    "    __global int *filled_2 = (__global int *)((__global char *)filled_2_buf + filled_2_off);\n"
    "    __global int *ready_2 = (__global int *)((__global char *)ready_2_buf + ready_2_off);\n"
    "\n"
    "    int i_2 = get_global_id(0);\n"
    "    if (i_2 < 500) {\n"
    "        filled_2[i_2] = 3 * i_2;\n"
    "        accl_fence();\n"
    "        *(volatile __global int *)&ready_2[i_2] = 1;\n"
    "    }\n"
    "}\n"
    "\n"
    "/* tests/conformance/omp/622_order_of_memory.c:54: parallel loop */\n"
    "__kernel void main_54(__global const int *restrict ready_2_buf, long ready_2_off,\n"
    "                      __global const int *restrict filled_2_buf, long filled_2_off,\n"
    "                      __global int *restrict seen_2_buf, long seen_2_off)\n"
    "{\n"
    "    __global const int *ready_2 = (__global const int *)((__global const char *)ready_2_buf + ready_2_off);\n"
    "    __global const int *filled_2 = (__global const int *)((__global const char *)filled_2_buf + filled_2_off);\n"
    "    __global int *seen_2 = (__global int *)((__global char *)seen_2_buf + seen_2_off);\n"
    "\n"
    "    int i_3 = get_global_id(0);\n"
    "    if (i_3 < 500) {\n"
    "        int is_ready;\n"
    "        accl_fence();\n"
    "        is_ready = *(volatile __global int *)&ready_2[i_3];\n"
    "        accl_fence();\n"
    "        accl_fence();\n"
    "        seen_2[i_3] = is_ready ? filled_2[i_3] : -1;\n"
    "    }\n"
    "}\n"
    "\n"
    "/* tests/conformance/omp/622_order_of_memory.c:66: parallel loop */\n"
    "__kernel void main_66(__global int *restrict bins_2_buf, long bins_2_off)\n"
    "{\n"
    "    __global int *bins_2 = (__global int *)((__global char *)bins_2_buf + bins_2_off);\n"
    "\n"
    "    int i_4 = get_global_id(0);\n"
    "    if (i_4 < 500) {\n"
    "        accl_fence();\n"
    "        atomic_add(&bins_2[i_4 % 16], 1);\n"
    "        accl_fence();\n"
    "    }\n"
    "}\n"
    "";
extern const accl_module accl_module_u316b3b45703956da;
__attribute__((visibility("hidden"))) const accl_module accl_module_u316b3b45703956da =
    {13, 0, "tests/conformance/omp/622_order_of_memory.c", accl_cuda, accl_opencl, 0};
__attribute__((constructor)) static void accl_register_unit(void)
{
    accl_register(&accl_module_u316b3b45703956da);
}
