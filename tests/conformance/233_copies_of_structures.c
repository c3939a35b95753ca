// A construct copies a structure with pointers to a variable of its own. Of the pointers that are overwritten there before
// anything is read, or that nothing reads, none is followed, so the structure needs no array on the device.
// expect: launches=5
#include "check.h"

#define N 1000

typedef struct {
    double *data;
    int n;
} V;

typedef struct {
    double *left, *right;
    V inner;
    int n;
} W;

static double a[N], b[N], c[N], here[4];

static void check_all(const char *what, double factor, double more)
{
    for (int i = 0; i < N; i++)
        check_near(what, i, b[i], factor * i + more, 1e-12);
}

int main(void)
{
    V v = { here, 7 };
    W w = { here, here + 1, v, 11 };
    V many[3] = { v, { here, 8 }, { here, 9 } };
    for (int i = 0; i < N; i++) {
        a[i] = i;
        c[i] = 2 * i;
    }

#pragma acc parallel loop copyin(a) copyout(b)
    for (int i = 0; i < N; i++) {
        V x = v;
        x.data = a;
        b[i] = x.data[i] + x.n;
    }
    check_all("overwritten", 1, 7);

#pragma acc parallel loop copyin(a) copyout(b)
    for (int i = 0; i < N; i++) {
        V x;
        x = many[i % 3];
        int between = i;
        x.data = a;
        b[i] = x.data[between] + x.n - i % 3;
    }
    check_all("assigned", 1, 7);

#pragma acc parallel loop copyin(a, c) copyout(b)
    for (int i = 0; i < N; i++) {
        W x = w;
        x.right = c;
        x.left = a;
        b[i] = x.left[i] + x.right[i] + x.n + x.inner.n;
    }
    check_all("two members", 3, 18);

#pragma acc parallel loop copyout(b)
    for (int i = 0; i < N; i++) {
        V x = v;
        b[i] = x.n + i;
    }
    check_all("not read", 1, 7);

    // The pointer is read before it is overwritten: it has to lead to device memory.
    V held = { a, 5 };
#pragma acc data copyin(held) copyin(held.data[0:N])
#pragma acc parallel loop copyin(c) copyout(b)
    for (int i = 0; i < N; i++) {
        V x = held;
        double first = x.data[i];
        x.data = c;
        b[i] = first + x.data[i] + x.n;
    }
    check_all("read and overwritten", 3, 5);
    return finish();
}
