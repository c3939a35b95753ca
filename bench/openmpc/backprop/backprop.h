/* What the files of BACKPROP share: a network of three layers (after Rodinia). */
#include "../frame.h"

#define ETA 0.3f
#define MOMENTUM 0.3f

typedef struct {
    int input_n, hidden_n, output_n;
    float *input_units, *hidden_units, *output_units;
    float *hidden_delta, *output_delta, *target;
    float **input_weights, **hidden_weights;
    float **input_prev_weights, **hidden_prev_weights;
} BPNN;

#ifdef __cplusplus
extern "C" {
#endif
extern BPNN *net;
void bpnn_train(BPNN *net, float *eo, float *eh);
#ifdef __cplusplus
}
#endif
