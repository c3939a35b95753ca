/* NVRTC for tests: code is the source itself. Compiling takes FAKE_NVRTC_MS milliseconds; what is begun and done is
 * written to FAKE_CUDA_LOG, with the kernels' names. The runtime's first compilation, which only has NVRTC made ready, takes no
 * time and is not written. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct program {
    char *source;
};

/* The names that follow "void " in the source, which only kernels' do here. */
static void say(const char *what, const char *source) {
    char line[4096] = "";
    for (const char *at = source; (at = strstr(at, "void ")); at++) {
        size_t length = strcspn(at + 5, "(");
        strcat(line, " ");
        strncat(line, at + 5, length);
    }
    FILE *log = fopen(getenv("FAKE_CUDA_LOG"), "a");
    fprintf(log, "%s%s\n", what, line);
    fclose(log);
}

int nvrtcCreateProgram(struct program **made, const char *source) {
    *made = calloc(1, sizeof **made);
    (*made)->source = strdup(source);
    return 0;
}
int nvrtcDestroyProgram(struct program **program) { free((*program)->source); free(*program); return 0; }
int nvrtcCompileProgram(struct program *program) {
    if (strstr(program->source, "void first(")) return 0;
    say("begin", program->source);
    for (int ms = atoi(getenv("FAKE_NVRTC_MS")); ms > 0; ms--) {
        struct timespec one = {0, 1000000};
        nanosleep(&one, NULL);
    }
    say("done", program->source);
    return strstr(program->source, "wrong") ? 6 : 0;
}
const char *nvrtcGetErrorString(int code) { (void)code; return "an error of the compiler for tests"; }
int nvrtcGetPTXSize(struct program *program, size_t *size) { *size = strlen(program->source) + 1; return 0; }
int nvrtcGetPTX(struct program *program, char *code) { strcpy(code, program->source); return 0; }
int nvrtcGetCUBINSize(struct program *program, size_t *size) { return nvrtcGetPTXSize(program, size); }
int nvrtcGetCUBIN(struct program *program, char *code) { return nvrtcGetPTX(program, code); }
int nvrtcGetProgramLogSize(struct program *program, size_t *size) { (void)program; *size = 1; return 0; }
int nvrtcGetProgramLog(struct program *program, char *log) { (void)program; *log = 0; return 0; }
