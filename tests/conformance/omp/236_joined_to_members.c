// Joined loops up to members, which have the type of what the body writes: OpenMP 5.2 §4.4.3.
// expect: launches=2
#include "../check.h"

struct Shape {
    int width, height;
};

static void fill(int *cells, const struct Shape *shape)
{
#pragma omp target teams distribute parallel for collapse(2) map(from : cells[0 : 600]) map(to : shape[0 : 1])
    for (int y = 0; y < shape->height; y++)
        for (int x = 0; x < shape->width; x++)
            cells[y * shape->width + x] = x + y * 10;
}

static void scale(int *cells, const struct Shape *shape)
{
#pragma omp target teams map(tofrom : cells[0 : 600]) map(to : shape[0 : 1])
#pragma omp loop collapse(2)
    for (int y = 0; y < shape->height; y++)
        for (int x = 0; x < shape->width; x++)
            cells[y * shape->width + x] *= 3;
}

int main(void)
{
    int cells[600];
    struct Shape shape = {20, 30};
    fill(cells, &shape);
    scale(cells, &shape);
    for (int i = 0; i < 600; i++)
        check_int("cells", i, cells[i], 3 * (i % 20 + i / 20 * 10));
    return finish();
}
