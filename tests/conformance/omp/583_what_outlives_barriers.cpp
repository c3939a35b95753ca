// Lambdas that are made before a barrier and called after it, conditions with effects around barriers, `critical` where only some
// threads come, and pointers and structures of a team that one of its threads changes.
//
// expect: launches=3
#include "../check.h"
#include <omp.h>

#define THREADS 32

static void lambdas()
{
    const int n = 70;
    float in[n], out[3 * THREADS];
    for (int i = 0; i < n; i++)
        in[i] = i * 0.5f;
#pragma omp target teams num_teams(3) thread_limit(THREADS) map(to: in) map(from: out)
    {
        float tile[2][THREADS];
        int steps;
#pragma omp parallel num_threads(THREADS)
        {
            const int t = omp_get_thread_num(), team = omp_get_team_num();
            float own = 0;
            int off = team * 3;
            auto at = [=](int i) { return i >= 0 && i < n ? in[i] : -1.0f; };
            auto fill = [&](int buffer, int k) { tile[buffer][t] = at(k * THREADS + t + off); };
            auto sum = [&own, &tile, t](int buffer) {
                for (int d = 0; d < 3; d++)
                    own += tile[buffer][(t + d) % THREADS];
            };
            if (t == 0)
                steps = 0;
            fill(0, 0);
#pragma omp barrier
            int k = 0;
            do {
                if (k + 1 < 3)
                    fill((k + 1) & 1, k + 1);
                sum(k & 1);
#pragma omp barrier
                if (t == 5)
                    steps++;
            } while (++k < 3);
            int left = 3;
            while (left-- > 1) {
                if (left == 2)
                    continue;
#pragma omp barrier
                if (t == left)
                    steps += 10;
            }
#pragma omp barrier
            out[team * THREADS + t] = own + steps;
        }
    }
    for (int i = 0; i < 3 * THREADS; i++) {
        float want = 13;
        for (int k = 0; k < 3; k++)
            for (int d = 0; d < 3; d++) {
                int from = k * THREADS + (i % THREADS + d) % THREADS + i / THREADS * 3;
                want += from < n ? in[from] : -1.0f;
            }
        check_near("lambdas", i, out[i], want, 1e-6);
    }
}

struct Best {
    float value;
    int at;

    void take(float v, int i)
    {
        if (v > value || (v == value && i < at)) {
            value = v;
            at = i;
        }
    }
};

static void best_of_some()
{
    const int n = 500;
    float a[n], value[4];
    int where[4], met[4];
    for (int i = 0; i < n; i++)
        a[i] = (i * 37) % 101;
#pragma omp target teams num_teams(4) thread_limit(THREADS) map(to: a) map(from: where, value, met)
    {
        Best best;
        int count;
#pragma omp parallel num_threads(THREADS)
        {
            int t = omp_get_thread_num(), team = omp_get_team_num();
            Best own{-1, 1 << 30};
#pragma omp single
            {
                best = Best{-1, 1 << 30};
                count = 0;
            }
            for (int i = team * 125 + t; i < (team + 1) * 125; i += THREADS)
                own.take(a[i], i);
            if (own.value > 90) {
#pragma omp critical
                {
                    best.take(own.value, own.at);
                    count++;
                }
            }
            for (int k = 0; k < t % 3; k++) {
                own.value += 1;
#pragma omp critical(counting)
                count += own.value > 0;
            }
#pragma omp barrier
#pragma omp masked
            {
                where[team] = best.at;
                value[team] = best.value;
                met[team] = count;
            }
        }
    }
    for (int team = 0; team < 4; team++) {
        Best best{-1, 1 << 30};
        int count = 0;
        for (int t = 0; t < THREADS; t++) {
            Best own{-1, 1 << 30};
            for (int i = team * 125 + t; i < (team + 1) * 125; i += THREADS)
                own.take(a[i], i);
            if (own.value > 90) {
                best.take(own.value, own.at);
                count++;
            }
            count += t % 3;
        }
        check_int("where", team, where[team], best.at);
        check_near("value", team, value[team], best.value, 0);
        check_int("met", team, met[team], count);
    }
}

static void pointers_of_teams()
{
    static int data[8 * 64];
    int out[8];
    for (int i = 0; i < 8 * 64; i++)
        data[i] = i;
#pragma omp target teams num_teams(8) thread_limit(64) map(from: out) map(to: data)
    {
        Best one;
        const int *p, *q;
#pragma omp parallel num_threads(64)
        {
            int t = omp_get_thread_num(), team = omp_get_team_num();
            if (t == 7) {
                one.value = team;
                one.at = 3 * team;
                p = data + team * 64;
                q = data;
            }
#pragma omp barrier
            if (t == 9) {
                p += one.at;
                const int *other = p;
                p = q;
                q = other;
                one.value += 0.5f;
            }
#pragma omp barrier
            if (t == 50)
                out[team] = q[0] - p[1] + (int)(2 * one.value);
        }
    }
    for (int team = 0; team < 8; team++)
        check_int("pointers", team, out[team], 67 * team - 1 + 2 * team + 1);
}

int main()
{
    lambdas();
    best_of_some();
    pointers_of_teams();
    return finish();
}
