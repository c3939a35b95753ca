// Pointers to structures on a stack of which loops only read members: the pointers and numbers in them are what the device needs. Where a
// loop changes a member, or hands the pointer on, the host's threads run it.
// env: ACCL_DEVICE_CHOICE=never
// expect: launches=4
#include "../check.h"
#include <stdlib.h>

typedef struct {
    float weight, *at, cost;
    long centre;
} Point;

typedef struct {
    long count;
    int dimensions;
    Point *p;
    double *total;
    struct {
        double scale;
    } unit;
} Points;

static void assign(Points *points, float scale)
{
#pragma omp parallel for
    for (int i = 0; i < points->count; i++) {
        float sum = 0;
        for (int k = 0; k < points->dimensions; k++)
            sum += points->p[i].at[k];
        points->p[i].cost = sum * scale;
        points->total[i] = sum * points->unit.scale;
    }
}

static double sum(const Points *points)
{
    double all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < points->count; i++)
        all += points->total[i];
    return all;
}

static double total(const Points *points, int i) { return points->total[i]; }

static double handed(const Points *points)
{
    double all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < points->count; i++)
        all += total(points, i);
    return all;
}

static void last(Points *points)
{
#pragma omp parallel for
    for (int i = 0; i < points->count; i++)
        if (i == 17)
            points->unit.scale = i;
}

int main(void)
{
    Points points = {5000, 4, malloc(5000 * sizeof(Point)), malloc(5000 * sizeof(double)), {0.5}};
    float *block = malloc(points.count * points.dimensions * sizeof(float));
    for (int i = 0; i < points.count; i++) {
        points.p[i].at = block + 4 * i;
        for (int k = 0; k < 4; k++)
            points.p[i].at[k] = i % 10 + k;
    }
    for (int step = 1; step < 3; step++) {
        points.count = 5000 / step;
        assign(&points, step);
        double want = 0;
        for (int i = 0; i < points.count; i++) {
            check_near("cost", i, points.p[i].cost, step * (4 * (i % 10) + 6), 0);
            want += 0.5 * (4 * (i % 10) + 6);
        }
        check_near("sum", step, sum(&points), want, 1e-12);
        check_near("handed", step, handed(&points), want, 1e-12);
    }
    last(&points);
    check_near("last", 0, points.unit.scale, 17, 0);
    return finish();
}
