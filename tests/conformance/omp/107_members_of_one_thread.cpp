// Members that are private, firstprivate or reduced in constructs of a method and of a lambda in it: copies, which have the
// member's name until the construct ends.
// expect: launches=6
#include "../check.h"

#define N 100

struct Stepper {
    int by = 1, n = N;
    double *p = nullptr;
    double w = -5;
    int table[4] = {1, 2, 3, 4};

    void run(double *out)
    {
#pragma omp target teams distribute parallel for firstprivate(by, n) map(tofrom : p[0 : n])
        for (int i = 0; i < n; i++) {
            p[i] += by;
        }
#pragma omp target teams distribute parallel for private(w) map(tofrom : p[0 : n])
        for (int i = 0; i < n; i++) {
            w = p[i] * 2;
            p[i] = w;
        }
        auto further = [&](int k) {
#pragma omp target teams distribute parallel for firstprivate(by) map(tofrom : p[0 : n])
            for (int i = 0; i < n; i++) {
                p[i] += by + k;
            }
        };
        further(3);
        int first = 0;
#pragma omp target firstprivate(by, table) map(from : first)
        {
            by += 10;
            table[3] = by;
            first = table[3] + table[0];
        }
        check_true("first == 12 && by == 1 && table[3] == 4", first == 12 && by == 1 && table[3] == 4);
        check_true("w == -5", w == -5);
        w = 0.5;
#pragma omp target teams distribute parallel for reduction(+ : w) map(to : p[0 : n])
        for (int i = 0; i < n; i++) {
            w += p[i];
        }
        out[0] = w;
#pragma omp target teams distribute parallel for reduction(max : w, by) map(to : p[0 : n])
        for (int i = 0; i < n; i++) {
            w = w > p[i] * p[i] ? w : p[i] * p[i];
            by = by > i ? by : i;
        }
        out[1] = w;
        check_true("by == N - 1", by == N - 1);
    }
};

int main()
{
    Stepper s;
    double sums[2];
    s.p = new double[N];
    for (int i = 0; i < N; i++) {
        s.p[i] = i;
    }
    s.run(sums);
    double sum = 0.5;
    for (int i = 0; i < N; i++) {
        check_true("s.p[i] == (i + 1) * 2 + 4", s.p[i] == (i + 1) * 2 + 4);
        sum += s.p[i];
    }
    check_true("sums[0] == sum", sums[0] == sum);
    check_true("sums[1] == 204.0 * 204.0", sums[1] == 204.0 * 204.0);
    delete[] s.p;
    return finish();
}
