// Structures: mapped by rule, with arrays and structures in them, in arrays, firstprivate, one member of several.
// expect: launches=7
// needs: separate
// gcc: rejects, it takes no `*p` in `map`
#include "../check.h"
#include <stdlib.h>

#define N 45

struct point {
    double x, y;
    int id;
};
struct shape {
    struct point corners[4];
    struct point center;
    char name[8];
};

static double length(struct point p)
{
    return p.x + p.y;
}

static void move(struct point *p, double by)
{
    p->x += by;
    p->y -= by;
}

int main(void)
{
    struct point one = { 1, 2, 3 }, many[N];
    struct shape shape = { { { 0, 0, 0 }, { 1, 0, 1 }, { 1, 1, 2 }, { 0, 1, 3 } }, { 0.5, 0.5, 9 }, "square" };
    struct point *list = malloc(N * sizeof *list);
    double sum = 0;
    for (int i = 0; i < N; i++)
        many[i] = list[i] = (struct point){ i, 2 * i, i };
#pragma omp target
    {
        one.x = one.y + 5;
        move(&shape.corners[1], 2);
        shape.center = shape.corners[2];
        shape.name[0] = 'S';
    }
    check_near("one", 0, one.x, 7, 0);
    check_near("corner", 0, shape.corners[1].x, 3, 0);
    check_near("corner", 1, shape.corners[1].y, -2, 0);
    check_int("center", 0, shape.center.id, 2);
    check_int("name", 0, shape.name[0], 'S');
    check_int("name", 1, shape.name[5], 'e');
#pragma omp target teams distribute parallel for map(tofrom: many, list[0:N])
    for (int i = 0; i < N; i++) {
        move(&many[i], 1);
        list[i].id = (int)length(many[i]);
    }
    for (int i = 0; i < N; i++) {
        check_near("many", i, many[i].x, i + 1, 0);
        check_int("list", i, list[i].id, 3 * i);
    }
    // Each team's copy, which goes nowhere.
#pragma omp target firstprivate(one, shape) map(from: sum)
    {
        one.x += 1;
        shape.corners[0].x = one.x;
        sum = shape.corners[0].x + one.y;
    }
    check_near("sum", 0, sum, 10, 0);
    check_near("one", 1, one.x, 7, 0);
    check_near("corner", 2, shape.corners[0].x, 0, 0);
    // Members, named one by one.
#pragma omp target map(tofrom: one.x) map(to: one.y)
    one.x = 2 * one.y;
    check_near("one", 2, one.x, 4, 0);
#pragma omp target map(tofrom: shape.corners[1:2])
    shape.corners[1].id = shape.corners[2].id + 40;
    check_int("corner", 3, shape.corners[1].id, 42);
    struct point *p = &one;
#pragma omp target map(tofrom: *p)
    p->id = 12;
    check_int("id", 0, one.id, 12);
#pragma omp target map(to: p->y) map(from: p->id)
    p->id = (int)p->y + 50;
    check_int("id", 1, one.id, 52);
    return finish();
}
