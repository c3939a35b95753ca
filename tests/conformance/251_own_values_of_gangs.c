// Gangs change scalars and pointers that came to them by value: each gang begins with the value that came, not with what another
// gang left.
// expect: launches=3
#include "check.h"

#define N 40

int main(void)
{
    int result[N], seen[N], table[N], first = 7, twice = 5;
    float factor = 1.5f;
    for (int i = 0; i < N; i++)
        table[i] = 100 + i;

#pragma acc parallel num_gangs(8) private(twice) firstprivate(first) copyout(result)
    {
        twice = first * 2;
#pragma acc loop gang
        for (int i = 0; i < N; i++)
            result[i] = twice + i;
        first = 0;
    }
    for (int i = 0; i < N; i++)
        check_int("changed behind the loop", i, result[i], 14 + i);
    check_int("on the host", 0, first, 7);

#pragma acc parallel num_gangs(5) firstprivate(first, factor) copyout(result, seen)
    {
        first += 3;
        factor *= 2;
#pragma acc loop gang
        for (int i = 0; i < N; i++) {
#pragma acc loop vector
            for (int k = 0; k < 1; k++)
                result[i] = first + i;
            seen[i] = (int)(factor * 10);
        }
    }
    for (int i = 0; i < N; i++) {
        check_int("changed before the loop", i, result[i], 10 + i);
        check_int("a factor", i, seen[i], 30);
    }

    int *place = table;
#pragma acc parallel num_gangs(4) firstprivate(place) copyin(table) copyout(result)
    {
        place += 2;
#pragma acc loop gang
        for (int i = 0; i < N - 2; i++)
            result[i] = place[i];
    }
    for (int i = 0; i < N - 2; i++)
        check_int("a pointer", i, result[i], 102 + i);
    return finish();
}
