// What a team reads of a number that its construct reduces is its own, whoever of its threads changed it (OpenMP 5.2, 5.5.8).
// expect: launches=3
#include "../check.h"
#include <omp.h>

int main()
{
    int teams[4] = {0}, p = 1, prod[4] = {0};
    double s = 5, seen[4] = {0};
    long m = 100, least[4] = {0};
    unsigned u = 0, bits[4] = {0};
#pragma omp target teams num_teams(4) reduction(+ : s) reduction(min : m) reduction(* : p) reduction(| : u) \
    map(tofrom : teams, seen, least, prod, bits)
    {
        int t = omp_get_team_num();
        teams[t] = omp_get_num_teams();
        s = t + 1; /* a plain write */
        s += 0.5;
        if (m > 40 + t)
            m = 40 + t;
        p = p * (t + 1);
        u |= 1u << t;
        seen[t] = s;
        least[t] = m;
        prod[t] = p;
        bits[t] = u;
    }
    int n = teams[0], product = 1;
    double sum = 5;
    unsigned all = 0;
    for (int t = 0; t < n; t++) {
        sum += t + 1.5;
        product *= t + 1;
        all |= 1u << t;
        check_near("seen", t, seen[t], t + 1.5, 0);
        check_int("least", t, least[t], 40 + t);
        check_int("prod", t, prod[t], t + 1);
        check_int("bits", t, bits[t], 1u << t);
    }
    check_near("s", 0, s, sum, 0);
    check_int("m", 0, m, 40);
    check_int("p", 0, p, product);
    check_int("u", 0, u, all);

    float f = 0, part[4] = {0};
#pragma omp target teams num_teams(4) reduction(+ : f) map(from : part)
    {
        int t = omp_get_team_num();
#pragma omp parallel for reduction(+ : f)
        for (int i = 0; i < 100; i++)
            f += 1;
        part[t] = f;
#pragma omp parallel for
        for (int i = 0; i < 10; i++) {
#pragma omp atomic
            f += part[t] / 100;
        }
        part[t] = f;
    }
    for (int t = 0; t < n; t++)
        check_near("part", t, part[t], 110, 1e-5);
    check_near("f", 0, f, 110 * n, 1e-4);

    int hit = 0, order[4] = {0};
#pragma omp target
#pragma omp teams num_teams(4) reduction(+ : hit)
    {
        int t = omp_get_team_num();
        hit++;
        hit++;
        order[t] = hit;
    }
    for (int t = 0; t < n; t++)
        check_int("order", t, order[t], 2);
    check_int("hit", 0, hit, 2 * n);
    return finish();
}
