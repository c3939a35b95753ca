/* openacc.h: the OpenACC 3.3 runtime routines (chapter 3), as the accl runtime provides them. */
#ifndef ACCL_OPENACC_H
#define ACCL_OPENACC_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif


typedef enum acc_device_t {
    acc_device_current = -1,
    acc_device_none = 0,
    acc_device_default = 1,
    acc_device_host = 2,
    acc_device_not_host = 3,
    acc_device_nvidia = 4,
    acc_device_radeon = 5,
    acc_device_opencl = 7,
    acc_device_multicore = 8,
    acc_device_cpu = 8
} acc_device_t;

typedef enum acc_async_t {
    acc_async_sync = -1,
    acc_async_noval = -2,
    acc_async_default = -3
} acc_async_t;

typedef enum acc_device_property_t {
    acc_property_none = 0,
    acc_property_memory = 1,
    acc_property_free_memory = 2,
    acc_property_shared_memory_support = 3,
    acc_property_name = 0x10001,
    acc_property_vendor = 0x10002,
    acc_property_driver = 0x10003
} acc_device_property_t;


/* 3.2.1 - 3.2.9: devices */
int acc_get_num_devices(acc_device_t);
void acc_set_device_type(acc_device_t);
acc_device_t acc_get_device_type(void);
void acc_set_device_num(int, acc_device_t);
int acc_get_device_num(acc_device_t);
size_t acc_get_property(int, acc_device_t, acc_device_property_t);
const char *acc_get_property_string(int, acc_device_t, acc_device_property_t);
void acc_init(acc_device_t);
void acc_init_device(int, acc_device_t);
void acc_shutdown(acc_device_t);
void acc_shutdown_device(int, acc_device_t);

/* 3.2.10 - 3.2.16: queues */
int acc_async_test(int);
int acc_async_test_device(int, int);
int acc_async_test_all(void);
int acc_async_test_all_device(int);
void acc_wait(int);
void acc_async_wait(int);
void acc_wait_device(int, int);
int acc_wait_any(int, int[]);
int acc_wait_any_device(int, int[], int);
void acc_wait_async(int, int);
void acc_wait_device_async(int, int, int);
void acc_wait_all(void);
void acc_async_wait_all(void);
void acc_wait_all_device(int);
void acc_wait_all_async(int);
void acc_wait_all_device_async(int, int);
int acc_get_default_async(void);
void acc_set_default_async(int);
int acc_on_device(acc_device_t);

/* 3.2.17 - 3.2.33: data */
void *acc_malloc(size_t);
void acc_free(void *);
void *acc_copyin(void *, size_t);
void acc_copyin_async(void *, size_t, int);
void *acc_pcopyin(void *, size_t);
void *acc_present_or_copyin(void *, size_t);
void *acc_create(void *, size_t);
void acc_create_async(void *, size_t, int);
void *acc_pcreate(void *, size_t);
void *acc_present_or_create(void *, size_t);
void acc_copyout(void *, size_t);
void acc_copyout_async(void *, size_t, int);
void acc_copyout_finalize(void *, size_t);
void acc_copyout_finalize_async(void *, size_t, int);
void acc_delete(void *, size_t);
void acc_delete_async(void *, size_t, int);
void acc_delete_finalize(void *, size_t);
void acc_delete_finalize_async(void *, size_t, int);
void acc_update_device(void *, size_t);
void acc_update_device_async(void *, size_t, int);
void acc_update_self(void *, size_t);
void acc_update_self_async(void *, size_t, int);
void acc_update_host(void *, size_t);
void acc_update_host_async(void *, size_t, int);
void acc_map_data(void *, void *, size_t);
void acc_unmap_data(void *);
void *acc_deviceptr(void *);
void *acc_hostptr(void *);
int acc_is_present(void *, size_t);
void acc_memcpy_to_device(void *, void *, size_t);
void acc_memcpy_to_device_async(void *, void *, size_t, int);
void acc_memcpy_from_device(void *, void *, size_t);
void acc_memcpy_from_device_async(void *, void *, size_t, int);
void acc_memcpy_device(void *, void *, size_t);
void acc_memcpy_device_async(void *, void *, size_t, int);
void acc_memcpy_d2d(void *, void *, size_t, int, int);
void acc_memcpy_d2d_async(void *, void *, size_t, int, int, int);
void acc_attach(void **);
void acc_attach_async(void **, int);
void acc_detach(void **);
void acc_detach_async(void **, int);
void acc_detach_finalize(void **);
void acc_detach_finalize_async(void **, int);

/* An extension: arrays that are held compressed on the device, as by the clauses ccopyin and ccreate. */
typedef enum acc_compress_scheme {
    acc_compress_range = 1,  /* over [-M, M], M the largest magnitude */
    acc_compress_affine = 2, /* over [min, max] */
    acc_compress_block = 5   /* an exponent for each 32 numbers: no range */
} acc_compress_scheme;
typedef enum acc_compress_type { acc_compress_float = 9, acc_compress_double = 10 } acc_compress_type;
typedef struct acc_compress_format {
    acc_compress_scheme scheme;
    acc_compress_type type;  /* of the host's elements */
    int bits;                /* of an element on the device; 0: 16 for float, 32 for double */
    int has_range;           /* 0: the range is found in the data; where none are copied in, it must be given */
    double min, max;
} acc_compress_format;
/* As acc_copyin and acc_create; they return no address, since the elements have none, but whether the array is
 * compressed now: 0 where it was present plain. Sizes are the host's. */
int acc_compress_copyin(void *, size_t, const acc_compress_format *);
int acc_compress_present_or_copyin(void *, size_t, const acc_compress_format *);
int acc_compress_create(void *, size_t, const acc_compress_format *);
int acc_compress_present_or_create(void *, size_t, const acc_compress_format *);
/* As acc_copyout. */
void acc_decompress_copyout(void *, size_t);

/* Appendix A.2.1: CUDA. A stream is a CUstream / cudaStream_t, a context a CUcontext. Null where
 * the current device is not a CUDA one. */
void *acc_get_current_cuda_device(void);
void *acc_get_current_cuda_context(void);
void *acc_get_cuda_stream(int);
int acc_set_cuda_stream(int, void *);

/* Appendix A.2.2: OpenCL. Null where the current device is not an OpenCL one. */
void *acc_get_current_opencl_device(void);
void *acc_get_current_opencl_context(void);
void *acc_get_opencl_queue(int);

#ifdef __cplusplus
}
#endif
#endif
