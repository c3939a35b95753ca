// Private variables that some iterations read before they set them, as Rodinia's HOTSPOT does in blocks at the border, begin with 0
// on a device: what is computed from them is the same each time.
// expect: launches=3
#include "../check.h"

#define N 64
#define BLOCK 16

static float t[N][N], made[N][N], made_again[N][N];

static void step(float result[N][N])
{
    float delta;
    int r, c, block, kind;
#pragma omp parallel for private(block, r, c, delta, kind)
    for (block = 0; block < N * N / (BLOCK * BLOCK); block++) {
        int top = BLOCK * (block / (N / BLOCK)), left = BLOCK * (block % (N / BLOCK));
        for (r = top; r < top + BLOCK; r++)
            for (c = left; c < left + BLOCK; c++) {
                if (r == 0)
                    delta = 1;
                else if (c == 0)
                    delta = 2 + r;
                else if (r == N - 1)
                    delta = 3;
                if (t[r][c] > 50)
                    kind = 2;
                result[r][c] = t[r][c] + delta + kind;
            }
    }
}

int main(void)
{
    int r, c, wrong = 0, used = 0;
    for (r = 0; r < N; r++)
        for (c = 0; c < N; c++)
            t[r][c] = (r * 7 + c) % 53;
    step(made);
    step(made_again);
    for (r = 0; r < N; r++)
        for (c = 0; c < N; c++)
            wrong += made[r][c] != made_again[r][c];
    check_int("wrong", 0, wrong, 0);
    // Inside, nothing sets delta.
    check_near("inside", 0, made[20][20], t[20][20], 2);
    // As the serial program does within a block.
    for (int block = 0; block < N * N / (BLOCK * BLOCK); block++) {
        float delta = 0;
        int kind = 0, top = BLOCK * (block / (N / BLOCK)), left = BLOCK * (block % (N / BLOCK));
        for (r = top; r < top + BLOCK; r++)
            for (c = left; c < left + BLOCK; c++) {
                delta = r == 0 ? 1 : c == 0 ? 2 + r : r == N - 1 ? 3 : delta;
                kind = t[r][c] > 50 ? 2 : kind;
                check_near("made", r * N + c, made[r][c], t[r][c] + delta + kind, 0);
            }
    }
    // A variable of the region that each iteration sets, but not where anybody sees it.
    int limit = 10;
#pragma omp parallel
    {
        int last;
#pragma omp for
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < limit; k++)
                last = k;
            t[0][i] = last;
        }
    }
    for (c = 0; c < N; c++)
        used += t[0][c] == 9;
    check_int("used", 0, used, N);
    return finish();
}
