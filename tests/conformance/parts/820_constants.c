#include "820_sim.h"

double field[CELLS];
double strength = 1;
int n_kinds = 4;
const double weights[4] = {1, 0.5, 0.25, 0.125};

void set_constants(double s)
{
    strength = s;
    for (int i = 0; i < CELLS; i++)
        field[i] = s * i / CELLS;
#pragma acc update device(field, strength)
}
