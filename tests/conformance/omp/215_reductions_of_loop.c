// `loop` by teams with reductions that the program declares, and of arrays.
#include "../check.h"

typedef struct {
    int count, sum;
} Total;
#pragma omp declare reduction(join : Total : omp_out.count += omp_in.count, omp_out.sum += omp_in.sum) \
    initializer(omp_priv = {0, 0})

int main(void)
{
    Total total = {1, 2};
    int bins[4] = {0}, more[40] = {0};
#pragma omp target teams loop reduction(join: total) map(tofrom: total) collapse(2)
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < 10; j++) {
            total.count += 1;
            total.sum += i * 10 + j;
        }
    check_int("count", 0, total.count, 1001);
    check_int("sum", 0, total.sum, 999 * 500 + 2);
#pragma omp target teams loop reduction(+: bins) map(tofrom: bins)
    for (int i = 0; i < 1000; i++)
        bins[i % 4] += i;
    for (int b = 0; b < 4; b++)
        check_int("bins", b, bins[b], 124500 + 250 * b);
#pragma omp target teams num_teams(3) map(tofrom: more)
#pragma omp loop reduction(+: more)
    for (int i = 0; i < 1000; i++) {
        more[i % 40] += i;
        more[0] += 1;
    }
    for (int b = 0; b < 40; b++)
        check_int("more", b, more[b], 12000 + 25 * b + (b == 0 ? 1000 : 0));
#pragma omp target map(tofrom: total)
#pragma omp teams loop reduction(join: total) bind(teams)
    for (int i = 0; i < 100; i++)
        total.count += 1;
    check_int("count", 1, total.count, 1101);
    return finish();
}
