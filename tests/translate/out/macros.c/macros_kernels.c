/* The kernels of macros.c, parallel by OpenMP. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct Point {
    float x;
    float y;
    int group;
} Point;

static double half(double x)
{
    return x * 0.5 + 1.0;
}

/* macros.c:21: parallel loop */
void main_21(const Point *restrict points, double *sum_result, float *farthest_result)
{
    double sum = 0.0;
    float farthest = -INFINITY;
    #pragma omp parallel for reduction(+ : sum) reduction(max : farthest)
    for (int i = 0; i < 300; i++) {
        float d = points[i].x * points[i].x + points[i].y * points[i].y;
        sum += half(d);
        farthest = d > farthest ? d : farthest;
    }
    *sum_result += sum;
    *farthest_result = fmaxf(*farthest_result, farthest);
}

/* macros.c:27: parallel loop */
void main_27(int *restrict histogram, const Point *restrict points)
{
    #pragma omp parallel for
    for (int i = 0; i < 300; i++) {
        __atomic_fetch_add(&histogram[points[i].group & 3], 1, __ATOMIC_RELAXED);
    }
}
