// The only loop of a construct is spread over gangs whatever levels its clauses name, a worker loop without vector loops
// uses all threads of its gang, and gang loops around vector loops without sizes are launches in two dimensions.
// devices: opencl cuda
// expect: launches=7
// expect-stderr: ^launch \S+ kernel .* function=vector_alone line=20 .* grid=[1-9][0-9]
// expect-stderr: ^launch \S+ kernel .* function=worker_alone line=27 .* grid=[1-9][0-9]
// expect-stderr: ^launch \S+ kernel .* function=worker_inside line=35 .* block=32x4
// expect-stderr: ^launch \S+ kernel .* function=gang_vector line=45 .* grid=[0-9]+x[0-9]+ block=64x4
// expect-stderr: ^launch \S+ kernel .* function=gang_vector_sized line=54 .* grid=[0-9]+x[0-9]+ block=32x2
#include "check.h"

#define N 20003
#define R 300
#define C 67

static float a[N], m[R * C];

static void vector_alone(int n, float *a)
{
#pragma acc parallel loop vector copy(a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] += i;
}

static void worker_alone(int n, float *a)
{
#pragma acc kernels copy(a[0 : n])
#pragma acc loop independent worker
    for (int i = n - 1; i >= 0; i -= 2)
        a[i] *= 2;
}

static void worker_inside(int r, int c, float *m)
{
#pragma acc parallel loop gang num_workers(4) copy(m[0 : r * c])
    for (int i = 0; i < r; i++) {
#pragma acc loop worker
        for (int j = 0; j < c; j++)
            m[i * c + j] += j;
    }
}

static void gang_vector(int r, int c, float *m)
{
#pragma acc parallel loop gang copy(m[0 : r * c])
    for (int i = 0; i < r; i++)
#pragma acc loop vector
        for (int j = 0; j < c; j++)
            m[i * c + j] += i;
}

static void gang_vector_sized(int r, int c, float *m)
{
#pragma acc parallel loop gang copy(m[0 : r * c])
    for (int i = 0; i < r; i++)
#pragma acc loop vector(64)
        for (int j = 0; j < c; j++)
            m[i * c + j] += 2 * i;
}

// The lower bound of a vector loop that stays in its gang is the gang loop's variable.
static void triangle(int r, int c, float *m)
{
#pragma acc parallel loop vector copy(m[0 : r * c])
    for (int i = 0; i < c; i++)
        for (int j = i; j < c; j++)
            m[i * c + j] += 1;
}

static int uncounted(int n, float *a)
{
    int found = 0;
#pragma acc parallel loop vector reduction(+ : found) copyin(a[0 : n])
    for (int i = 0; i < n; i++)
        found += a[i] > 1000;
    return found;
}

int main(void)
{
    vector_alone(N, a);
    worker_alone(N, a);
    int many = 0;
    for (int i = 0; i < N; i++) {
        float want = (N - 1 - i) % 2 == 0 ? 2.0f * i : i;
        check_near("a", i, a[i], want, 0);
        many += want > 1000;
    }
    check_int("found", 0, uncounted(N, a), many);
    worker_inside(R, C, m);
    gang_vector(R, C, m);
    gang_vector_sized(R, C, m);
    triangle(R, C, m);
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            check_near("m", i * C + j, m[i * C + j], j + 3 * i + (i < C && j >= i), 0);
    return finish();
}
