// What each thread of a block has for itself across barriers: arrays, structures, values that one thread hands to all
// (copyprivate), and the thread that `filter` names; default(private) and default(firstprivate).
// expect: launches=5
#include "../check.h"
#include <omp.h>

#define N 32

struct pair {
    int x;
    double y;
};

int main(void)
{
    int a[N], b[N], chosen = -1;
#pragma omp target map(from: a)
#pragma omp parallel num_threads(N)
    {
        int me = omp_get_thread_num();
        int own[4];
        struct pair p;
        p.x = me;
        p.y = 2 * me;
        for (int i = 0; i < 4; i++)
            own[i] = me + i;
#pragma omp barrier
        p.x += 1;
#pragma omp barrier
        a[me] = own[0] + own[3] + p.x + (int)p.y;
    }
    for (int i = 0; i < N; i++)
        check_int("kept", i, a[i], 5 * i + 4);

#pragma omp target parallel num_threads(N) map(from: a, b) map(tofrom: chosen)
    {
        int given;
#pragma omp single copyprivate(given)
        given = 17 + omp_get_thread_num();
        a[omp_get_thread_num()] = given;
        int which = 3;
#pragma omp masked filter(which)
        chosen = omp_get_thread_num();
#pragma omp barrier
        b[omp_get_thread_num()] = a[(omp_get_thread_num() + 1) % N];
    }
    for (int i = 0; i < N; i++) {
        check_int("copyprivate", i, a[i], a[0]);
        check_int("copyprivate, after a barrier", i, b[i], a[0]);
    }
    check_int("filter", 0, chosen, 3);

    int x = 5, y = 1;
#pragma omp target map(from: a)
#pragma omp teams distribute parallel for default(firstprivate) shared(a)
    for (int i = 0; i < N; i++)
        a[i] = x + i;
    for (int i = 0; i < N; i++)
        check_int("default(firstprivate)", i, a[i], 5 + i);
#pragma omp target teams distribute parallel for default(private) shared(a) map(from: a)
    for (int i = 0; i < N; i++) {
        y = i;
        a[i] = y;
    }
    for (int i = 0; i < N; i++)
        check_int("default(private)", i, a[i], i);
#pragma omp target map(from: a) map(tofrom: y)
    {
        y = 7;
#pragma omp parallel num_threads(N) default(firstprivate) shared(a)
        {
            y += omp_get_thread_num();
            a[omp_get_thread_num()] = y;
        }
    }
    for (int i = 0; i < N; i++)
        check_int("in a block", i, a[i], 7 + i);
    check_int("the original", 0, y, 7);
    return finish();
}
