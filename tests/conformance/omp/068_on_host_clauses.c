// What the clauses of a construct say of its variables holds on the host, too: copies, reductions, last values, in the construct
// and in the directives inside of it.
// expect: launches=0
#include <omp.h>
#include "../check.h"

#define N 40

static int plus(int a, int b) { return a + b; }

static int global = 4;

int main(void)
{
    int (*volatile add)(int, int) = plus;
    int sum = 100, last = -1, first = 5, own = 6, scalar = 7, array[3] = {1, 2, 3}, kept[3] = {4, 5, 6}, i = -8;
    long product = 1;
    int results[N] = {0};
    const int fixed = 3;
#pragma omp target teams distribute parallel for reduction(+: sum) reduction(*: product) lastprivate(last) \
    firstprivate(first, array) private(own, kept) map(tofrom: results)
    for (i = 0; i < N; i++) {
        own = add(i, first);
        array[0] = own;
        kept[1] = own;
        results[i] = add(array[0], array[2]) + fixed;
        sum += i;
        if (i % 8 == 7)
            product *= 2;
        last = add(own, 0);
        scalar = i;
        global = i;
    }
    check_int("sum", 0, sum, 100 + N * (N - 1) / 2);
    check_int("product", 0, product, 32);
    check_int("last", 0, last, N - 1 + 5);
    check_int("copies", 0, first * 1000 + own * 100 + scalar * 10 + global, 5674);
    check_int("arrays", 0, array[0] * 10 + kept[1], 15);
    check_int("loop variable", 0, i, -8);
    for (int j = 0; j < N; j++)
        check_int("results", j, results[j], j + 5 + 3 + 3);

    int inside[4] = {0, 0, 0, 0}, shared = 0, outside = 9;
#pragma omp target map(tofrom: inside)
    {
        outside = 1;
        shared = 2;
#pragma omp parallel for private(outside) firstprivate(first) lastprivate(last) shared(shared)
        for (int j = 0; j < 4; j++) {
            outside = add(j, first);
            first = 50;
            inside[j] = outside;
            last = j;
            shared = 3;
        }
        inside[0] = add(outside, 0) * 100 + first * 10 + last;
        int mine = 20;
#pragma omp task firstprivate(mine)
        mine = add(mine, 1);
#pragma omp taskwait
        inside[1] = mine * 10 + shared;
        first = 60;
    }
    check_int("inside", 0, inside[0], 153);
    check_int("task", 0, inside[1], 203);
    check_int("outside", 0, outside * 100 + first * 10 + shared, 950);

    /* Each host thread's construct has threads of its own. */
    int numbers[3] = {-1, -1, -1};
#pragma omp parallel for num_threads(3)
    for (int j = 0; j < 3; j++) {
#pragma omp target map(tofrom: numbers[j:1])
        numbers[j] = add(omp_get_thread_num(), 10 * omp_get_num_threads());
    }
    for (int j = 0; j < 3; j++)
        check_int("numbers", j, numbers[j], 10);

    /* The host runs it in any case. */
#pragma omp target if(fixed > 4) map(tofrom: scalar)
    scalar = add(scalar, 1);
    check_int("if", 0, scalar, 8);
    return finish();
}
