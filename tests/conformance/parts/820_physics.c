#include "820_sim.h"
#include <math.h>

/* Both files have a function and a structure of these names. */
typedef struct {
    float a;
} pair;

static double helper(double x)
{
    pair p = {2.0f};
    return p.a * x;
}

/* Only this file has it. */
static double drag[3] = {0.1, 0.2, 0.3};
static int calls_of_host;
#pragma acc declare copyin(drag)

static int cell_of(double x)
{
    int c = (int)x;
    return c < 0 ? 0 : c >= CELLS ? CELLS - 1 : c;
}

#pragma acc routine seq
double force_at(const particle *p, double time)
{
    if (p->mass <= 0)
        return 0;
    double f = strength * field[cell_of(p->x)] * helper(p->mass);
    for (int k = 0; k < 3; k++) {
        if (p->v * drag[k] > 100)
            return -100;
        f -= p->v * drag[k];
    }
    return f + cos(time) * weights[p->kind & 3];
}

double potential(double x, int depth)
{
    if (depth == 0)
        return x;
    return 0.5 * potential(x * 0.5, depth - 1) + field[depth];
}

int classify(const particle *p)
{
    int kind = 0;
    while (kind + 1 < n_kinds && p->x > (kind + 1) * 10.0)
        kind++;
    return kind;
}

void advance(particle *p, double f, double dt)
{
    p->v += f / p->mass * dt;
    p->x += p->v * dt;
}

#pragma acc routine vector
void smooth(double *row, int n)
{
#pragma acc loop vector
    for (int i = 0; i < n; i++)
        row[i] = row[i] * strength + i;
}

#pragma acc routine worker
double norm(const double *row, int n)
{
    double sum = 0;
#pragma acc loop worker vector reduction(+:sum)
    for (int i = 0; i < n; i++)
        sum += row[i] * row[i];
    return sum;
}

int count_host_calls(void)
{
    return ++calls_of_host;
}
