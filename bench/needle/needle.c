/* Needleman-Wunsch in OpenACC: a diagonal of cells a launch, or with `fcw` a diagonal of tiles. */
#include "needle.h"

#ifdef FCW

#define TILE 32

/* Tiles of diagonal d; a block of iterations is a tile, an iteration a column of it. */
static void diagonal(int n, int d, const int *restrict x, const int *restrict y, int (*restrict score)[n + 1])
{
    int tiles = (n + TILE - 1) / TILE;
    int first = d < tiles ? 0 : d - tiles + 1, last = d < tiles ? d : tiles - 1;
#pragma acc parallel loop vector(TILE) present(x[:n], y[:n], score[:n + 1][:n + 1]) async(1)
    for (int i = 0; i < (last - first + 1) * TILE; i++) {
        int t = i % TILE;
        int left = (first + i / TILE) * TILE + 1, top = (d - first - i / TILE) * TILE + 1;
        int c = left + t;
        int letter = c <= n ? y[c - 1] : 0;
#pragma acc fcw FETCH_CHANNEL_WB(score[top:1:TILE - 1][left:1:TILE - 1])
        for (int s = 0; s < 2 * TILE - 1; s++) {
            int r = top + s - t;
            if (s >= t && s - t < TILE && r <= n && c <= n) {
                int best = score[r - 1][c - 1] + (x[r - 1] == letter ? MATCH : MISMATCH);
                int up = score[r - 1][c] - GAP, beside = score[r][c - 1] - GAP;
                best = up > best ? up : best;
                score[r][c] = beside > best ? beside : best;
            }
        }
    }
}

static void needle(int n, const int *restrict x, const int *restrict y, int *restrict score, bench_timer *t)
{
    int tiles = (n + TILE - 1) / TILE;
#pragma acc data copyin(x[:n], y[:n]) copy(score[:(n + 1) * (n + 1)])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            for (int d = 0; d < 2 * tiles - 1; d++)
                diagonal(n, d, x, y, (int(*)[n + 1])score);
#pragma acc wait
    }
}

#else

static void diagonal(int n, int d, const int *restrict x, const int *restrict y, int *score)
{
    int first = d <= n ? 1 : d - n, last = d <= n ? d - 1 : n;
#pragma acc parallel loop independent present(x[:n], y[:n], score[:(n + 1) * (n + 1)]) async(1)
#pragma omp parallel for
    for (int r = first; r <= last; r++) {
        int at = r * (n + 1) + d - r;
        int best = score[at - n - 2] + (x[r - 1] == y[d - r - 1] ? MATCH : MISMATCH);
        int up = score[at - n - 1] - GAP, beside = score[at - 1] - GAP;
        best = up > best ? up : best;
        score[at] = beside > best ? beside : best;
    }
}

static void needle(int n, const int *restrict x, const int *restrict y, int *restrict score, bench_timer *t)
{
#pragma acc data copyin(x[:n], y[:n]) copy(score[:(n + 1) * (n + 1)])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++)
            for (int d = 2; d <= 2 * n; d++)
                diagonal(n, d, x, y, score);
#pragma acc wait
    }
}

#endif
