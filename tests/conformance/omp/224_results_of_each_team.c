// Each of the teams that are asked for runs what no `distribute` divides: sums and atomic updates tell how many they were.
#include "../check.h"

int main(void)
{
    int x = 0;
#pragma omp target teams num_teams(4) reduction(+: x) map(tofrom: x)
#pragma omp parallel num_threads(4) reduction(+: x)
    x += 1;
    check_int("threads", 0, x, 16);
    x = 0;
#pragma omp target teams num_teams(4) reduction(+: x) map(tofrom: x)
#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
        x += 1;
    }
    check_int("atomic", 0, x, 16);
    x = 0;
#pragma omp target teams num_teams(4) reduction(+: x)
#pragma omp parallel for reduction(+: x)
    for (int i = 0; i < 8; i++)
        x += 1;
    check_int("loop", 0, x, 32);
    x = 0;
#pragma omp target teams num_teams(4) map(tofrom: x)
#pragma omp parallel for
    for (int i = 0; i < 8; i++) {
#pragma omp atomic
        x += i;
    }
    check_int("loop", 1, x, 112);
    x = 0;
#pragma omp target teams num_teams(4) reduction(+: x)
#pragma omp distribute parallel for reduction(+: x)
    for (int i = 0; i < 8; i++)
        x += 1;
    check_int("distributed", 0, x, 8);
    return finish();
}
