// Lane loops of known length take turns of all lanes, and a last one of some: lengths below, of, and beyond one and several
// turns, lower bounds other than zero, negative ones, continue, loops in a sequential loop, which decides how many lanes there are.
// expect: launches=5
#include "check.h"

#define GANGS 37

static float turns[GANGS][128], more[GANGS][300], offset[GANGS][160], tile[GANGS][289];
static int diagonal[GANGS][17 * 17], counts[GANGS];

int main(void)
{
    // A turn of all lanes; two of them; and less than one.
#pragma acc parallel loop gang copyout(turns)
    for (int g = 0; g < GANGS; g++) {
        float own[256];
#pragma acc loop vector
        for (int i = 0; i < 256; i++)
            own[i] = g * 256 + i;
#pragma acc loop vector
        for (int i = 0; i < 128; i++)
            turns[g][i] = own[i] + own[255 - i];
#pragma acc loop vector
        for (int i = 3; i <= 7; i++)
            turns[g][i] = -i;
    }
    // Three turns, of which some lanes take the last; iterations that end early.
#pragma acc parallel loop gang copyout(more)
    for (int g = 0; g < GANGS; g++) {
#pragma acc loop vector
        for (int i = 0; i < 300; i++)
            more[g][i] = i;
#pragma acc loop vector
        for (int i = 0; i < 300; i++) {
            more[g][i] += g;
            if (i % 3)
                continue;
            more[g][i] *= 2;
        }
    }
    // Bounds below zero, reductions, 64-bit and unsigned counters.
#pragma acc parallel loop gang copyout(offset, counts)
    for (int g = 0; g < GANGS; g++) {
        int sum = 0;
#pragma acc loop vector
        for (int i = -80; i < 80; i++)
            offset[g][i + 80] = i + g;
#pragma acc loop vector reduction(+ : sum)
        for (int i = -150; i < 107; i++)
            sum += i * g;
#pragma acc loop vector reduction(+ : sum)
        for (long i = 5; i < 200; i++)
            sum += (int)i;
#pragma acc loop vector reduction(+ : sum)
        for (unsigned i = 1; i < 130; i++)
            sum += (int)i;
        counts[g] = sum;
    }
    // A wavefront of a tile in lanes that wait for each other, with longer loops around it.
#pragma acc parallel loop gang copyout(diagonal)
    for (int g = 0; g < GANGS; g++) {
        int own[17 * 17];
#pragma acc loop vector
        for (int i = 0; i < 17 * 17; i++)
            own[i] = i / 17 == 0 || i % 17 == 0 ? g + i : 0;
#pragma acc loop seq
        for (int d = 2; d <= 32; d++) {
#pragma acc loop vector
            for (int i = 1; i < 17; i++)
                if (d - i >= 1 && d - i <= 16)
                    own[i * 17 + d - i] = own[(i - 1) * 17 + d - i - 1] % 7 + own[i * 17 + d - i - 1] - own[(i - 1) * 17 + d - i];
        }
#pragma acc loop vector
        for (int i = 0; i < 17 * 17; i++)
            diagonal[g][i] = own[i];
    }
    // Joined loops.
#pragma acc parallel loop gang copyout(tile)
    for (int g = 0; g < GANGS; g++)
#pragma acc loop vector collapse(2)
        for (int i = 0; i < 17; i++)
            for (int j = 0; j < 17; j++)
                tile[g][i * 17 + j] = g + i - j;

    for (int g = 0; g < GANGS; g++) {
        int sum = 0, own[17 * 17];
        for (int i = 0; i < 128; i++)
            check_near("turns", i, turns[g][i], i >= 3 && i <= 7 ? -i : 2.0 * g * 256 + 255, 0);
        for (int i = 0; i < 300; i++)
            check_near("more", i, more[g][i], i % 3 ? g + i : 2.0 * (g + i), 0);
        for (int i = -80; i < 80; i++)
            check_near("offset", i, offset[g][i + 80], i + g, 0);
        for (int i = -150; i < 107; i++)
            sum += i * g;
        for (int i = 5; i < 200; i++)
            sum += i;
        for (int i = 1; i < 130; i++)
            sum += i;
        check_int("counts", g, counts[g], sum);
        for (int i = 0; i < 17; i++)
            for (int j = 0; j < 17; j++) {
                own[i * 17 + j] = i == 0 || j == 0 ? g + i * 17 + j
                                                   : own[(i - 1) * 17 + j - 1] % 7 + own[i * 17 + j - 1] - own[(i - 1) * 17 + j];
                check_int("diagonal", i * 17 + j, diagonal[g][i * 17 + j], own[i * 17 + j]);
                check_near("tile", i * 17 + j, tile[g][i * 17 + j], g + i - j, 0);
            }
    }
    return finish();
}
