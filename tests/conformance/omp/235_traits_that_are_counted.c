// Selectors of which one trait must hold, or none, which are clang's extensions: OpenMP 5.2 §7.1.
// expect: launches=1
// gcc: rejects, extensions that it does not know
#include "../check.h"

int one_of(int x)
{
    return x + 1;
}
#pragma omp declare variant(one_of) match(implementation = {extension(match_any)}, device = {kind(host, nohost)}, user = {condition(1)})
int chosen(int x)
{
    return x;
}

int none_of(int x)
{
    return x + 2;
}
#pragma omp declare variant(none_of) match(implementation = {extension(match_none), vendor(nobody)})
int not_asked(int x)
{
    return x;
}

int with_all(int x)
{
    return x + 4;
}
#pragma omp declare variant(with_all) match(implementation = {extension(match_all), vendor(nobody)})
int kept(int x)
{
    return x;
}

int unknown(int x)
{
    return x + 8;
}
#pragma omp declare variant(unknown) match(implementation = {extension(nobodys)})
int kept_too(int x)
{
    return x;
}

int main(void)
{
    int seen[4];
    check_int("on the host", 0, chosen(0) + not_asked(0) + kept(0) + kept_too(0), 3);
#pragma omp target map(from : seen)
    {
        seen[0] = chosen(0);
        seen[1] = not_asked(0);
        seen[2] = kept(0);
        seen[3] = kept_too(0);
    }
    check_int("on the device", 0, seen[0], 1);
    check_int("on the device", 1, seen[1], 2);
    check_int("on the device", 2, seen[2], 0);
    check_int("on the device", 3, seen[3], 0);
    return finish();
}
