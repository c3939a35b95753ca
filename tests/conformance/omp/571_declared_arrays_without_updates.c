/* With resident data an array of `declare target` that no directive moves has one content, on the host and on devices. */
// flags: -gpu=autodata
// expect: launches=5
#include "../check.h"
#include <stdlib.h>
#include <string.h>

enum { N = 6000 };
typedef struct {
    float x, y, z, w;
} atom;

#pragma omp declare target
atom atoms[N];
static double sums[N];
int updated[8];
int table[4] = {3, 1, 4, 1};
static int called[4] = {2, 7, 1, 8};
int from_table(int i) { return called[i % 4]; }
#pragma omp end declare target

static int counts[N];
#pragma omp declare target(counts)

static void fill(int pass)
{
    atom *copy = malloc(sizeof atoms);
    for (int i = 0; i < N; i++)
        copy[i] = (atom){(float)(i + pass), 1.0f, 2.0f, 0.5f};
    memcpy(atoms, copy, sizeof atoms);
    free(copy);
}

int main(void)
{
    for (int pass = 0; pass < 3; pass++) {
        fill(pass);
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) {
            sums[i] += atoms[i].x * atoms[i].w + table[i % 4];
            counts[i]++;
        }
        table[pass] += 10;
        check_near("sums", pass, sums[N - 1], sums[N - 1], 0);
    }
    for (int i = 0; i < N; i++) {
        double want = 0;
        int of[4] = {3, 1, 4, 1};
        for (int pass = 0; pass < 3; pass++) {
            want += (i + pass) * 0.5 + of[i % 4];
            of[pass] += 10;
        }
        check_near("sums", i, sums[i], want, 1e-9);
        check_int("counts", i, counts[i], 3);
    }

    /* One that a directive moves is the device's own between the updates. */
    for (int i = 0; i < 8; i++)
        updated[i] = 100 + i;
#pragma omp target update to(updated)
    for (int i = 0; i < 8; i++)
        updated[i] = -1;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; i++)
        updated[i] += 1;
    check_int("updated", 0, updated[3], -1);
#pragma omp target update from(updated)
    for (int i = 0; i < 8; i++)
        check_int("updated", i, updated[i], 101 + i);

    /* A function for devices reads what they have of its table. */
    int *got = malloc(N * sizeof(int));
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        got[i] = from_table(i);
    check_int("got", 1, got[1], 7);
    return finish();
}
