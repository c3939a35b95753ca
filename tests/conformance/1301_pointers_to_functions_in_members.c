// Calls through pointers to functions that are members of structures and elements of arrays, the same in all iterations.
// expect: launches=8
#include <stdlib.h>
#include "check.h"

#define N 50

typedef double (*binary)(double, double);

struct operation {
    const char *name;
    binary apply;
    double initial;
};

struct solver {
    struct operation *inner;
    double (*scale)(double);
    int steps;
};

static double add(double a, double b) { return a + b; }
static double multiply(double a, double b) { return a * b; }
static double twice(double x) { return 2 * x; }
static double half(double x) { return x / 2; }

static const struct operation operations[] = {{"+", add, 0}, {"*", multiply, 1}};
static binary table[2] = {multiply, add};

static void combine(const struct operation *op, double *a, const double *b)
{
#pragma acc parallel loop copy(a[0:N]) copyin(b[0:N])
    for (int i = 0; i < N; i++)
        a[i] = op->apply(a[i], b[i]);
}

static void run(struct solver *solver, double *a, int n)
{
    for (int step = 0; step < solver->steps; step++) {
#pragma acc parallel loop copy(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] = solver->scale(solver->inner->apply(a[i], i));
    }
}

int main(void)
{
    double a[N], b[N], expected[N];
    for (int i = 0; i < N; i++) {
        expected[i] = a[i] = i;
        b[i] = i % 3;
    }
    for (int k = 0; k < 2; k++) {
        combine(&operations[k], a, b);
        for (int i = 0; i < N; i++)
            expected[i] = k ? expected[i] * b[i] : expected[i] + b[i];
    }
    for (int i = 0; i < N; i++)
        check_near("a member", i, a[i], expected[i], 0);

    for (int k = 0; k < 2; k++) {
#pragma acc parallel loop copy(a)
        for (int i = 0; i < N; i++)
            a[i] = table[k](a[i], 3) + operations[k].apply(1, i);
        for (int i = 0; i < N; i++)
            expected[i] = k ? expected[i] + 3 + i : expected[i] * 3 + 1 + i;
    }
    for (int i = 0; i < N; i++)
        check_near("an element", i, a[i], expected[i], 0);

    struct operation own = {"own", add, 0};
    struct solver solver = {&own, half, 2};
    run(&solver, a, N);
    solver.scale = twice;
    own.apply = multiply;
    run(&solver, a, N);
    for (int step = 0; step < 4; step++)
        for (int i = 0; i < N; i++)
            expected[i] = step < 2 ? (expected[i] + i) / 2 : expected[i] * i * 2;
    for (int i = 0; i < N; i++)
        check_near("members of members", i, a[i], expected[i], 0);

    // Nothing is called, so the pointer may be null.
    solver.steps = 1;
    solver.inner = NULL;
    run(&solver, a, 0);
    check_near("nothing", 0, a[7], expected[7], 0);
    return finish();
}
