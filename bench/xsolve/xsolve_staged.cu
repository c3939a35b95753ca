/* xsolve.cu, transformed by hand. */
#define STAGED
#include "xsolve.cu"
