// Tiles in arrays of a thread's own, with rows of sums that the program keeps in arrays: lanes share all elements of a tile, since each
// sum is a scalar of its element. What looks like such rows but is not stays right.
// expect: launches=4
// devices: cpu cuda opencl
// expect-remark: Loops over sum are one, with a scalar for each of its elements
// expect-remark: Loops over most are one, with a scalar for each of its elements
// expect-remark: Schedule plain: grid\(tile:x\) threads\(iteration:x, iteration_2:x\) block\(128\)
#include "../check.h"

#define B 16
#define TILES 24
#define N (B * TILES)

static float a[N * B], b[B * N], c[N * N], want[N * N], kept[N], passed[N * B];
static int largest[N * 4];

// The last loop leaves the sums as they were declared.
static void tiles(float *left, float *top, float *inner, int n)
{
    int tile;
#pragma omp parallel for default(none) private(tile) shared(left, top, inner, n)
    for (tile = 0; tile < TILES * TILES; tile++) {
        int i, j, k, row = tile / TILES * B, col = tile % TILES * B;
        float l[B * B], t[B * B], sum[B] = {0};
        for (i = 0; i < B; i++)
            for (j = 0; j < B; j++) {
                l[i * B + j] = left[(row + i) * B + j];
                t[i * B + j] = top[i * n + col + j];
            }
        for (i = 0; i < B; i++) {
            for (k = 0; k < B; k++)
                for (j = 0; j < B; j++)
                    sum[j] += l[i * B + k] * t[k * B + j];
            for (j = 0; j < B; j++) {
                inner[(row + i) * n + col + j] -= sum[j];
                sum[j] = 0;
            }
        }
    }
}

// The first loop sets them.
static void maxima(void)
{
#pragma omp parallel for
    for (int tile = 0; tile < TILES; tile++) {
        float own[B * B];
        int most[4];
        for (int i = 0; i < B; i++)
            for (int k = 0; k < B; k++)
                own[i * B + k] = a[(tile * B + i) * B + k];
        for (int i = 0; i < B; i++) {
            for (int j = 0; j < 4; j++)
                most[j] = -1000;
            for (int k = 0; k < B; k++)
                for (int l = 0; l < 4; l++) {
                    int x = (int)(4 * own[i * B + k]) + l * (k - 7);
                    if (x > most[l])
                        most[l] = x;
                }
            for (int j = 0; j < 4; j++)
                largest[(tile * B + i) * 4 + j] = most[j];
        }
    }
}

// What one iteration leaves the next one needs.
static void running(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        float sum[B] = {0}, own[B * B];
        for (int j = 0; j < B * B; j++)
            own[j] = a[i * B + j % B];
        for (int r = 0; r < 3; r++) {
            for (int k = 0; k < B; k++)
                for (int j = 0; j < B; j++)
                    sum[j] += own[B + k] * (r + j);
            for (int j = 0; j < B; j++)
                kept[i] += sum[j];
        }
    }
}

// The sums read what the last loop writes, also of their neighbours.
static void in_place(float *from, float *to)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        float sum[B], own[B * B];
        for (int j = 0; j < B * B; j++)
            own[j] = 0.25f;
        for (int r = 0; r < 3; r++) {
            for (int j = 0; j < B; j++)
                sum[j] = 1;
            for (int k = 0; k < B; k++)
                for (int j = 0; j < B; j++)
                    sum[j] += from[i * B + (j + k) % B] * own[k * B + j];
            for (int j = 0; j < B; j++)
                to[i * B + j] = sum[j];
        }
    }
}

int main(void)
{
    for (int i = 0; i < N * B; i++) {
        a[i] = (i * 7 % 23 - 11) * 0.25f;
        b[i] = (i * 5 % 19 - 9) * 0.5f;
        passed[i] = i % 5;
    }
    for (int i = 0; i < N * N; i++)
        c[i] = i % 11;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            want[i * N + j] = c[i * N + j];
            float s = 0;
            for (int k = 0; k < B; k++)
                s += a[i * B + k] * b[k * N + j];
            want[i * N + j] -= s;
        }
    tiles(a, b, c, N);
    maxima();
    running();
    in_place(passed, passed);
    for (int i = 0; i < N * N; i++)
        check_near("tile", i, c[i], want[i], 1e-6);
    for (int i = 0; i < N; i++) {
        float sum = 0, row[B], next[B];
        for (int l = 0; l < 4; l++) {
            int most = -1000;
            for (int k = 0; k < B; k++) {
                int x = (int)(4 * a[i * B + k]) + l * (k - 7);
                most = x > most ? x : most;
            }
            check_int("most", i * 4 + l, largest[i * 4 + l], most);
        }
        for (int j = 0; j < B; j++)
            for (int k = 0; k < B; k++)
                sum += a[i * B + k] * (3 * j + 2 * (j + 1) + (j + 2));
        check_near("kept", i, kept[i], sum, 1e-4);
        for (int j = 0; j < B; j++)
            row[j] = (i * B + j) % 5;
        for (int r = 0; r < 3; r++) {
            for (int j = 0; j < B; j++) {
                next[j] = 1;
                for (int k = 0; k < B; k++)
                    next[j] += row[(j + k) % B] * 0.25f;
            }
            for (int j = 0; j < B; j++)
                row[j] = next[j];
        }
        for (int j = 0; j < B; j++)
            check_near("in place", i * B + j, passed[i * B + j], row[j], 1e-5);
    }
    return finish();
}
