// fcw FETCH_ONLY of structures, a window that all blocks share and that moves with a loop (paper 004, listing 13).
// expect: launches=1 uploads=1 downloads=1
#include <stdlib.h>
#include "check.h"

#define TILE 64

typedef struct { float x, y, z, m; } body;
typedef struct { float x, y, z; } force;

int main(void)
{
    int n = 300;
    body *pos = malloc(n * sizeof *pos);
    force *f = malloc(n * sizeof *f);
    for (int i = 0; i < n; i++) {
        pos[i].x = i % 11;
        pos[i].y = i % 7;
        pos[i].z = i % 5;
        pos[i].m = 1 + i % 3;
    }
#pragma acc parallel loop vector_length(TILE) copyin(pos[:n]) copyout(f[:n])
    for (int i = 0; i < n; i++) {
        force sum = {0, 0, 0};
        body own = pos[i];
        for (int tile = 0; tile < (n + TILE - 1) / TILE; tile++) {
            int end = (tile + 1) * TILE < n ? (tile + 1) * TILE : n;
#pragma acc fcw FETCH_ONLY(pos[tile * TILE:0:TILE - 1])
            for (int j = tile * TILE; j < end; j++) {
                float dx = pos[j].x - own.x, dy = pos[j].y - own.y, dz = pos[j].z - own.z;
                float d = dx * dx + dy * dy + dz * dz + 0.5f;
                float s = pos[j].m / d;
                sum.x += dx * s;
                sum.y += dy * s;
                sum.z += dz * s;
            }
        }
        f[i] = sum;
    }
    for (int i = 0; i < n; i++) {
        float x = 0, y = 0, z = 0;
        for (int j = 0; j < n; j++) {
            float dx = pos[j].x - pos[i].x, dy = pos[j].y - pos[i].y, dz = pos[j].z - pos[i].z;
            float s = pos[j].m / (dx * dx + dy * dy + dz * dz + 0.5f);
            x += dx * s;
            y += dy * s;
            z += dz * s;
        }
        check_near("x", i, f[i].x, x, 1e-4);
        check_near("y", i, f[i].y, y, 1e-4);
        check_near("z", i, f[i].z, z, 1e-4);
    }
    free(pos);
    free(f);
    return finish();
}
