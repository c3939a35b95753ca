// Counters of 64 unsigned bits that pass 2^63, and what they and others leave: OpenMP 5.2 §4.4.1, §5.4.5, §5.4.6.
// expect: launches=5
#include "../check.h"
#include <climits>
#include <cstddef>

static int a[100];

static void run(unsigned long b)
{
    unsigned long i;
    unsigned u;
    int x = 5, last = 0;
#pragma omp target teams distribute parallel for map(tofrom : a) lastprivate(i, last)
    for (i = b + 37; i > b; i -= 2) {
        a[i - b] += 1;
        last = (int)(i - b);
    }
    check_int("last", 0, last, 1);
    check_int("counter", 0, i == b - 1, 1);
#pragma omp target parallel for simd map(tofrom : a) linear(x : 3)
    for (unsigned long k = b + 37; k > b; k -= 2) {
        a[k - b] += x;
        x += 3;
    }
    check_int("linear", 0, x, 62);
#pragma omp target simd map(tofrom : a) linear(x : 3) linear(i : -2)
    for (i = b + 37; i > b; i -= 2) {
        a[i - b] += x;
        x += 3;
    }
    check_int("linear of simd", 0, x, 119);
    check_int("linear counter", 0, i == b - 1, 1);
#pragma omp target parallel for map(tofrom : a) linear(x : 2) schedule(static, 1)
    for (std::size_t k = 40; k > 0; k -= 4) {
        a[k] += x;
        x += 2;
    }
    check_int("dealt", 0, x, 139);
#pragma omp target parallel for map(tofrom : a) lastprivate(u) collapse(2)
    for (unsigned long k = b; k < b + 3; k++)
        for (u = 40; u > 3; u -= 4) {
#pragma omp atomic
            a[u] += k - b;
        }
    check_int("joined", 0, u, 0);
    for (int k = 0; k <= 40; k++) {
        int odd = k % 2 && k < 38 ? 1 + 2 * (5 + 3 * (37 - k) / 2) + 57 : 0;
        int fourth = k && k % 4 == 0 ? 119 + 2 * (40 - k) / 4 + 3 : 0;
        check_int("a", k, a[k], odd + fourth);
    }
}

int main()
{
    run(LONG_MAX - 10ul);
    return finish();
}
