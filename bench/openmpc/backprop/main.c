/* BACKPROP for a CPU: input and main. */
#define FRAME_MAIN
#include "backprop.h"
#include "input.h"

void compute(void)
{
    float eo, eh;
    bpnn_train(net, &eo, &eh);
}
