// Arrays and structures of each thread that outlive barriers: as many bytes as no team's memory has, numbers of threads that only
// the launch knows, and initialisers.
//
// expect: launches=5
#include "../check.h"
#include <omp.h>

struct Samples {
    float x[40];
    int n;
};

static void scale(float *p, int n, float by)
{
    for (int i = 0; i < n; i++)
        p[i] *= by;
}

template <int W> static void sums(int teams, int threads)
{
    double out[8] = {0};
#pragma omp target teams num_teams(teams) thread_limit(threads) map(tofrom: out)
    {
        double shared[64];
#pragma omp parallel num_threads(threads)
        {
            int t = omp_get_thread_num(), team = omp_get_team_num();
            float rows[3][W] = {{1.0f, 2.0f}, {3.0f}};
            double own[2] = {0.0, 0.5};
            for (int i = 0; i < W; i++)
                rows[i % 3][i] += t + i;
            shared[t] = rows[0][0] + rows[1][1 % W];
#pragma omp barrier
            for (int s = omp_get_num_threads() / 2; s > 0; s /= 2) {
                if (t < s) {
                    shared[t] += shared[t + s];
                    own[0] += shared[t];
                }
#pragma omp barrier
            }
            for (int i = 0; i < W; i++)
                own[1] += rows[i % 3][i];
#pragma omp barrier
            if (t == threads - 1)
                out[team] += own[1] + (team ? 0.25 : 0.0);
            else if (t == 0)
                shared[1] = own[0] + own[1];
#pragma omp barrier
            if (t == 0)
                out[team] += shared[0] + shared[1];
        }
    }

    for (int team = 0; team < 8; team++) {
        double want = 0;
        if (team < teams) {
            double shared[64], first = 0, own[64];
            for (int t = 0; t < threads; t++) {
                float rows[3][W] = {{1.0f, 2.0f}, {3.0f}};
                for (int i = 0; i < W; i++)
                    rows[i % 3][i] += t + i;
                shared[t] = rows[0][0] + rows[1][1 % W];
                own[t] = 0.5;
                for (int i = 0; i < W; i++)
                    own[t] += rows[i % 3][i];
            }
            for (int s = threads / 2; s > 0; s /= 2) {
                for (int t = 0; t < s; t++)
                    shared[t] += shared[t + s];
                first += shared[0];
            }
            want = own[threads - 1] + (team ? 0.25 : 0.0) + shared[0] + first + own[0];
        }
        check_near("sums", team, out[team], want, 1e-12);
    }
}

int main()
{
    sums<2>(3, 32);
    sums<64>(4, 64);
    sums<33>(8, 16);

    const int teams = 5;
    int threads = 128;
    double out[teams];
#pragma omp target teams num_teams(teams) thread_limit(threads) map(from: out)
    {
        int count;
        double parts[1024];
#pragma omp parallel num_threads(threads)
        {
            int t = omp_get_thread_num();
            Samples v;
            v.n = t;
            float w[50];
            for (int i = 0; i < 50; i++)
                w[i] = i + t;
            if (t == 0)
                count = 0;
#pragma omp barrier
            for (int i = 0; i < 40; i++)
                v.x[i] = w[i] + omp_get_team_num();
#pragma omp atomic
            count += v.n;
            scale(w, 50, 0.5f);
            scale(v.x, 40, 2.0f);
#pragma omp barrier
            double s = 0;
            for (int i = 0; i < 40; i++)
                s += v.x[i] - w[i];
            parts[t] = s + count;
#pragma omp barrier
#pragma omp single
            {
                double all = 0;
                for (int k = 0; k < omp_get_num_threads(); k++)
                    all += parts[k];
                out[omp_get_team_num()] = all;
            }
        }
    }
    for (int team = 0; team < teams; team++) {
        double want = 0;
        for (int t = 0; t < threads; t++) {
            for (int i = 0; i < 40; i++)
                want += (i + t + team) * 2.0 - (i + t) * 0.5;
            want += threads * (threads - 1) / 2;
        }
        check_near("structures", team, out[team], want, 1e-12);
    }

    // Each thread's copies of a large array from outside, for as many threads as the lesser of two numbers.
    int few = 24, table[300], result[2][64] = {};
    for (int i = 0; i < 300; i++)
        table[i] = i;
#pragma omp target teams num_teams(2) thread_limit(64) map(tofrom: result)
    {
#pragma omp parallel num_threads(few) firstprivate(table)
        {
            int t = omp_get_thread_num(), team = omp_get_team_num();
            for (int i = 0; i < 300; i++)
                table[i] += t + team;
#pragma omp barrier
            for (int i = 0; i < 300; i++)
                result[team][t] += table[i];
        }
    }
    for (int team = 0; team < 2; team++)
        for (int t = 0; t < 64; t++)
            check_int("copies", t, result[team][t], t < few ? 300 * 299 / 2 + 300 * (t + team) : 0);
    check_int("table", 299, table[299], 299);
    return finish();
}
