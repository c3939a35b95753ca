#include "weak.h"

int main(void)
{
    int a[10];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = chosen(i);
    return a[9] != 18;
}
