#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>

/* The runtime ends the program: as abort() does, having said why, or as exit() does. */
__attribute__((noreturn)) void accl_stop(const char *message);
__attribute__((noreturn)) void accl_exit(int status);

typedef struct Pair {
    int a;
    int b;
} Pair;

static int checked(const int *x, int i)
{
    if (i < 0) {
        accl_stop(":0: checked: Assertion `i >= 0' failed.");
    }
    return x[i];
}

static Pair pair(const int *x)
{
    Pair p;
    p.a = checked(x, 3);
    if (p.a) {
        accl_stop(":0: pair: abort() was called.");
    }
    p.b = 0;
    return p;
}

static void test(int n)
{
    if (n > 3) {
        printf("%d%% \"of\" %g\n", n, 2.5);
    } else {
        accl_stop(":0: test: abort() was called.");
    }
}

/* host: parallel loop */
static __attribute__((noinline)) void host_3_body(int64_t begin, int64_t end, int64_t total, int *x)
{
    Pair p;
    p = pair((const int *)x);
    test(p.a);
    x[0] = p.b;
}

void host_3(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    host_3_body(begin, end, total, *(int *const *)args[0]);
}

/* host: parallel loop */
static __attribute__((noinline)) void host_8_body(int64_t begin, int64_t end, int64_t total)
{
    test(3);
}

void host_8(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    host_8_body(begin, end, total);
}
