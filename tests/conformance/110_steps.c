// Steps above one, constant and variable, written i += s, i = i + s and i = s + i.
// expect: launches=4 uploads=4 downloads=4
#include "check.h"

#define N 307

static int a[N];

static void run(int step)
{
#pragma acc parallel loop copy(a)
    for (int i = 0; i < N; i += 2)
        a[i] += 1;
#pragma acc parallel loop copy(a)
    for (int i = 1; i < N; i = i + 3)
        a[i] += 10;
#pragma acc parallel loop copy(a)
    for (int i = 4; i < N; i += step)
        a[i] += 100;
#pragma acc parallel loop copy(a)
    for (int i = step; i <= N - 1; i = 64 + i)
        a[i] += 1000;
}

int main(void)
{
    run(5);
    for (int i = 0; i < N; i++) {
        int want = i % 2 == 0;
        want += i % 3 == 1 ? 10 : 0;
        want += i >= 4 && (i - 4) % 5 == 0 ? 100 : 0;
        want += i >= 5 && (i - 5) % 64 == 0 ? 1000 : 0;
        check_int("a", i, a[i], want);
    }
    return finish();
}
