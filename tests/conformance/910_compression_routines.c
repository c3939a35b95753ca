// The routines for compressed arrays; queues, and copies that are asked for again.
// expect: launches=3 uploads=2 downloads=2
// needs: runtime
#include "check.h"
#include <math.h>
#include <openacc.h>

enum { N = 4096 };

static float a[N];
static double b[N], c[N];

int main(void)
{
    int n = N;
    for (int i = 0; i < n; i++) {
        a[i] = sinf((float)i);
        b[i] = 10 + cos(i);
    }
    acc_compress_format usual = {acc_compress_range, acc_compress_float, 0, 0, 0, 0};
    acc_compress_format fine = {acc_compress_affine, acc_compress_double, 40, 1, 0, 200};
    check_true("copyin", acc_compress_copyin(a, sizeof a, &usual) == 1);
    check_true("present or copyin", acc_compress_present_or_copyin(a, sizeof a, &usual) == 1);
    check_true("copyin, another format", acc_compress_copyin(b, sizeof b, &fine) == 1);
    check_true("create", acc_compress_create(c, sizeof c, &fine) == 1);
    check_true("it is present", acc_is_present(a, sizeof a) && acc_is_present(c, sizeof c));
#pragma acc parallel loop present(a, b, c) compression(a) compression(bits(40), scheme(affine): b, c) async(1)
    for (int i = 0; i < n; i++)
        c[i] = b[i] * b[i] - a[i];
#pragma acc parallel loop present(b) compression(bits(40), scheme(affine): b) async(1)
    for (int i = 0; i < n; i++)
        b[i] += 1;
#pragma acc parallel loop present(b) compression(bits(40), scheme(affine): b) async(2) wait(1)
    for (int i = 0; i < n; i++)
        b[i] += 1;
#pragma acc wait
    acc_decompress_copyout(c, sizeof c);
    acc_update_self(b, sizeof b);
    acc_delete(a, sizeof a);
    check_true("counted twice", acc_is_present(a, sizeof a));
    acc_delete(a, sizeof a);
    acc_delete(b, sizeof b);
    check_true("gone", !acc_is_present(a, sizeof a) && !acc_is_present(b, sizeof b) && !acc_is_present(c, sizeof c));
    for (int i = 0; i < n; i++) {
        check_near("c", i, c[i], (10 + cos(i)) * (10 + cos(i)) - a[i], 1e-5);
        check_near("b", i, b[i], 12 + cos(i), 1e-9);
    }
    return finish();
}
