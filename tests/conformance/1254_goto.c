// Jumps in device code: forward over statements, out of inner loops, back to a label, and past the user's own break and continue. What
// the host computes with the same functions is what a device has to compute.
// expect: launches=10
#include "check.h"

#define N 300

#pragma acc routine seq
static int to_the_end(int i)
{
    int k = i, s = 0;
    if (i % 7 == 3)
        goto end;
    s = k * 2;
    if (i % 5 == 1) {
        s += 1000;
        goto end;
    }
    for (int q = 0; q < k; q++) {
        s += q;
        if (s > 500)
            goto end;
    }
    s = -s;
end:
    return s;
}

#pragma acc routine seq
static int several_labels(int i)
{
    int s = 0, k = 0;
again:
    s += k;
    k++;
    if (k < i % 13)
        goto again;
    if (s > 40)
        goto big;
    s *= 2;
    goto done;
big:
    s += 7;
done:
    return s;
}

#pragma acc routine seq
static int out_of_loops(int i)
{
    int s = 0;
    for (int a = 0; a < 10; a++) {
        for (int b = 0; b < 10; b++) {
            if (a * b == i % 50)
                goto found;
            if ((a + b) % 3 == 0)
                continue;
            s += a - b;
            if (s > 60)
                goto next;
        }
    next:
        s += 100;
        if (s > 900)
            break;
    }
    s = -1;
found:
    return s;
}

#pragma acc routine seq
static int with_breaks(int i)
{
    int s = 0;
    for (int a = 0; a < 20; a++) {
        if (a == i % 20)
            continue;
        if (a > 15)
            break;
        if (a % 4 == 0)
            goto skip;
        for (int q = 0; q < 3; q++) {
            if (q == i % 3)
                goto skip;
            s += q;
        }
        s += a;
    skip:
        s += 1;
    }
    return s;
}

#pragma acc routine seq
static int out_of_a_switch(int i)
{
    int s = i;
    switch (i % 4) {
    case 0:
        s += 1;
        goto behind;
    case 1:
        for (int q = 0;; q++) {
            s += q;
            if (q > i % 9)
                goto before;
        }
        break;
    case 2:
        s += 5;
        break;
    default:
        goto before;
    }
    s *= 3;
before:
    s += 10;
behind:
    return s;
}

/* As translators of Fortran write loops. */
#pragma acc routine seq
static int numbered_labels(int i)
{
    int n = i + 1, c = 0;
L10:
    if (n == 1)
        goto L30;
    if (n % 2)
        goto L20;
    n /= 2;
    c++;
    goto L10;
L20:
    n = 3 * n + 1;
    c++;
    goto L10;
L30:
    return c;
}

#pragma acc routine seq
static int over_declarations(int i)
{
    int s = 0;
    int t[3] = {1, 2, 3};
    if (i % 2)
        goto a;
    {
        int z = i;
        if (z % 3 == 0)
            goto b;
        s += z;
    }
a:
    s += 1;
    int w = s * 2;
    if (w > i)
        goto c;
b:
    s += t[i % 3];
    w = s;
    s += w;
c:
    return s;
}

#pragma acc routine seq
static int retried(int i)
{
    int s = 0, k = 0;
retry:
    for (int q = 0; q < 5; q++) {
        s += q;
        if (s % 11 == i % 11 && k < 6) {
            k++;
            s += 3;
            goto retry;
        }
    }
    return s * 10 + k;
}

#define COMPARE(function)                                      \
    do {                                                       \
        int out[N];                                            \
        _Pragma("acc parallel loop copyout(out)")              \
        for (int i = 0; i < N; i++)                            \
            out[i] = function(i);                              \
        for (int i = 0; i < N; i++)                            \
            check_int(#function, i, out[i], function(i));      \
    } while (0)

static void in_the_loop_itself(void)
{
    int out[N];
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < N; i++) {
        out[i] = i;
        if (i % 3)
            goto next;
        out[i] = -i;
    next:
        out[i] *= 2;
    }
    for (int i = 0; i < N; i++)
        check_int("in the loop", i, out[i], i % 3 ? 2 * i : -2 * i);
}

static void around_a_vector_loop(void)
{
    int sums[20], count = 0;
#pragma acc parallel loop gang copyout(sums) reduction(+ : count)
    for (int i = 0; i < 20; i++) {
        int s = 0;
        if (i == 7)
            goto skip;
#pragma acc loop vector reduction(+ : s)
        for (int j = 0; j < N; j++)
            s += j % (i + 1);
    skip:
        sums[i] = s;
        count++;
    }
    check_int("iterations", 0, count, 20);
    for (int i = 0; i < 20; i++) {
        int s = 0;
        for (int j = 0; j < N && i != 7; j++)
            s += j % (i + 1);
        check_int("sums", i, sums[i], s);
    }
}

int main(void)
{
    COMPARE(to_the_end);
    COMPARE(several_labels);
    COMPARE(out_of_loops);
    COMPARE(with_breaks);
    COMPARE(out_of_a_switch);
    COMPARE(numbered_labels);
    COMPARE(over_declarations);
    COMPARE(retried);
    in_the_loop_itself();
    around_a_vector_loop();
    return finish();
}
