// `atomic compare` with `==` on devices, and what it captures: OpenMP 5.2 §15.8.4.
// expect: launches=12
#include "../check.h"

#define N 1024

static int won[N], seen[N];

/* One iteration has replaced the 0, and its number is in `owner`. */
static void check_owner(const char *what, int owner)
{
    int winners = 0;
    for (int i = 0; i < N; i++) {
        winners += won[i];
        if (won[i])
            check_int(what, i, owner, i + 1);
    }
    check_int(what, -1, winners, 1);
}

int main(void)
{
    int x = 10;
#pragma omp target parallel for map(tofrom: x)
    for (int i = 0; i < N; i++) {
#pragma omp atomic compare
        if (x == 10) { x = 5; }
    }
    check_int("x", 0, x, 5);
#pragma omp target parallel for map(tofrom: x)
    for (int i = 0; i < N; i++) {
#pragma omp atomic compare seq_cst fail(relaxed)
        x = x == 5 ? 7 : x;
    }
    check_int("x", 1, x, 7);

    int owner = 0;
#pragma omp target teams distribute parallel for map(tofrom: owner)
    for (int i = 0; i < N; i++) {
        int before;
#pragma omp atomic compare capture
        { before = owner; if (owner == 0) { owner = i + 1; } }
        won[i] = before == 0;
    }
    check_owner("value before", owner);

    owner = 0;
#pragma omp target teams distribute parallel for map(tofrom: owner)
    for (int i = 0; i < N; i++) {
        int after;
#pragma omp atomic capture compare weak
        { if (0 == owner) { owner = i + 1; } after = owner; }
        won[i] = after == i + 1;
    }
    check_owner("value after", owner);

    owner = 0;
#pragma omp target teams distribute parallel for map(tofrom: owner)
    for (int i = 0; i < N; i++) {
#pragma omp atomic compare capture
        { won[i] = owner == 0; if (won[i]) { owner = i + 1; } }
    }
    check_owner("result", owner);

    owner = 0;
#pragma omp target teams distribute parallel for map(tofrom: owner)
    for (int i = 0; i < N; i++) {
        int other = 0;
#pragma omp atomic compare capture acq_rel
        if (owner == 0) { owner = i + 1; } else { other = owner; }
        won[i] = other == 0;
        seen[i] = other;
    }
    check_owner("value where it differs", owner);
    for (int i = 0; i < N; i++)
        check_int("seen", i, seen[i], won[i] ? 0 : owner);

    owner = 0;
#pragma omp target teams distribute parallel for map(tofrom: owner)
    for (int i = 0; i < N; i++) {
        int other = 0;
#pragma omp atomic compare capture
        { won[i] = owner == 0; if (won[i]) { owner = i + 1; } else { other = owner; } }
        seen[i] = other;
    }
    check_owner("result and value", owner);
    for (int i = 0; i < N; i++)
        check_int("seen", i, seen[i], won[i] ? 0 : owner);

    /* Other types; 300 is no value of a char, and is equal to none. */
    double d = 1.5;
    float f = -0.0f;
    unsigned char c = 44;
    short s = -3;
    long long big = 1LL << 40;
#pragma omp target map(tofrom: d, f, c, s, big)
    {
#pragma omp atomic compare
        if (d == 1.5) { d = 2.5; }
#pragma omp atomic compare
        if (f == 0.0f) { f = 1.0f; }
#pragma omp atomic compare
        if (c == 300) { c = 1; }
#pragma omp atomic compare
        if (s == -3) { s = 9; }
#pragma omp atomic compare
        if (big == 1LL << 40) { big = -1; }
    }
    check_true("d == 2.5", d == 2.5);
    check_true("f == 1", f == 1);
    check_int("c", 0, c, 44);
    check_int("s", 0, s, 9);
    check_int("big", 0, big, -1);

    /* A thread's own variable, and numbers that are counted by swapping. */
    int own = 0, counted = 0;
    double sum = 0;
#pragma omp target parallel for map(tofrom: counted, sum) reduction(+ : own)
    for (int i = 0; i < N; i++) {
        int mine = i, expected, done;
#pragma omp atomic compare
        if (mine == i) { mine = 1; }
        own += mine;
        done = 0;
        while (!done) {
#pragma omp atomic read
            expected = counted;
#pragma omp atomic compare capture
            { done = counted == expected; if (done) { counted = expected + 1; } }
        }
        done = 0;
        while (!done) {
            double old;
#pragma omp atomic read
            old = sum;
#pragma omp atomic compare capture
            { done = sum == old; if (done) { sum = old + 0.5; } }
        }
    }
    check_int("own", 0, own, N);
    check_int("counted", 0, counted, N);
    check_true("sum == N / 2", sum == N / 2);

    /* The smaller and the larger of two values, captured. */
    int most = -5, before = 0, after = 0, least = N;
#pragma omp target teams distribute parallel for map(tofrom: most) reduction(+ : before, after)
    for (int i = 0; i < N; i++) {
        int v, w;
#pragma omp atomic compare capture
        { v = most; if (most < i) { most = i; } }
        before += v < N;
#pragma omp atomic compare capture
        { most = i > most ? i : most; w = most; }
        after += w >= i;
    }
    check_int("most", 0, most, N - 1);
    check_int("before", 0, before, N);
    check_int("after", 0, after, N);
#pragma omp target teams distribute parallel for map(tofrom: least) map(from: seen)
    for (int i = 0; i < N; i++) {
#pragma omp atomic compare capture
        { if (i < least) { least = i; } seen[i] = least; }
    }
    check_int("least", 0, least, 0);
    for (int i = 0; i < N; i++)
        check_true("seen[i] <= i", seen[i] <= i);
    int element[4] = {0, 1, 2, 3};
#pragma omp target teams distribute parallel for map(tofrom: element)
    for (int i = 0; i < N; i++) {
#pragma omp atomic compare
        if (element[i % 4] == i % 4) { element[i % 4] = -(i % 4); }
    }
    for (int i = 0; i < 4; i++)
        check_int("element", i, element[i], -i);
    return finish();
}
