// Objects and constants of namespaces as template arguments, which are declared behind the templates.
// expect: launches=6
#include "check.h"
#define N 10

template <int K, class T>
void add(T *a)
{
#pragma acc parallel loop copy(a[0 : N])
    for (int i = 0; i < N; i++)
        a[i] += K;
}

template <const int &R>
void add_object(int *a)
{
#pragma acc parallel loop copy(a[0 : N])
    for (int i = 0; i < N; i++)
        a[i] += R;
}

template <int *P>
void add_pointed(int *a)
{
#pragma acc parallel loop copy(a[0 : N])
    for (int i = 0; i < N; i++)
        a[i] += *P;
}

template <int (*F)(int)>
void map(int *a)
{
#pragma acc parallel loop copy(a[0 : N])
    for (int i = 0; i < N; i++)
        a[i] = F(a[i]);
}

namespace numbers {
const int five = 5;
int object = 7;
namespace inner {
constexpr int six = 6;
int twice(int x) { return 2 * x; }
}
}

int main()
{
    int a[N] = {0};
    add<numbers::five>(a);
    add<numbers::inner::six, int>(a);
    add_object<numbers::five>(a);
    add_object<numbers::inner::six>(a);
    add_pointed<&numbers::object>(a);
    map<numbers::inner::twice>(a);
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 58);
    return finish();
}
