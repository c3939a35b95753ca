// What a gang reads of a scalar that its construct reduces is its own copy, which starts with the operator's neutral value (OpenACC
// 3.3, 2.5.15). What it writes otherwise than by updates is combined, too.
// expect: launches=6
#include "check.h"

int main()
{
    int s = 100, x[64] = {0}, seen[8] = {0}, n = 64;
    double d = 2.0, y[64] = {0};
#pragma acc parallel num_gangs(4) reduction(+ : s) copy(x)
    {
        s += 2;
#pragma acc loop gang
        for (int i = 0; i < n; i++)
            x[i] = s;
    }
    int gangs = (s - 100) / 2;
    check_true("gangs", gangs >= 1 && gangs <= 4);
    check_int("s", 0, s, 100 + 2 * gangs);
    for (int i = 0; i < n; i++)
        check_int("x", i, x[i], 2);

    int before = 0;
#pragma acc parallel num_gangs(4) reduction(+ : before) reduction(max : d) copy(y)
    {
        before += 1;
        d = 1.5;
#pragma acc loop gang vector
        for (int i = 0; i < n; i++)
            y[i] = d * i;
    }
    check_near("d", 0, d, 2.0, 0.0);
    for (int i = 0; i < n; i++)
        check_near("y", i, y[i], 1.5 * i, 0.0);

    /* Written, not updated. */
    int product = 3;
#pragma acc parallel num_gangs(1) reduction(* : product)
    {
        product = 7;
    }
    check_int("product", 0, product, 21);

    /* A value that the gang looks at after a loop of its own lanes. */
    int count = 0;
#pragma acc parallel num_gangs(8) vector_length(32) reduction(+ : count) copy(seen)
    {
#pragma acc loop gang
        for (int g = 0; g < 8; g++) {
            int own = 0;
#pragma acc loop vector reduction(+ : own)
            for (int k = 0; k < 10; k++)
                own += k;
            count += own;
            seen[g] = count > 0;
        }
    }
    check_int("count", 0, count, 8 * 45);
    for (int g = 0; g < 8; g++)
        check_int("seen", g, seen[g], 1);

    /* A loop's own reduction of the same scalar is that of all gangs. */
    int all = 5;
#pragma acc parallel num_gangs(4) reduction(+ : all)
    {
#pragma acc loop gang vector reduction(+ : all)
        for (int i = 0; i < n; i++)
            all += i;
    }
    check_int("all", 0, all, 5 + 63 * 32);

    /* Under a condition, and in a loop that one gang runs. */
    int any = 0, limit = 3;
#pragma acc parallel num_gangs(4) reduction(|| : any) copyin(x)
    {
        for (int i = 0; i < limit; i++)
            if (!any && x[i] == 2)
                any = 1;
    }
    check_int("any", 0, any, 1);
    return finish();
}
