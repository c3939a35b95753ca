/* Input, check and report; backprop.c and backprop.cu supply the computation. */
#include "../common/bench.h"

#define RATE 0.3f
#define MOMENTUM 0.5f

/* A layer of a neural network: `in` inputs, `out` units, a row of weights a unit. */
typedef struct {
    const float *input;    /* in */
    const float *weight;   /* out * in */
    const float *momentum; /* out * in: the previous change of the weights */
    const float *target;   /* out */
    float *unit;           /* out: what the layer answers */
    float *adjusted;       /* out * in: the weights after the step */
    float *change;         /* out * in: by how much they changed */
} layer;

/* One step of training: forward through the layer, the error of each unit, and all weights
 * adjusted. The weights it starts from are kept, so that each repetition does the same. */
static void backprop(int in, int out, layer l, bench_timer *t);

/* The worst error over all units, and over the weights of every `stride`th unit. */
static double serial_error(int in, int out, layer l, int stride)
{
    double error = 0.0;
    for (int j = 0; j < out; j++) {
        double sum = 0.0;
        for (int i = 0; i < in; i++)
            sum += (double)l.input[i] * l.weight[(size_t)j * in + i];
        double unit = 1.0 / (1.0 + exp(-sum));
        double delta = unit * (1.0 - unit) * (l.target[j] - unit);
        error = bench_worst(error, l.unit[j], unit, 1.0);
        if (j % stride)
            continue;
        for (int i = 0; i < in; i++) {
            size_t at = (size_t)j * in + i;
            double change = (double)RATE * delta * l.input[i] + (double)MOMENTUM * l.momentum[at];
            error = bench_worst(error, l.change[at], change, 1.0);
            error = bench_worst(error, l.adjusted[at], l.weight[at] + change, 1.0);
        }
    }
    return error;
}

int main(int argc, char **argv)
{
    int in = bench_arg(argc, argv, 1, 16384);
    int out = bench_arg(argc, argv, 2, 64);
    int reps = bench_arg(argc, argv, 3, 5);
    size_t weights = (size_t)in * out;
    float *input = (float *)bench_alloc(in, sizeof *input);
    float *weight = (float *)bench_alloc(weights, sizeof *weight);
    float *momentum = (float *)bench_alloc(weights, sizeof *momentum);
    float *target = (float *)bench_alloc(out, sizeof *target);
    float *unit = (float *)bench_alloc(out, sizeof *unit);
    float *adjusted = (float *)bench_alloc(weights, sizeof *adjusted);
    float *change = (float *)bench_alloc(weights, sizeof *change);
    bench_fill_float(input, in, 1, 0.0, 1.0);
    bench_fill_float(weight, weights, 2, -0.02, 0.02);
    bench_fill_float(momentum, weights, 3, -0.1, 0.1);
    bench_fill_float(target, out, 4, 0.0, 1.0);
    layer l = {input, weight, momentum, target, unit, adjusted, change};

    bench_timer kernel = bench_timer_many(reps);
    backprop(in, out, l, &kernel);
    memset(unit, 0, out * sizeof *unit);
    memset(adjusted, 0, weights * sizeof *adjusted);
    memset(change, 0, weights * sizeof *change);
    bench_timer once = bench_timer_once();
    double begin = bench_now_ms();
    backprop(in, out, l, &once);
    double app_ms = bench_now_ms() - begin;

    double error = serial_error(in, out, l, out <= 100 ? 1 : 7);
    if (out > 100)
        printf("compared all units and the weights of every 7th with the serial result\n");

    char size[48];
    snprintf(size, sizeof size, "%dx%d", in, out);
    int status = bench_report("backprop", size, &kernel, app_ms, error, 1e-5);
    free(input);
    free(weight);
    free(momentum);
    free(target);
    free(unit);
    free(adjusted);
    free(change);
    return status;
}
