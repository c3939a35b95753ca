/* A work-shared loop outside of any region has one thread, which may count in a variable of the file: the host keeps what changes a volatile one. */
// expect: launches=1
#include "../check.h"

static volatile int count;
static int a[20000];

static int counted(void) { return ++count > 0; }

int main(void)
{
    int i;
#pragma omp for
    for (i = 0; i < 1000; i++)
        if (!counted())
            count = -1000;
    check_int("count", 0, count, 1000);
#pragma omp parallel for
    for (i = 0; i < 20000; i++)
        a[i] = 3 * i;
    for (i = 0; i < 20000; i += 777)
        check_int("a", i, a[i], 3 * i);
    return finish();
}
