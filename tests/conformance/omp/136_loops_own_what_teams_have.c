// A variable of which a team has a copy, or which it declares, stands in a `private` clause of a loop in it: the loop's copies are
// others than the team's.
// expect: launches=2
#include "../check.h"

#define N 40

int main(void)
{
    int a[N], b[N], c[N], own = -1, given = 6, list[3] = {5, 6, 7};
#pragma omp target teams num_teams(5) thread_limit(32) private(own) firstprivate(given, list) map(from: a, b, c)
    {
        own = given * 2;
        list[1] += own;
#pragma omp distribute private(own, list)
        for (int i = 0; i < N; i++) {
            own = i;
#pragma omp parallel for
            for (int k = 0; k < 3; k++)
                list[k] = i * k + given;
            a[i] = own + list[2];
        }
#pragma omp distribute parallel for private(given)
        for (int i = 0; i < N; i++) {
            given = i * own;
            b[i] = given;
        }
#pragma omp distribute
        for (int i = 0; i < N; i++)
            c[i] = own + given + list[0] + list[1] + i;
    }
    for (int i = 0; i < N; i++) {
        check_int("copies of a loop", i, a[i], 3 * i + 6);
        check_int("a copy and the team's", i, b[i], 12 * i);
        check_int("the team's", i, c[i], 12 + 6 + 5 + 18 + i);
    }
    check_int("the host's", 0, own + given + list[1], 11);

#pragma omp target teams num_teams(3) map(from: a, b)
    {
        int x = 4, of_team[4] = {1, 2, 3, 4};
#pragma omp distribute private(x, of_team)
        for (int i = 0; i < N; i++) {
            x = i;
#pragma omp parallel for
            for (int k = 0; k < 4; k++)
                of_team[k] = i * k;
            a[i] = of_team[3] + x;
        }
#pragma omp distribute parallel for
        for (int i = 0; i < N; i++)
            b[i] = x + of_team[i % 4];
    }
    for (int i = 0; i < N; i++) {
        check_int("declared, copies", i, a[i], 4 * i);
        check_int("declared", i, b[i], 5 + i % 4);
    }
    return finish();
}
