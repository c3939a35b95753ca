// Plain copies that kernels have written, between others: two queues, kernels that take the array as it is held, parts that the
// host sends and fetches, structures, sections, two names for one array, data that leaves by copyout, by the routine and by delete.
// flags: --no-check
#include "rounded.h"
#include <openacc.h>
#include <stdlib.h>

enum { N = 1600, BITS = 11 };

static float round_it(float x)
{
    return rounded_float(x, BITS, 0, -7.7, 7.7);
}

static void add(int n, float *restrict a, float by, int queue)
{
#pragma acc parallel loop compression(bits(BITS): a) present(a[0:n]) async(queue)
    for (int i = 0; i < n; i++)
        a[i] += by;
}

/* Windows are filled from the array as it is held. */
static void add_neighbours(int n, const float *restrict a, float *restrict b)
{
#pragma acc parallel loop vector_length(128) compression(bits(BITS): a, b) present(a[0:n], b[0:n])
    for (int i = 1; i < n - 1; i++) {
#pragma acc fcw FETCH_ONLY(a[i:1:1])
        b[i] = (a[i - 1] + a[i + 1]) / 2;
    }
}

static void copy_to(int n, const float *restrict a, float *restrict b, int queue)
{
#pragma acc parallel loop compression(bits(BITS): a, b) present(a[0:n], b[0:n]) async(queue)
    for (int i = 0; i < n; i++)
        b[i] = a[i];
}

static float a[N], b[N], c[N], wanted_a[N], wanted_b[N];

static void start(int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = (float)(i % 61) / 16 - 2;
        b[i] = (float)(i % 37) / 16;
        wanted_a[i] = round_it(a[i]);
        wanted_b[i] = round_it(b[i]);
    }
}

static void wanted_add(float *x, int n, float by)
{
    for (int i = 0; i < n; i++)
        x[i] = round_it(x[i] + by);
}

static void between_queues(int n)
{
    start(n);
#pragma acc data ccopy(bits(BITS): a[0:n:-7.7:7.7], b[0:n:-7.7:7.7])
    {
        for (int step = 0; step < 6; step++) {
            add(n, a, 0.25f, 1 + step % 2);
            add(n, b, -0.25f, 1 + step % 2);
#pragma acc wait(1, 2)
        }
        for (int step = 0; step < 3; step++) {
            /* Each queue has a half of the array for itself, and nothing orders them. */
            add(n / 2, a, 0.5f, 1);
            add(n - n / 2, a + n / 2, -0.5f, 2);
        }
        acc_wait_all();
        copy_to(n, a, b, 3);
#pragma acc update self(b[0:n]) async(3)
#pragma acc wait(3)
        memcpy(c, b, sizeof b);
    }
    for (int step = 0; step < 6; step++) {
        wanted_add(wanted_a, n, 0.25f);
        wanted_add(wanted_b, n, -0.25f);
    }
    for (int step = 0; step < 3; step++) {
        wanted_add(wanted_a, n / 2, 0.5f);
        wanted_add(wanted_a + n / 2, n - n / 2, -0.5f);
    }
    for (int i = 0; i < n; i++)
        wanted_b[i] = round_it(wanted_a[i]);
    count_differences("a of queues", n, a, wanted_a, sizeof *a);
    count_differences("b of queues", n, b, wanted_b, sizeof *b);
    count_differences("b updated", n, c, wanted_b, sizeof *b);
}

static void held_between(int n)
{
    start(n);
#pragma acc enter data ccopyin(bits(BITS): a[0:n:-7.7:7.7], b[0:n:-7.7:7.7])
    for (int step = 0; step < 12; step++) {
        add(n, a, 0.125f, acc_async_sync);
        wanted_add(wanted_a, n, 0.125f);
        add(n, b, 0.125f, acc_async_sync);
        wanted_add(wanted_b, n, 0.125f);
        if (step % 4 == 3) {
            add_neighbours(n, a, b);
            for (int i = 1; i < n - 1; i++)
                wanted_b[i] = round_it((wanted_a[i - 1] + wanted_a[i + 1]) / 2);
        }
    }
#pragma acc exit data copyout(b[0:n])
    acc_decompress_copyout(a, n * sizeof *a);
    count_differences("a held between", n, a, wanted_a, sizeof *a);
    count_differences("b held between", n, b, wanted_b, sizeof *b);
}

static void parts(int n)
{
    float(*rows)[N / 40] = (float(*)[N / 40])a;
    start(n);
#pragma acc data ccopy(bits(BITS): rows[0:40][0:N / 40:-7.7:7.7])
    {
        for (int step = 0; step < 5; step++) {
#pragma acc parallel loop collapse(2) compression(bits(BITS): rows) present(rows[0:40][0:N / 40])
            for (int i = 0; i < 40; i++)
                for (int j = 0; j < N / 40; j++)
                    rows[i][j] -= 0.5f;
            wanted_add(wanted_a, n, -0.5f);
            if (step == 2) {
                for (int i = 3; i < 8; i++)
                    for (int j = 5; j < 9; j++)
                        rows[i][j] = wanted_a[i * (N / 40) + j] = 1;
#pragma acc update device(rows[3:5][5:4])
                for (int i = 3; i < 8; i++)
                    for (int j = 5; j < 9; j++)
                        wanted_a[i * (N / 40) + j] = round_it(1);
            }
            if (step == 3) {
                float row[N / 40];
#pragma acc update self(rows[7:2][1:7])
                memcpy(row, rows[7] + 1, 7 * sizeof *row);
                count_differences("a row", 7, row, wanted_a + 7 * (N / 40) + 1, sizeof *row);
            }
        }
        /* All of it is replaced: what kernels wrote does not matter. */
        for (int i = 0; i < n; i++)
            a[i] = 2;
#pragma acc update device(rows[0:40][0:N / 40])
#pragma acc parallel loop collapse(2) compression(bits(BITS): rows) present(rows[0:40][0:N / 40])
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < N / 40; j++)
                rows[i][j] += j;
    }
    for (int i = 0; i < n; i++)
        wanted_a[i] = round_it(round_it(2) + i % (N / 40));
    count_differences("replaced", n, a, wanted_a, sizeof *a);
}

struct point {
    float x, y;
};

static void structures(int n)
{
    struct point *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q), *want = malloc(n * sizeof *want);
    for (int i = 0; i < n; i++) {
        p[i].x = q[i].x = (float)(i % 7);
        p[i].y = q[i].y = (float)(i % 5) / 2;
        want[i].x = round_it(p[i].x);
        want[i].y = round_it(p[i].y);
    }
#pragma acc data ccopy(bits(BITS): p[0:n:-7.7:7.7]) ccopy(bits(BITS), layout(aos): q[0:n:-7.7:7.7])
    {
        for (int step = 0; step < 4; step++) {
#pragma acc parallel loop compression(bits(BITS): p) compression(bits(BITS), layout(aos): q) present(p[0:n], q[0:n])
            for (int i = 0; i < n; i++) {
                p[i].x = (p[i].x + p[i].y) / 2;
                q[i].x = (q[i].x + q[i].y) / 2;
                if (i % 3 == step)
                    q[i].y = p[i].y = p[i].x;
            }
            for (int i = 0; i < n; i++) {
                want[i].x = round_it((want[i].x + want[i].y) / 2);
                if (i % 3 == step)
                    want[i].y = round_it(want[i].x);
            }
        }
    }
    count_differences("planes", 2 * n, p, want, sizeof(float));
    count_differences("side by side", 2 * n, q, want, sizeof(float));
    free(p);
    free(q);
    free(want);
}

/* The array is on the device from its fifth element on, and has two names. */
static void names(int n)
{
    start(n);
#pragma acc data ccopy(bits(BITS): a[5:n - 5:-7.7:7.7])
    {
        for (int step = 0; step < 6; step++) {
            float *from = a + (step % 2 ? 5 : n / 2 + 1), *to = a + (step % 2 ? n / 2 + 1 : 5);
            copy_to(n / 2 - 5, from, to, acc_async_sync);
            add(n / 2 - 5, to, 0.375f, acc_async_sync);
            from = wanted_a + (from - a);
            to = wanted_a + (to - a);
            for (int i = 0; i < n / 2 - 5; i++)
                to[i] = round_it(round_it(from[i]) + 0.375f);
        }
    }
    count_differences("names", n - 5, a + 5, wanted_a + 5, sizeof *a);
}

static void deleted(int n)
{
    start(n);
#pragma acc enter data ccopyin(bits(BITS): a[0:n:-7.7:7.7])
    for (int step = 0; step < 4; step++)
        add(n, a, 1, step % 2);
#pragma acc wait
#pragma acc exit data delete(a[0:n])
    start(n);
#pragma acc data ccopy(bits(BITS): a[0:n:-7.7:7.7])
    {
        add(n, a, 1, acc_async_sync);
        add(n, a, 1, acc_async_sync);
    }
    wanted_add(wanted_a, n, 1);
    wanted_add(wanted_a, n, 1);
    count_differences("after delete", n, a, wanted_a, sizeof *a);
}

int main(void)
{
    between_queues(N);
    held_between(N);
    parts(N);
    structures(N);
    names(N);
    deleted(N);
    return finish();
}
