// scheme(block): sections that begin within a group, structures in both layouts, rows, reductions, copies that are read
// again, the routines, windows, and a format that is stated in another function.
// expect: launches=10 uploads=9 downloads=9
#include "check.h"
#include <math.h>
#include <openacc.h>
#include <stdlib.h>

enum { N = 1003 };

struct place {
    float x, y;
};

static struct place soa[N], aos[N];
static float a[N], out[N], rows[40][64];
static double d[N];

static void elsewhere(int n, const float *restrict p, float *restrict q)
{
#pragma acc parallel loop compression(scheme(block), bits(20): p) present(p[0:n]) copyout(q[0:n])
    for (int i = 0; i < n; i++)
        q[i] = p[i];
}

int main(void)
{
    int n = N;
    for (int i = 0; i < n; i++) {
        soa[i].x = aos[i].x = 90 * sinf((float)i);
        soa[i].y = aos[i].y = 1e6f * cosf((float)i);
        a[i] = (float)i;
        d[i] = 1.0 / (i + 1);
    }
    /* A section in the middle of the array. */
#pragma acc parallel loop ccopyin(scheme(block), bits(16): a[45:900]) copyout(out[45:900])
    for (int i = 45; i < 945; i++)
        out[i] = a[i];
    for (int i = 45; i < 945; i++)
        check_near("section", i, out[i], i, 1.0 / 16384);
#pragma acc parallel loop ccopyin(scheme(block), bits(12): a[45:900]) copyout(out[45:900])
    for (int i = 50; i < 940; i++)
        out[i] = a[i + 3];
    for (int i = 50; i < 940; i++)
        check_near("packed section", i, out[i], i + 3, 1.0 / 1024);

    /* A group has numbers of one member, or of both. */
#pragma acc data ccopy(scheme(block), bits(12): soa[0:n]) ccopy(scheme(block), layout(aos), bits(23): aos[0:n])
    {
#pragma acc parallel loop compression(soa, aos) copyout(out[0:n])
        for (int i = 0; i < n; i++)
            out[i] = soa[i].x + aos[i].y;
#pragma acc parallel loop compression(soa, aos)
        for (int i = 0; i < n; i++) {
            soa[i].x += 1;
            aos[i].y *= 2;
        }
    }
    for (int i = 0; i < n; i++) {
        float x = 90 * sinf((float)i), y = 1e6f * cosf((float)i);
        check_true("soa and aos", fabsf(out[i] - x - y) <= 91.0f / 2048 + 1e6f / (1 << 22) + 0.07f);
        check_true("a member's group is its own", fabsf(soa[i].x - x - 1) <= 0.1f);
        check_true("the other member", fabsf(soa[i].y - y) <= 1e6f / 2048);
        check_true("aos written", fabsf(aos[i].y - 2 * y) <= 1.0f);
        check_true("aos kept", fabsf(aos[i].x - x) <= 1.0f);
    }

    /* Read many times: GPUs decode it once. */
    double sum = 0, want = 0;
#pragma acc data ccopyin(scheme(block): d[0:n])
    {
#pragma acc parallel loop compression(d) reduction(+:sum)
        for (int i = 0; i < n; i++) {
            double part = 0;
            for (int k = 0; k < n; k++)
                part += d[k] * d[i];
            sum += part;
        }
#pragma acc parallel loop compression(d) reduction(+:sum)
        for (int i = 0; i < n; i++)
            sum += d[i];
    }
    double total = 0;
    for (int i = 0; i < n; i++)
        total += d[i];
    want = total * total + total;
    check_near("sum", 0, sum, want, 1e-8);

    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 64; k++)
            rows[i][k] = (float)(i * k);
#pragma acc parallel loop collapse(2) ccopy(scheme(block), bits(20): rows)
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 64; k++)
            rows[i][k] = rows[i][k] + 1;
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 64; k++)
            check_near("row", i * 64 + k, rows[i][k], i * k + 1, 2000.0 / (1 << 18));

    /* The routines. */
    acc_compress_format format = {acc_compress_block, acc_compress_float, 20, 0, 0, 0};
    acc_compress_copyin(a, sizeof a, &format);
    elsewhere(n, a, out);
    for (int i = 0; i < n; i++)
        check_near("routines", i, out[i], i, 1.0 / (1 << 17));
    acc_decompress_copyout(a, sizeof a);

    /* Windows decode on fetch; one of packed elements, and one that is written. */
#pragma acc data ccopyin(scheme(block), bits(12): a[0:n]) ccopy(scheme(block), bits(16): out[0:n])
    {
#pragma acc parallel loop vector(64) compression(a, out) present(a[0:n], out[0:n])
        for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_ONLY(a[i:1:1])
            out[i] = i > 0 && i < n - 1 ? a[i - 1] + a[i] + a[i + 1] : -1;
        }
#pragma acc parallel loop vector(64) compression(out) present(out[0:n])
        for (int i = 0; i < n; i++) {
#pragma acc fcw FETCH_CHANNEL_WB(out[i:0:0])
            out[i] = 2 * out[i];
        }
    }
    for (int i = 1; i < n - 1; i++)
        check_near("windows", i, out[i], 6 * i, 4.0 / 1024);
    check_near("windows", 0, out[0], -2, 1.0 / 64);
    return finish();
}
