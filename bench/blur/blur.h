/* Input, check and report; blur.c and blur.cu supply the computation. */
#include "../common/bench.h"

#define REACH 3
#define SIDE (2 * REACH + 1)

/* Each pixel of `b` the weighted sum of the SIDE by SIDE pixels around it in `a`, images of n by n, t->reps times a round;
 * the outermost REACH rows and columns of `b` stay as they are. */
static void blur(int n, const float *a, const float *weights, float *b, bench_timer *t);

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 1024);
    int reps = bench_arg(argc, argv, 2, 10);
    size_t count = (size_t)n * n;
    float weights[SIDE * SIDE];
    float *a = (float *)bench_alloc(count, sizeof *a);
    float *b = (float *)bench_alloc(count, sizeof *b);
    bench_fill_float(a, count, 1, 0.0, 1.0);
    bench_fill_float(weights, SIDE * SIDE, 2, 0.0, 1.0 / (SIDE * SIDE));
    memset(b, 0, count * sizeof *b);

    bench_timer kernel = bench_timer_many(reps);
    blur(n, a, weights, b, &kernel);
    memset(b, 0, count * sizeof *b);
    bench_timer once = bench_timer_once();
    double start = bench_now_ms();
    blur(n, a, weights, b, &once);
    double app_ms = bench_now_ms() - start;

    double error = 0.0;
    for (int i = REACH; i < n - REACH; i++)
        for (int j = REACH; j < n - REACH; j++) {
            float sum = 0.0f;
            for (int y = -REACH; y <= REACH; y++)
                for (int x = -REACH; x <= REACH; x++)
                    sum += weights[(y + REACH) * SIDE + x + REACH] * a[(size_t)(i + y) * n + j + x];
            error = bench_worst(error, b[(size_t)i * n + j], sum, 1.0);
        }

    char size[32];
    snprintf(size, sizeof size, "%dx%d", n, n);
    int status = bench_report("blur", size, &kernel, app_ms, error, 1e-5);
    free(a);
    free(b);
    return status;
}
