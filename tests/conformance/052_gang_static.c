// gang(static:): loops of one construct that begin and step alike are dealt to the gangs alike, so one launch runs them;
// where a loop uses what another iteration of the first one wrote, the gangs are kept apart.
// expect: launches=3 uploads=1 downloads=4
#include "check.h"

#define N 1013

static int a[N], b[N], c[N + 1], d[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc parallel copyin(a) copyout(b, d) num_gangs(7)
    {
#pragma acc loop gang(static : *)
        for (int i = 0; i < N; i++)
            b[i] = 2 * a[i];
#pragma acc loop gang(static : *)
        for (int i = 0; i < N; i++)
            d[i] = b[i] + 1;
    }
    for (int i = 0; i < N; i++)
        check_int("d", i, d[i], 2 * i + 1);

#pragma acc parallel copyout(c, d) num_gangs(7)
    {
#pragma acc loop gang(static : 4)
        for (int i = 0; i <= N; i++)
            c[i] = i;
#pragma acc loop gang(static : 4)
        for (int i = 0; i < N; i += 4)
            for (int j = i; j < N && j < i + 4; j++)
                d[j] = 2 * c[j] + c[i / 4];
    }
    for (int i = 0; i < N; i++)
        check_int("of other gangs", i, d[i], 2 * i + i / 4 * 4 / 4);
    return finish();
}
