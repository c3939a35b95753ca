// Copies of `firstprivate` objects are made by their class's copy constructor.
// expect: launches=4
#include "../check.h"

#define N 40

struct Counted {
    int copies;
    double value;
    explicit Counted(double value) : copies(0), value(value) {}
    Counted(const Counted &other) : copies(other.copies + 1), value(other.value * 2) {}
    double get() const { return value; }
};

int main()
{
    Counted one(1.5);
    int copies[N], of_loop[N], of_nest[N], of_block[2];
    double values[N], sums[N];
#pragma omp target teams distribute parallel for firstprivate(one) map(from : copies, values)
    for (int i = 0; i < N; i++) {
        copies[i] = one.copies;
        values[i] = one.get() + i;
    }
#pragma omp target map(to : one) map(from : of_loop)
#pragma omp parallel for firstprivate(one)
    for (int i = 0; i < N; i++)
        of_loop[i] = one.copies;
#pragma omp target teams distribute parallel for collapse(2) firstprivate(one) map(from : of_nest, sums)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < N / 4; j++) {
            one.value += j;
            of_nest[i * (N / 4) + j] = one.copies;
            sums[i * (N / 4) + j] = one.get() - j;
        }
#pragma omp target firstprivate(one) map(from : of_block)
    {
        one.copies += 10;
        of_block[0] = one.copies;
        Counted another(one);
        of_block[1] = another.copies;
    }
    for (int i = 0; i < N; i++) {
        check_int("copies", i, copies[i], 1);
        check_near("value", i, values[i], 3 + i, 1e-12);
        check_int("of the loop", i, of_loop[i], 1);
        check_int("of the nest", i, of_nest[i], 1);
        check_near("sum", i, sums[i], 3, 1e-12);
    }
    check_int("of the block", 0, of_block[0], 11);
    check_int("of the block", 1, of_block[1], 12);
    check_int("outside", 0, one.copies, 0);
    return finish();
}
