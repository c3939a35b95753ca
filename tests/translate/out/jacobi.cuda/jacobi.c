/* Relaxation of a square with a hot side: structures, members, a routine, a nest of two loops. */
#include <math.h>
#include <stdio.h>
#include "jacobi_kernels.h"

#define SIZE 66

typedef struct {
    int n;
    double old[SIZE][SIZE], now[SIZE][SIZE];
} square;

static square s = {SIZE, {{0.0}}, {{0.0}}};

static double mean(double a, double b, double c, double d)
{
    return 0.25 * (a + b + c + d);
}

static double step(double (*old)[SIZE], double (*now)[SIZE], int n)
{
    double change = 0.0;
    /* acc parallel loop collapse(2) present(old[0:n], now[0:n]) reduction(max : change) async */
    port_present(old, n * sizeof *old);
    port_present(now, n * sizeof *now);
    port_copyin(&change, sizeof change);
    launch_step_23(n, old, now, &change);
    port_copyout(&change, sizeof change);
    /* acc wait */
    port_wait();
    return change;
}

int main(void)
{
    double first = 0.0, last = 0.0;
    for (int i = 0; i < s.n; i++)
        s.old[i][0] = s.now[i][0] = 1.0;
    /* acc enter data copyin(s.old, s.now) */
    port_enter_copyin(s.old, sizeof s.old);
    port_enter_copyin(s.now, sizeof s.now);
    for (int i = 0; i < 20; i++) {
        const double change = i % 2 == 0 ? step(s.old, s.now, s.n) : step(s.now, s.old, s.n);
        if (i == 0)
            first = change;
        last = change;
    }
    /* acc exit data copyout(s.old) delete (s.now) */
    port_exit_copyout(s.old, sizeof s.old);
    port_exit_delete(s.now, sizeof s.now);
    printf(first == 0.25 && last > 0.0 && last < 0.02 && s.old[1][1] > 0.4 ? "PASS\n" : "FAIL %g %g %g\n", first,
           last, s.old[1][1]);
    return 0;
}
