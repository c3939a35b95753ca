// Pointers of each thread into a team's array, used on both sides of a barrier; an unrolled loop whose hint names a macro.
// expect: launches=1
#include "../check.h"
#include <omp.h>

#define WIDTH 8

int main()
{
    int in[2][64], out[2][64];
    for (int i = 0; i < 128; i++)
        in[i / 64][i % 64] = i * 5 % 23;
#pragma omp target teams num_teams(2) thread_limit(64) map(to : in) map(from : out)
    {
        int tile[WIDTH][WIDTH + 1];
#pragma omp parallel num_threads(64)
        {
            const int team = omp_get_team_num(), thread = omp_get_thread_num();
            const int row = thread / WIDTH, column = thread % WIDTH;
            int *mine = &tile[row][column], *other = tile[thread % WIDTH] + thread / WIDTH;
            *mine = in[team][thread];
#pragma omp barrier
            int sum = 0;
#pragma unroll WIDTH
            for (int i = 0; i < WIDTH; i++)
                sum += i * mine[i - column];
            const int transposed = *other;
#pragma omp barrier
            *mine = sum;
#pragma omp barrier
            out[team][thread] = *other + 1000 * transposed;
        }
    }
    for (int team = 0; team < 2; team++)
        for (int t = 0; t < 64; t++) {
            int row = t % WIDTH, column = t / WIDTH, sum = 0;
            for (int i = 0; i < WIDTH; i++)
                sum += i * in[team][row * WIDTH + i];
            check_int("transposed", team * 64 + t, out[team][t], sum + 1000 * in[team][row * WIDTH + column]);
        }
    return finish();
}
