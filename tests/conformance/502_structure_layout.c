// Structures with padding, mixed sizes and a union have the same layout on the device.
// expect: launches=1 uploads=1 downloads=2
#include <stddef.h>
#include "check.h"

#define N 77

struct mixed {
    char a;
    double b;
    short c;
    long d;
    unsigned char e[3];
    float f;
    union {
        int i;
        float f;
    } u;
};

int main(void)
{
    struct mixed m[N];
    long sizes[4];
    for (int i = 0; i < N; i++) {
        m[i].a = i;
        m[i].b = 0.5 * i;
        m[i].c = -i;
        m[i].d = i * 1000000007L;
        m[i].e[0] = m[i].e[1] = m[i].e[2] = i + 100;
        m[i].f = i;
        m[i].u.f = 1.0f + i;
    }
#pragma acc parallel loop copy(m) copyout(sizes)
    for (int i = 0; i < N; i++) {
        m[i].a = -m[i].a;
        m[i].b += m[i].c;
        m[i].c = m[i].c * 2;
        m[i].d += m[i].e[2];
        m[i].e[1] = m[i].e[0] + 200;
        m[i].f = m[i].u.f * 2.0f;
        m[i].u.i = i;
        if (i == 0) {
            sizes[0] = sizeof(struct mixed);
            sizes[1] = offsetof(struct mixed, d);
            sizes[2] = sizeof m[0].e;
            sizes[3] = sizeof m[0].u;
        }
    }
    for (int i = 0; i < N; i++) {
        check_int("a", i, m[i].a, -i);
        check_near("b", i, m[i].b, -0.5 * i, 0.0);
        check_int("c", i, m[i].c, -2 * i);
        check_int("d", i, m[i].d, i * 1000000007L + i + 100);
        check_int("e", i, m[i].e[1], (i + 300) & 255);
        check_near("f", i, m[i].f, 2.0f + 2 * i, 0.0);
        check_int("u", i, m[i].u.i, i);
    }
    check_int("sizes", 0, sizes[0], sizeof(struct mixed));
    check_int("sizes", 1, sizes[1], offsetof(struct mixed, d));
    check_int("sizes", 2, sizes[2], 3);
    check_int("sizes", 3, sizes[3], sizeof m[0].u);
    return finish();
}
