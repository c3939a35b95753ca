// The ways people write a reduction: ++, -=, x = a + x, if without braces, ternaries either way
// round, library calls, through another private variable, several updates in one body.
// expect: launches>=7 uploads>=1
#include <stdlib.h>
#include "check.h"

#define N 1500

static int a[N];

int main(void)
{
    int count = 0, minus = 1000000, sum = 0, largest = -5000, smallest = 5000, twice = 0;
    double away = 0.0;
    for (int i = 0; i < N; i++)
        a[i] = (i * 67) % 1201 - 600;
#pragma acc data copyin(a)
    {
#pragma acc parallel loop reduction(+ : count)
        for (int i = 0; i < N; i++)
            if (a[i] > 0)
                count++;
#pragma acc parallel loop reduction(+ : minus)
        for (int i = 0; i < N; i++)
            minus -= a[i];
#pragma acc parallel loop reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum = a[i] + sum;
#pragma acc parallel loop reduction(max : largest)
        for (int i = 0; i < N; i++)
            largest = largest < a[i] ? a[i] : largest;
#pragma acc parallel loop reduction(min : smallest)
        for (int i = 0; i < N; i++) {
            if (a[i] < smallest) {
                smallest = a[i];
            }
        }
#pragma acc parallel loop reduction(+ : twice)
        for (int i = 0; i < N; i++) {
            int t = a[i] / 3;
            twice += t;
            for (int k = 0; k < 3; k++)
                twice += k * t;
            if (t < 0)
                twice += 1;
        }
#pragma acc parallel loop reduction(max : away)
        for (int i = 0; i < N; i++)
            away = fmax(fabs((double)abs(a[i]) - 3.5), away);
    }
    int want_count = 0, want_sum = 0, want_largest = -5000, want_smallest = 5000, want_twice = 0;
    double want_away = 0.0;
    for (int i = 0; i < N; i++) {
        want_count += a[i] > 0;
        want_sum += a[i];
        want_largest = a[i] > want_largest ? a[i] : want_largest;
        want_smallest = a[i] < want_smallest ? a[i] : want_smallest;
        want_twice += 4 * (a[i] / 3) + (a[i] / 3 < 0);
        want_away = fmax(want_away, fabs(abs(a[i]) - 3.5));
    }
    check_int("count", 0, count, want_count);
    check_int("minus", 0, minus, 1000000 - want_sum);
    check_int("sum", 0, sum, want_sum);
    check_int("largest", 0, largest, want_largest);
    check_int("smallest", 0, smallest, want_smallest);
    check_int("twice", 0, twice, want_twice);
    check_near("away", 0, away, want_away, 0.0);
    return finish();
}
