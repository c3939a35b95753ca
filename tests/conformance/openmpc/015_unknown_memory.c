// The host runs loops over memory that nobody knows: arrays on the stack that functions get by pointers, and lists.
// expect: launches=1
#include "../check.h"
#include <stdlib.h>

#define N 1003

struct item {
    struct item *next;
    double value;
};

static void add(double *to, const double *from, const int *places, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[places[i]] += from[i];
}

static void sums_of_list(const struct item *head, double *sums, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (const struct item *at = head; at; at = at->next)
            sum += at->value * i;
        sums[i] = sum;
    }
}

int main(void)
{
    double a[N], *b = malloc(N * sizeof(double)), *c = malloc(N * sizeof(double));
    int *places = malloc(N * sizeof(int));
    for (int i = 0; i < N; i++) {
        a[i] = b[i] = i;
        c[i] = 1;
        places[i] = (i * 7) % N;
    }
    add(a, b, places, N);
    add(b, c, places, N);
    for (int i = 0; i < N; i++) {
        check_near("a", places[i], a[places[i]], places[i] + i, 0);
        check_near("b", i, b[i], i + 1, 0);
    }

    struct item items[10];
    for (int i = 0; i < 10; i++)
        items[i] = (struct item){i < 9 ? &items[i + 1] : 0, i};
    sums_of_list(items, c, N);
    for (int i = 0; i < N; i++)
        check_near("sums", i, c[i], 45.0 * i, 0);
    return finish();
}
