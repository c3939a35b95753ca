// A class on the device whose member points to a compressed array: attached in the constructor, used as `x` and `this->x`.
// gcc: rejects, this in a data clause
// expect: launches=3 downloads=1
#include "check.h"

class Vector {
  public:
    explicit Vector(int n) : size(n), x(new double[n]), plain(new double[n])
    {
        for (int i = 0; i < n; i++) {
            x[i] = 1.0 + i % 50;
            plain[i] = i;
        }
#pragma acc enter data copyin(this)
#pragma acc enter data ccopyin(bits(24): x[0:size:-100:100]) copyin(plain[0:size])
#pragma acc enter data attach(x, plain)
    }
    ~Vector()
    {
#pragma acc exit data detach(x, plain)
#pragma acc exit data delete(x[0:size], plain[0:size])
#pragma acc exit data delete(this)
        delete[] x;
        delete[] plain;
    }
    void halve()
    {
#pragma acc parallel loop present(this) compression(bits(24): x)
        for (int i = 0; i < size; i++)
            x[i] *= 0.5;
    }
    void add(double what)
    {
#pragma acc parallel loop present(this) compression(bits(24): this->x)
        for (int i = 0; i < size; i++)
            this->x[i] += what + 0 * plain[i];
    }
    void fetch()
    {
#pragma acc update self(x[0:size])
    }

    int size;
    double *x, *plain;
};

int main()
{
    Vector v(777);
    v.halve();
    v.add(3);
    v.halve();
    v.fetch();
    for (int i = 0; i < v.size; i++)
        check_near("x", i, v.x[i], 0.25 * (1.0 + i % 50) + 1.5, 1e-4);
    return finish();
}
