// Arrays of structures, nested structures, structures that contain arrays, assignment of whole ones.
// expect: launches=2 uploads=2 downloads=3
#include "check.h"

#define N 160

struct point {
    float x, y;
};

struct cell {
    int id;
    struct point corner[4];
    struct {
        double mass;
        char tag;
    } content;
};

static struct cell cells[N];
static struct point centers[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        cells[i].id = i;
        for (int k = 0; k < 4; k++)
            cells[i].corner[k] = (struct point){i + k % 2, i * 2.0f + k / 2};
        cells[i].content.mass = 0.0;
        cells[i].content.tag = 'a';
    }
#pragma acc parallel loop copy(cells) copyout(centers)
    for (int i = 0; i < N; i++) {
        struct cell *c = &cells[i];
        struct point sum = {0.0f, 0.0f};
        for (int k = 0; k < 4; k++) {
            sum.x += c->corner[k].x;
            sum.y += c->corner[k].y;
        }
        centers[i].x = sum.x / 4;
        centers[i].y = sum.y / 4;
        c->content.mass = sum.x * (double)c->id;
        c->content.tag += i % 26;
    }
#pragma acc parallel loop copyin(cells) copyout(centers)
    for (int i = 0; i < N; i++) {
        struct cell copy = cells[(i + 1) % N];
        struct point p;
        p = copy.corner[3];
        p.x += copy.content.tag;
        centers[i] = p;
    }
    for (int i = 0; i < N; i++) {
        int j = (i + 1) % N;
        check_near("x", i, centers[i].x, j + 1 + 'a' + j % 26, 0.0);
        check_near("y", i, centers[i].y, j * 2.0f + 1, 0.0);
        check_near("mass", i, cells[i].content.mass, (4.0 * i + 2) * i, 1e-6);
    }
    return finish();
}
