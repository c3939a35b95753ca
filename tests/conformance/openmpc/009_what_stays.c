// Each of these loops is refused by a later stage, or follows what nobody could bring to the device: the host's threads run
// it, and the program is compiled all the same. Lists, and structures with pointers as arguments, the device can have.
// expect: launches=3
// devices: cpu cuda
#include "../check.h"
#include <stdlib.h>

#define N 300

struct cell {
    struct cell *next;
    int value;
};

typedef struct {
    int side;
    float *frame;
} picture;

static int a[N], b[N];
static int twice(int x) { return 2 * x; }
static int (*through)(int) = twice;

static void add(picture p, float *sum, int i) { *sum = p.frame[i] + p.side; }

int main(void)
{
    float sums[N], **rows = malloc(N * sizeof *rows);
    struct cell *lists[N];
    picture p = {3, malloc(N * sizeof(float))};
    for (int i = 0; i < N; i++) {
        rows[i] = malloc(sizeof(float));
        *rows[i] = i;
        lists[i] = malloc(sizeof *lists[i]);
        *lists[i] = (struct cell){i > 0 ? lists[i - 1] : NULL, i};
        p.frame[i] = i;
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = through(i);
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
#pragma omp for
        for (int i = 0; i < N; i++) {
            int *memory = malloc(sizeof(int));
            *memory = i;
            b[i] += *memory;
            free(memory);
        }
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        if (i < 0)
            goto inside;
        if (i < N) {
        inside:
            a[i]++;
        }
    }
    // Lists.
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (struct cell *c = lists[i]->next; c; c = c->next)
            b[i] += c->value - c->value;
    // An array into which pointers are written.
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        float *row = rows[i];
        rows[i] = row;
        rows[i][0] *= 2;
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        add(p, &sums[i], i);
    // Memory that each thread has for itself.
#pragma omp parallel
    {
        int *scratch = calloc(8, sizeof(int));
#pragma omp for
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < 8; k++)
                scratch[k] = i + k;
            b[i] += scratch[7] - scratch[0];
        }
        free(scratch);
    }
    // A kernel among them.
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        b[i] += 1;
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], 2 * i + 1);
        check_int("b", i, b[i], 3 * i + 1 + 7 + 1);
        check_near("row", i, *rows[i], 2 * i, 0);
        check_near("sum", i, sums[i], i + 3, 0);
    }
    return finish();
}
