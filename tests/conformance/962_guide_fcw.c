// expect: launches=3 uploads=2 downloads=2
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 128

/* Each iteration reads three elements that its neighbours read too. */
static void smooth(int n, const float *a, float *b)
{
#pragma acc parallel loop vector(BLOCK) copyin(a[0:n]) copyout(b[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[i:1:1])
        if (i > 0 && i < n - 1)
            b[i] = 0.25f * a[i - 1] + 0.5f * a[i] + 0.25f * a[i + 1];
        else
            b[i] = a[i];
    }
}

/* The sum of each block of BLOCK elements, as a tree: iterations see what others of their block wrote. */
static void sums(int n, const float *a, float *sum)
{
    int blocks = (n + BLOCK - 1) / BLOCK;
    float *t = malloc(n * sizeof *t);
#pragma acc data copyin(a[0:n]) create(t[0:n]) copyout(sum[0:blocks])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            t[i] = a[i];
#pragma acc parallel loop vector(BLOCK)
        for (int i = 0; i < n; i++) {
            int at = i % BLOCK;
#pragma acc fcw FETCH_CHANNEL(t[i:0:0])
            {
                for (int w = BLOCK / 2; w > 0; w /= 2)
                    if (at < w && i + w < n)
                        t[i] += t[i + w];
                if (at == 0)
                    sum[i / BLOCK] = t[i];
            }
        }
    }
    free(t);
}

int main(void)
{
    enum { N = 1000 };
    static float a[N], b[N], sum[(N + BLOCK - 1) / BLOCK];
    float total = 0, want = 0;
    for (int i = 0; i < N; i++)
        want += a[i] = i % 10;
    smooth(N, a, b);
    sums(N, a, sum);
    for (int k = 0; k < (N + BLOCK - 1) / BLOCK; k++)
        total += sum[k];
    printf("b[10] = %g, sum = %g of %g\n", b[10], total, want);
    puts(b[10] == 2.5f && total == want ? "PASS" : "FAIL");
    return !(b[10] == 2.5f && total == want);
}
