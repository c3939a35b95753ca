/* Input, check and report; srad.c and srad.cu supply the computation. */
#include "../common/bench.h"

/* How much of the diffusion a step applies. */
#define LAMBDA 0.5f

/* Speckle-reducing anisotropic diffusion of an n by n image, `steps` steps from `start`. Each step
 * takes mean and variance of the whole image, from these and the four gradients of a pixel a
 * diffusion coefficient, and from the coefficients of three pixels the new value. One repetition is
 * all the steps. */
static void srad(int n, int steps, const float *start, float *image, bench_timer *t);

/* The diffusion coefficient, in 0 .. 1, where the differences to the neighbours are known. */
#define DIFFUSION(result, here, north, south, west, east, speckle)                                \
    do {                                                                                         \
        float gradient_ = (north * north + south * south + west * west + east * east) /          \
                          (here * here);                                                         \
        float laplacian_ = (north + south + west + east) / here;                                 \
        float denominator_ = 1.0f + 0.25f * laplacian_;                                          \
        float q_ = (0.5f * gradient_ - 0.0625f * laplacian_ * laplacian_) /                      \
                   (denominator_ * denominator_);                                                \
        result = 1.0f / (1.0f + (q_ - speckle) / (speckle * (1.0f + speckle)));                  \
        result = fminf(fmaxf(result, 0.0f), 1.0f);                                               \
    } while (0)

typedef struct {
    float *north, *south, *west, *east, *coefficient;
} fields;

static void serial_step(int n, float *image, fields f)
{
    double sum = 0.0, squares = 0.0, cells = (double)n * n;
    for (size_t i = 0; i < (size_t)n * n; i++) {
        sum += image[i];
        squares += (double)image[i] * image[i];
    }
    double mean = sum / cells, variance = squares / cells - mean * mean;
    float speckle = (float)(variance / (mean * mean));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            size_t at = (size_t)i * n + j;
            float here = image[at];
            float north = (i > 0 ? image[at - n] : here) - here;
            float south = (i < n - 1 ? image[at + n] : here) - here;
            float west = (j > 0 ? image[at - 1] : here) - here;
            float east = (j < n - 1 ? image[at + 1] : here) - here;
            DIFFUSION(f.coefficient[at], here, north, south, west, east, speckle);
            f.north[at] = north;
            f.south[at] = south;
            f.west[at] = west;
            f.east[at] = east;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            size_t at = (size_t)i * n + j;
            float here = f.coefficient[at];
            float south = i < n - 1 ? f.coefficient[at + n] : here;
            float east = j < n - 1 ? f.coefficient[at + 1] : here;
            image[at] += 0.25f * LAMBDA * (here * f.north[at] + south * f.south[at] +
                                           here * f.west[at] + east * f.east[at]);
        }
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 512);
    int steps = bench_arg(argc, argv, 2, 20);
    int reps = bench_arg(argc, argv, 3, 1);
    size_t cells = (size_t)n * n;
    float *start = (float *)bench_alloc(cells, sizeof *start);
    float *image = (float *)bench_alloc(cells, sizeof *image);
    uint64_t seed = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double shape = 1.5 + ((i / 37 + j / 53) % 2);
            start[(size_t)i * n + j] = (float)(shape * bench_uniform(&seed, 0.7, 1.3));
        }

    bench_timer kernel = bench_timer_many(reps);
    srad(n, steps, start, image, &kernel);
    memset(image, 0, cells * sizeof *image);
    bench_timer once = bench_timer_once();
    double begin = bench_now_ms();
    srad(n, steps, start, image, &once);
    double app_ms = bench_now_ms() - begin;

    float *memory = (float *)bench_alloc(5 * cells, sizeof *memory);
    fields f = {memory, memory + cells, memory + 2 * cells, memory + 3 * cells, memory + 4 * cells};
    for (int step = 0; step < steps; step++)
        serial_step(n, start, f);
    double error = 0.0;
    for (size_t i = 0; i < cells; i++)
        error = bench_worst(error, image[i], start[i], 1.0);

    char size[48];
    snprintf(size, sizeof size, "%dx%dx%d", n, n, steps);
    int status = bench_report("srad", size, &kernel, app_ms, error, 1e-4);
    free(start);
    free(image);
    free(memory);
    return status;
}
