// declare mapper: default and named, with each directive that maps, of elements, of members that have mappers themselves.
// expect: launches=8 uploads=31 downloads=27
// needs: separate
#include "../check.h"
#include <omp.h>
#include <stdlib.h>

typedef struct {
    int len;
    double *data;
} Vec;
#pragma omp declare mapper(Vec v) map(v, v.data[0:v.len])
#pragma omp declare mapper(data_alone : Vec v) map(to: v.len) map(tofrom: v.data[0:v.len])

struct Pair {
    int tag;
    Vec left, right;
};

static void fill(Vec *v, int len, double start)
{
    v->len = len;
    v->data = malloc((size_t)len * sizeof *v->data);
    for (int i = 0; i < len; i++)
        v->data[i] = start + i;
}

static void one(void)
{
    Vec v;
    fill(&v, 11, 1.0);
    double *own = v.data;
#pragma omp target map(tofrom: v)
    for (int i = 0; i < v.len; i++)
        v.data[i] *= 2;
    check_near("one", 10, v.data[10], 22, 0);
    check_true("one keeps its pointer", v.data == own);
#pragma omp target map(to: v)
    v.data[0] = -1;
    check_near("to", 0, v.data[0], 2, 0);
#pragma omp target data map(mapper(data_alone), tofrom: v)
    {
#pragma omp target
        v.data[3] = 5;
        check_near("data", 3, v.data[3], 8, 0);
#pragma omp target update from(mapper(data_alone): v)
        check_near("data", 3, v.data[3], 5, 0);
        v.data[3] = 6;
#pragma omp target update to(mapper(data_alone): v)
#pragma omp target
        v.data[3] += 1;
    }
    check_near("data", 3, v.data[3], 7, 0);
    check_int("data present", 0, omp_target_is_present(v.data, omp_get_default_device()), 0);
#pragma omp target enter data map(to: v)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 11; i++)
        v.data[i] = i;
    check_near("enter", 3, v.data[3], 7, 0);
#pragma omp target update from(v)
    check_near("enter", 3, v.data[3], 3, 0);
    check_true("pointer after the update", v.data == own);
#pragma omp target exit data map(delete: v)
    check_int("present", 1, omp_target_is_present(v.data, omp_get_default_device()), 0);
    free(v.data);
}

static void several(void)
{
    enum { N = 3 };
    Vec *vs = malloc(N * sizeof *vs);
    for (int i = 0; i < N; i++)
        fill(&vs[i], 4 + i, 10.0 * i);
#pragma omp target enter data map(to: vs[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < vs[i].len; j++)
            vs[i].data[j] += 0.5;
#pragma omp target exit data map(from: vs[0:N])
    for (int i = 0; i < N; i++) {
        check_near("several", i, vs[i].data[3 + i], 10.0 * i + 3 + i + 0.5, 0);
        free(vs[i].data);
    }
    free(vs);

    struct Pair p, two[2];
    fill(&p.left, 5, 1);
    fill(&p.right, 6, 2);
    p.tag = 1;
    two[0] = two[1] = p;
    fill(&two[1].left, 5, 100);
    fill(&two[1].right, 5, 200);
#pragma omp target map(tofrom: p)
    {
        p.tag = 2;
        p.left.data[4] += p.right.data[5];
    }
    check_int("member", 0, p.tag, 2);
    check_near("member", 4, p.left.data[4], 12, 0);
#pragma omp target map(tofrom: two)
    for (int i = 0; i < 2; i++) {
        two[i].tag = i + 7;
        two[i].left.data[0] = two[i].right.data[1] * 2;
    }
    check_int("two", 1, two[1].tag, 8);
    check_near("two", 0, two[0].left.data[0], 6, 0);
    check_near("two", 1, two[1].left.data[0], 402, 0);
    free(p.left.data);
    free(p.right.data);
    free(two[1].left.data);
    free(two[1].right.data);
}

int main(void)
{
    one();
    several();
    return finish();
}
