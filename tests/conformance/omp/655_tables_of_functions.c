// Pointers to functions that differ between iterations: tables, parameters, what functions return, members of mapped structures. A call
// finds the function by its address. With a function of the library among them the host runs the construct.
// expect: launches=4
#include "../check.h"
#include <stdlib.h>

#define N 120

typedef double (*operation)(double, double);

static double add(double a, double b) { return a + b; }
static double mul(double a, double b) { return a * b; }
static double sub(double a, double b) { return a - b; }

struct stage {
    int order;
    operation of;
    void (*after)(double *, int);
};

static double fold(operation f, const double *x, int n)
{
    double sum = x[0];
    for (int i = 1; i < n; i++)
        sum = f(sum, x[i]);
    return sum;
}

static double integral(double (*f)(double), double from, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (*f)(from + i * 0.25);
    return sum;
}

static operation choose(int k)
{
    switch (k) {
    case 0: return add;
    case 1: return &mul;
    default: return sub;
    }
}

static double square(double x) { return x * x; }
static double line(double x) { return 2 * x - 1; }
static void bump(double *p, int i) { p[i] += 1; }
static void twice(double *p, int i) { p[i] *= 2; }

static double of_table(int i)
{
    operation table[3] = {add, mul, &sub};
    operation other = i % 5 ? table[(i + 1) % 3] : choose(i % 3);
    return table[i % 3](i, 2.0) + (*other)(i, 0.5) + choose(i % 4)(i, 3);
}

static double of_stage(const struct stage *stages, const double *x, double *p, int i)
{
    const struct stage *s = &stages[i % 3];
    p[i] = i;
    if (s->after)
        s->after(p, i);
    return s->of(x[i], s->order) + fold(i & 1 ? add : mul, x, i % 7 + 1);
}

int main(void)
{
    double x[N], y[N], p[N], q[N], a[N], b[N], c[N];
    struct stage stages[3] = {{1, add, bump}, {2, mul, twice}, {3, sub, NULL}};
    operation last = N > 100 ? sub : add;
    for (int i = 0; i < N; i++)
        x[i] = 1 + i % 5 * 0.125;
#pragma omp target teams distribute parallel for map(from : a)
    for (int i = 0; i < N; i++)
        a[i] = of_table(i);
#pragma omp target teams distribute parallel for map(to : stages, x) map(from : p, b)
    for (int i = 0; i < N; i++)
        b[i] = of_stage(stages, x, p, i);
#pragma omp target teams distribute parallel for map(to : x) map(from : y)
    for (int i = 0; i < N; i++)
        y[i] = integral(i % 3 ? square : line, x[i], 6);
#pragma omp target teams distribute parallel for map(to : x) map(from : c)
    for (int i = 0; i < N; i++) {
        operation f = last;
        if (i % 4 == 0)
            f = add;
        c[i] = f == add ? f(x[i], 1) : f(x[i], 7);
    }
    for (int i = 0; i < N; i++) {
        check_near("table", i, a[i], of_table(i), 1e-12);
        check_near("stage", i, b[i], of_stage(stages, x, q, i), 1e-12);
        check_near("after", i, p[i], q[i], 1e-12);
        check_near("integral", i, y[i], integral(i % 3 ? square : line, x[i], 6), 1e-12);
        check_near("chosen", i, c[i], i % 4 == 0 ? x[i] + 1 : x[i] - 7, 1e-12);
    }
    return finish();
}
