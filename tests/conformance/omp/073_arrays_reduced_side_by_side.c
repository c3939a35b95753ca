// Reductions of arrays and sections by many threads (OpenMP 5.2 §5.5.8): few elements, many, more than a copy has room for, and
// of a length that only the running program knows.
// expect: launches=13
#include "../check.h"
#include <complex.h>
#include <stdlib.h>

enum { N = 20011 };

static int key[N];

static void of_any_length(int n, int bins, int *count, double *weight, float *last)
{
#pragma omp target teams distribute parallel for reduction(+ : count[0:bins], weight[:bins]) reduction(max : last[0:bins]) map(to: key)
    for (int i = 0; i < n; i++) {
        count[key[i]]++;
        weight[key[i]] += 0.5;
        last[key[i]] = i > last[key[i]] ? i : last[key[i]];
    }
}

static void few(void)
{
    int h[10] = {1}, e[1] = {3}, most[3] = {-1, -1, -1}, least[2] = {1000000, 1000000};
    double m[4][5] = {{0}}, sum = 0;
    long long product[2] = {1, 1};
    unsigned bits[2] = {~0u, ~0u};
#pragma omp target teams distribute parallel for reduction(+ : h)
    for (int i = 0; i < N; i++)
        h[key[i] % 10]++;
#pragma omp target parallel for reduction(+ : m) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        m[i % 4][i % 5] += 0.5;
        sum += 1;
    }
#pragma omp target teams distribute parallel for reduction(max : most) reduction(min : least) map(tofrom: most, least)
    for (int i = 0; i < N; i++) {
        if (most[i % 3] < i)
            most[i % 3] = i;
        least[i & 1] = i + 7 < least[i & 1] ? i + 7 : least[i & 1];
    }
#pragma omp target teams distribute parallel for reduction(* : product) reduction(& : bits)
    for (int i = 0; i < 40; i++) {
        product[i % 2] *= 2;
        bits[i % 2] &= ~(1u << (i % 32));
    }
    for (int k = 0; k < 10; k++)
        check_int("ten bins", k, h[k], N / 10 + (k == 0) + (k < N % 10));
    for (int k = 0; k < 20; k++)
        check_near("two dimensions", k, m[k % 4][k % 5], (N / 20 + (k < N % 20)) * 0.5, 0);
    check_near("a scalar beside an array", 0, sum, N, 0);
    for (int k = 0; k < 3; k++)
        check_int("max", k, most[k], N - 1 - (N - 1 - k) % 3);
    check_int("min", 0, least[0], 7);
    check_int("min", 1, least[1], 8);
    check_int("*", 0, product[1], 1 << 20);
    check_int("&", 0, bits[0], 0xaaaaaaaa);
#pragma omp target data map(tofrom: h, e)
    {
#pragma omp target teams distribute reduction(+ : h, e[0]) num_teams(7)
        for (int i = 0; i < 1000; i++) {
            h[i % 10]--;
            e[0] += 2;
        }
#pragma omp target teams
#pragma omp distribute parallel for reduction(+ : h)
        for (int i = 0; i < 1000; i++)
            h[i % 10]++;
#pragma omp target parallel num_threads(16)
        {
#pragma omp for reduction(+ : h)
            for (int i = 0; i < 1000; i++)
                h[i % 10]++;
        }
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : h)
        for (int i = 0; i < 100; i++)
            for (int j = 0; j < 10; j++)
                h[j]++;
#pragma omp target teams distribute parallel for reduction(+ : h)
        for (int i = 0; i < 0; i++)
            h[0]++;
    }
    for (int k = 0; k < 10; k++)
        check_int("in data", k, h[k], N / 10 + (k == 0) + (k < N % 10) + 200);
    check_int("an element", 0, e[0], 2003);
}

static void many(void)
{
    static int large[20000];
    int middle[1000] = {0}, bins = 100;
    double values[1002] = {5}, *p = values + 1;
    double complex z = 1;
#pragma omp target teams distribute parallel for reduction(+ : large)
    for (int i = 0; i < N; i++)
        large[key[i] * 7] += 2;
#pragma omp target teams distribute parallel for reduction(+ : middle) reduction(- : p[1:999])
    for (int i = 0; i < N; i++) {
        middle[key[i] * 7] += 2;
        if (i % 3)
            p[1 + key[i]] -= 1;
        else
            p[1 + key[i]]--;
    }
#pragma omp target teams distribute parallel for reduction(+ : z)
    for (int i = 0; i < 1000; i++)
        z += i + 2 * i * I;
    for (int k = 0; k < bins; k++) {
        int expected = N / bins + (k < N % bins);
        check_int("an array that no thread has a copy of", k, large[7 * k], 2 * expected);
        check_int("a thousand elements", k, middle[7 * k], 2 * expected);
        check_near("a section that begins with 1", k, values[2 + k], -expected, 0);
    }
    check_near("before the section", 0, values[0], 5, 0);
    check_near("complex", 0, creal(z), 499501, 0);
    check_near("complex", 1, cimag(z), 999000, 0);
}

int main(void)
{
    int bins = 100;
    int *count = calloc(bins, sizeof(int));
    double *weight = calloc(bins, sizeof(double));
    float *last = calloc(bins, sizeof(float));
    for (int i = 0; i < N; i++)
        key[i] = i % bins;
    of_any_length(N, bins, count, weight, last);
    for (int k = 0; k < bins; k++) {
        int expected = N / bins + (k < N % bins);
        check_int("bins", k, count[k], expected);
        check_near("weights", k, weight[k], expected * 0.5, 0);
        check_near("the last", k, last[k], N - 1 - (N - 1 - k) % bins, 0);
    }
    few();
    many();
    free(count);
    free(weight);
    free(last);
    return finish();
}
