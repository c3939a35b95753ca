/* A sum as a tree in each block, launch after launch, said with `fcw` (paper 004, listing 3). */
#define BENCH_NAME "reduction_fcw"
#include "reduction.h"

#define TILE 256
#define LOG 8

static void sums(int n, int *restrict from, int *restrict to, int room)
{
#pragma acc parallel loop vector(TILE) present(from[:n], to[:room]) async(1)
    for (int i = 0; i < n; i++) {
        int at = i & (TILE - 1);
#pragma acc fcw FETCH_CHANNEL(from[i:0:0])
        {
            for (int w = TILE / 2; w > 0; w >>= 1)
                if (at < w && i + w < n)
                    from[i] += from[i + w];
            if (at == 0)
                to[i >> LOG] = from[i];
        }
    }
}

static int reduction(int n, int *restrict numbers, bench_timer *t)
{
    int room = (n + TILE - 1) / TILE, sum = 0;
    int *a = bench_alloc(room, sizeof *a), *b = bench_alloc(room, sizeof *b);
#pragma acc data copyin(numbers[:n]) create(a[:room], b[:room])
    while (bench_round(t)) {
        for (int rep = 0; rep < t->reps; rep++) {
            int *from = numbers, *to = a, *next = b;
            for (int count = n;; count = (count + TILE - 1) / TILE) {
                sums(count, from, to, (count + TILE - 1) / TILE);
                if (count <= TILE)
                    break;
                from = to;
                to = next;
                next = from;
            }
#pragma acc update self(to[:1]) async(1)
#pragma acc wait(1)
            sum = to[0];
        }
    }
    free(a);
    free(b);
    return sum;
}
