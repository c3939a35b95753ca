#include <stdio.h>

/* Static functions, here and on the device; a table of jumps. */
#pragma acc routine seq
static int digit(int x)
{
    switch (x % 7) {
    case 0: return 12;
    case 1: return 3;
    case 2: return 90;
    case 3: return 11;
    case 4: return 5;
    default: return x;
    }
}

int main(void)
{
    int sum = 0, want = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < 1000; i++)
        sum += digit(i);
    for (int i = 0; i < 1000; i++)
        want += digit(i);
    puts(sum == want ? "PASS .LBB0_1" : "FAIL");
    return sum != want;
}
