// GNU C that headers of macros use: statement expressions, typeof, `_Generic`, `?:` without a middle.
// expect: launches=2
#include "check.h"

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define MIN(a, b) ({ __auto_type _a = (a); __auto_type _b = (b); _a < _b ? _a : _b; })
#define MAGNITUDE(x) _Generic((x), int: of_int, double: of_double)(x)

static int of_int(int x) { return x < 0 ? -x : x; }
static double of_double(double x) { return x < 0 ? -x : x; }

static int one(int a, int b, int i, double *d)
{
    int c = MAX(MAX(a, b), MIN(i, 30));
    *d = MAGNITUDE(*d) + MAGNITUDE(a) + (a ?: 7);
    ({ c += 1; });
    if (({ int q = c; q > 5; }) && MAX(c, 2) > 3)
        c *= 2;
    int w = 0;
    while (({ w++; w < 4; }))
        c += w;
    return c;
}

int main(void)
{
    enum { N = 200 };
    int a[N], b[N], c[N], largest = -1000, expected = -1000;
    double d[N], e[N];
    for (int i = 0; i < N; i++) {
        a[i] = i * 37 % 61 - 20;
        b[i] = i * 17 % 43 - 10;
        d[i] = e[i] = i * 0.5 - 20;
    }
    #pragma acc parallel loop reduction(max:largest)
    for (int i = 0; i < N; i++) {
        c[i] = MAX(MAX(a[i], b[i]), MIN(i, 30));
        d[i] = MAGNITUDE(d[i]) + MAGNITUDE(a[i]) + (a[i] ?: 7);
        ({ c[i] += 1; });
        if (({ int q = c[i]; q > 5; }) && MAX(c[i], 2) > 3)
            c[i] *= 2;
        int w = 0;
        while (({ w++; w < 4; }))
            c[i] += w;
        largest = MAX(largest, a[i]);
    }
    #pragma acc parallel loop
    for (int i = 0; i < MIN(N, 100); i++)
        c[i] += MAGNITUDE(-3);
    for (int i = 0; i < N; i++) {
        int wanted = one(a[i], b[i], i, &e[i]) + (i < 100 ? 3 : 0);
        expected = MAX(expected, a[i]);
        check_int("c", i, c[i], wanted);
        check_near("d", i, d[i], e[i], 0);
    }
    check_int("largest", 0, largest, expected);
    return finish();
}
