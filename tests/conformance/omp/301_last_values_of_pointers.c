/* The last value of a pointer would lead to the device's memory: the host runs such loops. */
// expect: launches=1
#include "../check.h"

static char digits[] = "01234567";

int main(void)
{
    const char *p, *q;
    int sum = 0, i, doubled[8];
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : sum) lastprivate(p, q)
    for (p = digits; p < &digits[8]; p++)
        for (q = &digits[0]; q <= digits + 6; q++)
            sum += *p - '0' + *q - '0';
    check_int("sum", 0, sum, 7 * 28 + 8 * 21);
    check_int("p", 0, p - digits, 8);
    check_int("q", 0, q - digits, 7);
#pragma omp target teams distribute parallel for lastprivate(p)
    for (i = 0; i < 8; i++)
        p = &digits[i];
    check_int("p", 1, *p, '7');
#pragma omp target teams distribute parallel for map(from : doubled) private(p)
    for (i = 0; i < 8; i++) {
        p = &digits[i];
        doubled[i] = 2 * (*p - '0');
    }
    for (i = 0; i < 8; i++)
        check_int("doubled", i, doubled[i], 2 * i);
    return finish();
}
