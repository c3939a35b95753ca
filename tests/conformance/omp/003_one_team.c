// `target` without teams: one thread runs the block, the team's threads its loops; scalars are firstprivate.
// expect: launches=3 uploads=1 downloads=1
#include "../check.h"

#define N 300

static int a[N];

int main(void)
{
    int offset = 5, bound = N;
#pragma omp target data map(tofrom: a)
    {
#pragma omp target
        {
            offset = 7;
            a[0] = 42;
#pragma omp parallel for
            for (int i = 1; i < bound; i++)
                a[i] = i + offset;
        }
#pragma omp target parallel for
        for (int i = 1; i < N; i++)
            a[i] += offset;
#pragma omp target if (offset == 5)
        for (int i = 2; i < 4; i++)
            a[i] = a[i - 1];
    }
    check_int("offset", 0, offset, 5);
    check_int("a", 0, a[0], 42);
    for (int i = 1; i < N; i++)
        check_int("a", i, a[i], i == 2 || i == 3 ? 13 : i + 12);
    return finish();
}
