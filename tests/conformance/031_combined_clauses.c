// A combined construct takes the clauses of both: of the compute construct and of the loop.
// expect: launches=2 uploads>=2 downloads>=2
#include "check.h"

#define N 40
#define M 30

int main(void)
{
    static double a[N][M], b[N][M];
    double largest = -1.0, t = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i * 31 + j * 17) % 101;
#pragma acc parallel loop collapse(2) gang vector vector_length(64) if(N > 10) \
    copyin(a) copyout(b) private(t) reduction(max : largest)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            t = a[i][j] + 1.0;
            b[i][j] = t;
            if (t > largest)
                largest = t;
        }
    double want = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            check_near("b", i * M + j, b[i][j], a[i][j] + 1.0, 0.0);
            want = fmax(want, a[i][j] + 1.0);
        }
    check_near("largest", 0, largest, want, 0.0);

#pragma acc kernels loop collapse(2) independent copyin(a) copyout(b) private(t)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            t = 2.0 * a[i][j];
            b[i][j] = t;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_near("b", i * M + j, b[i][j], 2.0 * a[i][j], 0.0);
    return finish();
}
