// A loop of gangs and workers around a loop for lanes is a launch in two dimensions, as one of gangs alone around one is, and a product has its
// tiles of registers whatever constants say of workers and lanes. Odd sizes, loops that count down, statements between the loops, sums of
// lanes, and private variables between them, which keep the levels as they are written.
// expect: launches=23
// expect-remark: Schedule tile64: grid\(j:x, i:y\) block\(16, 16\) register_tile
#include "check.h"

enum { MOST = 150 };
static float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], d[MOST * MOST], e[MOST];

static void product(int n, int m, int k)
{
#pragma acc parallel loop gang worker num_workers(4) vector_length(32) copyin(a, b) copy(c)
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * m + j];
            c[i * m + j] = sum;
        }
    }
}

static void stencil(int n, int m)
{
#pragma acc parallel loop gang worker(8) copyin(a) copy(d)
    for (int i = n - 2; i > 0; i--) {
#pragma acc loop vector(64)
        for (int j = 1; j < m - 1; j++)
            d[i * m + j] = a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] + a[(i + 1) * m + j];
    }
}

static void between(int n, int m)
{
    float row[4];
#pragma acc parallel loop gang worker private(row) copyin(a) copy(d)
    for (int i = 0; i < n; i++) {
        for (int l = 0; l < 4; l++)
            row[l] = i + l;
#pragma acc loop vector
        for (int j = 0; j < m; j++)
            d[i * m + j] = a[i * m + j] + row[j % 4];
    }
}

static void sums(int n, int m)
{
#pragma acc parallel loop gang worker copyin(a) copyout(e)
    for (int i = 0; i < n; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < m; j++)
            sum += a[i * m + j];
        e[i] = sum;
    }
}

/* Sizes that the launch knows, and gangs that are counted, keep the levels. */
static void counted(int n, int m, int lanes)
{
#pragma acc parallel num_gangs(7) vector_length(lanes) copyin(a) copy(c)
#pragma acc loop gang worker
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < m; j++)
            c[i * m + j] = 2 * a[i * m + j];
    }
}

int main(void)
{
    for (int i = 0; i < MOST * MOST; i++) {
        a[i] = (i * 7 % 31) / 8.0f;
        b[i] = (i * 5 % 29) / 8.0f - 1;
        c[i] = d[i] = -1;
    }
    const int sizes[][3] = {{150, 150, 150}, {1, 150, 3}, {129, 1, 64}, {17, 33, 65}, {0, 5, 5}, {64, 128, 1}};
    for (int s = 0; s < 6; s++) {
        const int n = sizes[s][0], m = sizes[s][1], k = sizes[s][2];
        product(n, m, k);
        for (int i = 0; i < n * m; i++) {
            float want = 0;
            for (int l = 0; l < k; l++)
                want += a[i / m * k + l] * b[l * m + i % m];
            check_near("product", i, c[i], want, 1e-5);
        }
        for (int i = n * m; i < MOST * MOST; i++)
            check_near("beyond", i, c[i], -1, 0);
        stencil(n, m);
        for (int i = 0; i < n * m; i++) {
            const int y = i / m, x = i % m, inner = y > 0 && y < n - 1 && x > 0 && x < m - 1;
            check_near("stencil", i, d[i], inner ? a[i - 1] + a[i + 1] + a[i - m] + a[i + m] : -1, 0);
        }
        between(n, m);
        for (int i = 0; i < n * m; i++) {
            check_near("between", i, d[i], a[i] + i / m + i % m % 4, 0);
            d[i] = -1;
        }
        sums(n, m);
        for (int i = 0; i < n; i++) {
            float want = 0;
            for (int j = 0; j < m; j++)
                want += a[i * m + j];
            check_near("sums", i, e[i], want, 1e-5);
        }
        counted(n, m, 32 << s % 3);
        for (int i = 0; i < n * m; i++) {
            check_near("counted", i, c[i], 2 * a[i], 0);
            c[i] = -1;
        }
    }
    return finish();
}
