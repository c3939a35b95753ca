// -gpu=autodata: pointers and arrays that are members, of structures on the heap, the stack and with static storage.
// flags: -gpu=autodata
// needs: runtime
#include "check.h"
#include <stdlib.h>

#define N 10007

struct grid {
    int n;
    double *u, *v;
    int *order;
    double head[16];
};

struct block {
    int before;
    double cells[N];
    int after;
};

static struct grid whole;
static struct block fixed;

static void step(struct grid *g)
{
#pragma acc parallel loop
    for (int i = 0; i < g->n; i++)
        g->v[g->order[i]] = g->u[i] + g->head[i % 16];
    double *t = g->u;
    g->u = g->v;
    g->v = t;
}

static void make(struct grid *g, int n)
{
    g->n = n;
    g->u = malloc(n * sizeof(double));
    g->v = calloc(n, sizeof(double));
    g->order = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        g->u[i] = i;
        g->order[i] = n - 1 - i;
    }
    for (int i = 0; i < 16; i++)
        g->head[i] = 1;
}

int main(void)
{
    struct grid local, *heap = malloc(sizeof *heap);
    make(&local, N);
    make(heap, N);
    make(&whole, N);
    for (int times = 0; times < 6; times++) {
        step(&local);
        step(heap);
        step(&whole);
    }
    for (int i = 0; i < N; i++) {
        check_near("local", i, local.u[i], i + 6, 0);
        check_near("heap", i, heap->u[i], i + 6, 0);
        check_near("whole", i, whole.u[i], i + 6, 0);
    }
    struct block *b = malloc(2 * sizeof *b);
    for (int k = 0; k < 2; k++) {
        b[k].before = b[k].after = 7;
        for (int i = 0; i < N; i++)
            b[k].cells[i] = fixed.cells[i] = i;
    }
    for (int times = 0; times < 3; times++) {
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            b->cells[i] += 1;
            b[1].cells[i] += 2;
            fixed.cells[i] += 3;
        }
        b->before++;
        b[1].after++;
        fixed.after++;
    }
    for (int i = 0; i < N; i++) {
        check_near("b[0]", i, b->cells[i], i + 3, 0);
        check_near("b[1]", i, b[1].cells[i], i + 6, 0);
        check_near("fixed", i, fixed.cells[i], i + 9, 0);
    }
    check_int("before", 0, b->before, 10);
    check_int("after", 1, b[1].after, 10);
    check_int("after", 2, fixed.after, 3);
    return finish();
}
