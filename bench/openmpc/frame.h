/* The frame of the programs for CPUs and of their CUDA twins. A program defines, in any of its files,
 *
 *     setup        reads the arguments and gets the host's memory
 *     input        fills the host's arrays
 *     to_device    in the twin: copies them to the device. Elsewhere nothing
 *     compute      the program's work, which may be repeated on what it left
 *     from_device  in the twin: copies the results to the host. Elsewhere nothing
 *     digest       reads all results
 *     check        the error of the results that one `compute` made of the input
 *
 * kernel_ms is a repetition of `compute` with the data where the last one left them, app_ms everything from the arrays that
 * `input` filled to the end of `digest`: what a run of the program costs, but for its start. The twin gets the device's memory in its first `to_device`,
 * and keeps it. It counts its transfers, and prints their number before the result. */
#ifndef FRAME_H
#define FRAME_H

#include "../common/bench.h"

#ifdef __CUDACC__
#define LINKAGE extern "C"
#else
#define LINKAGE
#endif

typedef struct {
    const char *name;
    char size[48];
    int reps;
    double tolerance;
} program_facts;

LINKAGE program_facts setup(int argc, char **argv);
LINKAGE void input(void);
LINKAGE void to_device(void);
LINKAGE void compute(void);
LINKAGE void from_device(void);
LINKAGE double digest(void);
LINKAGE double check(void);

/* A cheap number in [0, 1) for the place i of array number k. */
static inline double noise(unsigned i, unsigned k)
{
    unsigned x = i * 2654435761u ^ k * 0x9E3779B9u;
    x ^= x >> 15;
    x *= 0x2C1B3C6Du;
    x ^= x >> 13;
    return (double)(x & 0xFFFFFF) / 0x1000000;
}

#ifdef __CUDACC__
static int frame_uploads, frame_downloads;

/* Gets the device's memory the first time, and copies. */
template <typename T>
static void put(T *&device, const T *host, size_t count)
{
    if (device == NULL)
        CUDA_CHECK(cudaMalloc(&device, count * sizeof(T)));
    CUDA_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice));
    frame_uploads++;
}

/* Memory that is the device's alone. */
template <typename T>
static void room(T *&device, size_t count)
{
    if (device == NULL)
        CUDA_CHECK(cudaMalloc(&device, count * sizeof(T)));
}

template <typename T>
static void get(T *host, const T *device, size_t count)
{
    CUDA_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
    frame_downloads++;
}
#define FRAME_WAIT() bench_wait()
#define FRAME_COUNTS() printf("MEASURED\tuploads=%d\tdownloads=%d\n", frame_uploads, frame_downloads)
#else
#define FRAME_WAIT() (void)0
#define FRAME_COUNTS() (void)0
#endif

/* One file of a program says FRAME_MAIN before it includes this. */
#ifdef FRAME_MAIN
#ifndef __CUDACC__
void to_device(void) {}
void from_device(void) {}
#endif

int main(int argc, char **argv)
{
    program_facts facts = setup(argc, argv);
    input();
    to_device();
    compute();
    from_device();
    double error = check();

    bench_timer kernel = bench_timer_many(facts.reps);
    input();
    to_device();
    while (bench_round(&kernel)) {
        for (int rep = 0; rep < kernel.reps; rep++)
            compute();
        FRAME_WAIT();
    }
    from_device();

    double sum = digest();
    input();
    double begin = bench_now_ms();
    to_device();
    compute();
    from_device();
    sum += digest();
    double app_ms = bench_now_ms() - begin;
    if (sum != sum)
        error = INFINITY;
    FRAME_COUNTS();
    return bench_report(facts.name, facts.size, &kernel, app_ms, error, facts.tolerance);
}
#endif
#endif
