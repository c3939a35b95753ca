/* A CUDA driver without a device, as libcuda.so.1: memory is the host's, kernels do nothing. A module is the text that
 * it was loaded from, and has the functions whose names it holds. What is loaded and launched is
 * written to FAKE_CUDA_LOG. With FAKE_CUDA_REFUSES it refuses the first module. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *what, const char *name) {
    FILE *log = getenv("FAKE_CUDA_LOG") ? fopen(getenv("FAKE_CUDA_LOG"), "a") : NULL;
    if (!log) return;
    fprintf(log, "%s %s\n", what, name);
    fclose(log);
}

#define DOES_NOTHING(name) int name(void) { return 0; }
DOES_NOTHING(cuInit)
DOES_NOTHING(cuCtxSetCurrent)
DOES_NOTHING(cuMemsetD8Async)
DOES_NOTHING(cuMemcpy2DAsync_v2)
DOES_NOTHING(cuStreamSynchronize)
DOES_NOTHING(cuStreamQuery)
DOES_NOTHING(cuStreamWaitEvent)
DOES_NOTHING(cuEventRecord)
DOES_NOTHING(cuEventSynchronize)
DOES_NOTHING(cuFuncSetAttribute)

int cuDriverGetVersion(int *version) { *version = 12090; return 0; }
int cuGetErrorName(int code, const char **name) { (void)code; *name = "CUDA_ERROR"; return 0; }
int cuGetErrorString(int code, const char **text) { (void)code; *text = "of the driver for tests"; return 0; }
int cuDeviceGetCount(int *count) { *count = 2; return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuDeviceGetName(char *name, int length, int device) { (void)device; snprintf(name, length, "fake"); return 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { (void)device; *bytes = 1 << 30; return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 1024;
    return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { (void)device; *context = malloc(1); return 0; }
int cuCtxGetCurrent(void **context) { *context = NULL; return 0; }
int cuMemGetInfo_v2(size_t *left, size_t *all) { *left = *all = 1 << 30; return 0; }
int cuMemAlloc_v2(void **memory, size_t bytes) { *memory = malloc(bytes); return 0; }
int cuMemFree_v2(void *memory) { free(memory); return 0; }
int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) { (void)flags; *memory = malloc(bytes); return 0; }
int cuPointerGetAttributes(void) { return 1; }
int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); return 0; }
int cuMemcpyDtoHAsync_v2(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); return 0; }
int cuMemcpyDtoDAsync_v2(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); return 0; }
int cuStreamCreate(void **stream) { *stream = malloc(1); return 0; }
int cuEventCreate(void **event) { *event = malloc(1); return 0; }
int cuEventElapsedTime(float *ms) { *ms = 0; return 0; }
int cuFuncGetAttribute(int *value, int attribute) { *value = attribute == 0 ? 1024 : 0; return 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks) { *blocks = 1; return 0; }

/* Code of a real compiler, which is no text, has every function. */
int cuModuleLoadData(void **module, const void *image) {
    static int loads;
    if (loads++ == 0 && getenv("FAKE_CUDA_REFUSES")) return 200;
    *module = strdup(image);
    say("load", "module");
    return 0;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
    int is_text = strncmp(module, "\177ELF", 4) != 0;
    if (is_text && !strstr(module, name)) return 500;
    *function = strdup(name);
    return 0;
}
int cuModuleGetGlobal_v2(void) { return 500; }
int cuLaunchKernel(const char *function) { say("launch", function); return 0; }
