#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static int odd(int n);

static int even_(int n)
{
    if (n == 0)
        return 1;
    return odd(n - 1);
}

static int odd(int n)
{
    if (n == 0)
        return 0;
    return even_(n - 1);
}

/* host: parallel loop */
static __attribute__((noinline)) void host_3_body(int64_t begin, int64_t end, int64_t total, int *x)
{
    x[0] = odd(7);
}

void host_3(int64_t begin, int64_t end, int64_t total, void *const *args)
{
    host_3_body(begin, end, total, *(int *const *)args[0]);
}
