// An array in `target data use_device_addr` keeps its type: what `sizeof` and `&` say of it, and pointers into it.
// expect: launches=0 uploads<=3 downloads<=2
#include "../check.h"
#include <omp.h>
#include <stddef.h>

#define N 50

static double table[4][5];

static int is_larger(size_t bytes, size_t than) { return bytes > than; }

static void move(void *to, const void *from, size_t bytes)
{
    int device = omp_get_default_device();
    omp_target_memcpy(to, from, bytes, 0, 0, device, device);
}

template <size_t n> static size_t length(double (&)[n]) { return n; }

int main()
{
    double a[N], b[N];
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 0;
    }
    for (int i = 0; i < 20; i++)
        table[i / 5][i % 5] = 100 + i;
#pragma omp target data map(to : a) map(tofrom : b) map(to : table)
    {
#pragma omp target data use_device_addr(a, b)
        move(b, a, sizeof a / 2);
#pragma omp target data use_device_addr(table, b)
        {
            move(b + 30, table[2], sizeof(table[2]));
            move(&b[40], &table, sizeof(table) / 4);
            check_int("all", 0, sizeof table, 20 * sizeof(double));
            check_int("row", 0, sizeof table[0], 5 * sizeof(double));
            check_int("elements", 0, sizeof(b) / sizeof *b, N);
            check_int("deduced", 0, length(b), N);
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
