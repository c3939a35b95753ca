// Instances of templates that the program asks for by name (`template class C<int>;`), with members outside of the class,
// virtual ones, a constructor and a destructor with directives: also where only another file would use them.
// expect: launches=18
#include "check.h"
#include <vector>

template <class T> class Stream
{
public:
    virtual ~Stream() {}
    virtual void init(T a, T b) = 0;
    virtual void triad() = 0;
    virtual T dot() = 0;
    virtual void read(std::vector<T> &a, std::vector<T> &b) = 0;
};

template <class T> class DeviceStream : public Stream<T>
{
protected:
    int size;
    T *a, *b;

public:
    DeviceStream(const int size, int device);
    ~DeviceStream();
    void init(T a, T b) override;
    void triad() override;
    T dot() override;
    void read(std::vector<T> &a, std::vector<T> &b) override;
};

template <class T>
DeviceStream<T>::DeviceStream(const int size, int device) : size(size + device), a(new T[size]), b(0)
{
    this->b = new T[this->size];
    T *a = this->a, *b = this->b;
#pragma acc enter data create(a[0:this->size], b[0:this->size])
    {}
}

template <class T> DeviceStream<T>::~DeviceStream()
{
    T *a = this->a, *b = this->b;
#pragma acc exit data delete(a[0:size], b[0:size])
    {}
    delete[] a;
    delete[] b;
}

template <class T> void DeviceStream<T>::init(T first, T second)
{
    int size = this->size;
    T *a = this->a, *b = this->b;
#pragma acc parallel loop present(a[0:size], b[0:size]) wait
    for (int i = 0; i < size; i++) {
        a[i] = first;
        b[i] = second;
    }
}

template <class T> void DeviceStream<T>::triad()
{
    const T scalar = 2;
    int size = this->size;
    T *a = this->a, *b = this->b;
#pragma acc parallel loop present(a[0:size], b[0:size]) wait
    for (int i = 0; i < size; i++)
        a[i] = b[i] + scalar * a[i];
}

template <class T> T DeviceStream<T>::dot()
{
    T sum{};
    int size = this->size;
    T *a = this->a, *b = this->b;
#pragma acc parallel loop reduction(+ : sum) present(a[0:size], b[0:size]) wait
    for (int i = 0; i < size; i++)
        sum += a[i] * b[i];
    return sum;
}

template <class T> void DeviceStream<T>::read(std::vector<T> &first, std::vector<T> &second)
{
    T *a = this->a, *b = this->b;
#pragma acc update host(a[0:size], b[0:size])
    {}
    for (int i = 0; i < size; i++) {
        first[i] = a[i];
        second[i] = b[i];
    }
}

template class DeviceStream<float>;
template class DeviceStream<double>;

template <class T> struct Plain {
    int n;
    T *a;
    Plain(int m);
    ~Plain();
    void count();
};

template <class T> Plain<T>::Plain(int m)
{
    n = m;
    a = new T[m];
    T *a = this->a;
#pragma acc enter data create(a[0:n])
}

template <class T> Plain<T>::~Plain()
{
    T *a = this->a;
#pragma acc exit data delete(a[0:n])
}

template <class T> void Plain<T>::count()
{
    T *a = this->a;
    int n = this->n;
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc update self(a[0:n])
}

template struct Plain<float>;
template struct Plain<double>;

template <class T> T doubled(T n, T *values)
{
    T sum = 0;
#pragma acc parallel loop copyin(values[0:n]) reduction(+ : sum)
    for (T i = 0; i < n; i++)
        sum += 2 * values[i];
    return sum;
}

template int doubled<int>(int, int *);
template long doubled(long, long *);

template <class T> static void use(const char *what, int size)
{
    Stream<T> *stream = new DeviceStream<T>(size, 0);
    stream->init(3, 5);
    for (int k = 0; k < 3; k++)
        stream->triad();
    check_near(what, size, stream->dot(), 5.0 * 59 * size, 1e-6);
    std::vector<T> a(size), b(size);
    stream->read(a, b);
    for (int i = 0; i < size; i++) {
        check_near(what, i, a[i], 59, 0);
        check_near(what, i, b[i], 5, 0);
    }
    delete stream;
}

int main()
{
    use<float>("float", 1001);
    use<double>("double", 64);
    use<double>("one double", 1);
    Plain<float> floats(10);
    floats.count();
    check_near("floats", 9, floats.a[9], 9, 0);
    Plain<double> doubles(100);
    doubles.count();
    check_near("doubles", 99, doubles.a[99], 99, 0);
    static int values[] = {1, 2, 3};
    check_int("doubled", 0, doubled(3, values), 12);
    return finish();
}
