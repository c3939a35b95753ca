// command: accl c++ -Werror -c $FILE -o out.o
#include <algorithm>
#include <complex>
#include <vector>
void fill(std::vector<double> &v, std::complex<double> *z, int n)
{
#pragma acc parallel loop copy(z[0:n])
    for (int i = 0; i < n; i++) {
        v[i] = i;
        z[i] = std::acos(z[i]);
        std::vector<int> own(n);
        double list[3] = {3, 2, 1};
        std::sort(list, list + 3);
    }
}
