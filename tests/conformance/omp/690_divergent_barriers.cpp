// Loops and conditions around barriers that name the thread's number: each thread has a mark, and the team goes on as long as one takes part.
// expect: launches=3
#include "../check.h"
#include <omp.h>

const int SIZE = 32;

// Sums of tiles, for as many threads as there are elements.
static void tiles(int elements)
{
    int in[4 * SIZE], out[4 * SIZE];
    for (int i = 0; i < 4 * SIZE; i++) {
        in[i] = i * 7 % 19;
        out[i] = -1;
    }
#pragma omp target teams num_teams(4) thread_limit(SIZE) map(to : in) map(tofrom : out)
    {
        int tile[SIZE];
#pragma omp parallel num_threads(SIZE)
        {
            const int thread = omp_get_thread_num();
            const int at = omp_get_team_num() * SIZE + thread;
            if (at < elements) {
                int sum = 0, part;
                const int weight = in[at] + 1;
                int parts = elements / SIZE;
                for (part = 0; part < parts; part++) {
                    tile[thread] = in[part * SIZE + thread];
#pragma omp barrier
                    for (int i = 0; i < SIZE; i++)
                        sum += tile[i];
#pragma omp barrier
                }
                out[at] = sum * weight;
            }
        }
    }
    int sum = 0;
    for (int i = 0; i < elements / SIZE * SIZE; i++)
        sum += in[i];
    for (int i = 0; i < 4 * SIZE; i++)
        check_int("tiles", i, out[i], i < elements ? sum * (in[i] + 1) : -1);
}

// What the threads of one team make, one after the other between barriers.
static void expected(int team, int elements, const int *in, int *out)
{
    int s[SIZE] = {}, read[SIZE], sums[SIZE] = {}, takes_part = 1;
    for (int turn = 0; takes_part; turn++) {
        takes_part = 0;
        for (int t = 0; t < SIZE; t++)
            if (t + 7 * turn < elements)
                s[t] += in[t + 7 * turn];
        for (int t = 0; t < SIZE; t++)
            read[t] = s[(t + 1) % SIZE];
        for (int t = 0; t < SIZE; t++)
            if (t + 7 * turn < elements) {
                sums[t] += turn % 2 ? read[t] : 1;
                takes_part = 1;
            }
    }
    for (int t = 0; t < SIZE; t++)
        s[t] = t < 4 ? sums[t] : 3 * sums[t];
    for (int t = 0; t < SIZE; t++)
        out[team * SIZE + t] = t < 4 ? s[3 - t] : s[t];
    for (int turn = 0; turn < 4; turn++)
        for (int t = 0; t < SIZE; t++)
            if (turn == 0 || turn < t / 8)
                out[team * SIZE + t] += SIZE - 1 - turn;
}

static void lengths()
{
    const int elements = 40;
    int in[elements], out[2 * SIZE], want[2 * SIZE];
    for (int i = 0; i < elements; i++)
        in[i] = i * 3 % 17;
#pragma omp target teams num_teams(2) thread_limit(SIZE) map(to : in) map(from : out)
    {
        int s[SIZE];
#pragma omp parallel num_threads(SIZE)
        {
            const int t = omp_get_thread_num(), at = omp_get_team_num() * SIZE + t;
            int sum = 0, turn = 0;
            s[t] = 0;
            for (int i = t; i < elements; i += 7) {
                s[t] += in[i];
#pragma omp barrier
                int next = s[(t + 1) % SIZE];
#pragma omp barrier
                sum += turn % 2 ? next : 1;
                turn++;
            }
            if (t < 4) {
                s[t] = sum;
#pragma omp barrier
                out[at] = s[3 - t];
            } else {
                s[t] = 3 * sum;
#pragma omp barrier
                out[at] = s[t];
            }
            int left = t / 8, last = SIZE - 1;
            do {
                s[t] = last;
#pragma omp barrier
                out[at] += s[SIZE - 1];
                last--;
                left--;
#pragma omp barrier
            } while (left > 0);
        }
    }
    for (int team = 0; team < 2; team++)
        expected(team, elements, in, want);
    for (int i = 0; i < 2 * SIZE; i++)
        check_int("lengths", i, out[i], want[i]);
}

// Threads that skip the rest of a turn.
static void skips()
{
    int out[SIZE], want[SIZE];
#pragma omp target teams num_teams(1) thread_limit(SIZE) map(from : out)
    {
        int s[SIZE];
#pragma omp parallel num_threads(SIZE)
        {
            const int t = omp_get_thread_num();
            int sum = 0;
            s[t] = t;
#pragma omp barrier
            for (int turn = 0; turn < 6; turn++) {
                if (t % 3 == turn % 3)
                    continue;
                const int next = s[(t + 1) % SIZE];
#pragma omp barrier
                if (t == turn) {
                    continue;
                }
                s[t] += next;
#pragma omp barrier
                sum += s[t];
            }
            out[t] = sum;
        }
    }
    int s[SIZE], next[SIZE];
    for (int t = 0; t < SIZE; t++) {
        s[t] = t;
        want[t] = 0;
    }
    for (int turn = 0; turn < 6; turn++) {
        for (int t = 0; t < SIZE; t++)
            next[t] = s[(t + 1) % SIZE];
        for (int t = 0; t < SIZE; t++)
            if (t % 3 != turn % 3 && t != turn)
                want[t] += s[t] += next[t];
    }
    for (int t = 0; t < SIZE; t++)
        check_int("skips", t, out[t], want[t]);
}

int main()
{
    skips();
    tiles(3 * SIZE);
    lengths();
    return finish();
}
