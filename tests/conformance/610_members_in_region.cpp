// A class whose members are used directly in a region: this is mapped with the object, the pointer
// member attached.
// gcc: rejects, this in a data clause
// expect: launches=2 uploads>=2 downloads=1
#include "check.h"

class Vector {
  public:
    explicit Vector(int n) : size(n), data(new double[n])
    {
        for (int i = 0; i < n; i++)
            data[i] = 1.0 + i;
#pragma acc enter data copyin(this)
#pragma acc enter data copyin(data[0:size])
    }
    ~Vector()
    {
#pragma acc exit data delete (data[0:size])
#pragma acc exit data delete (this)
        delete[] data;
    }
    void halve()
    {
#pragma acc parallel loop present(this)
        for (int i = 0; i < size; i++)
            data[i] *= 0.5;
    }
    void fetch()
    {
#pragma acc update self(data[0:size])
    }

    int size;
    double *data;
};

int main()
{
    Vector v(123);
    v.halve();
    v.halve();
    v.fetch();
    for (int i = 0; i < v.size; i++)
        check_near("data", i, v.data[i], 0.25 * (1.0 + i), 0.0);
    return finish();
}
