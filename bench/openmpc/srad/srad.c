/* SRAD for a CPU, as Rodinia has it: in each step the host adds up a window of the image, and threads share two loops. */
#define FRAME_MAIN
#include "srad.h"

void compute(void)
{
    int iter, i, j, k;
    int size_R = (r2 - r1 + 1) * (c2 - c1 + 1);
    float sum, sum2, tmp, meanROI, varROI, q0sqr, Jc, G2, L, num, den, qsqr, cN, cS, cW, cE, D;

    for (iter = 0; iter < niter; iter++) {
        sum = 0;
        sum2 = 0;
        for (i = r1; i <= r2; i++) {
            for (j = c1; j <= c2; j++) {
                tmp = J[i * cols + j];
                sum += tmp;
                sum2 += tmp * tmp;
            }
        }
        meanROI = sum / size_R;
        varROI = (sum2 / size_R) - meanROI * meanROI;
        q0sqr = varROI / (meanROI * meanROI);

#pragma omp parallel for shared(J, dN, dS, dW, dE, c, rows, cols, iN, iS, jW, jE) \
    private(i, j, k, Jc, G2, L, num, den, qsqr)
        for (i = 0; i < rows; i++) {
            for (j = 0; j < cols; j++) {
                k = i * cols + j;
                Jc = J[k];
                dN[k] = J[iN[i] * cols + j] - Jc;
                dS[k] = J[iS[i] * cols + j] - Jc;
                dW[k] = J[i * cols + jW[j]] - Jc;
                dE[k] = J[i * cols + jE[j]] - Jc;
                G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) / (Jc * Jc);
                L = (dN[k] + dS[k] + dW[k] + dE[k]) / Jc;
                num = (0.5f * G2) - ((1.0f / 16.0f) * (L * L));
                den = 1 + (.25f * L);
                qsqr = num / (den * den);
                den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
                c[k] = 1.0f / (1.0f + den);
                if (c[k] < 0) {
                    c[k] = 0;
                } else if (c[k] > 1) {
                    c[k] = 1;
                }
            }
        }
#pragma omp parallel for shared(J, c, rows, cols) private(i, j, k, D, cS, cN, cW, cE)
        for (i = 0; i < rows; i++) {
            for (j = 0; j < cols; j++) {
                k = i * cols + j;
                cN = c[k];
                cS = c[iS[i] * cols + j];
                cW = c[k];
                cE = c[i * cols + jE[j]];
                D = cN * dN[k] + cS * dS[k] + cW * dW[k] + cE * dE[k];
                J[k] = J[k] + 0.25f * lambda * D;
            }
        }
    }
}
