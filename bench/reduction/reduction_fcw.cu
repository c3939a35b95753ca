/* The same by hand: see there. */
#define BENCH_NAME "reduction_fcw"
#include "reduction.cu"
