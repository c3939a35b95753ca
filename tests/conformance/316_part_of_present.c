// Sections of an array that is present as a whole: found inside it, nothing moves; also through
// another pointer into it, and through a pointer to its middle.
// expect: launches=4 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

static void add(int n, int *p, int value)
{
#pragma acc parallel loop copy(p[0:n])
    for (int i = 0; i < n; i++)
        p[i] += value;
}

int main(void)
{
    int n = 240;
    int *a = calloc(n, sizeof *a);
    int *b = a + 200;
#pragma acc data copy(a[0:n])
    {
#pragma acc parallel loop present(a[20:40])
        for (int i = 20; i < 60; i++)
            a[i] += 1;
        add(50, a + 100, 10);
        add(40, b, 100);
#pragma acc parallel loop present(b[10:20])
        for (int i = 10; i < 30; i++)
            b[i] += 1000;
    }
    for (int i = 0; i < n; i++) {
        int want = (i >= 20 && i < 60) + (i >= 100 && i < 150 ? 10 : 0);
        want += (i >= 200 ? 100 : 0) + (i >= 210 && i < 230 ? 1000 : 0);
        check_int("a", i, a[i], want);
    }
    free(a);
    return finish();
}
