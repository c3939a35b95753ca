// A method reduces a member that its clause names through `this`, as it must where a parameter has the member's name.
// expect: launches=5
#include "../check.h"

#define N 100

struct Counter {
    int first;
    long sum;
    double rest[4];

    void plain()
    {
        sum = 5;
#pragma omp target teams distribute parallel for reduction(+ : this->sum)
        for (int i = 0; i < N; i++)
            this->sum += i;
        check_int("plain", 0, sum, 5 + N * (N - 1) / 2);
    }

    void mapped()
    {
        sum = 6;
#pragma omp target teams distribute parallel for reduction(+ : this->sum) map(tofrom : this->sum)
        for (int i = 0; i < N; i++)
            sum += i;
        check_int("mapped", 0, sum, 6 + N * (N - 1) / 2);
    }

    void shadowed(int sum)
    {
        this->sum = 7;
#pragma omp target parallel for reduction(+ : this->sum)
        for (int i = 0; i < N; i++)
            this->sum += i * sum;
        check_int("shadowed", 0, this->sum, 7 + 3 * N * (N - 1) / 2);
        check_int("parameter", 0, sum, 3);
    }

    void present()
    {
        sum = 8;
#pragma omp target data map(tofrom : this[0 : 1])
        {
#pragma omp target teams distribute parallel for reduction(+ : this->sum)
            for (int i = 0; i < N; i++)
                this->sum += i;
        }
        check_int("present", 0, sum, 8 + N * (N - 1) / 2);
    }
};

template <class T> struct Greatest {
    T most;

    void find()
    {
        most = 1;
#pragma omp target teams distribute parallel for reduction(max : this->most)
        for (int i = 0; i < N; i++)
            if (this->most < i * 2)
                this->most = i * 2;
        check_near("most", 0, most, 2 * (N - 1), 0);
    }
};

int main()
{
    Counter c;
    c.plain();
    c.mapped();
    c.shadowed(3);
    c.present();
    Greatest<float> g;
    g.find();
    return finish();
}
