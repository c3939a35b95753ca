// The host's control reads what kernels reduce: a while loop until the error is small, with a scalar that is
// set, reduced and tested in each round; `break` and `continue` of the host's loop; the scalar is the user's afterwards.
// expect: uploads>=2 downloads=2
#include "check.h"

#define N 66

static float a[N][N], b[N][N], wa[N][N], wb[N][N];

static int serial(float *error, int *skipped)
{
    int rounds = 0;
    *error = 1.0f;
    while (*error > 1e-3f && rounds < 400) {
        rounds++;
        *error = 0.0f;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                wb[i][j] = 0.25f * (wa[i - 1][j] + wa[i + 1][j] + wa[i][j - 1] + wa[i][j + 1]);
                *error = fmaxf(*error, fabsf(wb[i][j] - wa[i][j]));
            }
        if (rounds % 3 == 1) {
            (*skipped)++;
            continue;
        }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                wa[i][j] = wb[i][j];
        if (rounds == 150)
            break;
    }
    return rounds;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = b[i][j] = wa[i][j] = wb[i][j] = i == 0 ? 1.0f : 0.0f;
    float error = 1.0f, want_error;
    int rounds = 0, skipped = 0, want_skipped = 0;
#pragma acc kernels
    while (error > 1e-3f && rounds < 400) {
        rounds++;
        error = 0.0f;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                error = fmaxf(error, fabsf(b[i][j] - a[i][j]));
            }
        if (rounds % 3 == 1) {
            skipped++;
            continue;
        }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                a[i][j] = b[i][j];
        if (rounds == 150)
            break;
    }
    int want_rounds = serial(&want_error, &want_skipped);
    check_int("rounds", 0, rounds, want_rounds);
    check_int("skipped", 0, skipped, want_skipped);
    check_near("error", 0, error, want_error, 1e-5);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check_near("a", i * N + j, a[i][j], wa[i][j], 1e-5);
    return finish();
}
