// Members that clauses name by `this->`: OpenACC 3.3 §2.5.13 to §2.5.15 say of them what they say of variables.
// expect: launches=4
#include "check.h"
#define N 64

struct Stepper {
    int a = 77, b = 5;
    int out[N];

    void run()
    {
#pragma acc parallel loop private(this->a) copy(this[0 : 1])
        for (int i = 0; i < N; i++) {
            a = i;
            this->a += 1;
            out[i] = a;
        }
        for (int i = 0; i < N; i++)
            check_int("private", i, out[i], i + 1);
        check_int("a", 0, a, 77);
#pragma acc parallel loop firstprivate(this->b) copy(this[0 : 1])
        for (int i = 0; i < N; i++)
            out[i] = this->b + i;
        for (int i = 0; i < N; i++)
            check_int("firstprivate", i, out[i], i + 5);
#pragma acc parallel loop reduction(+ : this->b) copy(this[0 : 1])
        for (int i = 0; i < N; i++)
            b += out[i];
        check_int("reduction", 0, b, 5 + N * (N - 1) / 2 + 5 * N);
    }
};

template <class T>
struct Of {
    T a = 3;
    T out[N];

    void run()
    {
#pragma acc parallel loop private(this->a) copy(this[0 : 1])
        for (int i = 0; i < N; i++) {
            this->a = i;
            out[i] = a;
        }
        for (int i = 0; i < N; i++)
            check_int("in a template", i, (int)out[i], i);
        check_int("a", 1, (int)a, 3);
    }
};

int main()
{
    Stepper s;
    s.run();
    Of<double> of;
    of.run();
    return finish();
}
