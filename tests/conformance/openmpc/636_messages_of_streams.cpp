// Messages that C++ streams have in branches: counted on the device, and said behind the loop.
// expect: launches=2
// expect-stderr: negative volume, limit 7
#include "../check.h"
#include <iostream>
#include <vector>

enum { N = 40000 };

static long check_volumes(std::vector<double> &v, int limit)
{
    long bad = 0;
#pragma omp parallel for reduction(+ : bad)
    for (int i = 0; i < N; i++) {
        if (v[i] < 0) {
            std::cerr << "negative volume, limit " << limit << std::endl;
            bad++;
            v[i] = 0;
        } else if (v[i] > 1e6) {
            std::cout << "large\n";
        }
    }
    return bad;
}

int main()
{
    std::vector<double> v(N, 1.0);
    check_int("all are good", 0, check_volumes(v, 7), 0);
    v[5] = v[39999] = -1;
    v[77] = 1e7;
    check_int("two are not", 0, check_volumes(v, 7), 2);
    check_near("and are mended", 5, v[5], 0, 0);
    return finish();
}
