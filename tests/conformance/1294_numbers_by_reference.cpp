// Functions that take numbers of the construct's surroundings by reference, or by pointer, and only read them: iterations share these,
// and loops stay parallel.
// expect: launches=6
// expect-remark: loop gang, vector
#include "check.h"

#define N 1000

static int add(int x, const int &y) { return x + y; }
static int add_at(int x, int *y) { return x + *y; }
static void store(int &to, int x, const int &y) { to = x * y; }
static const int &larger(const int &a, const int &b) { return a > b ? a : b; }
static void bump(int &x) { x++; }

int main()
{
    int a[N], want[N];
    for (int i = 0; i < N; i++)
        a[i] = want[i] = i;
    int four = 4, seven = 7, own = 0, first = 3;
#pragma acc data copy(a)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            a[i] = add(a[i], four);
#pragma acc kernels loop
        for (int i = 0; i < N; i++)
            a[i] = add_at(a[i], &seven) + larger(four, seven);
#pragma acc parallel loop private(own) firstprivate(first)
        for (int i = 0; i < N; i++) {
            store(own, i, first);
            bump(own);
            a[i] = larger(add(a[i], own), four);
        }
        // Nobody but the one thread sees what it changes.
#pragma acc serial loop
        for (int i = 0; i < N; i++) {
            bump(first);
            a[i] = add(a[i], first);
        }
#pragma acc parallel loop gang
        for (int g = 0; g < 10; g++) {
            int of_gang = g;
            bump(of_gang);
#pragma acc loop vector
            for (int i = g * (N / 10); i < (g + 1) * (N / 10); i++)
                a[i] = add(a[i], of_gang);
        }
#pragma acc kernels
        {
#pragma acc loop
            for (int i = 0; i < N; i++)
                store(a[i], a[i], four);
        }
    }
    for (int i = 0; i < N; i++)
        check_int("by reference", i, a[i], 4 * (want[i] + 4 + 7 + 7 + 3 * i + 1 + i + 4 + i / (N / 10) + 1));
    check_int("read after the construct", 0, four + seven, 11);
    return finish();
}
