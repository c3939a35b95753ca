// A class that owns an array and its device copy: enter data in the constructor, exit data in the
// destructor, regions in methods over local copies of the members.
// expect: launches=3 uploads>=1 downloads>=1
#include "check.h"

class Field {
  public:
    explicit Field(int n) : n_(n), data_(new float[n])
    {
        float *data = data_;
        for (int i = 0; i < n; i++)
            data[i] = i;
#pragma acc enter data copyin(data[0:n])
    }
    ~Field()
    {
        float *data = data_;
#pragma acc exit data delete (data[0:n_])
        delete[] data_;
    }
    Field(const Field &) = delete;
    Field &operator=(const Field &) = delete;

    void scale(float factor)
    {
        float *data = data_;
        const int n = n_;
#pragma acc parallel loop present(data[0:n])
        for (int i = 0; i < n; i++)
            data[i] *= factor;
    }
    float sum() const
    {
        const float *data = data_;
        float total = 0.0f;
#pragma acc parallel loop present(data[0:n_]) reduction(+ : total)
        for (int i = 0; i < n_; i++)
            total += data[i];
        return total;
    }
    const float *fetch()
    {
        float *data = data_;
#pragma acc update self(data[0:n_])
        return data_;
    }

  private:
    int n_;
    float *data_;
};

int main()
{
    Field f(90);
    f.scale(2.0f);
    check_near("sum", 0, f.sum(), 90 * 89, 1e-6);
    f.scale(0.25f);
    const float *a = f.fetch();
    for (int i = 0; i < 90; i++)
        check_near("a", i, a[i], 0.5f * i, 0.0);
    return finish();
}
