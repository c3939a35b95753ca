// A union that shows a number's bits, in a loop that reduces objects: numbers in it are no addresses of the objects.
// expect: launches=2
#include "../check.h"
#include <algorithm>
#include <cmath>

struct Range {
    double low, high;
    long count;
};
#pragma omp declare reduction(merge : Range : omp_out.low = std::min(omp_out.low, omp_in.low), \
                              omp_out.high = std::max(omp_out.high, omp_in.high), omp_out.count += omp_in.count) \
    initializer(omp_priv = Range{1e9, -1e9, 0})

union Bits {
    float number;
    unsigned bits;
};

int main()
{
    const int n = 500;
    float in[n];
    int exponents[n];
    for (int i = 0; i < n; i++)
        in[i] = (i * 37 % n) * 0.37f - 50;
    Range all{1e9, -1e9, 0};
#pragma omp target teams distribute parallel for map(to : in) map(from : exponents) reduction(merge : all)
    for (int i = 0; i < n; i++) {
        Bits u;
        u.number = in[i];
        exponents[i] = (int)(u.bits >> 23 & 255) - 127;
        all.low = std::min(all.low, (double)in[i]);
        all.high = std::max(all.high, (double)in[i]);
        all.count += u.bits >> 31;
    }
    double low = 1e9, high = -1e9;
    long negative = 0;
    for (int i = 0; i < n; i++) {
        low = std::min(low, (double)in[i]);
        high = std::max(high, (double)in[i]);
        negative += in[i] < 0;
        if (in[i] != 0)
            check_int("exponent", i, exponents[i], std::ilogb(in[i]));
    }
    check_near("low", 0, all.low, low, 0);
    check_near("high", 0, all.high, high, 0);
    check_int("negative", 0, (int)all.count, (int)negative);
    return finish();
}
