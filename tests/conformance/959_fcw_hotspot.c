// fcw FETCH_CHANNEL in two dimensions: a ghost zone of two steps, a `break`, statements between the loops
// (paper 004, listing 11).
// expect: launches=3
#include <string.h>
#include "check.h"

#define ROW 40
#define COL 52
#define T 16
#define STEPS 2

static double temp[ROW][COL], power[ROW][COL], result[ROW][COL], want[ROW][COL], next[ROW][COL];

#define NEW(t, S, N, r, E, W, c) \
    (t[r][c] + 0.1 * (power[r][c] + t[S][c] + t[N][c] + t[r][E] + t[r][W] - 4.0 * t[r][c]))

int main(void)
{
    for (int r = 0; r < ROW; r++)
        for (int c = 0; c < COL; c++) {
            want[r][c] = temp[r][c] = (r * 5 + c * 3) % 17;
            power[r][c] = (r + c) % 3;
        }
    int rows = ROW + 2 * STEPS * (ROW / (T - 2 * STEPS) + 1);
    int cols = COL + 2 * STEPS * (COL / (T - 2 * STEPS) + 1);
#pragma acc data copy(temp) copyin(power) create(result)
    for (int k = 0; k < 3; k++) {
        double (*from)[COL] = k % 2 ? result : temp, (*to)[COL] = k % 2 ? temp : result;
#pragma acc kernels present(from[:ROW][:COL], to[:ROW][:COL], power)
#pragma acc loop independent vector(T)
        for (int rs = 0; rs < rows; rs++) {
            int r = rs - ((rs >> 4) * 2 * STEPS + STEPS);
#pragma acc loop independent vector(T)
            for (int cs = 0; cs < cols; cs++) {
                int c = cs - ((cs >> 4) * 2 * STEPS + STEPS);
                double fresh = 0;
                int compute = 0;
                int S = r == ROW - 1 ? r : r + 1, N = r == 0 ? 0 : r - 1;
                int W = c == 0 ? 0 : c - 1, E = c == COL - 1 ? c : c + 1;
#pragma acc fcw FETCH_CHANNEL(from[r:0:0:c:0:0]) FETCH_ONLY(power[r:0:0:c:0:0])
                for (int it = 0; it < STEPS; it++) {
                    compute = 0;
                    if (r >= 0 && c >= 0 && r < ROW && c < COL && (rs & (T - 1)) > it && (cs & (T - 1)) > it &&
                        (rs & (T - 1)) < T - it - 1 && (cs & (T - 1)) < T - it - 1) {
                        compute = 1;
                        fresh = NEW(from, S, N, r, E, W, c);
                    }
                    if (it == STEPS - 1)
                        break;
                    if (compute)
                        from[r][c] = fresh;
                }
                if (compute)
                    to[r][c] = fresh;
            }
        }
        if (k == 2) {
#pragma acc update self(to[:ROW][:COL])
        }
    }
    for (int k = 0; k < 3 * STEPS; k++) {
        for (int r = 0; r < ROW; r++)
            for (int c = 0; c < COL; c++) {
                int S = r == ROW - 1 ? r : r + 1, N = r == 0 ? 0 : r - 1;
                int W = c == 0 ? 0 : c - 1, E = c == COL - 1 ? c : c + 1;
                next[r][c] = NEW(want, S, N, r, E, W, c);
            }
        memcpy(want, next, sizeof want);
    }
    for (int r = 0; r < ROW; r++)
        for (int c = 0; c < COL; c++)
            check_near("result", r * COL + c, result[r][c], want[r][c], 1e-12);
    return finish();
}
