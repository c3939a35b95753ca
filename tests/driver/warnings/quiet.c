#include <openacc.h>
#include <stdio.h>
#define N 64
typedef struct { float *p; int n; } s_t;
#pragma acc routine seq
static float twice(float x) { return 2 * x; }
float a[N];
#pragma acc declare create(a)
int main(void)
{
    int i, s = 0;
    float *b, f = 0; float local[N];
    s_t st;
    b = local; st.p = local; st.n = N;
    for (i = 0; i < N; i++) b[i] = (float)i;
#pragma acc data copy(b[0:N])
    {
#pragma acc parallel loop reduction(+:f) firstprivate(s)
    for (i = 0; i < N; i++) { b[i] = twice(b[i]); f += b[i]; }
#pragma acc kernels
    for (i = 0; i < N; i++) b[i] = b[i] + 1;
#pragma acc update self(b[0:N])
    if (acc_get_num_devices(acc_device_host) > 0) {
#pragma acc parallel loop async(1)
    for (i = 0; i < N; i++) a[i] = b[i];
#pragma acc wait(1)
    }
    }
#pragma acc update self(a)
#pragma acc parallel loop copyin(st, st.p[0:N]) reduction(+:s)
    for (i = 0; i < N; i++) s += (int) st.p[i];
#pragma acc host_data use_device(a)
    { f += (float)(a == b); }
    printf("%d %g %g\n", s, (double)f, (double)a[3]);
    return 0;
}
