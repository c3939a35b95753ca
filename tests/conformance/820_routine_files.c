// routine and declare across files: a simulation whose physics is in a second file and whose constants are in a third.
// expect: launches=4
// sources: parts/820_physics.c parts/820_constants.c
#include "check.h"
#include "parts/820_sim.h"
#include <stdlib.h>

#define N 500
#define ROWS 20
#define COLS 70

typedef struct {
    int n;
    double a;
} pair;

static double helper(double x)
{
    pair p = {3, x};
    return p.a + p.n;
}

/* The same, by the host. */
static double field_h[CELLS];

static double host_force(const particle *p, double time, double s)
{
    static const double drag[3] = {0.1, 0.2, 0.3};
    if (p->mass <= 0)
        return 0;
    int c = (int)p->x;
    c = c < 0 ? 0 : c >= CELLS ? CELLS - 1 : c;
    double f = s * field_h[c] * (2 * p->mass);
    for (int k = 0; k < 3; k++) {
        if (p->v * drag[k] > 100)
            return -100;
        f -= p->v * drag[k];
    }
    static const double weights_h[4] = {1, 0.5, 0.25, 0.125};
    return f + cos(time) * weights_h[p->kind & 3];
}

static double host_potential(double x, int depth)
{
    double values[10], start = x;
    for (int d = depth; d > 0; d--)
        start *= 0.5;
    values[0] = start;
    for (int d = 1; d <= depth; d++)
        values[d] = 0.5 * values[d - 1] + field_h[d];
    return values[depth];
}

int main(void)
{
    static particle p[N], q[N];
    static double rows[ROWS][COLS], want[ROWS][COLS], norms[ROWS];
    static int kinds[N];
    set_constants(1.5);
    for (int i = 0; i < CELLS; i++)
        field_h[i] = 1.5 * i / CELLS;
    for (int i = 0; i < N; i++) {
        particle one = {i % 70 - 3.0, i % 11 * 100.0, i % 7 - 1.0 + 0.5, i};
        p[i] = q[i] = one;
    }
#pragma acc parallel loop copy(p)
    for (int i = 0; i < N; i++) {
        double f = force_at(&p[i], helper(0.25));
        if (p[i].mass > 0)
            advance(&p[i], f, 0.01);
    }
    for (int i = 0; i < N; i++) {
        double f = host_force(&q[i], 3.25, 1.5);
        if (q[i].mass > 0) {
            q[i].v += f / q[i].mass * 0.01;
            q[i].x += q[i].v * 0.01;
        }
        check_near("x", i, p[i].x, q[i].x, 1e-12);
        check_near("v", i, p[i].v, q[i].v, 1e-12);
    }
#pragma acc parallel loop copyin(p) copyout(kinds)
    for (int i = 0; i < N; i++)
        kinds[i] = classify(&p[i]);
    for (int i = 0; i < N; i++) {
        int kind = q[i].x > 30 ? 3 : q[i].x > 20 ? 2 : q[i].x > 10 ? 1 : 0;
        check_int("kind", i, kinds[i], kind);
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            rows[i][j] = want[i][j] = i + j * 0.5;
#pragma acc data copy(rows) copyout(norms)
    {
#pragma acc parallel loop gang present(rows)
        for (int i = 0; i < ROWS; i++)
            smooth(rows[i], COLS);
#pragma acc parallel loop gang present(rows)
        for (int i = 0; i < ROWS; i++)
            norms[i] = norm(rows[i], COLS);
    }
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int j = 0; j < COLS; j++) {
            want[i][j] = want[i][j] * 1.5 + j;
            check_near("rows", i, rows[i][j], want[i][j], 1e-12);
            sum += want[i][j] * want[i][j];
        }
        check_near("norms", i, norms[i], sum, 1e-12);
    }
    check_near("potential", 0, potential(8, 3), host_potential(8, 3), 1e-12);
    return finish();
}
