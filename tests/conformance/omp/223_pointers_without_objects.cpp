// A pointer keeps its value where nothing is present that it could point to (OpenMP 5.2 §5.8.6): by reference, as a member, and
// of an empty section.
// devices: cpu cuda
#include "../check.h"

struct Object {
    int *p, *&r;

    int kept(bool look)
    {
        int wrong = 0;
#pragma omp target map(tofrom: wrong)
        wrong += look ? p[0] : p == nullptr;
#pragma omp target map(tofrom: wrong)
        wrong += look ? r[0] : r == nullptr;
        return wrong;
    }
};

static int kept(int *&p, int *q, int n, bool look)
{
    int wrong = 0;
#pragma omp target map(tofrom: wrong)
    wrong += look ? p[0] : p == nullptr;
#pragma omp target map(tofrom: wrong) map(tofrom: p[:0], q[:n])
    wrong += look ? p[0] + q[0] : p == nullptr || q == nullptr;
    return wrong;
}

int main()
{
    int x[4] = {1, 2, 3, 4}, *p = x;
    Object object = {x, p};
    check_int("members", 0, object.kept(false), 0);
    check_int("pointers", 0, kept(p, p, 0, false), 0);
#pragma omp target data map(to: x)
    {
        check_int("members", 1, object.kept(true), 2);
        check_int("pointers", 1, kept(p, p, 0, true), 3);
    }
    return finish();
}
