// Arrays and sections are reduced at every level, with every operator and type: by copies, or in place (2.5.15, 2.9.11).
// expect: launches>=12
#include "check.h"
#define CHECK(condition) check_true(#condition, condition)
#include <stdlib.h>

#define N 3001

struct bins {
    int v[6];
    double w;
};

int main(void)
{
    int n = N;
    int a[10] = {0}, total = 7;
    int *p = calloc(16, sizeof(int));
    float f[4] = {1, 1, 1, 1};
    double m[3][2] = {{0}};
    short few[5] = {1, 2, 3, 4, 5};
    unsigned char bits[4] = {0};

    /* A whole array, with a scalar beside it. */
#pragma acc parallel loop reduction(+ : a, total) copy(a)
    for (int i = 0; i < n; i++) {
        a[i % 10] += i % 4;
        total += 1;
    }
    int expected[10] = {0};
    for (int i = 0; i < n; i++)
        expected[i % 10] += i % 4;
    for (int k = 0; k < 10; k++)
        CHECK(a[k] == expected[k]);
    CHECK(total == 7 + N);

    /* A section of a pointer, with a copy that is read, too. */
#pragma acc parallel loop reduction(max : p[2:8])
    for (int i = 0; i < n; i++) {
        int k = 2 + i % 8;
        p[k] = p[k] > i ? p[k] : i;
    }
    for (int k = 0; k < 16; k++)
        CHECK(p[k] == (k < 2 || k > 9 ? 0 : (N - 1) - ((N - 1) % 8 - (k - 2) + 8) % 8));

    /* A section whose length only the running program knows. */
    int length = 8;
#pragma acc parallel loop gang vector reduction(+ : p[0:length]) copy(p[0:length])
    for (int i = 0; i < n; i++)
        p[i % length] += 2;
    CHECK(p[0] == 2 * (N / 8 + 1));

    /* Products of floats, rows of doubles. */
#pragma acc parallel loop reduction(* : f) reduction(+ : m)
    for (int i = 0; i < n; i++) {
        if (i % 500 == 0)
            f[i / 500 % 4] *= 2;
        m[i % 3][i % 2] += 0.5;
    }
    CHECK(f[0] == 4 && f[1] == 4 && f[2] == 4 && f[3] == 2);
    CHECK(m[0][0] + m[0][1] + m[1][0] + m[1][1] + m[2][0] + m[2][1] == 0.5 * N);

    /* Narrow numbers; conditions. */
#pragma acc parallel loop reduction(+ : few) reduction(| : bits)
    for (int i = 0; i < n; i++) {
        few[i % 5] += 1;
        bits[i % 4] |= 1 << i % 8;
    }
    CHECK(few[0] == 1 + 601 && few[4] == 5 + 600);
    CHECK(bits[0] == 0x11 && bits[3] == 0x88);
    int all[4] = {5, 1, 1, 0}, any[4] = {0, 0, 6, 0};
#pragma acc parallel loop reduction(&& : all) reduction(|| : any)
    for (int i = 0; i < n; i++) {
        all[i % 4] = all[i % 4] && i != 1001;
        any[i % 4] = any[i % 4] || i == 2000;
    }
    CHECK(all[0] == 1 && all[1] == 0 && all[2] == 1 && all[3] == 0);
    CHECK(any[0] == 1 && any[1] == 0 && any[2] == 1 && any[3] == 0);

    /* By gangs and lanes in a nest; smallest by `if`. */
    int least[3] = {99999, 99999, 99999};
#pragma acc parallel loop gang reduction(min : least) copy(least)
    for (int i = 0; i < 40; i++) {
#pragma acc loop vector reduction(min : least)
        for (int j = 0; j < 100; j++)
            if (least[j % 3] > 1000 * j + i)
                least[j % 3] = 1000 * j + i;
    }
    CHECK(least[0] == 0 && least[1] == 1000 && least[2] == 2000);

    /* By lanes only, into an array of each gang's, which is read afterwards. */
    int rows[30];
#pragma acc parallel loop gang copyout(rows)
    for (int i = 0; i < 30; i++) {
        int own[4] = {0, 0, 0, 0};
#pragma acc loop vector reduction(+ : own)
        for (int j = 0; j < 64; j++)
            own[j % 4] += i;
        rows[i] = own[0] + own[1] + own[2] + own[3];
    }
    for (int i = 0; i < 30; i++)
        CHECK(rows[i] == 64 * i);

    /* A clause of the construct, loops inside; kernels; one gang. */
    int h[8] = {0};
#pragma acc parallel reduction(+ : h) copy(h)
    {
#pragma acc loop
        for (int i = 0; i < n; i++)
            h[i & 7]++;
    }
#pragma acc kernels loop reduction(+ : h) copy(h)
    for (int i = 0; i < n; i++)
        h[i & 7]++;
#pragma acc serial loop reduction(+ : h) copy(h)
    for (int i = 0; i < n; i++)
        h[i & 7]++;
    CHECK(h[0] == 3 * 376 && h[7] == 3 * 375);

    /* The array of a structure. */
    struct bins s = {{0}, 0.5};
#pragma acc parallel loop reduction(+ : s.v) copy(s)
    for (int i = 0; i < n; i++)
        s.v[i % 6] += 1;
    CHECK(s.v[0] == 501 && s.v[5] == 500 && s.w == 0.5);

    /* Data that are there already stay there. */
#pragma acc data copy(a)
    {
#pragma acc parallel loop reduction(+ : a)
        for (int i = 0; i < n; i++)
            a[i % 10] -= i % 4;
    }
    for (int k = 0; k < 10; k++)
        CHECK(a[k] == 0);
    free(p);
    return finish();
}
