// Structures with pointers that no clause names: their pointers are followed, and what kernels write beside them comes home. A
// clause for what a pointer leads to comes first.
// flags: -gpu=autodata
// devices: cpu cuda opencl
// expect: launches=8
#include "check.h"
#include <stdlib.h>

#define N 70
#define M 2000

typedef struct {
    float *u, *v;
    int n, steps;
} patch;

static patch fixed[N];

#pragma acc routine seq
static float both(patch p, int j) { return p.u[j] + p.v[j]; }

int main(void)
{
    patch *p = malloc(N * sizeof *p);
    for (int i = 0; i < N; i++) {
        p[i] = (patch){malloc(M * sizeof(float)), malloc(M * sizeof(float)), M - i, 0};
        fixed[N - 1 - i] = p[i];
        for (int j = 0; j < M; j++)
            p[i].u[j] = i + j % 5, p[i].v[j] = 1;
    }
    for (int step = 0; step < 4; step++) {
#pragma acc parallel loop gang
        for (int i = 0; i < N; i++) {
#pragma acc loop vector
            for (int j = 0; j < p[i].n; j++)
                p[i].v[j] += p[i].u[j];
            p[i].steps++;
        }
    }
    float sums[N];
#pragma acc parallel loop copyout(sums)
    for (int i = 0; i < N; i++) {
        float sum = 0;
#pragma acc loop reduction(+ : sum)
        for (int j = 0; j < fixed[i].n; j++)
            sum += both(fixed[i], j);
        sums[i] = sum;
    }
#pragma acc kernels
    for (int i = 0; i < N; i++)
        p[i].u[3] = p[i].n;
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int j = 0; j < M - i; j++)
            sum += 5 * (i + j % 5) + 1;
        check_near("sum", i, sums[N - 1 - i], sum, 1e-5);
        check_int("steps", i, p[i].steps, 4);
        check_near("u", i, p[i].u[3], M - i, 0);
        check_near("v", i, p[i].v[3], 4 * (i + 3) + 1, 0);
    }
    float *u = p[5].u;
#pragma acc data copy(u[0:M])
    {
#pragma acc parallel loop
        for (int j = 0; j < M; j++)
            u[j] = j;
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            p[i].v[7] = p[i].u[7];
    }
    check_near("clause", 5, p[5].v[7], 7, 0);
    check_near("clause", 6, p[6].v[7], 6 + 7 % 5, 0);
    return finish();
}
