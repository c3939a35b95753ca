// A structure and what its pointer leads to, where the host runs some constructs: each side follows its own pointer, and the
// device's is still attached afterwards. A pointer that such a construct changes is its own.
// needs: separate
// expect: launches=2
#include "../check.h"

#define N 64

struct list
{
    int count;
    double *elements;
    double sum;
};

static double half(double x) { return x / 2; }

int main(void)
{
    static double elements[N];
    double (*volatile of_one)(double) = half;
    struct list list = {N, elements, 0};
    for (int i = 0; i < N; i++)
        elements[i] = i;
#pragma omp target data map(tofrom: list, list.elements[0:N])
    {
        for (int i = 0; i < N; i++)
            elements[i] = -1;
        list.count = 3;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            list.elements[i] += 1;
        /* The host's version. */
#pragma omp target
        for (int i = 0; i < list.count; i++)
            list.elements[i] = of_one(list.elements[i]);
        check_int("count", 0, list.count, 3);
        check_true("pointer", list.elements == elements);
#pragma omp target
        {
            list.sum = 0;
            for (int i = 0; i < list.count; i++)
                list.sum += list.elements[i];
            list.count++;
        }
    }
    check_int("count", 1, list.count, N + 1);
    check_near("sum", 0, list.sum, (N + 1) * N / 4.0, 0);
    for (int i = 0; i < N; i++)
        check_near("elements", i, elements[i], (i + 1) / 2.0, 0);

    double *p = elements;
#pragma omp target map(tofrom: elements)
    for (int i = 0; i < N; i++)
        *p++ = of_one(i);
    check_true("p", p == elements);
    for (int i = 0; i < N; i++)
        check_near("half", i, elements[i], i / 2.0, 0);
    return finish();
}
