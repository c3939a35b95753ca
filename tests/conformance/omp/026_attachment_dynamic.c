// The same by target enter data, before or after the structure; target regions then need no clause.
// expect: launches=4
// needs: separate
#include "../check.h"
#include <stdlib.h>

#define N 80

struct node {
    int n;
    float *values;
};
struct tree {
    struct node left, right;
    struct node *nodes;
};

int main(void)
{
    struct node *s = malloc(sizeof *s);
    s->n = N;
    s->values = malloc(N * sizeof *s->values);
    for (int i = 0; i < N; i++)
        s->values[i] = i;
#pragma omp target enter data map(to: s[0:1])
#pragma omp target enter data map(to: s->values[0:N])
#pragma omp target
    for (int i = 0; i < s->n; i++)
        s->values[i] *= 2;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < s->n; i++)
        s->values[i] += 1;
#pragma omp target update from(s->values[0:N])
    for (int i = 0; i < N; i++)
        check_near("values", i, s->values[i], 2 * i + 1, 0);
#pragma omp target exit data map(release: s->values[0:N])
#pragma omp target exit data map(release: s[0:1])

    struct tree t;
    t.left.n = 3;
    t.right.n = 5;
    t.left.values = malloc(3 * sizeof(float));
    t.right.values = malloc(5 * sizeof(float));
    t.nodes = malloc(2 * sizeof *t.nodes);
    t.nodes[0] = t.left;
    t.nodes[1] = t.right;
#pragma omp target enter data map(to: t) map(alloc: t.left.values[0:3], t.right.values[0:5])
#pragma omp target
    {
        for (int i = 0; i < t.left.n; i++)
            t.left.values[i] = i;
        for (int i = 0; i < t.right.n; i++)
            t.right.values[i] = 10 + i;
    }
#pragma omp target exit data map(from: t.left.values[0:3], t.right.values[0:5]) map(delete: t)
    for (int i = 0; i < 5; i++) {
        check_near("right", i, t.right.values[i], 10 + i, 0);
        if (i < 3)
            check_near("left", i, t.left.values[i], i, 0);
    }

    // Pointers in an array of structures, attached one by one.
    struct node list[3];
    for (int k = 0; k < 3; k++) {
        list[k].n = 4 + k;
        list[k].values = malloc((4 + k) * sizeof(float));
    }
#pragma omp target enter data map(to: list)
    for (int k = 0; k < 3; k++) {
#pragma omp target enter data map(alloc: list[k].values[0:list[k].n])
    }
#pragma omp target teams distribute
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < list[k].n; i++)
            list[k].values[i] = 100 * k + i;
    for (int k = 0; k < 3; k++) {
#pragma omp target exit data map(from: list[k].values[0:list[k].n])
    }
#pragma omp target exit data map(release: list)
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4 + k; i++)
            check_near("list", 10 * k + i, list[k].values[i], 100 * k + i, 0);
    return finish();
}
