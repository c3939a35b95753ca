// expect: launches=0
// A construct that runs on the host by its `if` or `self` has the same copies as on a device: of what `private`, `firstprivate` and
// the rule for scalars (OpenACC 3.3, 2.6.2) say, and of what its loops count with.

#include "check.h"

#define N 100

int main(void)
{
    int b[N], arr[3] = {1, 2, 3}, on = 0;
    int p = 5, q = 6, r = 7, s = 3, by_rule = 8, shared = 9, in_kernels = 10, counter = 11, sum = 0;
    int kept[3] = {0, 0, 0};

#pragma acc parallel self private(p) firstprivate(q, arr) copy(b) num_gangs(1)
    {
        p = 9;
        q += 2;
        arr[0] += 100;
        b[0] = q + arr[0];
    }
    check_int("b", 0, b[0], 109);
#pragma acc parallel if (on) private(r)
    {
        r = 10;
#pragma acc loop private(s)
        for (int c = 0; c < N; c++) {
            s = c;
            b[c] = s;
        }
    }
#pragma acc serial if (0) copy(shared)
    {
        by_rule = 20;
        shared += by_rule;
    }
#pragma acc kernels self(1 - on)
    {
        in_kernels = 20;
#pragma acc loop seq
        for (counter = 0; counter < N; counter++)
            b[counter] += counter;
    }
#pragma acc parallel loop if (on) reduction(+ : sum) private(s)
    for (counter = 0; counter < N; counter++) {
        s = counter;
        sum += s;
    }
#pragma acc kernels if (on) copy(kept[0 : 1])
    {
        int c = 234;
#pragma acc loop
        for (c = 0; c < N; c++)
            b[c]++;
        kept[0] = c;
    }
#pragma acc parallel self copy(kept) num_gangs(1)
    {
        int c = 235;
#pragma acc loop collapse(2)
        for (c = 0; c < 10; c++)
            for (int j = 0; j < 10; j++)
                b[10 * c + j]++;
        kept[1] = c;
    }
    check_int("p", 0, p, 5);
    check_int("q", 0, q, 6);
    check_int("r", 0, r, 7);
    check_int("s", 0, s, 3);
    check_int("arr", 0, arr[0], 1);
    check_int("by_rule", 0, by_rule, 8);
    check_int("shared", 0, shared, 29);
    check_int("in_kernels", 0, in_kernels, 20);
    check_int("counter", 0, counter, 11);
    check_int("sum", 0, sum, N * (N - 1) / 2);
    check_int("kept", 0, kept[0], 234);
    check_int("kept", 1, kept[1], 235);
    for (int c = 0; c < N; c++)
        check_int("b", c, b[c], 2 * c + 2);
    return finish();
}
