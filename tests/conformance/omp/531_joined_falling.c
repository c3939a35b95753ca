// Joined loops that count with variables of their function, in ways that no variable of a thread can: OpenMP 5.2 §4.4.1. Each
// iteration has its own copies, and the loops run in parallel.
// expect: launches=3
#include "../check.h"
#define N 8
static int a[N * 16];

static void check_each(const char *what, int inside)
{
    for (int i = 0; i < N * 16; i++) {
        check_int(what, i, a[i], i % 16 >= 1 && i % 16 <= inside);
        a[i] = 0;
    }
}

int main(void)
{
    unsigned u;
    unsigned char c;
    int i, n = N;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a)
    for (i = 0; i < n; i++)
        for (u = 40; u > 3; u -= 4)
            a[i * 16 + u / 4]++;
    check_each("unsigned", 10);
#pragma omp target parallel for collapse(2) map(tofrom : a)
    for (i = 0; i < n; i++)
        for (c = 10; c > 0; c--)
            a[i * 16 + c]++;
    check_each("short", 10);
    int last = 0;
    u = 1;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a) lastprivate(last)
    for (i = 0; i < n; i++)
        for (u = 40; u > 3; u -= 4) {
            a[i * 16 + u / 4]++;
            last = i * 100 + u;
        }
    check_each("unsigned, with a last value", 10);
    check_int("last", 0, last, (N - 1) * 100 + 4);
    return finish();
}
