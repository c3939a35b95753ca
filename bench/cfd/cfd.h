/* Input, check and report; cfd.c and cfd.cu supply the computation. */
#include "../common/bench.h"

#define GAMMA 1.4f
#define SMOOTHING 0.2f

/* Faces of a cell, variables of a cell, and Runge-Kutta stages of a step. Behind a face is another cell, or one of two that
 * are none: a wall, or the flow far away. */
enum { FACES = 4, AXES = 3, VARIABLES = 5, STAGES = 3, WALL = -1, FAR_AWAY = -2 };

/* What is conserved: density, momentum along three axes, energy. */
typedef struct {
    float density, x, y, z, energy;
} state;

/* What follows from it. */
typedef struct {
    float pressure, speed, sound;
} flow;

/* n cells in no order. A variable of all cells lies together: variable v of cell i is at [v * n + i], what is behind its face
 * k at behind[k * n + i], and the face's normal, which points into the cell, at normal[(k * AXES + axis) * n + i]. */
typedef struct {
    int n;
    const int *behind;
    const float *normal, *area, *start;
    state far_away;
} mesh;

/* Euler's equations, `steps` steps from m.start. One repetition is all the steps. */
static void cfd(mesh m, int steps, float *variable, bench_timer *t);

#ifdef __CUDACC__
#define BOTH __host__ __device__ static inline
#else
#define BOTH static inline
#endif

BOTH state state_at(int n, const float *variable, int i)
{
    state s = {variable[i], variable[n + i], variable[2 * n + i], variable[3 * n + i], variable[4 * n + i]};
    return s;
}

BOTH flow flow_of(state s)
{
    float squared = (s.x * s.x + s.y * s.y + s.z * s.z) / (s.density * s.density);
    float pressure = (GAMMA - 1.0f) * (s.energy - 0.5f * s.density * squared);
    flow f = {pressure, sqrtf(squared), sqrtf(GAMMA * pressure / s.density)};
    return f;
}

/* `sum` and what crosses a face of normal (x, y, z) with the state of one side. */
BOTH state with_flux(state sum, float x, float y, float z, state s, float pressure)
{
    float through = x * s.x + y * s.y + z * s.z, velocity = through / s.density;
    sum.density += through;
    sum.x += velocity * s.x + x * pressure;
    sum.y += velocity * s.y + y * pressure;
    sum.z += velocity * s.z + z * pressure;
    sum.energy += velocity * (s.energy + pressure);
    return sum;
}

/* `sum` and what differences between two cells even out. */
BOTH state with_difference(state sum, float factor, state a, state b)
{
    sum.density += factor * (a.density - b.density);
    sum.x += factor * (a.x - b.x);
    sum.y += factor * (a.y - b.y);
    sum.z += factor * (a.z - b.z);
    sum.energy += factor * (a.energy - b.energy);
    return sum;
}

/* Into cell i through its face k. */
BOTH state through_face(state sum, int n, const int *behind, const float *normal, const float *variable, state far_away,
                        int i, int k, state own, flow here)
{
    int other = behind[k * n + i];
    float x = normal[k * AXES * n + i], y = normal[(k * AXES + 1) * n + i], z = normal[(k * AXES + 2) * n + i];
    if (other == WALL) {
        sum.x += x * here.pressure;
        sum.y += y * here.pressure;
        sum.z += z * here.pressure;
        return sum;
    }
    state theirs = far_away;
    if (other >= 0)
        theirs = state_at(n, variable, other);
    flow there = flow_of(theirs);
    if (other >= 0) {
        float length = sqrtf(x * x + y * y + z * z);
        float factor = -0.5f * SMOOTHING * length * (here.speed + there.speed + here.sound + there.sound);
        sum = with_difference(sum, factor, own, theirs);
    }
    sum = with_flux(sum, 0.5f * x, 0.5f * y, 0.5f * z, own, here.pressure);
    return with_flux(sum, 0.5f * x, 0.5f * y, 0.5f * z, theirs, there.pressure);
}

static void serial(mesh m, int steps, float *variable)
{
    const int n = m.n;
    const size_t all = (size_t)VARIABLES * n;
    float *old = (float *)bench_alloc(all, sizeof *old);
    float *flux = (float *)bench_alloc(all, sizeof *flux);
    float *factor = (float *)bench_alloc(n, sizeof *factor);
    memcpy(variable, m.start, all * sizeof *variable);
    for (int step = 0; step < steps; step++) {
        memcpy(old, variable, all * sizeof *old);
        for (int i = 0; i < n; i++) {
            flow f = flow_of(state_at(n, variable, i));
            factor[i] = 0.5f / (sqrtf(m.area[i]) * (f.speed + f.sound));
        }
        for (int stage = 0; stage < STAGES; stage++) {
            for (int i = 0; i < n; i++) {
                state own = state_at(n, variable, i), sum = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
                flow here = flow_of(own);
                for (int k = 0; k < FACES; k++)
                    sum = through_face(sum, n, m.behind, m.normal, variable, m.far_away, i, k, own, here);
                flux[i] = sum.density;
                flux[n + i] = sum.x;
                flux[2 * n + i] = sum.y;
                flux[3 * n + i] = sum.z;
                flux[4 * n + i] = sum.energy;
            }
            for (int i = 0; i < n; i++)
                for (int v = 0; v < VARIABLES; v++)
                    variable[v * n + i] = old[v * n + i] + factor[i] / (STAGES + 1 - stage) * flux[v * n + i];
        }
    }
    free(old);
    free(flux);
    free(factor);
}

/* Squares in rows, numbered in a random order within groups of 256: the flow enters and leaves at the sides, walls are
 * above and below. */
static void generate(int n, int *behind, float *normal, float *area, float *start, state far_away)
{
    int *number = (int *)bench_alloc(n, sizeof *number), row = 1;
    while (row * row < n)
        row++;
    uint64_t seed = 1;
    for (int place = 0; place < n; place++)
        number[place] = place;
    for (int place = 0; place < n; place++) {
        int group = place & ~255, size = n - group < 256 ? n - group : 256, with = group + bench_below(&seed, size);
        int swap = number[place];
        number[place] = number[with];
        number[with] = swap;
    }
    for (int place = 0; place < n; place++) {
        const int i = number[place], column = place % row;
        const int next[FACES] = {column > 0 ? place - 1 : -1, column < row - 1 ? place + 1 : n, place - row, place + row};
        for (int k = 0; k < FACES; k++) {
            int outside = k < 2 ? FAR_AWAY : WALL;
            behind[k * n + i] = next[k] < 0 || next[k] >= n ? outside : number[next[k]];
            for (int axis = 0; axis < AXES; axis++)
                normal[(k * AXES + axis) * n + i] =
                    (k / 2 == axis ? (k % 2 ? -1.0f : 1.0f) : 0.0f) + (float)bench_uniform(&seed, -0.02, 0.02);
        }
        area[i] = (float)bench_uniform(&seed, 4.0, 5.0);
        float disturbed = (float)bench_uniform(&seed, 0.98, 1.02);
        start[i] = far_away.density * disturbed;
        start[n + i] = far_away.x * disturbed;
        start[2 * n + i] = far_away.y * disturbed;
        start[3 * n + i] = far_away.z * disturbed;
        start[4 * n + i] = far_away.energy * disturbed;
    }
    free(number);
}

int main(int argc, char **argv)
{
    int n = bench_arg(argc, argv, 1, 100000);
    int steps = bench_arg(argc, argv, 2, 5);
    int reps = bench_arg(argc, argv, 3, 1);
    size_t all = (size_t)VARIABLES * n;
    int *behind = (int *)bench_alloc((size_t)FACES * n, sizeof *behind);
    float *normal = (float *)bench_alloc((size_t)FACES * AXES * n, sizeof *normal);
    float *area = (float *)bench_alloc(n, sizeof *area);
    float *start = (float *)bench_alloc(all, sizeof *start);
    float *variable = (float *)bench_alloc(all, sizeof *variable);
    float *expected = (float *)bench_alloc(all, sizeof *expected);
    /* A third of the speed of sound, along the rows and a little up. */
    state far_away = {1.4f, 1.4f * 0.33f, 1.4f * 0.02f, 0.0f, 1.4f * 0.5f * 0.33f * 0.33f + 1.0f / (GAMMA - 1.0f)};
    generate(n, behind, normal, area, start, far_away);
    mesh m = {n, behind, normal, area, start, far_away};

    bench_timer kernel = bench_timer_many(reps);
    cfd(m, steps, variable, &kernel);
    memset(variable, 0, all * sizeof *variable);
    bench_timer once = bench_timer_once();
    double begin = bench_now_ms();
    cfd(m, steps, variable, &once);
    double app_ms = bench_now_ms() - begin;

    serial(m, steps, expected);
    double error = 0.0;
    for (size_t i = 0; i < all; i++)
        error = bench_worst(error, variable[i], expected[i], 1.0);

    char size[48];
    snprintf(size, sizeof size, "%dx%d", n, steps);
    int status = bench_report("cfd", size, &kernel, app_ms, error, 1e-4);
    free(behind);
    free(normal);
    free(area);
    free(start);
    free(variable);
    free(expected);
    return status;
}
