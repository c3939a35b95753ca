// Logical reductions of variables of any arithmetic type: what is not 0 is true, and the result is 0 or 1.
// expect: launches=10
#include "check.h"

#define N 1000

#define DIRECTIVE(text) _Pragma(#text)

#define LOGICAL(type, name)                                                          \
    static void name(void)                                                           \
    {                                                                                \
        type a[N], all = 1, any = 0;                                                 \
        for (int i = 0; i < N; i++)                                                  \
            a[i] = i == 500 ? 0 : 3;                                                 \
        DIRECTIVE(acc parallel loop reduction(&& : all) copyin(a))                   \
        for (int i = 0; i < N; i++)                                                  \
            all = all && a[i];                                                       \
        DIRECTIVE(acc kernels loop reduction(|| : any) copyin(a))                    \
        for (int i = 0; i < N; i++)                                                  \
            any = a[i] || any;                                                       \
        check_true("all of " #type, all == 0);                                       \
        check_true("any of " #type, any == 1);                                       \
    }

LOGICAL(float, of_floats)
LOGICAL(double, of_doubles)
LOGICAL(unsigned char, of_chars)
LOGICAL(_Bool, of_bools)
LOGICAL(long long, of_longs)

int main(void)
{
    of_floats();
    of_doubles();
    of_chars();
    of_bools();
    of_longs();
    return finish();
}
