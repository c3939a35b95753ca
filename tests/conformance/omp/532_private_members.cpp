// Members that clauses name by `this->`: the member's name stands for the same. `template` before a member's name says nothing else, either.
// expect: launches=4
// gcc: rejects, `this->` in clauses that are no maps
#include "../check.h"
#define N 64

struct Stepper {
    int a = 77, b = 5;
    int out[N];

    void run()
    {
#pragma omp target teams distribute parallel for private(this->a) map(tofrom : this[0 : 1])
        for (int i = 0; i < N; i++) {
            a = i;
            this->a += 1;
            out[i] = a;
        }
        for (int i = 0; i < N; i++)
            check_int("private", i, out[i], i + 1);
        check_int("a", 0, a, 77);
#pragma omp target parallel for firstprivate(this->b) map(tofrom : this[0 : 1])
        for (int i = 0; i < N; i++)
            out[i] = this->b + i;
        for (int i = 0; i < N; i++)
            check_int("firstprivate", i, out[i], i + 5);
#pragma omp target teams distribute parallel for reduction(+ : this->b) map(to : this[0 : 1])
        for (int i = 0; i < N; i++)
            b += out[i];
        check_int("reduction", 0, b, 5 + N * (N - 1) / 2 + 5 * N);
    }
};

struct Plain {
    double a[N];
};

// Its members may be those of a template.
template <class O>
void grown(O &o)
{
#pragma omp target enter data map(to : o.template a[0 : N])
#pragma omp target teams distribute parallel for map(alloc : o.template a)
    for (int i = 0; i < N; i++)
        o.a[i] += 1;
#pragma omp target update from(o.template a[1 : 2])
    check_int("updated", 1, (int)o.a[1], 2);
    check_int("updated", 2, (int)o.a[2], 3);
#pragma omp target exit data map(delete : o.template a[0 : N])
}

int main()
{
    Stepper s;
    s.run();
    Plain plain;
    for (int i = 0; i < N; i++)
        plain.a[i] = i;
    grown(plain);
    return finish();
}
