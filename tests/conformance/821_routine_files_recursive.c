// Functions of two files that call each other, and themselves, with a global array of a third.
// expect: launches=2
// sources: parts/820_physics.c parts/820_constants.c parts/821_even.c
// devices: cpu cuda
#include "check.h"
#include "parts/820_sim.h"

#pragma acc routine seq
int is_even(int n);

#pragma acc routine seq
int is_odd(int n)
{
    if (n == 0)
        return 0;
    return is_even(n - 1);
}

int main(void)
{
    enum { N = 200 };
    static double pot[N];
    static int odd[N];
    set_constants(2);
#pragma acc parallel loop copyout(pot)
    for (int i = 0; i < N; i++)
        pot[i] = potential(i, i % 9);
#pragma acc parallel loop copyout(odd)
    for (int i = 0; i < N; i++)
        odd[i] = is_odd(i % 40);
    for (int i = 0; i < N; i++) {
        check_near("potential", i, pot[i], potential(i, i % 9), 1e-13);
        check_int("odd", i, odd[i], i % 40 % 2);
    }
    return finish();
}
