/* Diffusion in OpenACC: a reduction of the image that the host turns into one scalar, then two
 * kernels, gangs over rows and vector lanes over columns. */
#include "srad.h"

static void srad(int n, int steps, const float *restrict start, float *restrict image,
                 bench_timer *t)
{
    const size_t cells = (size_t)n * n;
    float *restrict north = bench_alloc(cells, sizeof *north);
    float *restrict south = bench_alloc(cells, sizeof *south);
    float *restrict west = bench_alloc(cells, sizeof *west);
    float *restrict east = bench_alloc(cells, sizeof *east);
    float *restrict coefficient = bench_alloc(cells, sizeof *coefficient);
#pragma acc data copyin(start[:cells]) copyout(image[:cells]) \
    create(north[:cells], south[:cells], west[:cells], east[:cells], coefficient[:cells])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
#pragma acc parallel loop async(1)
#pragma omp parallel for
            for (size_t i = 0; i < cells; i++)
                image[i] = start[i];
            for (int step = 0; step < steps; step++) {
                double sum = 0.0, squares = 0.0;
#pragma acc parallel loop reduction(+ : sum, squares) async(1)
#pragma omp parallel for reduction(+ : sum, squares)
                for (size_t i = 0; i < cells; i++) {
                    sum += image[i];
                    squares += (double)image[i] * image[i];
                }
#pragma acc wait(1)
                double mean = sum / cells, variance = squares / cells - mean * mean;
                float speckle = (float)(variance / (mean * mean));

#pragma acc parallel loop gang async(1)
#pragma omp parallel for
                for (int i = 0; i < n; i++) {
#pragma acc loop vector
                    for (int j = 0; j < n; j++) {
                        int at = i * n + j;
                        float here = image[at];
                        float up = (i > 0 ? image[at - n] : here) - here;
                        float down = (i < n - 1 ? image[at + n] : here) - here;
                        float left = (j > 0 ? image[at - 1] : here) - here;
                        float right = (j < n - 1 ? image[at + 1] : here) - here;
                        float c;
                        DIFFUSION(c, here, up, down, left, right, speckle);
                        north[at] = up;
                        south[at] = down;
                        west[at] = left;
                        east[at] = right;
                        coefficient[at] = c;
                    }
                }
#pragma acc parallel loop gang async(1)
#pragma omp parallel for
                for (int i = 0; i < n; i++) {
#pragma acc loop vector
                    for (int j = 0; j < n; j++) {
                        int at = i * n + j;
                        float here = coefficient[at];
                        float below = i < n - 1 ? coefficient[at + n] : here;
                        float beside = j < n - 1 ? coefficient[at + 1] : here;
                        image[at] += 0.25f * LAMBDA * (here * north[at] + below * south[at] +
                                                       here * west[at] + beside * east[at]);
                    }
                }
            }
        }
#pragma acc wait
    }
    free(north);
    free(south);
    free(west);
    free(east);
    free(coefficient);
}
