// What `target exit data` says is present must be, OpenMP 5.2 §5.8.3.
// expect-exit: nonzero
// expect-stderr: data in PRESENT clause was not found
#include "../check.h"

int main(void)
{
    int a[10];
    for (int i = 0; i < 10; i++)
        a[i] = i;
#pragma omp target enter data map(to: a)
#pragma omp target
    a[3] = 30;
#pragma omp target exit data map(present, from: a)
    check_int("a", 3, a[3], 30);
    if (finish())
        return 0;
#pragma omp target exit data map(present, from: a)
    return 0;
}
