// A construct that the host runs stores addresses of what is present: kernels find the device's there, and what a kernel stored
// the host finds as its own.
// needs: separate
// expect: launches=3
#include "../check.h"

#define N 24

struct node
{
    int *values;
    struct node *next;
};

#pragma omp declare target
int *of_the_device;
#pragma omp end declare target

int main(void)
{
    int a[N], b[N], *rows[3] = {0, 0, 0}, sum = 0;
    struct node nodes[2];
    for (int i = 0; i < N; i++)
        a[i] = b[i] = i;
#pragma omp target data map(tofrom: a, b) map(alloc: rows, nodes)
    {
        /* The host's. */
#pragma omp target
        {
            __asm__("");
            rows[0] = a;
            rows[1] = b + 2;
            of_the_device = &b[1];
            nodes[0].values = a;
            nodes[0].next = &nodes[1];
            nodes[1].values = b;
            nodes[1].next = 0;
        }
#pragma omp target map(tofrom: sum)
        {
            for (int i = 0; i < 4; i++)
                sum += rows[0][i] + rows[1][i] + of_the_device[i];
            for (struct node *n = nodes; n; n = n->next)
                n->values[3] += 100;
            rows[2] = rows[0] + 4;
        }
        check_int("sum", 0, sum, 6 + 14 + 10);
        /* The host's. */
#pragma omp target
        {
            __asm__("");
            rows[2][0] += 500;
            a[5] = rows[2][1] + 1;
        }
#pragma omp target
        rows[2][2] += rows[1][1];
        check_int("the host's own", 4, a[4], 4);
#pragma omp target
        rows[2][3] = rows[2] == &a[4];
    }
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], i == 3 ? 103 : i == 4 ? 504 : i == 5 ? 6 : i == 6 ? 109 : i == 7 ? 1 : i);
        check_int("b", i, b[i], i == 3 ? 103 : i);
    }
    return finish();
}
