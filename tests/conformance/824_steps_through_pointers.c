// flags: -O2
// expect: launches=5
/* As 823, where an iteration finds what it has written in other ways: by a pointer of its own, by arithmetic on pointers, by
 * subscripts of structures that memory holds, as another member of a union; and structures that are updated member by member. */
#include "check.h"

#define N 77
#define C 8

struct point {
    double x, y, z, v[3];
};
union word {
    float number;
    unsigned bits;
};

#define PARAMETERS double *a, struct point *p, union word *u, const int *ix

#define BOTH                                                                                                    \
    PRAGMA(acc parallel loop)                                                                                   \
    for (int k = 0; k < N; k++) {                                                                               \
        double *row = a + k * C;                                                                                \
        row[1] = row[0] + 1;                                                                                    \
        row[2] = a[k * C + 1] * 2;                                                                              \
        a[k * C] = row[2];                                                                                      \
    }                                                                                                           \
    PRAGMA(acc parallel loop)                                                                                   \
    for (int k = 0; k < N; k++) {                                                                               \
        *(a + k * C + 4) = *(a + k * C + 3) + 1;                                                                \
        *(a + k * C + 5) = *(a + k * C + 4) / 2;                                                                \
        a[k * C + 4] -= a[k * C + 5];                                                                           \
    }                                                                                                           \
    PRAGMA(acc parallel loop)                                                                                   \
    for (int k = 0; k < N; k++)                                                                                 \
        for (int i = 0; i < C; i++)                                                                             \
            p[k * C + ix[i]].x += p[k * C + ix[(i + 1) % C]].x / 2;                                             \
    PRAGMA(acc parallel loop)                                                                                   \
    for (int k = 0; k < N * C; k++) {                                                                           \
        u[k].number = u[k].number * 2;                                                                          \
        u[k].bits += 3;                                                                                         \
        u[k].number += 1;                                                                                       \
    }                                                                                                           \
    PRAGMA(acc parallel loop)                                                                                   \
    for (int k = 0; k < N * C; k++) {                                                                           \
        p[k].x += p[k].y;                                                                                       \
        p[k].y = p[k].x - p[k].z;                                                                               \
        p[k].z *= p[k].y;                                                                                       \
        p[k].v[0] = p[k].x + p[k].v[1];                                                                         \
        p[k].v[1] = p[k].v[0] - p[k].v[2];                                                                      \
        p[k].v[2] += p[k].z;                                                                                    \
    }

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
static double a[N * C], want_a[N * C];
static struct point p[N * C], want_p[N * C];
static union word u[N * C], want_u[N * C];

static void on_device(const int *restrict ix)
{
#pragma acc data copy(a, p, u) copyin(ix[0:C])
    {
        BOTH
    }
}
#undef PRAGMA
#define PRAGMA(...)
static void on_host(PARAMETERS) { BOTH }

int main(void)
{
    int ix[C];
    for (int i = 0; i < C; i++)
        ix[i] = (i * 3 + 1) % C;
    for (int i = 0; i < N * C; i++) {
        a[i] = want_a[i] = i % 13;
        p[i] = want_p[i] = (struct point){i % 7, i % 5, 1.0 / (i + 1), {i % 3, i % 4, 2}};
        u[i].number = want_u[i].number = i % 17 + 1;
    }
    on_device(ix);
    on_host(want_a, want_p, want_u, ix);
    for (int i = 0; i < N * C; i++) {
        check_near("a", i, a[i], want_a[i], 1e-12);
        check_near("x", i, p[i].x, want_p[i].x, 1e-12);
        check_near("y", i, p[i].y, want_p[i].y, 1e-12);
        check_near("z", i, p[i].z, want_p[i].z, 1e-12);
        check_near("v", i, p[i].v[0] + p[i].v[1] * 2 + p[i].v[2] * 4,
                   want_p[i].v[0] + want_p[i].v[1] * 2 + want_p[i].v[2] * 4, 1e-12);
        check_int("u", i, u[i].bits, want_u[i].bits);
    }
    return finish();
}
