/* What CUDA spells its own way. `DATA` is a parameter that is an array, `BIND` makes a pointer of it. */
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long long ulong64;
typedef long long long64;
#define HELPER static __device__
#define KERNEL extern "C" __global__ void
#define GLOBAL
#define DATA(T, name) T *name
#define BIND(T, name)
#define FIRST (long64)blockIdx.x * blockDim.x + threadIdx.x
#define STEP (long64)gridDim.x * blockDim.x
#define OF_BITS_float __uint_as_float
#define OF_BITS_double __longlong_as_double
#define BITS_float __float_as_uint
#define BITS_double (ulong64)__double_as_longlong
#define ADD atomicAdd
#define DOUBLE
