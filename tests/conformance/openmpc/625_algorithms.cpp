// Algorithms of the standard library, and functions of C's, in loops that the host's threads would share.
// env: ACCL_DEVICE_CHOICE=never
// expect: launches=6
#include "../check.h"
#include <algorithm>
#include <cstring>
#include <numeric>

int main()
{
    const int n = 3000, row = 5;
    int *a = new int[row * n], *b = new int[row * n], *want = new int[row * n];
    long *s = new long[n], *places = new long[n];
    for (int i = 0; i < row * n; i++)
        a[i] = (i * 37) % 101;

#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        std::copy(a + row * i, a + row * i + i % 4, b + row * i);
        std::fill(b + row * i + i % 4, b + row * (i + 1), -1);
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        s[i] = std::accumulate(b + row * i, b + row * (i + 1), 0L);
    for (int i = 0; i < n; i++) {
        long sum = 0;
        for (int k = 0; k < row; k++)
            sum += k < i % 4 ? a[row * i + k] : -1;
        check_int("accumulate", i, s[i], sum);
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int own[5];
        std::copy_n(a + row * i, row, own);
        std::reverse(own, own + row);
        places[i] = std::max_element(own, own + row) - own;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        std::sort(a + row * i, a + row * (i + 1));
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        s[i] = std::lower_bound(a + row * i, a + row * (i + 1), i % 101) - (a + row * i);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        memcpy(b + row * i, a + row * i, row * sizeof(int));

    for (int i = 0; i < row * n; i++)
        want[i] = (i * 37) % 101;
    for (int i = 0; i < n; i++) {
        int *first = want + row * i, most = 0;
        for (int k = 1; k < row; k++)
            most = first[row - 1 - k] > first[row - 1 - most] ? k : most;
        check_int("place", i, places[i], most);
        std::sort(first, first + row);
        check_int("bound", i, s[i], std::lower_bound(first, first + row, i % 101) - first);
        for (int k = 0; k < row; k++)
            check_int("sorted", row * i + k, b[row * i + k], first[k]);
    }
    return finish();
}
