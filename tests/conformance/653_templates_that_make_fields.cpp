// Class templates whose constructors call members with constructs, arguments that are arrays, and `this` in the clauses of a method
// that is given a lambda.
#include "check.h"

#define N 40

template <class T>
class Field {
    T *data;
    int n;

public:
    explicit Field(int n) : data(new T[n]()), n(n)
    {
#pragma acc enter data copyin(this[0 : 1]) create(data[0 : n])
        fill(T(1));
    }
    Field(const Field &) = delete;
    ~Field()
    {
#pragma acc exit data delete (data[0 : n]) delete (this[0 : 1])
        delete[] data;
    }
    T &operator[](int i) { return data[i]; }

    void fill(T value)
    {
#pragma acc parallel loop present(this, data[0 : n])
        for (int i = 0; i < n; i++)
            (*this)[i] = value;
    }

    template <class F>
    void apply(F f)
    {
#pragma acc parallel loop present(this)
        for (int i = 0; i < n; i++)
            data[i] = f(i, data[i]);
    }

    template <class F>
    T folded(F f)
    {
        T sum = 0;
#pragma acc parallel loop present(this[0 : 1], data[0 : n]) reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += f(data[i]);
        return sum;
    }
};

template <class T>
double weighted(const T &list)
{
    double sum = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(list)
    for (int i = 0; i < 10; i++)
        sum += i * list[i];
    return sum;
}

template <class T>
static void fields(const char *name)
{
    Field<T> field(N);
    T k = 3;
    field.apply([=](int i, T old) { return old * k + i; });
    T sum = field.folded([](T value) { return 2 * value; });
    check_int(name, 0, (long long)sum, 2 * (3 * N + N * (N - 1) / 2));
}

int main(void)
{
    fields<double>("field of doubles");
    fields<int>("field of ints");
    int whole[10];
    double real[10];
    for (int i = 0; i < 10; i++) {
        whole[i] = i;
        real[i] = 0.5 * i;
    }
    check_near("array of ints", 0, weighted(whole), 285, 0);
    check_near("array of doubles", 0, weighted(real), 142.5, 0);
    return finish();
}
