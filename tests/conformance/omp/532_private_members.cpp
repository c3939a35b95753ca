// Members that clauses name by `this->`: the member's name stands for the same.
// expect: launches=3
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
#pragma omp target teams distribute parallel for reduction(+ : b) map(tofrom : this[0 : 1])
        for (int i = 0; i < N; i++)
            b += out[i];
        check_int("reduction", 0, b, 5 + N * (N - 1) / 2 + 5 * N);
    }
};

int main()
{
    Stepper s;
    s.run();
    return finish();
}
