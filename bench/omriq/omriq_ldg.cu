/* omriq.cu, which reads by way of the read-only cache. */
#define LDG
#include "omriq.cu"
