// Time steps in a kernels construct of a C++ method: bounds are members, the error is a reference.
// expect: launches=12 uploads=2 downloads=2
#include "check.h"
#include <vector>

struct Grid {
    int n;
    double rate;
    std::vector<double> cells, next;

    void relax(int rounds, double &error)
    {
        double *__restrict a = cells.data(), *__restrict b = next.data();
#pragma acc kernels copy(a[0:n], b[0:n])
        for (int round = 0; round < rounds; round++) {
            double largest = 0;
            for (int i = 1; i < n - 1; i++) {
                b[i] = a[i] + rate * (a[i - 1] - 2 * a[i] + a[i + 1]);
                largest = fmax(largest, fabs(b[i] - a[i]));
            }
            error = largest;
            if (error > 0.0)
                for (int i = 1; i < n - 1; i++)
                    a[i] = b[i];
            else
                rounds = 0;
        }
    }
};

int main()
{
    Grid grid{200, 0.25, std::vector<double>(200), std::vector<double>(200)};
    for (int i = 0; i < grid.n; i++)
        grid.cells[i] = i % 4;
    Grid want = grid;
    double error = -1, want_error = 0;
    grid.relax(6, error);
    for (int round = 0; round < 6; round++) {
        want_error = 0;
        for (int i = 1; i < 199; i++) {
            want.next[i] = want.cells[i] + 0.25 * (want.cells[i - 1] - 2 * want.cells[i] + want.cells[i + 1]);
            want_error = fmax(want_error, fabs(want.next[i] - want.cells[i]));
        }
        for (int i = 1; i < 199; i++)
            want.cells[i] = want.next[i];
    }
    check_near("error", 0, error, want_error, 1e-12);
    for (int i = 0; i < grid.n; i++)
        check_near("cells", i, grid.cells[i], want.cells[i], 1e-12);
    return finish();
}
