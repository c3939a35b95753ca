// What `shared` names where nothing is shared by default is mapped by `defaultmap`, OpenMP 5.2 §5.4.1 and §5.8.8.
// expect: launches=3
#include "../check.h"
#include <omp.h>

#define N 1024

int main(void)
{
    int sum = 0, teams = 0, flag = 3, table[N], found[4] = {0};
    for (int i = 0; i < N; i++)
        table[i] = i;

#pragma omp target data map(tofrom: sum) map(from: teams)
    {
#pragma omp target teams distribute num_teams(10) default(none) shared(sum, table, teams) defaultmap(tofrom: scalar)
        for (int i = 0; i < N; i++) {
            teams = omp_get_num_teams();
#pragma omp atomic
            sum += table[i];
        }
    }
    check_int("sum", 0, sum, N * (N - 1) / 2);
    check_int("teams", 0, teams, 10);

#pragma omp target teams distribute parallel for default(none) shared(sum, table) defaultmap(tofrom)
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        sum += table[i];
    }
    check_int("sum", 1, sum, N * (N - 1));

    // Without `defaultmap` a scalar is each construct's own.
#pragma omp target parallel for default(none) shared(sum, flag, table) map(from: found)
    for (int i = 0; i < 4; i++) {
        found[i] = table[i] + flag;
#pragma omp atomic
        sum += 1;
    }
    check_int("sum", 2, sum, N * (N - 1));
    check_int("found", 3, found[3], 6);
    return finish();
}
