// Structures with pointers, of which kernels follow the pointers and write what lies beside them: it stays on the device until the host
// accesses it, whatever the host, and kernels that do not follow the pointers, do in between.
// expect: launches=74 uploads<=60 downloads<=90
#include "../check.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    float weight;
    float *coordinates;
    long center;
    float cost;
} point;

enum { N = 20000, DIM = 4 };

/* The distance of all points from one of them, if that is nearer than what they have. */
static void open_center(point *points, int n, int x)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float distance = 0;
        for (int k = 0; k < DIM; k++)
            distance += (points[i].coordinates[k] - points[x].coordinates[k]) * (points[i].coordinates[k] - points[x].coordinates[k]);
        if (distance * points[i].weight < points[i].cost) {
            points[i].cost = distance * points[i].weight;
            points[i].center = x;
        }
    }
}

static void open_center_here(point *points, int n, int x)
{
    for (int i = 0; i < n; i++) {
        float distance = 0;
        for (int k = 0; k < DIM; k++)
            distance += (points[i].coordinates[k] - points[x].coordinates[k]) * (points[i].coordinates[k] - points[x].coordinates[k]);
        if (distance * points[i].weight < points[i].cost) {
            points[i].cost = distance * points[i].weight;
            points[i].center = x;
        }
    }
}

/* Follows no pointer. */
static void scale(point *points, int n, float factor)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        points[i].cost *= factor;
}

static double sum(point *points, int n)
{
    double total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++)
        total += points[i].cost;
    return total;
}

static point *make(float *coordinates, unsigned seed)
{
    point *points = malloc(N * sizeof *points);
    for (int i = 0; i < N * DIM; i++)
        coordinates[i] = (i * 2654435761u ^ seed) % 100;
    for (int i = 0; i < N; i++)
        points[i] = (point){1 + i % 3, coordinates + i * DIM, -1, 1e9f};
    return points;
}

static void compare(const char *what, const point *points, const point *expected)
{
    int wrong = 0, moved = 0;
    for (int i = 0; i < N; i++) {
        float difference = points[i].cost - expected[i].cost;
        wrong += points[i].center != expected[i].center || difference > 1e-3f * expected[i].cost + 1e-6f ||
                 -difference > 1e-3f * expected[i].cost + 1e-6f || points[i].weight != expected[i].weight;
        moved += points[i].coordinates != expected[i].coordinates;
    }
    check_int(what, 0, wrong, 0);
    check_int("pointers are the host's", 0, moved, 0);
}

int main(void)
{
    float *coordinates = malloc(N * DIM * sizeof *coordinates), *other = malloc(N * DIM * sizeof *other);
    point *expected = malloc(N * sizeof *expected), *points = make(coordinates, 1);
    memcpy(expected, points, N * sizeof *points);
    for (int x = 0; x < 20; x++) {
        open_center(points, N, x * 7);
        open_center_here(expected, N, x * 7);
        // One element, near the end at last.
        check_near("the host reads one", x, points[x * 1000].cost, expected[x * 1000].cost, 1e-3);
    }
    compare("kernels wrote again and again", points, expected);

    for (int x = 0; x < 5; x++) {
        points[x * 2000].weight = expected[x * 2000].weight = 0.5f;
        points[x * 3000 + 1].cost = expected[x * 3000 + 1].cost = 1e8f;
        open_center(points, N, 500 + x);
        open_center_here(expected, N, 500 + x);
    }
    compare("the host writes in between", points, expected);

    for (int x = 0; x < 4; x++) {
        open_center(points, N, 900 + x);
        open_center_here(expected, N, 900 + x);
        scale(points, N, 1.5f);
        for (int i = 0; i < N; i++)
            expected[i].cost *= 1.5f;
        double total = 0;
        for (int i = 0; i < N; i++)
            total += expected[i].cost;
        check_near("a sum that follows nothing", x, sum(points, N) / total, 1, 1e-4);
    }
    compare("kernels that follow nothing", points, expected);

    memcpy(other, coordinates, N * DIM * sizeof *other);
    for (int i = 0; i < N * DIM; i++)
        other[i] = 99 - other[i];
    for (int x = 0; x < 6; x++) {
        for (int i = x; i < N; i += 97)
            points[i].coordinates = expected[i].coordinates = (x % 2 ? coordinates : other) + i * DIM;
        for (int again = 0; again < 3; again++) {
            open_center(points, N, 3000 + 10 * x + again);
            open_center_here(expected, N, 3000 + 10 * x + again);
        }
    }
    compare("pointers change", points, expected);

    for (int round = 0; round < 3; round++) {
        free(points);
        points = make(coordinates, 5 + round);
        memcpy(expected, points, N * sizeof *points);
        for (int x = 0; x < 4; x++) {
            open_center(points, N, x);
            open_center_here(expected, N, x);
        }
        if (round > 0)
            compare("another table in its place", points, expected);
    }
    point *moved = malloc(N * sizeof *moved);
    open_center(points, N, 77);
    open_center_here(expected, N, 77);
    memcpy(moved, points, N * sizeof *moved);
    compare("copied as a whole", moved, expected);
    return finish();
}
