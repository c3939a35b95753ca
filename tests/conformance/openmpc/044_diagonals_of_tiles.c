// Tiles whose elements need those before them in their row and their column: lanes go along the tile's diagonals. Where an element needs
// one that lies behind it in the row before, or where a tile is small, the program's order stays.
// expect: launches=4
// devices: cpu cuda opencl
// expect-remark: Loops go along diagonals, whose elements need none of each other
// expect-remark: Schedule plain: grid\(tile:x\) threads\(e:x, i:x\) block\(128\)
#include "../check.h"

#define SIDE 24
#define W (SIDE + 1)
#define TILES 60

static int scores[TILES * W * W], letters[TILES * SIDE], paths[TILES * W * W];
static float heat[TILES * W * W], slanted[TILES * W * W];

static int largest(int a, int b, int c)
{
    int k = a > b ? a : b;
    return k > c ? k : c;
}

static void alignment(void)
{
#pragma omp parallel for
    for (int tile = 0; tile < TILES; tile++) {
        int t[W * W];
        for (int e = 0; e < W * W; e++)
            t[e] = e % W == 0 || e < W ? -(e % W + e / W) : 0;
        for (int i = 1; i < W; i++)
            for (int j = 1; j < W; j++)
                t[i * W + j] = largest(t[(i - 1) * W + j - 1] + (letters[tile * SIDE + i - 1] == j % 4 ? 3 : -2),
                                       t[i * W + j - 1] - 1, t[(i - 1) * W + j] - 1);
        for (int e = 0; e < W * W; e++)
            scores[tile * W * W + e] = t[e];
    }
}

// Counters of older C, conditions, and two arrays, one of which is used in its own place alone.
static void in_conditions(void)
{
    int tile;
#pragma omp parallel for private(tile)
    for (tile = 0; tile < TILES; tile++) {
        int i, j, e, ways[W * W], seen[W * W];
        for (e = 0; e < W * W; e++) {
            ways[e] = e < W ? 1 : e % W == 0;
            seen[e] = e % 5;
        }
        for (i = 1; i <= SIDE; ++i) {
            for (j = 1; j <= SIDE; ++j) {
                if ((i * j + tile) % 7 != 0) {
                    int sum = ways[(i - 1) * W + j] + ways[i * W + j - 1];
                    ways[i * W + j] += sum % 1000;
                } else
                    seen[i * W + j] += 10;
            }
        }
        for (e = 0; e < W * W; e++)
            paths[tile * W * W + e] = ways[e] * 100 + seen[e];
    }
}

// The order of the program: diagonals of this slope would read what is not there yet.
static void behind(void)
{
#pragma omp parallel for
    for (int tile = 0; tile < TILES; tile++) {
        float t[W * W];
        for (int e = 0; e < W * W; e++)
            t[e] = (tile + e) % 9;
        for (int i = 1; i < W; i++)
            for (int j = 1; j < W - 1; j++)
                t[i * W + j] = 0.5f * t[(i - 1) * W + j + 1] + 0.25f * t[i * W + j - 1];
        for (int e = 0; e < W * W; e++)
            slanted[tile * W * W + e] = t[e];
    }
}

// Down from the end, so that nothing is known of a diagonal.
static void sweeps(void)
{
#pragma omp parallel for
    for (int tile = 0; tile < TILES; tile++) {
        float t[W * W];
        for (int e = 0; e < W * W; e++)
            t[e] = (tile + e) % 11;
        for (int i = 1; i < W; i++)
            for (int j = 1; j < W; j++)
                t[i * W + j] += 0.25f * (t[(i - 1) * W + j] + t[i * W + j - 1]);
        for (int i = SIDE - 1; i >= 0; i--)
            for (int j = SIDE - 1; j >= 0; j--)
                t[i * W + j] += 0.25f * (t[(i + 1) * W + j] + t[i * W + j + 1]);
        for (int e = 0; e < W * W; e++)
            heat[tile * W * W + e] = t[e];
    }
}

int main(void)
{
    for (int i = 0; i < TILES * SIDE; i++)
        letters[i] = i * 7 % 11 % 4;
    alignment();
    in_conditions();
    behind();
    sweeps();
    for (int tile = 0; tile < TILES; tile++) {
        static int t[W][W], ways[W][W], seen[W][W];
        static float s[W][W], h[W][W];
        for (int i = 0; i < W; i++)
            for (int j = 0; j < W; j++) {
                t[i][j] = i == 0 || j == 0 ? -(i + j) : 0;
                ways[i][j] = i == 0 ? 1 : j == 0;
                seen[i][j] = (i * W + j) % 5;
                s[i][j] = (tile + i * W + j) % 9;
                h[i][j] = (tile + i * W + j) % 11;
            }
        for (int i = 1; i < W; i++)
            for (int j = 1; j < W; j++) {
                int match = letters[tile * SIDE + i - 1] == j % 4 ? 3 : -2;
                t[i][j] = largest(t[i - 1][j - 1] + match, t[i][j - 1] - 1, t[i - 1][j] - 1);
                if ((i * j + tile) % 7 != 0)
                    ways[i][j] += (ways[i - 1][j] + ways[i][j - 1]) % 1000;
                else
                    seen[i][j] += 10;
                if (j < W - 1)
                    s[i][j] = 0.5f * s[i - 1][j + 1] + 0.25f * s[i][j - 1];
                h[i][j] += 0.25f * (h[i - 1][j] + h[i][j - 1]);
            }
        for (int i = SIDE - 1; i >= 0; i--)
            for (int j = SIDE - 1; j >= 0; j--)
                h[i][j] += 0.25f * (h[i + 1][j] + h[i][j + 1]);
        for (int e = 0; e < W * W; e++) {
            int at = tile * W * W + e;
            check_int("score", at, scores[at], t[e / W][e % W]);
            check_int("path", at, paths[at], ways[e / W][e % W] * 100 + seen[e / W][e % W]);
            check_near("slanted", at, slanted[at], s[e / W][e % W], 1e-6);
            check_near("heat", at, heat[at], h[e / W][e % W], 1e-5);
        }
    }
    return finish();
}
