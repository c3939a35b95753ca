// A variable that the construct declares, or of which its clauses make a copy, stands in a `private` clause of a loop in it: the
// loop's copies are others than the gang's own, which keeps its value, and the arrays of both may lie in shared memory.
// expect: launches=6
#include "check.h"

#define N 40

int main(void)
{
    int a[N], b[N], c[N], sum[N];

#pragma acc parallel num_gangs(5) copyout(a, b, c)
    {
        int x = 4, of_gang[4] = {1, 2, 3, 4};
#pragma acc loop gang private(x)
        for (int i = 0; i < N; i++) {
            x = i;
#pragma acc loop vector
            for (int k = 0; k < 1; k++)
                a[i] = x + 1;
        }
#pragma acc loop gang vector private(of_gang)
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < 4; k++)
                of_gang[k] = i * k;
            c[i] = of_gang[3] + x;
        }
#pragma acc loop gang
        for (int i = 0; i < N; i++)
            b[i] = x + of_gang[i % 4];
    }
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], i + 1);
        check_int("b", i, b[i], 5 + i % 4);
        check_int("c", i, c[i], 3 * i + 4);
    }

#pragma acc parallel num_gangs(4) vector_length(32) copyout(sum)
    {
        int part[10];
#pragma acc loop gang private(part)
        for (int i = 0; i < N; i++) {
#pragma acc loop vector
            for (int k = 0; k < 10; k++)
                part[k] = i * k;
            int s = 0;
#pragma acc loop vector reduction(+ : s)
            for (int k = 0; k < 10; k++)
                s += part[9 - k];
            sum[i] = s;
        }
    }
    for (int i = 0; i < N; i++)
        check_int("lanes", i, sum[i], 45 * i);

#pragma acc parallel num_gangs(2) num_workers(4) vector_length(8) copyout(sum)
    {
        int part[8];
#pragma acc loop gang worker private(part)
        for (int i = 0; i < N; i++) {
#pragma acc loop vector
            for (int k = 0; k < 8; k++)
                part[k] = i + k;
            int most = 0;
#pragma acc loop vector reduction(max : most)
            for (int k = 0; k < 8; k++)
                most = part[k] > most ? part[k] : most;
            sum[i] = most;
        }
    }
    for (int i = 0; i < N; i++)
        check_int("workers", i, sum[i], i + 7);

    int own = -1, given = 6, list[3] = {5, 6, 7};
#pragma acc parallel num_gangs(5) private(own) firstprivate(given, list) copyout(a, b, c)
    {
        own = given * 2;
        list[1] += own;
#pragma acc loop gang private(own, list)
        for (int i = 0; i < N; i++) {
            own = i;
#pragma acc loop vector
            for (int k = 0; k < 3; k++)
                list[k] = i * k + given;
            a[i] = own + list[2];
        }
#pragma acc loop gang vector private(given)
        for (int i = 0; i < N; i++) {
            given = i * own;
            b[i] = given;
        }
#pragma acc loop gang
        for (int i = 0; i < N; i++)
            c[i] = own + given + list[0] + list[1] + i;
    }
    for (int i = 0; i < N; i++) {
        check_int("copies of a loop", i, a[i], 3 * i + 6);
        check_int("a copy and the gang's", i, b[i], 12 * i);
        check_int("the gang's", i, c[i], 12 + 6 + 5 + 18 + i);
    }
    check_int("the host's", 0, own + given + list[1], 11);

    // One loop alone has copies, and code before and behind it uses the gang's.
#pragma acc parallel num_gangs(1) private(own) copyout(a, b)
    {
        own = 3;
#pragma acc loop vector private(own)
        for (int i = 0; i < N; i++) {
            own = i * i;
            a[i] = own;
        }
        b[0] = own;
    }
    for (int i = 0; i < N; i++)
        check_int("copies of threads", i, a[i], i * i);
    check_int("behind the loop", 0, b[0], 3);

    // The gang only reads its copy of the array.
#pragma acc parallel num_gangs(5) firstprivate(list) copyout(a, b)
    {
#pragma acc loop gang private(list)
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < 3; k++)
                list[k] = i + k;
            a[i] = list[1];
        }
#pragma acc loop gang
        for (int i = 0; i < N; i++)
            b[i] = list[1] + i;
    }
    for (int i = 0; i < N; i++) {
        check_int("copies of an array", i, a[i], i + 1);
        check_int("an array that came", i, b[i], i + 6);
    }
    return finish();
}
