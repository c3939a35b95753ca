// Constructs that call through a pointer to a function: a parameter, a variable of the file or of the function. For the functions whose
// address the file takes the device runs them, for others the host does.
// expect: launches=13
#include "check.h"
#include <math.h>

#define N 100

typedef double (*Function)(double);

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static int twice(int n) { return 2 * n; }
static int thrice(int n) { return 3 * n; }
static double first(double x, double y) { return x + 10 * y; }
static double second(double x, double y) { return y + 10 * x; }

static void apply(int n, double *a, double (*f)(double))
{
#pragma acc parallel loop copy(a [0:n])
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
}

// All of a kernels construct is chosen, with two pointers, and what else bears the name of one stays.
static void both(int n, double *a, Function f, double (*g)(double, double))
{
    struct {
        double f;
    } shift = {1};
#pragma acc data copy(a [0:n])
    {
#pragma acc kernels
        {
#pragma acc loop independent
            for (int i = 0; i < n; i++) {
                a[i] = (*g)(f(a[i]), i) + shift.f;
            }
#pragma acc loop
            for (int i = 0; i < n; i++)
                a[i] -= 1;
        }
    }
}

static Function current = square;

static int sum_of(int n, int (*f)(int), int wanted)
{
    int sum = 0;
#pragma acc data create(sum)
    {
#pragma acc serial present(sum)
        sum = 1;
        if (wanted)
#pragma acc parallel loop reduction(+ : sum) present(sum)
            for (int i = 0; i < n; i++)
                sum += f(i);
        else
            n = 0;
#pragma acc update self(sum)
    }
    return n + sum;
}

int main(void)
{
    double a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = b[i] = 0.25 * i;
    apply(N, a, square);
    apply(N, a, cube);
    apply(N, a, sqrt);
    both(N, a, square, first);
    both(N, a, cube, second);
    for (int k = 0; k < 2; k++) {
        current = k ? cube : square;
#pragma acc parallel loop copy(a)
        for (int i = 0; i < N; i++)
            a[i] = current(1 / (1 + a[i]));
    }
    for (int i = 0; i < N; i++) {
        double x = second(cube(first(square(sqrt(cube(square(b[i])))), i)), i);
        check_near("applied", i, a[i], cube(1 / (1 + square(1 / (1 + x)))), 1e-12);
    }
    check_int("twice", 0, sum_of(N, twice, 1), N + 1 + N * (N - 1));
    check_int("thrice", 0, sum_of(N, thrice, 1), N + 1 + N * (N - 1) / 2 * 3);
    check_int("not at all", 0, sum_of(N, thrice, 0), 1);
    return finish();
}
