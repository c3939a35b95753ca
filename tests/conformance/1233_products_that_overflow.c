// Products of whole numbers that overflow and are used in wider arithmetic, as random numbers and hashes are made: what is computed is
// the machine's 32 bits, also where threads share vector registers.
// expect: launches=3
#include "check.h"

#define N 1000

static long modulus = 2147483647;
static int multiplier = 1103515245, increment = 12345;
#pragma acc declare copyin(modulus, multiplier, increment)

/* The same on the host, where nothing overflows. */
static int product(int a, int b)
{
    return (int)((unsigned)a * (unsigned)b);
}

static int sum(int a, int b)
{
    return (int)((unsigned)a + (unsigned)b);
}

#pragma acc routine seq
static double uniform(int *seed, int index)
{
    int number = multiplier * seed[index] + increment;
    seed[index] = number % modulus;
    return fabs(seed[index] / (double)modulus);
}

#pragma acc routine seq
static double normal(int *seed, int index)
{
    double u = uniform(seed, index), v = uniform(seed, index);
    return sqrt(-2 * log((u + 0.25) / 2)) * cos(2 * 3.14159265358979 * v);
}

struct particle {
    int seed;
    double x;
};

int main()
{
    int seed[N], hash[N];
    double x[N];
    long long wide[N];
    struct particle p[N];
    for (int i = 0; i < N; i++) {
        seed[i] = 1000003 * (i % 2000 + 1);
        x[i] = 0;
        p[i].seed = i + 1;
        p[i].x = 0;
    }
#pragma acc parallel loop copy(seed, x)
    for (int i = 0; i < N; i++)
        x[i] += 1 + 5 * normal(seed, i);
#pragma acc parallel loop copyin(seed) copyout(hash, wide)
    for (int i = 0; i < N; i++) {
        long long w = seed[i] * 31;
        wide[i] = w / 3;
        hash[i] = (i ^ seed[i]) * 0x45d9f3b % 1000003LL;
    }
#pragma acc parallel loop copy(p)
    for (int i = 0; i < N; i++)
        p[i].x = (p[i].seed * 16807) / 1e6;

    for (int i = 0; i < N; i++) {
        int s = 1000003 * (i % 2000 + 1);
        double u[2];
        for (int k = 0; k < 2; k++) {
            s = sum(product(multiplier, s), increment) % modulus;
            u[k] = fabs(s / (double)modulus);
        }
        check_int("seed", i, seed[i], s);
        check_near("x", i, x[i], 1 + 5 * sqrt(-2 * log((u[0] + 0.25) / 2)) * cos(2 * 3.14159265358979 * u[1]), 1e-9);
        check_int("wide", i, wide[i], product(s, 31) / 3);
        check_int("hash", i, hash[i], product(i ^ s, 0x45d9f3b) % 1000003LL);
        check_near("p", i, p[i].x, product(i + 1, 16807) / 1e6, 1e-12);
    }
    return finish();
}
