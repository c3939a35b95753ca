// Members, references and templates: loops of kernels constructs that are parallel unless arrays overlap.
// expect: launches=7 fallbacks=2
#include "check.h"

struct Field {
    double *a, *b;
    int n;
    void enter() {
#pragma acc enter data copyin(this[0:1], a[0:n], b[0:n])
    }
    void leave() {
#pragma acc exit data copyout(a[0:n], b[0:n]) delete(this[0:1])
    }
    void step(double by) {
#pragma acc kernels present(a[0:n], b[0:n])
        for (int i = 0; i < n; i++)
            a[i] = b[i] * by + a[i];
    }
};

template <class T> void shift(T *to, const T *from, int n)
{
#pragma acc kernels copy(to[0:n]) copyin(from[0:n])
    for (int i = 0; i < n; i++)
        to[i] = from[i] + T(1);
}

static void into(double (&to)[100], double *from)
{
#pragma acc kernels copy(to) copyin(from[0:100])
    for (int i = 0; i < 100; i++)
        to[i] = from[i] * 2;
}

int main()
{
    double p[100], q[100];
    for (int i = 0; i < 100; i++) {
        p[i] = i;
        q[i] = 2 * i;
    }
    Field field = {p, q, 100};
    field.enter();
    field.step(0.5);
    field.step(2);
    field.leave();
    for (int i = 0; i < 100; i++)
        check_near("p", i, p[i], 6.0 * i, 1e-12);

    int x[200];
    for (int i = 0; i < 200; i++)
        x[i] = i;
#pragma acc data copy(x)
    {
        shift(x, x + 100, 100);
        shift(x + 1, x, 100);
    }
    for (int i = 0; i <= 100; i++)
        check_int("x", i, x[i], 101 + i);
    float f[50], g[50];
    for (int i = 0; i < 50; i++)
        g[i] = i;
    shift(f, g, 50);
    for (int i = 0; i < 50; i++)
        check_near("f", i, f[i], i + 1, 1e-6);
    into(p, q);
#pragma acc data copy(p)
    into(p, p);
    for (int i = 0; i < 100; i++)
        check_near("into", i, p[i], 8.0 * i, 1e-12);
    return finish();
}
