// Anonymous structures and unions in structures: their members are named as if they stood outside.
// expect: launches=1
#include "check.h"

typedef struct {
    int n;
    struct { short x, y; };
    union { int whole; unsigned char byte[4]; };
    struct { double d; union { float f; int i; }; };
} Parts;

static double total(const Parts *p)
{
    return p->n + p->x + p->y + p->byte[1] + p->d + p->i;
}

int main(void)
{
    enum { N = 60 };
    Parts a[N], b[N];
    double sum[N];
    for (int i = 0; i < N; i++) {
        a[i] = (Parts){.n = i, .x = i + 1, .y = -i, .whole = 0x01020304 * i, .d = 0.5 * i, .i = 3 * i};
        b[i] = a[i];
    }
    #pragma acc parallel loop copy(a) copyout(sum)
    for (int i = 0; i < N; i++) {
        a[i].y = a[i].x * 2;
        a[i].byte[2] = 7;
        a[i].i += a[i].whole & 255;
        a[i].d += a[i].y;
        sum[i] = total(&a[i]);
    }
    for (int i = 0; i < N; i++) {
        b[i].y = b[i].x * 2;
        b[i].byte[2] = 7;
        b[i].i += b[i].whole & 255;
        b[i].d += b[i].y;
        check_int("whole", i, a[i].whole, b[i].whole);
        check_near("sum", i, sum[i], total(&b[i]), 0);
    }
    return finish();
}
