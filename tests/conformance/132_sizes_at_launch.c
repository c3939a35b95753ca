// num_gangs, num_workers and vector_length that only the run tells. Workers with arrays and reductions of their own;
// more workers than the device has, none of a sensible size; sizes on loops.
// expect: launches=22 uploads=15 downloads=16
#include "check.h"

#define N 61
#define M 75

static double a[N][M];

static void rows(int gangs, int workers, int lanes, double *sums)
{
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(lanes) copyin(a) copyout(sums[0:N])
#pragma acc loop gang worker
    for (int i = 0; i < N; i++) {
        double scaled[M], sum = 0;
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            scaled[j] = a[i][j] * 2;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < M; j++)
            sum += scaled[M - 1 - j];
        sums[i] = sum;
    }
}

static void gangs_of_workers(int workers, int *count)
{
#pragma acc parallel loop gang num_workers(workers) copyout(count[0:N])
    for (int i = 0; i < N; i++) {
        int found = 0;
#pragma acc loop worker reduction(+ : found)
        for (int j = 0; j < M; j++) {
            int inner = 0;
#pragma acc loop vector reduction(+ : inner)
            for (int k = 0; k < j; k++)
                inner += (i + k) % 2;
            found += inner;
        }
        count[i] = found;
    }
}

static void plane(int lanes)
{
#pragma acc parallel loop gang vector vector_length(lanes) collapse(2) copy(a)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] += 1;
}

static double total(int gangs, int lanes)
{
    double sum = 0;
#pragma acc parallel loop num_gangs(gangs) vector_length(lanes) reduction(+ : sum) copyin(a)
    for (int i = 0; i < N; i++)
        sum += a[i][i];
    return sum;
}

int main(void)
{
    double sums[N];
    int count[N], sizes[] = {1, 2, 7, 32, 100};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = i + 0.5 * j;
    for (int s = 0; s < 5; s++) {
        rows(sizes[s] + 1, sizes[s], 32 * s, sums);
        for (int i = 0; i < N; i++) {
            double want = 0;
            for (int j = 0; j < M; j++)
                want += 2 * (i + 0.5 * j);
            check_near("sums", i, sums[i], want, 1e-12);
        }
    }
    for (int s = 0; s < 5; s++) {
        gangs_of_workers(sizes[s], count);
        for (int i = 0; i < N; i++) {
            int want = 0;
            for (int j = 0; j < M; j++)
                for (int k = 0; k < j; k++)
                    want += (i + k) % 2;
            check_int("count", i, count[i], want);
        }
    }
    for (int s = 0; s < 5; s++)
        plane(sizes[s] * 16);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_near("a", i * M + j, a[i][j], i + 0.5 * j + 5, 1e-12);
    double want = 0;
    for (int i = 0; i < N; i++)
        want += a[i][i];
    for (int s = 0; s < 4; s++)
        check_near("total", s, total(sizes[s], sizes[s] * 32), want, 1e-12);
    int most = 6;
#pragma acc kernels copy(a)
    {
#pragma acc loop independent gang(most) worker(most / 2)
        for (int i = 0; i < N; i++) {
#pragma acc loop independent vector(most * 8)
            for (int j = 0; j < M; j++)
                a[i][j] = -a[i][j];
        }
#pragma acc loop independent gang(most) vector(most * 20)
        for (int i = 0; i < N; i++)
            a[i][0] = 0;
        for (int i = 1; i < N; i++)
            a[i][0] = a[i - 1][0] + 1;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            check_near("kernels", i * M + j, a[i][j], j == 0 ? i : -(i + 0.5 * j + 5), 1e-12);
    return finish();
}
