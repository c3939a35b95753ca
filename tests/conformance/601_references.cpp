// References: parameters, locals bound to elements, const references, references to globals.
// expect: launches=2 uploads=2 downloads=2
#include "check.h"

static const int n = 130;
static double field[n];
static double &first = field[0];

static void add(double (&a)[n], const double &value)
{
#pragma acc parallel loop copy(a)
    for (int i = 0; i < n; i++) {
        double &element = a[i];
        element += value * i;
    }
}

static void negate(double *a, int &count)
{
    int &m = count;
#pragma acc parallel loop copy(a[0:m])
    for (int i = 0; i < m; i++) {
        const double &old = a[i];
        a[i] = -old;
    }
}

int main()
{
    for (int i = 0; i < n; i++)
        field[i] = 1.0;
    add(field, 0.5);
    int half = n / 2;
    negate(field, half);
    check_near("first", 0, first, -1.0, 0.0);
    for (int i = 0; i < n; i++)
        check_near("field", i, field[i], (i < half ? -1 : 1) * (1.0 + 0.5 * i), 0.0);
    return finish();
}
