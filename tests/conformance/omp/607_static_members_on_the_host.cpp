// Static members, and variables of namespaces, in a construct that the host runs: their names alone mean nothing there.
// expect: launches=0
#include "../check.h"

struct Settings
{
    static int level;
    int id;
};
int Settings::level = 9;

namespace limits
{
int most = 4;
}

int main()
{
    Settings settings{3};
    int found = 0;
#pragma omp target map(tofrom: found)
    {
        __asm__("");
        found = Settings::level + settings.id + limits::most;
        settings.id = 5;
    }
    check_int("found", 0, found, 16);
    check_int("id", 0, settings.id, 5);
    return finish();
}
