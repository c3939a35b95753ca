// Where the host runs a construct its own teams and threads do, as many as clauses ask for.
// expect: launches=0
#include <omp.h>
#include "../check.h"

#define N 240

static int plus(int a, int b) { return a + b; }

#pragma omp declare target
static void share(int *a, int n)
{
#pragma omp distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += 10 * omp_get_num_teams();
}
#pragma omp end declare target

int main(void)
{
    int (*volatile add)(int, int) = plus;
    int a[N], teams[N], threads[N], most = 0, count = 0, never = 0;
    long sum = 7;

#pragma omp target teams distribute parallel for num_teams(3) num_threads(4) thread_limit(4) \
    map(from: a, teams, threads) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < N; i++) {
        a[i] = add(i, 1);
        teams[i] = omp_get_num_teams();
        threads[i] = omp_get_num_threads();
        sum += a[i];
    }
    check_int("sum", 0, (int)sum, 7 + N * (N + 1) / 2);
    for (int i = 0; i < N; i++) {
        check_int("a", i, a[i], i + 1);
        check_int("teams", i, teams[i], 3);
        check_int("threads", i, threads[i], 4);
    }

    /* Threads wait for each other, and the first of them runs what is for one. */
    int seen[4] = {0, 0, 0, 0}, order[4] = {0, 0, 0, 0};
#pragma omp target map(tofrom: seen, order, most)
    {
        int before = add(2, 3), own = 9;
#pragma omp parallel num_threads(4) firstprivate(own)
        {
            int me = omp_get_thread_num();
            own += me;
            seen[me] = before + own;
#pragma omp barrier
            order[me] = seen[(me + 1) % 4];
#pragma omp masked
            most = omp_get_num_threads();
        }
        before = own;
        order[0] += 100 * before;
    }
    check_int("most", 0, most, 4);
    for (int t = 0; t < 4; t++) {
        check_int("seen", t, seen[t], 14 + t);
        check_int("order", t, order[t], 14 + (t + 1) % 4 + (t == 0 ? 900 : 0));
    }

    /* A function that teams share. */
#pragma omp target teams num_teams(2) map(tofrom: a)
    {
        if (omp_get_team_num() == add(0, 0))
            a[0] += 5;
        share(a + 1, N - 1);
    }
    check_int("a team's", 0, a[0], 6);
    for (int i = 1; i < N; i++)
        check_int("shared by teams", i, a[i], i + 21);

    /* A condition that is false is one of the device alone, or of the threads, too. */
#pragma omp target parallel if(target: never) num_threads(3) map(tofrom: count)
    {
#pragma omp atomic
        count += omp_get_num_threads();
    }
    check_int("if(target: …)", 0, count, 9);
#pragma omp target parallel if(never) num_threads(3) map(tofrom: count)
    {
#pragma omp atomic
        count += omp_get_num_threads();
    }
    check_int("if(…)", 0, count, 10);
    int last = 0, own = 4;
#pragma omp target if(never) map(tofrom: a)
#pragma omp teams num_teams(2)
#pragma omp loop private(own)
    for (int i = 0; i < N; i++) {
        own = i;
        a[i] = own;
    }
#pragma omp target teams distribute parallel for if(target: never) lastprivate(last) map(tofrom: a)
    for (int i = 0; i < N; i++) {
        last = a[i];
        a[i] = omp_get_num_teams();
    }
    check_int("last", 0, last * 10 + own, (N - 1) * 10 + 4);
    return finish();
}
