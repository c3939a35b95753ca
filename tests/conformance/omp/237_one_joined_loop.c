// `collapse(1)` joins nothing, and every clause may stand beside it: OpenMP 5.2 §4.4.3.
// expect: launches=3
#include "../check.h"

int main(void)
{
    int rows[6][7], step = 0, last = -1, sum = 0;
#pragma omp target map(from : rows) map(tofrom : step)
#pragma omp simd linear(step : 2) collapse(1)
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 7; j++)
            rows[i][j] = step + j;
        step += 2;
    }
    for (int i = 0; i < 42; i++)
        check_int("rows", i, rows[i / 7][i % 7], i / 7 * 2 + i % 7);
    check_int("step", 0, step, 12);
#pragma omp target parallel for collapse(1) linear(step : 3) map(tofrom : rows)
    for (int i = 0; i < 6; i++) {
        rows[i][0] += step;
        step += 3;
    }
    for (int i = 0; i < 6; i++)
        check_int("first of rows", i, rows[i][0], i * 5 + 12);
    check_int("step", 1, step, 30);
#pragma omp target teams distribute parallel for collapse(1) reduction(+ : sum) lastprivate(last) map(to : rows)
    for (int i = 0; i < 6; i++) {
        last = rows[i][1];
        sum += last;
    }
    check_int("last", 0, last, 11);
    check_int("sum", 0, sum, 36);
    return finish();
}
