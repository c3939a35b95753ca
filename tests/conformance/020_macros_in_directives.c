// Macros in clauses, whole clauses from macros, and directives made by _Pragma inside a macro.
// expect: launches=3 uploads=3 downloads=3
#include "check.h"

#define N 515
#define BS 64
#define HALF(x) ((x) / 2)
#define EACH_ELEMENT _Pragma("acc parallel loop gang vector vector_length(32) copy(a[0:N])")
#define INCREMENT(array)                          \
    do {                                          \
        _Pragma("acc parallel loop copy(a[0:N])") \
        for (int i_ = 0; i_ < N; i_++)            \
            (array)[i_]++;                        \
    } while (0)

int main(void)
{
    int a[N] = {0};
#pragma acc parallel loop gang vector vector_length(BS) copy(a[0:HALF(2 * N)])
    for (int i = 0; i < N; i++)
        a[i] += i;
    EACH_ELEMENT
    for (int i = 0; i < N; i++)
        a[i] *= 2;
    INCREMENT(a);
    for (int i = 0; i < N; i++)
        check_int("a", i, a[i], 2 * i + 1);
    return finish();
}
