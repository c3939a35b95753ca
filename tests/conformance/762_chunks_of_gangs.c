// gang(static: n) where a program can tell which gang got which iterations: each gang counts and adds up what it gets in variables of
// its own. Chunks of one, of a constant, of a variable; loops that count down and by steps; loops without chunks between them; a
// loop without iterations; gangs without a number of them.
// expect: launches=4
#include "check.h"
#include <stdlib.h>

#define GANGS 8

static int gang_of(int iteration, int chunk) { return iteration / chunk % GANGS; }

static void counted(int n, int chunk)
{
    int count[GANGS], kept[GANGS], want[GANGS] = {0};
    long sum[GANGS], wanted[GANGS];
    int start = 5, offset[3] = {1, 2, 3};
    int *a = malloc((n + 1) * sizeof *a), *b = calloc(n + 1, sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i % 7;
#pragma acc parallel num_gangs(GANGS) copyout(count, kept, sum) copyin(a[0:n]) copy(b[0:n]) \
    firstprivate(start, offset)
    {
        int mine = 0, last[4];
        for (int k = 0; k < 4; k++)
            last[k] = k;
#pragma acc loop gang(static : chunk) vector
        for (int i = n - 1; i >= 0; i -= 2)
            start += a[i];
#pragma acc loop gang
        for (int i = 0; i < n; i++)
            b[i] += i;
#pragma acc loop gang(static : 3)
        for (unsigned i = 0; i < n; i++) {
            mine++;
#pragma acc loop seq
            for (int k = 0; k < 4; k++)
                last[k] += k;
        }
#pragma acc loop gang(static : 1)
        for (int g = 0; g < GANGS; g++) {
            count[g] = mine;
            kept[g] = last[3] + offset[1];
            sum[g] = start;
            offset[1] = 100;
        }
    }
    for (int i = 0; i < n; i++)
        want[gang_of(i, 3)]++;
    for (int g = 0; g < GANGS; g++)
        wanted[g] = 5;
    for (int i = n - 1, turn = 0; i >= 0; i -= 2, turn++)
        wanted[gang_of(turn, chunk)] += a[i];
    for (int g = 0; g < GANGS; g++) {
        check_true("count[g] == want[g]", count[g] == want[g]);
        check_true("kept[g] == 3 + 3 * want[g] + 2", kept[g] == 3 + 3 * want[g] + 2);
        check_true("sum[g] == wanted[g]", sum[g] == wanted[g]);
    }
    for (int i = 0; i < n; i++)
        check_true("b[i] == i", b[i] == i);
    free(a);
    free(b);
}

int main(void)
{
    counted(1000, 4);
    counted(37, 500);
    counted(0, 2);
    /* Whatever the number of gangs is, all iterations are counted once. */
    int total = 0;
#pragma acc parallel copy(total)
    {
        int mine = 0;
#pragma acc loop gang(static : 2)
        for (int i = 0; i < 12345; i++)
            mine += i % 3;
#pragma acc atomic update
        total += mine;
    }
    check_true("total == 12345", total == 12345);
    return finish();
}
