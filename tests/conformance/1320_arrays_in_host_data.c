// An array in `host_data` keeps its type: what `sizeof` and `&` say of it, and pointers into it.
// expect: launches=0 uploads<=3 downloads<=2
#include "check.h"
#include <openacc.h>
#include <stddef.h>

#define N 50

static double table[4][5];

static int is_larger(size_t bytes, size_t than) { return bytes > than; }

int main(void)
{
    double a[N], b[N];
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 0;
    }
    for (int i = 0; i < 20; i++)
        table[i / 5][i % 5] = 100 + i;
#pragma acc data copyin(a) copy(b) copyin(table)
    {
#pragma acc host_data use_device(a, b)
        acc_memcpy_device(b, a, sizeof a / 2);
#pragma acc host_data use_device(table, b)
        {
            acc_memcpy_device(b + 30, table[2], sizeof(table[2]));
            acc_memcpy_device(&b[40], &table, sizeof(table) / 4);
            check_int("all", 0, sizeof table, 20 * sizeof(double));
            check_int("row", 0, sizeof table[0], 5 * sizeof(double));
            check_int("elements", 0, sizeof(b) / sizeof *b, N);
            check_int("stretch", 0, (char *)(&b + 1) - (char *)b, N * sizeof(double));
            check_true("larger", is_larger(sizeof b, 8) && b);
        }
    }
    for (int i = 0; i < N; i++) {
        double want = i < 25 ? i : i >= 30 && i < 35 ? 110 + i - 30 : i >= 40 && i < 45 ? 100 + i - 40 : 0;
        check_near("value", i, b[i], want, 1e-12);
    }
    return finish();
}
