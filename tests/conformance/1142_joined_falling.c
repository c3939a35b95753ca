// Joined loops that count with variables of their function, in ways that no variable of a thread can: OpenACC 3.3 §2.9.1.
// Each iteration has its own copies, and the loops run in parallel.
// expect: launches=4
// expect-remark: Generating NVIDIA GPU code
#include "check.h"
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
#pragma acc parallel loop collapse(2) copy(a)
    for (i = 0; i < n; i++)
        for (u = 40; u > 3; u -= 4)
            a[i * 16 + u / 4]++;
    check_each("unsigned", 10);
#pragma acc parallel loop collapse(2) copy(a)
    for (u = n; u-- > 0;)
        for (c = 10; c > 0; c--)
            a[u * 16 + c]++;
    check_each("in the condition", 10);
#pragma acc parallel copy(a)
    {
#pragma acc loop gang vector collapse(2) private(u)
        for (i = 0; i < n; i++)
            for (c = 1; c <= 12; c += 1)
                for (u = 8; u > 3; u -= 5)
                    a[i * 16 + c] += u == 8;
    }
    check_each("around another", 12);
    int sum = 0;
#pragma acc parallel loop collapse(3) reduction(+ : sum)
    for (i = 0; i < n; i++)
        for (u = 40; u > 3; u -= 4)
            for (c = 10; c > 0; c -= 5)
                sum += i + u + c;
    check_int("sum", 0, sum, 10 * 2 * (N * (N - 1) / 2) + N * 2 * 220 + N * 10 * 15);
    return finish();
}
