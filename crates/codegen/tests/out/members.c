#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* No iteration of the loop that follows depends on another. */
#ifdef __clang__
#define ACCL_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
/* clang takes that for an order to use vectors, which run all branches, and access their arrays one element at a time. */
#define ACCL_INDEPENDENT_BRANCHES
#else
#define ACCL_INDEPENDENT _Pragma("GCC ivdep")
#define ACCL_INDEPENDENT_BRANCHES ACCL_INDEPENDENT
#endif

typedef struct point {
    double x;
    double y;
} point;

/* move: parallel loop */
static __attribute__((noinline)) void move_4_body(int64_t begin, int64_t end, int64_t total,
                                                  double *v, point *p)
{
    int first = begin;
    int end_ = end;
    ACCL_INDEPENDENT
    for (int i = first; i < end_; i++) {
        p[i].x += v[3 * i];
        p[i].y += p[i].x;
        v[3 * i + 1] = p[i].y;
        v[3 * i + 2] = v[3 * i];
    }
}

void move_4(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    move_4_body(begin, end, total, *(double *const *)args[1], *(point *const *)args[2]);
}

/* move: parallel loop */
static __attribute__((noinline)) void move_11_body(int64_t begin, int64_t end, int64_t total,
                                                   point *p, double *v)
{
    int first = begin;
    int end_ = end;
    for (int i_2 = first; i_2 < end_; i_2++) {
        point *q = p + i_2;
        q->x += 1.0;
        v[i_2] = p[i_2].x;
    }
}

void move_11(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    move_11_body(begin, end, total, *(point *const *)args[1], *(double *const *)args[2]);
}
