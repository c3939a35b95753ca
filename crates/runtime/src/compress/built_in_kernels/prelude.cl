/* What OpenCL spells its own way: an array is a buffer and an offset there. */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define DOUBLE
#endif
typedef ulong ulong64;
typedef long long64;
#define HELPER
#define KERNEL __kernel void
#define GLOBAL __global
#define DATA(T, name) __global T *name##_buf, long name##_off
#define BIND(T, name) __global T *name = (__global T *)((__global char *)name##_buf + name##_off);
#define FIRST get_global_id(0)
#define STEP get_global_size(0)
#define OF_BITS_float as_float
#define OF_BITS_double as_double
#define BITS_float as_uint
#define BITS_double as_ulong
#define ADD atomic_add
