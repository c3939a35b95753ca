// Functions that ask which team or thread runs them, and lambdas, whose loops and `switch`es hold `return`s: the body stands in
// place of the call, and a `return` leaves all that is around it there.
// expect: launches=2
#include "../check.h"
#include <omp.h>

#define TEAMS 6
#define THREADS 32

struct Found {
    int at, all;
};

#pragma omp declare target
void pair_of_team(int n, int *row, int *column)
{
    int i = 0;
    for (int r = 0; r < n; r++)
        for (int c = 0; c <= r; c++) {
            if (i == omp_get_team_num()) {
                *row = r;
                *column = c;
                return;
            }
            i++;
        }
    *row = *column = -1;
}

int by_kind(int k)
{
    switch (k % 4) {
    case 0:
        return omp_get_thread_num();
    case 1:
        return 10;
    case 2:
        k += 100;
    default:
        break;
    }
    while (true) {
        k += 3;
        switch (k % 5) {
        case 0:
            return k;
        case 1:
            k++;
            break;
        default:
            continue;
        }
        if (k > 1000)
            return -k;
    }
}

Found first_above(int k)
{
    Found f = {0, 0};
    do {
        for (int i = 0; i < 10; i++)
            if (i * omp_get_num_threads() > k) {
                f.at = i;
                return f;
            }
        f.all = 1;
    } while (false);
    return f;
}
#pragma omp end declare target

static int by_kind_expected(int k, int thread)
{
    if (k % 4 == 0)
        return thread;
    if (k % 4 == 1)
        return 10;
    k += k % 4 == 2 ? 100 : 0;
    for (;;) {
        k += 3;
        if (k % 5 == 0)
            return k;
        if (k % 5 != 1)
            continue;
        k++;
        if (k > 1000)
            return -k;
    }
}

int main()
{
    static int pairs[TEAMS * THREADS], kinds[TEAMS * THREADS], above[TEAMS * THREADS];
#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(from : pairs, kinds, above)
    {
        int row, column;
#pragma omp parallel num_threads(THREADS)
        {
            int t = omp_get_thread_num(), at = omp_get_team_num() * THREADS + t;
            if (t == 0)
                pair_of_team(3, &row, &column);
#pragma omp barrier
            pairs[at] = row * 10 + column;
            kinds[at] = by_kind(at);
            Found f = first_above(t);
            above[at] = f.at * 100 + f.all;
        }
    }
    const int expected[TEAMS] = {0, 10, 11, 20, 21, 22};
    for (int at = 0; at < TEAMS * THREADS; at++) {
        int t = at % THREADS;
        check_int("pairs", at, pairs[at], expected[at / THREADS]);
        check_int("kinds", at, kinds[at], by_kind_expected(at, t));
        check_int("above", at, above[at], 100 * (t / THREADS + 1));
    }

    int numbers[8] = {5, 3, 9, 1, 7, 2, 8, 6}, places[64];
    auto place = [&](int wanted) {
        for (int i = 0; i < 8; i++)
            if (numbers[i] == wanted)
                return i;
        return -1;
    };
#pragma omp target teams distribute parallel for map(from : places) map(to : numbers)
    for (int i = 0; i < 64; i++)
        places[i] = place(i);
    for (int i = 0; i < 64; i++)
        check_int("places", i, places[i], place(i));
    return finish();
}
