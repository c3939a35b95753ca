/* A training step in OpenACC: a gang a unit with its sum over the lanes, then all weights. */
#include "backprop.h"

static void forward(int in, int out, const float *restrict input, const float *restrict weight,
                    float *restrict unit)
{
#pragma acc parallel loop gang present(input[:in], weight[:in * out], unit[:out]) async(1)
#pragma omp parallel for
    for (int j = 0; j < out; j++) {
        float sum = 0.0f;
#pragma acc loop vector reduction(+ : sum)
        for (int i = 0; i < in; i++)
            sum += input[i] * weight[j * in + i];
        unit[j] = 1.0f / (1.0f + expf(-sum));
    }
}

static void errors(int out, const float *restrict target, const float *restrict unit,
                   float *restrict delta)
{
#pragma acc parallel loop present(target[:out], unit[:out], delta[:out]) async(1)
#pragma omp parallel for
    for (int j = 0; j < out; j++)
        delta[j] = unit[j] * (1.0f - unit[j]) * (target[j] - unit[j]);
}

static void adjust(int in, int out, const float *restrict input, const float *restrict delta,
                   const float *restrict weight, const float *restrict momentum,
                   float *restrict adjusted, float *restrict change)
{
#pragma acc parallel loop collapse(2) present(input[:in], delta[:out], weight[:in * out]) \
    present(momentum[:in * out], adjusted[:in * out], change[:in * out]) async(1)
#pragma omp parallel for collapse(2)
    for (int j = 0; j < out; j++) {
        for (int i = 0; i < in; i++) {
            int at = j * in + i;
            float by = RATE * delta[j] * input[i] + MOMENTUM * momentum[at];
            change[at] = by;
            adjusted[at] = weight[at] + by;
        }
    }
}

static void backprop(int in, int out, layer l, bench_timer *t)
{
    const int weights = in * out;
    const float *input = l.input, *weight = l.weight, *momentum = l.momentum, *target = l.target;
    float *unit = l.unit, *adjusted = l.adjusted, *change = l.change;
    float *delta = bench_alloc(out, sizeof *delta);
#pragma acc data copyin(input[:in], weight[:weights], momentum[:weights], target[:out]) \
    copyout(unit[:out], adjusted[:weights], change[:weights]) create(delta[:out])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            forward(in, out, input, weight, unit);
            errors(out, target, unit, delta);
            adjust(in, out, input, delta, weight, momentum, adjusted, change);
        }
#pragma acc wait
    }
    free(delta);
}
