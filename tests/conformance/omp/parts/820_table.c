#include "820_sim.h"

struct species table[3];
double dt = 0.5;
int steps = 4;

void set_table(void)
{
    for (int s = 0; s < 3; s++) {
        table[s].mass = s + 1;
        table[s].charge[0] = -1;
        table[s].charge[1] = 0.25 * s;
    }
    dt = 0.125;
#pragma omp target update to(table, dt)
}
