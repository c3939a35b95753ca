/* Relaxation of a square with a hot side: structures, members, a routine, a nest of two loops. */
#include <math.h>
#include <stdio.h>

#define SIZE 66

typedef struct {
    int n;
    double old[SIZE][SIZE], now[SIZE][SIZE];
} square;

static square s = {SIZE, {{0.0}}, {{0.0}}};

#pragma acc routine seq
static double mean(double a, double b, double c, double d)
{
    return 0.25 * (a + b + c + d);
}

static double step(double (*old)[SIZE], double (*now)[SIZE], int n)
{
    double change = 0.0;
#pragma acc parallel loop collapse(2) present(old[0:n], now[0:n]) reduction(max : change) async
    for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < n - 1; j++) {
            now[i][j] = mean(old[i - 1][j], old[i + 1][j], old[i][j - 1], old[i][j + 1]);
            change = fmax(change, fabs(now[i][j] - old[i][j]));
        }
    }
#pragma acc wait
    return change;
}

int main(void)
{
    double first = 0.0, last = 0.0;
    for (int i = 0; i < s.n; i++)
        s.old[i][0] = s.now[i][0] = 1.0;
#pragma acc enter data copyin(s.old, s.now)
    for (int i = 0; i < 20; i++) {
        const double change = i % 2 == 0 ? step(s.old, s.now, s.n) : step(s.now, s.old, s.n);
        if (i == 0)
            first = change;
        last = change;
    }
#pragma acc exit data copyout(s.old) delete (s.now)
    printf(first == 0.25 && last > 0.0 && last < 0.02 && s.old[1][1] > 0.4 ? "PASS\n" : "FAIL %g %g %g\n", first,
           last, s.old[1][1]);
    return 0;
}
