// _OPENACC is defined as a date, yyyymm, in code and in #if.
// needs: runtime
// expect: launches=1 uploads=0 downloads=1
#include "check.h"

#if !defined(_OPENACC) || _OPENACC < 201306
#error "_OPENACC must be defined"
#endif

int main(void)
{
    long version = 0;
#pragma acc serial copyout(version)
    version = _OPENACC;
    check_int("version", 0, version, _OPENACC);
    check_true("a month", version % 100 >= 1 && version % 100 <= 12);
    return finish();
}
