// What `shared` names is mapped as `defaultmap` says, and so is what a construct inside reduces or leaves; copies of arrays and
// structures for each iteration.
// expect: launches=6
#include "../check.h"
#include <omp.h>

enum { N = 1000 };

struct pair {
    int a;
    double b[2];
};

int main(void)
{
    int values[N], sum = 0, last = 0, own = 3, count = 0, teams = 0;
    for (int i = 0; i < N; i++)
        values[i] = i;
#pragma omp target teams distribute shared(count, teams) num_teams(4) defaultmap(tofrom : scalar)
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        count += 1;
        if (i == 0)
            teams = omp_get_num_teams();
    }
    check_int("shared by teams", 0, count, N);
    check_int("teams", 0, teams >= 1 && teams <= 4, 1);
#pragma omp target defaultmap(tofrom : scalar)
    {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += values[i];
#pragma omp parallel for lastprivate(last) private(own) shared(count)
        for (int i = 0; i < N; i++) {
            own = i;
            last = own;
#pragma omp atomic
            count -= 1;
        }
    }
    check_int("reduced inside", 0, sum, N * (N - 1) / 2);
    check_int("left inside", 0, last, N - 1);
    check_int("private", 0, own, 3);
    check_int("shared inside", 0, count, 0);
#pragma omp target teams distribute parallel for if (0) shared(count)
    for (int i = 0; i < N; i++)
        count = i;
    check_int("a copy on the host, too", 0, count, 0);

    int four[4] = {1, 2, 3, 4}, grid[2][3] = {{0}}, out[N];
    struct pair p = {5, {1, 2}};
#pragma omp target teams distribute parallel for firstprivate(four, p) map(from: out)
    for (int i = 0; i < N; i++) {
        four[i % 4] += i;
        p.b[1] = i;
        out[i] = four[i % 4] + p.a + (int)p.b[1];
    }
    for (int i = 0; i < N; i++)
        check_int("an array and a structure", i, out[i], i % 4 + 1 + 5 + 2 * i);
#pragma omp target teams distribute parallel for lastprivate(four, p) private(grid) map(tofrom: out)
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 4; k++)
            four[k] = i + k;
        for (int k = 0; k < 6; k++)
            grid[k / 3][k % 3] = i * k;
        p.a = grid[1][2];
        out[i] = grid[0][1];
    }
    check_int("the last array", 0, four[3], N + 2);
    check_int("the last structure", 0, p.a, 5 * (N - 1));
    check_int("a private array", 7, out[7], 7);
#pragma omp target teams distribute lastprivate(grid) num_teams(3) map(tofrom: out)
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 6; k++)
            grid[k / 3][k % 3] = i + k;
        out[i] = omp_get_team_num() < 3;
    }
    check_int("rows", 0, grid[1][1], N + 3);
    check_int("numbered teams", 0, out[5], 1);
    int same = 0;
#pragma omp target parallel for firstprivate(four) reduction(+ : same)
    for (int i = 0; i < N; i++) {
        four[0] = i;
        same += four[0] == i && four[1] == N;
    }
    check_int("copies of threads", 0, same, N);
    return finish();
}
