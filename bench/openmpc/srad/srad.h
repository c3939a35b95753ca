/* Input and check of SRAD: speckle-reducing anisotropic diffusion (after Rodinia's second version). */
#include "../frame.h"

static float *J, *dN, *dS, *dW, *dE, *c;
static int *iN, *iS, *jE, *jW;
static int rows, cols, niter;
static const int r1 = 0, r2 = 127, c1 = 0, c2 = 127;
static const float lambda = 0.5f;

LINKAGE program_facts setup(int argc, char **argv)
{
    program_facts facts = {"openmpc_srad", "", bench_arg(argc, argv, 3, 1), 1e-3};
    size_t size;
    rows = cols = bench_arg(argc, argv, 1, 256);
    niter = bench_arg(argc, argv, 2, 10);
    if (rows < 128)
        exit(2);
    size = (size_t)rows * cols;
    J = (float *)bench_alloc(size, sizeof(float));
    dN = (float *)bench_alloc(size, sizeof(float));
    dS = (float *)bench_alloc(size, sizeof(float));
    dW = (float *)bench_alloc(size, sizeof(float));
    dE = (float *)bench_alloc(size, sizeof(float));
    c = (float *)bench_alloc(size, sizeof(float));
    iN = (int *)bench_alloc(rows, sizeof(int));
    iS = (int *)bench_alloc(rows, sizeof(int));
    jW = (int *)bench_alloc(cols, sizeof(int));
    jE = (int *)bench_alloc(cols, sizeof(int));
    for (int i = 0; i < rows; i++) {
        iN[i] = i > 0 ? i - 1 : 0;
        iS[i] = i < rows - 1 ? i + 1 : rows - 1;
    }
    for (int j = 0; j < cols; j++) {
        jW[j] = j > 0 ? j - 1 : 0;
        jE[j] = j < cols - 1 ? j + 1 : cols - 1;
    }
    snprintf(facts.size, sizeof facts.size, "%dx%dx%d", rows, cols, niter);
    return facts;
}

LINKAGE void input(void)
{
    for (int k = 0; k < rows * cols; k++)
        J[k] = 1.0f + 0.5f * (float)noise(k, 1) + (float)(k / 37 % 2);
}

LINKAGE double digest(void)
{
    double sum = 0;
    for (int k = 0; k < rows * cols; k++)
        sum += J[k];
    return sum;
}

static float q0sqr_of(const float *image)
{
    float sum = 0, sum2 = 0, tmp, mean, var;
    int size = (r2 - r1 + 1) * (c2 - c1 + 1);
    for (int i = r1; i <= r2; i++) {
        for (int j = c1; j <= c2; j++) {
            tmp = image[i * cols + j];
            sum += tmp;
            sum2 += tmp * tmp;
        }
    }
    mean = sum / size;
    var = (sum2 / size) - mean * mean;
    return var / (mean * mean);
}

#ifdef __CUDACC__
__host__ __device__
#endif
static inline float coefficient(float here, float n, float s, float w, float e, float q0sqr)
{
    float G2 = (n * n + s * s + w * w + e * e) / (here * here), L = (n + s + w + e) / here;
    float num = (0.5f * G2) - ((1.0f / 16.0f) * (L * L)), den = 1 + (.25f * L);
    float qsqr = num / (den * den), value;
    den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    value = 1.0f / (1.0f + den);
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

LINKAGE double check(void)
{
    double error = 0;
    size_t size = (size_t)rows * cols;
    float *got = (float *)bench_alloc(size, sizeof *got);
    memcpy(got, J, size * sizeof *got);
    input();
    for (int step = 0; step < niter; step++) {
        float q0sqr = q0sqr_of(J);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                int k = i * cols + j;
                dN[k] = J[iN[i] * cols + j] - J[k];
                dS[k] = J[iS[i] * cols + j] - J[k];
                dW[k] = J[i * cols + jW[j]] - J[k];
                dE[k] = J[i * cols + jE[j]] - J[k];
                c[k] = coefficient(J[k], dN[k], dS[k], dW[k], dE[k], q0sqr);
            }
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                int k = i * cols + j;
                float D = c[k] * dN[k] + c[iS[i] * cols + j] * dS[k] + c[k] * dW[k] + c[i * cols + jE[j]] * dE[k];
                J[k] = J[k] + 0.25f * lambda * D;
            }
    }
    for (size_t k = 0; k < size; k++)
        error = bench_worst(error, got[k], J[k], 1.0);
    free(got);
    return error;
}
