#include <stdio.h>
#include "steps_kernels.h"

#define FOR(i, n) for (int i = 0; i < (n); i++)
#define EACH(i, j) FOR(i, SIZE) FOR(j, SIZE)
#define SIZE 40
#define STEPS 6

static double now[SIZE][SIZE], next[SIZE][SIZE], heat[SIZE];

static double smooth(int i, int j)
{
    return 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
}

/* The host runs the steps, and each loop in them is a kernel. */
static double steps(int count)
{
    double largest = 0;
    /* acc kernels copy(now) create(next) */
    port_copyin(now, sizeof now);
    port_create(next, sizeof next);
    for (int t = 0; t < count; t++) {
        largest = 0;
        /* acc loop independent collapse(2) */
        launch_steps_22(now, next);
        port_copyin(&largest, sizeof largest);
        launch_steps_26(next, now, &largest);
        port_copyout(&largest, sizeof largest);
        if (largest < 1e-12)
            break;
    }
    port_delete(next, sizeof next);
    port_copyout(now, sizeof now);
    return largest;
}

/* Loops whose headers macros write. */
static void macros(void)
{
    /* acc parallel loop copyout(heat) */
    port_create(heat, sizeof heat);
    launch_macros_41(heat);
    port_copyout(heat, sizeof heat);
    /* acc parallel loop collapse(2) copyout(now) */
    port_create(now, sizeof now);
    launch_macros_44(now);
    port_copyout(now, sizeof now);
    /* acc parallel copy(heat) */
    port_copyin(heat, sizeof heat);
    launch_macros_51(heat);
    port_copyout(heat, sizeof heat);
}

int main(void)
{
    int wrong = 0;
    macros();
    FOR(i, SIZE) wrong += heat[i] != i + 1;
    double want = 0;
    static double before[SIZE][SIZE];
    EACH(i, j) before[i][j] = now[i][j];
    double got = steps(STEPS);
    static double after[SIZE][SIZE];
    EACH(i, j)
    {
        after[i][j] = now[i][j];
        now[i][j] = next[i][j] = before[i][j];
    }
    for (int t = 0; t < STEPS; t++) {
        want = 0;
        for (int i = 1; i < SIZE - 1; i++)
            for (int j = 1; j < SIZE - 1; j++)
                next[i][j] = smooth(i, j);
        for (int i = 1; i < SIZE - 1; i++)
            for (int j = 1; j < SIZE - 1; j++) {
                want = next[i][j] - now[i][j] > want ? next[i][j] - now[i][j] : want;
                now[i][j] = next[i][j];
            }
    }
    EACH(i, j) wrong += now[i][j] - after[i][j] > 1e-12 || after[i][j] - now[i][j] > 1e-12;
    wrong += got - want > 1e-12 || want - got > 1e-12;
    puts(wrong ? "FAIL" : "PASS");
    return wrong;
}
