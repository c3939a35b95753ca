/* Chip temperature with a ghost zone: a block takes LOCAL steps in one launch, its neighbours' cells included (fcw). */
#ifndef LOCAL
#define LOCAL 2
#define BENCH_NAME "hotspot_fcw"
#elif LOCAL == 1
#define BENCH_NAME "hotspot_ghost1"
#else
#define BENCH_NAME "hotspot_ghost12"
#endif
#include "hotspot.h"

#ifndef TILE
#define TILE 32
#define LOG 5
#endif

/* `count` steps, at most LOCAL. */
static void local_steps(int n, int count, const float (*restrict power)[n], float (*restrict from)[n],
                        float (*restrict to)[n])
{
    int threads = (n + TILE - 2 * LOCAL - 1) / (TILE - 2 * LOCAL) * TILE;
#pragma acc parallel loop vector(TILE) present(power[:n][:n], from[:n][:n], to[:n][:n]) async(1)
    for (int rs = 0; rs < threads; rs++) {
        int r = rs - ((rs >> LOG) * 2 * LOCAL + LOCAL), y = rs & (TILE - 1);
#pragma acc loop vector(TILE)
        for (int cs = 0; cs < threads; cs++) {
            int c = cs - ((cs >> LOG) * 2 * LOCAL + LOCAL), x = cs & (TILE - 1);
            int inside = r >= 0 && r < n && c >= 0 && c < n;
            float fresh = 0.0f;
            float heat = inside ? power[r][c] : 0.0f;
#pragma acc fcw FETCH_CHANNEL(from[r:0:0:c:0:0])
            for (int s = 0; s < count; s++) {
                if (inside && x > s && x < TILE - s - 1 && y > s && y < TILE - s - 1) {
                    float here = from[r][c];
                    float up = r > 0 ? from[r - 1][c] : here;
                    float down = r < n - 1 ? from[r + 1][c] : here;
                    float left = c > 0 ? from[r][c - 1] : here;
                    float right = c < n - 1 ? from[r][c + 1] : here;
                    fresh = here + STEP * (heat + ALONG * (up + down + left + right - 4.0f * here) +
                                           ACROSS * (AMBIENT - here));
                    from[r][c] = fresh;
                }
            }
            if (inside && x >= LOCAL && x < TILE - LOCAL && y >= LOCAL && y < TILE - LOCAL)
                to[r][c] = fresh;
        }
    }
}

static void hotspot(int n, int steps, const float *restrict start, const float *restrict power,
                    float *restrict result, bench_timer *t)
{
    int launches = (steps + LOCAL - 1) / LOCAL;
    float *restrict other = bench_alloc((size_t)n * n, sizeof *other);
#pragma acc data copyin(start[:n * n], power[:n * n]) copyout(result[:n * n]) create(other[:n * n])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            /* The last step must end in `result`. */
            float *from = launches % 2 ? other : result, *to = launches % 2 ? result : other;
#pragma acc parallel loop present(from[:n * n]) async(1)
            for (int i = 0; i < n * n; i++)
                from[i] = start[i];
            for (int s = 0; s < steps; s += LOCAL) {
                int count = s + LOCAL <= steps ? LOCAL : steps - s;
                local_steps(n, count, (const float(*)[n])power, (float(*)[n])from, (float(*)[n])to);
                float *swap = from;
                from = to;
                to = swap;
            }
        }
#pragma acc wait
    }
    free(other);
}
