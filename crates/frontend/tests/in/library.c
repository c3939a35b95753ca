// Functions of the C library that have effects: what they become.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pair {
    int first;
    double second;
};

static int checked(const int *a, int i)
{
    if (i < 0)
        abort();
    return a[i];
}

void ends(int n, int *a)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++) {
        assert(a[i] > 0 && "positive");
        assert(!"reached" || n);
        a[i] = checked(a, i);
    }
#pragma acc serial
    __builtin_trap();
}

void prints(int n, float x, double *p, unsigned char c, long l, size_t size)
{
#pragma acc serial copyin(p[0:n])
    {
        printf("%d%% %5.2f %-8g|%hhu %c %ld %llx %zu %p\n", n, x, p[0], c, 'x', l, l, size, p);
        printf("[%s] [%6s] [%-6.2s]\n", "a%b", "cde", "fgh");
        puts("100%");
        putchar('\n');
    }
}

void memory(int n, int *a, int *b, unsigned *bits, float *x, struct pair *s, char *bytes)
{
    int table[4][8];
#pragma acc kernels copy(a[0:n], b[0:n], bits[0:n], x[0:n], s[0:n], bytes[0:n])
    {
        memset(a, 0, n * sizeof(int));
        memset(a + 2, -1, 16);
        memset(bytes, n, n);
        memset(b, n, n * sizeof *b);
        memset(table, 0, sizeof table);
        memcpy(a, b, sizeof(int) * n);
        memcpy(a, b, n);
        memcpy(&s[1], &s[0], sizeof(struct pair));
        memcpy(bits, x, sizeof *bits);
        memcpy(&x[3], &bits[2], 4);
        memmove(&a[1], a, 4 * sizeof(int));
    }
}
