// Tasks made on a device are run where they are made (OpenMP 5.2 §12.5); a construct that asks to be cancelled goes on.
// expect: launches=4
#include "../check.h"

#define N 100

int sum_of_tasks(int n)
{
    int x, y;
#pragma omp task shared(x) firstprivate(n)
    {
        n += 100;
        x = n;
    }
#pragma omp task shared(y) if (0)
    y = n;
#pragma omp taskwait
    return x + y;
}
#pragma omp declare target(sum_of_tasks)

int main(void)
{
    int a[N], sum = 0, result = 0, copy = 4, flag = 0;
#pragma omp target map(from: a) map(tofrom: sum, copy)
    {
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskloop grainsize(4)
            for (int i = 0; i < N; i++)
                a[i] = i;
#pragma omp taskgroup task_reduction(+ : sum)
            {
#pragma omp task depend(out: sum) priority(1) in_reduction(+ : sum)
                sum += 1;
#pragma omp task depend(in: sum) untied in_reduction(+ : sum)
                sum += 2;
#pragma omp taskyield
            }
#pragma omp task firstprivate(copy)
            copy = 9;
        }
    }
    for (int i = 0; i < N; i++)
        check_int("taskloop", i, a[i], i);
    check_int("tasks", 0, sum, 3);
    check_int("a task's copy", 0, copy, 4);

#pragma omp target parallel map(from: a)
#pragma omp masked taskloop simd
    for (int i = 0; i < N; i++)
        a[i] = 2 * i;
    for (int i = 0; i < N; i++)
        check_int("masked taskloop", i, a[i], 2 * i);

#pragma omp target map(from: result)
    result = sum_of_tasks(12);
    check_int("tasks of a function", 0, result, 124);

#pragma omp target parallel for map(tofrom: flag)
    for (int i = 0; i < N; i++) {
        if (i == 50) {
#pragma omp atomic write
            flag = 1;
#pragma omp cancel for
        }
#pragma omp cancellation point for
    }
    check_int("cancel", 0, flag, 1);
    return finish();
}
