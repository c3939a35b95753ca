// Joined and tiled loops up to members, which have the type of what the body writes: OpenACC 3.3 §2.9.1, §2.9.8.
// expect: launches=3
#include "check.h"

class Grid {
    int *cells;
    int width, height;

public:
    Grid(int *cells, int width, int height) : cells(cells), width(width), height(height) {}

    void fill(int v)
    {
#pragma acc parallel loop collapse(2) copyin(this[0 : 1]) copyout(cells[0 : width * height])
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                cells[y * width + x] = v * (x + y * 10);
    }

    void add(int v)
    {
#pragma acc parallel loop tile(4, 4) copyin(this[0 : 1]) copy(cells[0 : width * height])
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                cells[y * width + x] += v;
    }
};

struct Shape {
    int width, height;
};

static void scale(int *cells, Shape *shape)
{
#pragma acc parallel copy(cells[0 : 600]) copyin(shape[0 : 1])
#pragma acc loop collapse(2)
    for (int y = 0; y < shape->height; y++)
        for (int x = 0; x < shape->width; x++)
            cells[y * shape->width + x] *= 3;
}

int main()
{
    int cells[600];
    Grid grid(cells, 20, 30);
    Shape shape = {20, 30};
    grid.fill(2);
    grid.add(1);
    scale(cells, &shape);
    for (int i = 0; i < 600; i++)
        check_int("cells", i, cells[i], 3 * (2 * (i % 20 + i / 20 * 10) + 1));
    return finish();
}
