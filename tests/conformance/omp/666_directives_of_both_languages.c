// A program for one language or the other, of which the command line names OpenMP: where both say something about a statement, OpenMP's
// directive counts. Others of OpenACC are followed.
// expect: launches=3
#include "../check.h"

#define N 50

int main(void)
{
    int a[N], b[N], sum = 0, other = 0, count = 0;
#pragma acc data copyout(a)
#pragma omp target data map(from : a)
    {
#pragma acc parallel loop reduction(+ : count)
#pragma omp target teams distribute parallel for reduction(+ : count) map(tofrom : count)
        for (int i = 0; i < N; i++) {
            a[i] = i;
            count++;
        }
    }
#pragma acc enter data copyin(a)
#pragma omp target enter data map(to : a)
#pragma omp target teams distribute parallel for
#pragma acc parallel loop present(a)
    for (int i = 0; i < N; i++)
        a[i] += i;
#pragma acc update self(a)
#pragma omp target update from(a)
#pragma omp target exit data map(delete : a)
#pragma acc exit data delete (a)
#pragma omp parallel for reduction(+ : sum)
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += a[i];
#pragma omp parallel
    {
#pragma omp single
        b[0] = 1;
    }
#pragma omp barrier
#pragma acc parallel loop reduction(+ : other) copyout(b)
    for (int i = 0; i < N; i++) {
        b[i] = a[i];
        other += a[i];
    }
    check_int("count", 0, count, N);
    check_int("sum", 0, sum, N * (N - 1));
    check_int("other", 0, other, N * (N - 1));
    for (int i = 0; i < N; i++)
        check_int("a", i, b[i], 2 * i);
    return finish();
}
