// while and do loops in a thread: Collatz lengths, digit sums, and a nest of both with break.
// expect: launches=1 uploads=0 downloads=3
#include "check.h"

#define N 320

static int collatz(long x)
{
    int steps = 0;
    for (; x != 1; steps++)
        x = x % 2 ? 3 * x + 1 : x / 2;
    return steps;
}

int main(void)
{
    int steps[N], digits[N], firsts[N];
#pragma acc parallel loop copyout(steps, digits, firsts)
    for (int i = 0; i < N; i++) {
        long x = i + 1;
        int count = 0;
        while (x != 1) {
            x = x % 2 ? 3 * x + 1 : x / 2;
            count++;
        }
        steps[i] = count;

        int rest = i * 37, sum = 0;
        do {
            sum += rest % 10;
            rest /= 10;
        } while (rest > 0);
        digits[i] = sum;

        int divisor = 2;
        while (1) {
            if ((i + 2) % divisor == 0)
                break;
            do
                divisor++;
            while (divisor % 2 == 0);
        }
        firsts[i] = divisor;
    }
    for (int i = 0; i < N; i++) {
        int sum = 0, divisor = 2;
        for (int rest = i * 37; rest > 0; rest /= 10)
            sum += rest % 10;
        while ((i + 2) % divisor)
            divisor++;
        check_int("steps", i, steps[i], collatz(i + 1));
        check_int("digits", i, digits[i], sum);
        check_int("firsts", i, firsts[i], divisor);
    }
    return finish();
}
