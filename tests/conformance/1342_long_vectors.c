// Vectors of 512 and 1,024 lanes, alone and in nests: NVIDIA's OpenCL runs 256 threads of a kernel whose source does not ask for more.
// expect: launches=4
#include "check.h"

enum { N = 1500, M = 70 };
static float a[N], b[N], c[M][N], sums[M];

int main(void)
{
    float total = 0;
    for (int i = 0; i < N; i++)
        a[i] = i % 13;
#pragma acc data copyin(a) copyout(b, c, sums)
    {
#pragma acc parallel loop vector_length(512)
        for (int i = 0; i < N; i++)
            b[i] = 2 * a[i];
#pragma acc parallel loop collapse(2) vector_length(1024)
        for (int j = 0; j < M; j++)
            for (int i = 0; i < N; i++)
                c[j][i] = a[i] + j;
#pragma acc parallel loop gang vector_length(1024)
        for (int j = 0; j < M; j++) {
            float sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int i = 0; i < N; i++)
                sum += a[i] * j;
            sums[j] = sum;
        }
#pragma acc parallel loop vector_length(1024) reduction(+ : total)
        for (int i = 0; i < N; i++)
            total += a[i];
    }
    float want = 0;
    for (int i = 0; i < N; i++) {
        want += a[i];
        check_near("b", i, b[i], 2 * a[i], 0);
        for (int j = 0; j < M; j++)
            check_near("c", j * N + i, c[j][i], a[i] + j, 0);
    }
    check_near("total", 0, total, want, 1e-6);
    for (int j = 0; j < M; j++)
        check_near("sums", j, sums[j], want * j, 1e-6);
    return finish();
}
