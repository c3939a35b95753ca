#include <stdio.h>
#include "gangs_kernels.h"

#define N 100
#define M 70

/* The user's number of gangs is a limit in a port, too. */
static long rows(int n, int m, int gangs, int a[N][M])
{
    long total = 0;
    /* acc parallel loop collapse(2) num_gangs(gangs) copy(a[0:n]) */
    port_copyin(a, n * sizeof *a);
    launch_rows_10(n, m, a, gangs);
    port_copyout(a, n * sizeof *a);
    /* acc parallel loop num_gangs(2) vector_length(32) reduction(+ : total) copyin(a[0:n]) */
    port_copyin(a, n * sizeof *a);
    port_copyin(&total, sizeof total);
    launch_rows_14(n, a, &total);
    port_copyout(&total, sizeof total);
    port_delete(a, n * sizeof *a);
    return total;
}

int main(void)
{
    static int a[N][M];
    long none = rows(0, M, 5, a), few = rows(N, M, 5, a), many = rows(N, M, 1 << 20, a);
    long want = 0;
    for (int i = 0; i < N; i++)
        want += i - i % M;
    int good = none == 0 && few == want && many == 2 * want;
    puts(good ? "PASS" : "FAIL");
    return !good;
}
