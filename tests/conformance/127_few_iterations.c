// Loops of one, two and three iterations, alone and inside one another.
// expect: launches=5 uploads=5 downloads=5
#include "check.h"

static int a[3][3];

static void run(int n, int m)
{
#pragma acc parallel loop gang copy(a)
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < m; j++)
            a[i][j] += 1;
    }
}

int main(void)
{
    run(1, 1);
    run(2, 3);
    run(3, 2);
    run(3, 3);
    int one[1] = {41};
#pragma acc parallel loop copy(one)
    for (int i = 0; i < 1; i++)
        one[i]++;
    check_int("one", 0, one[0], 42);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            check_int("a", 3 * i + j, a[i][j],
                      1 + (i < 1 && j < 1) + (i < 2) + (j < 2));
    return finish();
}
