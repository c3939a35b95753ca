// `in_reduction`: target constructs take part in the reduction of a task group on the host.
// expect: launches=6
#include "../check.h"

#define N 100

int main(void)
{
    int sum = 5, count[3] = {1, 2, 3}, max = 4;
    double product = 2;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum, count) task_reduction(* : product)
        {
            for (int t = 0; t < 4; t++) {
#pragma omp task in_reduction(+ : sum, count) firstprivate(t)
                {
                    sum += 1000 * t;
                    count[1]++;
                }
#pragma omp target in_reduction(+ : sum, count) thread_limit(max) firstprivate(t)
                for (int i = 0; i < N; i++) {
                    sum += i + t;
                    count[i % 3]++;
                }
            }
#pragma omp target teams distribute parallel for reduction(* : product) in_reduction(* : product) map(tofrom : product)
            for (int i = 1; i <= 4; i++)
                product *= i;
        }
    }
    check_int("sum", 0, sum, 5 + 6000 + 4 * (N * (N - 1) / 2) + 6 * N);
    check_int("count", 0, count[0], 1 + 4 * 34);
    check_int("count", 1, count[1], 2 + 4 + 4 * 33);
    check_int("count", 2, count[2], 3 + 4 * 33);
    check_near("product", 0, product, 48, 0);

    int ordered = 1, total = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total)
    {
#pragma omp task depend(out : ordered) shared(ordered)
        ordered = 7;
#pragma omp target nowait depend(in : ordered) in_reduction(+ : total) map(to : ordered)
        total += ordered;
    }
    check_int("total", 0, total, 7);
    return finish();
}
