// declare target across files: a global that another file defines, and functions of each file on its own data.
// expect: launches=5
// sources: parts/040_second.c
// needs: separate
#include "../check.h"

#define N 25

#pragma omp declare target
extern int shared_table[N];
extern int shared_factor;
#pragma omp end declare target

void fill_there(int start);
int sum_there(void);
int factor_there(void);

int main(void)
{
    fill_there(5);
    // The host's copy is as it was: the other file's construct wrote the device's.
    check_int("table", 0, shared_table[3], -1);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        shared_table[i] *= shared_factor;
#pragma omp target
    shared_factor = 50;
    check_int("factor", 0, shared_factor, 2);
    check_int("factor", 1, factor_there(), 50);
#pragma omp target update from(shared_table)
    for (int i = 0; i < N; i++)
        check_int("table", i, shared_table[i], 2 * (5 + i));
    check_int("sum", 0, sum_there(), 2 * (5 * N + N * (N - 1) / 2));
    return finish();
}
