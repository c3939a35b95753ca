#include "scale.h"

#define N 1000

int main(void)
{
    static float a[N];
    for (int i = 0; i < N; i++)
        a[i] = 2.0f;
    scale(N, 3.0f, a);
    return count(N, a, 6.0f) != N;
}
