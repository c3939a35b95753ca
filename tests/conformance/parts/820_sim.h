/* A simulation in three files: particles in a field. */
#ifndef SIM_H
#define SIM_H

#define CELLS 64

typedef struct {
    double x, v, mass;
    int kind;
} particle;

/* Physics. */
#pragma acc routine seq
extern double force_at(const particle *p, double time);
#pragma acc routine seq
double potential(double x, int depth);
#pragma acc routine seq
int classify(const particle *p);
#pragma acc routine seq
void advance(particle *p, double f, double dt);
#pragma acc routine vector
void smooth(double *row, int n);
#pragma acc routine worker
double norm(const double *row, int n);

/* Constants. */
extern double field[CELLS];
extern double strength;
extern int n_kinds;
extern const double weights[4];
#pragma acc declare create(field, strength) copyin(n_kinds)

void set_constants(double s);

#endif
