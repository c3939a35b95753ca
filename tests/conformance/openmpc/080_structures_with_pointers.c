// Structures with pointers: arrays of them, one by value and by pointer, some that lead to others. Kernels get translated copies, and
// what they write beside the pointers comes home. Rodinia's HEARTWALL gives a function two structures by value for each point.
// expect: launches=15
// devices: cpu cuda opencl
#include "../check.h"
#include <stdlib.h>
#include <string.h>

#define N 90
#define M 300

typedef struct {
    int n;
    double *u, *v;
    double sum;
    char *name;
} block;

typedef struct {
    int n, m;
    float *picture;
    int *start;
} public_data;

typedef struct {
    int point;
    float *in, *out;
    int *place;
} private_data;

struct mesh {
    block *blocks;
    int count;
    struct {
        double *weights;
        double *planes[2];
    } inner;
};

struct node {
    double value;
    struct node *next, *left;
};

static void track(public_data common, private_data own)
{
    float most = -1;
    int at = 0;
    for (int i = 0; i < common.m; i++) {
        own.out[i] = own.in[i] * common.picture[(i + own.point) % common.n];
        if (own.out[i] > most) {
            most = own.out[i];
            at = i;
        }
    }
    own.place[0] = at + common.start[own.point];
}

static double weighted(const struct mesh *m, int i, int j)
{
    return m->blocks[i].u[j] * m->inner.weights[j] + m->inner.planes[i % 2][j];
}

static void blocks_alone(void)
{
    block *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        b[i] = (block){M + i, malloc((M + i) * sizeof(double)), malloc((M + i) * sizeof(double)), 0, "block"};
        for (int j = 0; j < b[i].n; j++)
            b[i].u[j] = i + j;
    }
    for (int step = 0; step < 2; step++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int j = 0; j < b[i].n; j++) {
                b[i].v[j] = 2 * b[i].u[j];
                sum += b[i].v[j];
            }
            b[i].sum = sum;
        }
        // A pointer to the element, and a copy of it.
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            block *one = &b[i], copy = b[i];
            for (int j = 0; j < copy.n; j++)
                one->u[j] = copy.v[j] + one->sum * 0;
        }
        // A pointer of C89's kind, declared outside.
        block *c;
        int i, j;
#pragma omp parallel for private(c, j)
        for (i = 0; i < N; i++) {
            c = b + i;
            for (j = 0; j < c->n; j++)
                c->u[j] *= 0.5;
            c->n += 1;
        }
        for (i = 0; i < N; i++) {
            check_int("n", i, b[i].n, M + i + 1);
            b[i].n--;
        }
        // The host exchanges the pointers.
        for (i = 0; i < N; i++) {
            double *u = b[i].u;
            b[i].u = b[i].v;
            b[i].v = u;
        }
    }
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < b[i].n; j++)
            sum += 4 * (i + j);
        check_near("sum", i, b[i].sum, sum, 1e-12);
        check_near("u", i, b[i].u[3], 4 * (i + 3), 0);
        check_near("v", i, b[i].v[5], 2 * (i + 5), 0);
    }

    // One structure leads to all, by pointer, by value and by a member.
    struct mesh *m = malloc(sizeof *m), copied;
    *m = (struct mesh){b, N, {malloc(M * sizeof(double)), {malloc(M * sizeof(double)), calloc(M, sizeof(double))}}};
    for (int j = 0; j < M; j++) {
        m->inner.weights[j] = 1 + j % 2;
        m->inner.planes[0][j] = j;
    }
    double sums[N], more[N];
#pragma omp parallel for
    for (int i = 0; i < m->count; i++) {
        sums[i] = 0;
        for (int j = 0; j < M; j++)
            sums[i] += weighted(m, i, j);
    }
    copied = *m;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        more[i] = 0;
        for (int j = 0; j < M; j++)
            more[i] += weighted(&copied, i, j) + copied.blocks[i].v[j];
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        m->blocks[i].sum = m->blocks[i].u[1] + m->inner.planes[1][0];
    for (int i = 0; i < N; i++) {
        double want = 0, others = 0;
        for (int j = 0; j < M; j++) {
            want += 4 * (i + j) * (1 + j % 2) + (i % 2 ? 0 : j);
            others += 2 * (i + j);
        }
        check_near("weighted", i, sums[i], want, 1e-12);
        check_near("copied", i, more[i], want + others, 1e-12);
        check_near("mesh", i, b[i].sum, 4 * (i + 1), 0);
    }
}

static void points(void)
{
    public_data common = {1000, M, malloc(1000 * sizeof(float)), malloc(51 * sizeof(int))};
    private_data own[51];
    for (int i = 0; i < 1000; i++)
        common.picture[i] = (i * 37 % 101) * 0.01f;
    for (int i = 0; i < 51; i++) {
        own[i] = (private_data){i, malloc(M * sizeof(float)), malloc(M * sizeof(float)), malloc(sizeof(int))};
        common.start[i] = 1000 * i;
        for (int j = 0; j < M; j++)
            own[i].in[j] = j % 13;
    }
    for (int frame = 0; frame < 3; frame++) {
        int i;
#pragma omp parallel for
        for (i = 0; i < 51; i++)
            track(common, own[i]);
        for (i = 0; i < 51; i++) {
            int at = 0;
            for (int j = 0; j < M; j++) {
                float value = own[i].in[j] * common.picture[(j + i) % 1000];
                check_near("out", i, own[i].out[j], value, 0);
                if (value > own[i].in[at] * common.picture[(at + i) % 1000])
                    at = j;
            }
            check_int("place", i, *own[i].place, at + 1000 * i);
        }
        common.picture[17 * frame] = 2;
    }
}

// Lists and trees, in one allocation and in many; a pointer into the structure itself.
static void nodes(void)
{
    struct node *all = calloc(N, sizeof *all), *heads[N];
    struct {
        double *at, own[4];
    } *inner = malloc(N * sizeof *inner);
    for (int i = 0; i < N; i++) {
        heads[i] = malloc(sizeof *heads[i]);
        *heads[i] = (struct node){i, i > 0 ? heads[i - 1] : NULL, &all[i]};
        all[i] = (struct node){0.5, i % 3 ? &all[i - 1] : NULL, &all[N - 1 - i]};
        inner[i].at = &inner[i].own[i % 4];
        for (int k = 0; k < 4; k++)
            inner[i].own[k] = k;
    }
    double sums[N];
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        sums[i] = 0;
        for (struct node *at = heads[i]; at; at = at->next)
            sums[i] += at->value + at->left->value;
        for (const struct node *at = &all[i]; at; at = at->next)
            sums[i] += 1000;
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        *inner[i].at += 10;
        all[i].value = heads[i]->left->left->next ? 2 : 1;
    }
    for (int i = 0; i < N; i++) {
        check_near("list", i, sums[i], i * (i + 1) / 2 + 0.5 * (i + 1) + 1000 * (i % 3 + 1), 1e-12);
        check_near("inner", i, inner[i].own[i % 4], i % 4 + 10, 0);
        check_near("others", i, inner[i].own[(i + 1) % 4], (i + 1) % 4, 0);
    }
    for (int i = 0; i < N; i++)
        check_near("node", i, all[i].value, (N - 1 - i) % 3 ? 2 : 1, 0);
}

int main(void)
{
    blocks_alone();
    points();
    nodes();

    // What nobody can follow stays with the host: a union, a pointer without a type, a pointer that the loop writes.
    struct {
        union {
            double *numbers;
            long bits;
        };
        void *any;
        double *written;
    } odd[4];
    for (int i = 0; i < 4; i++)
        odd[i].numbers = calloc(8, 8), odd[i].any = odd[i].written = calloc(8, 8);
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        odd[i].numbers[i] = i;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        odd[i].written = odd[i].numbers + i;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        double *numbers = odd[i].any;
        numbers[1] = i + *odd[i].written;
    }
    for (int i = 0; i < 4; i++) {
        check_near("union", i, *odd[i].written, i, 0);
        check_near("any", i, ((double *)odd[i].any)[1], 2 * i, 0);
    }
    return finish();
}
