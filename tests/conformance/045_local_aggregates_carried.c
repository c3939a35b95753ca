// Structures and arrays declared in an outer loop of a kernels construct, and carried from iteration to iteration of an
// inner one: the inner loop runs in order, or is a reduction; what one iteration uses alone does not stand in the way.
// expect: launches=10
#include "check.h"

#define N 37
#define M 64

typedef struct { double x, y; } pair;
typedef struct { pair p; double t[3]; } nested;
typedef union { double d; float f[2]; } either;

static double a[N][M], out[10][N], want[10][N], row[N][M];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i * 7 + j * 3) % 11;

    for (int v = 0; v < 2; v++) {
        double(*o)[N] = v ? out : want;
        if (v) {
#pragma acc kernels copyin(a) copyout(out[0:1])
            for (int i = 0; i < N; i++) {
                pair m;
                m.x = 0;
                for (int j = 0; j < M; j++)
                    m.x = 0.5 * m.x + a[i][j];
                out[0][i] = m.x;
            }
#pragma acc kernels copyin(a) copyout(out[1:1])
            for (int i = 0; i < N; i++) {
                double t[2];
                t[0] = 0;
                for (int j = 0; j < M; j++)
                    t[0] += a[i][j];
                out[1][i] = t[0];
            }
#pragma acc kernels copyin(a) copyout(out[2:1])
            for (int i = 0; i < N; i++) {
                nested s;
                s.p.x = 1;
                s.t[1] = 2;
                for (int j = 0; j < M; j++) {
                    s.p.x = a[i][j] - 0.25 * s.p.x;
                    s.t[1] = s.p.x + 0.5 * s.t[1];
                }
                out[2][i] = s.p.x + s.t[1];
            }
#pragma acc kernels copyin(a) copyout(out[3:1])
            for (int i = 0; i < N; i++) {
                double t[2][2];
                t[0][1] = 0;
                for (int j = 0; j < M; j++)
                    t[0][1] = a[i][j] - 0.5 * t[0][1];
                out[3][i] = t[0][1];
            }
#pragma acc kernels copyin(a) copyout(out[4:1])
            for (int i = 0; i < N; i++) {
                double t[M];
                t[0] = a[i][0];
                for (int j = 1; j < M; j++)
                    t[j] = a[i][j] - 0.5 * t[j - 1];
                out[4][i] = t[M - 1];
            }
#pragma acc kernels copyin(a) copyout(out[5:1])
            for (int i = 0; i < N; i++) {
                pair m = {0, 0};
                pair *p = &m;
                for (int j = 0; j < M; j++)
                    p->y = 0.5 * p->y + a[i][j];
                out[5][i] = m.y;
            }
#pragma acc kernels copyin(a) copyout(out[6:1])
            for (int i = 0; i < N; i++) {
                either e;
                e.d = 0;
                for (int j = 0; j < M; j++)
                    e.d = 0.5 * e.d + a[i][j];
                out[6][i] = e.d;
            }
#pragma acc kernels copyin(a) copyout(out[7:1])
            for (int i = 0; i < N; i++) {
                pair last;
                last.x = 0;
                for (int j = 0; j < M; j++) {
                    pair now;
                    now.x = a[i][j] + last.x * 0.5;
                    last = now;
                }
                out[7][i] = last.x;
            }
#pragma acc parallel loop gang copyin(a) copyout(out[8:1])
            for (int i = 0; i < N; i++) {
                double t[3];
                t[2] = 0;
#pragma acc loop auto
                for (int j = 0; j < M; j++)
                    t[2] = 0.5 * t[2] + a[i][j];
                out[8][i] = t[2];
            }
            // Nothing is carried here.
#pragma acc kernels copyin(a) copyout(out[9:1], row)
            for (int i = 0; i < N; i++) {
                double t[M];
                for (int j = 0; j < M; j++)
                    t[j] = 2 * a[i][j];
                for (int j = 0; j < M; j++) {
                    pair m;
                    m.x = t[M - 1 - j];
                    row[i][j] = m.x;
                }
                out[9][i] = t[i];
            }
        } else {
            for (int i = 0; i < N; i++) {
                double m = 0, t = 0, x = 1, y = 2, d = 0, c = a[i][0], h = 0;
                for (int j = 0; j < M; j++) {
                    m = 0.5 * m + a[i][j];
                    t += a[i][j];
                    x = a[i][j] - 0.25 * x;
                    y = x + 0.5 * y;
                    d = a[i][j] - 0.5 * d;
                    c = j ? a[i][j] - 0.5 * c : c;
                    h = a[i][j] + h * 0.5;
                }
                o[0][i] = o[5][i] = o[6][i] = o[8][i] = m;
                o[1][i] = t;
                o[2][i] = x + y;
                o[3][i] = d;
                o[4][i] = c;
                o[7][i] = h;
                o[9][i] = 2 * a[i][i];
            }
        }
    }
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < N; i++)
            check_near("out", k * 100 + i, out[k][i], want[k][i], 1e-12);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_near("row", i * M + j, row[i][j], 2 * a[i][M - 1 - j], 0);
    return finish();
}
