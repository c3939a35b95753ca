// Lambdas that capture `this`, by name and implicitly: their members are the object's on the device.
// devices: cpu cuda
// expect: launches=1
#include "check.h"

struct Field {
    int n;
    double *d, k;
    explicit Field(int n) : n(n), d(new double[n]), k(0.5)
    {
        for (int i = 0; i < n; i++)
            d[i] = i;
#pragma acc enter data copyin(this)
#pragma acc enter data copyin(d[0:n])
#pragma acc enter data attach(d)
    }
    ~Field()
    {
#pragma acc exit data detach(d)
#pragma acc exit data delete (d[0:n])
#pragma acc exit data delete (this)
        delete[] d;
    }
    double get(int i) const { return d[i] * k; }
    void run()
    {
        auto f = [this](int i) { d[i] += k + get(i); };
        auto g = [=](int i) { return d[i] * 2 + k; };
        auto h = [&](double v) { return v * k; };
#pragma acc parallel loop present(this)
        for (int i = 0; i < n; i++) {
            f(i);
            d[i] = h(g(i));
        }
#pragma acc update self(d[0:n])
    }
};

int main()
{
    Field f(150);
    f.run();
    for (int i = 0; i < 150; i++)
        check_near("d", i, f.d[i], (2 * (i * 1.5 + 0.5) + 0.5) * 0.5, 1e-14);
    return finish();
}
