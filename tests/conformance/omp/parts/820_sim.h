#ifndef SIM_H
#define SIM_H

#define CELLS 48

#pragma omp declare target
struct species {
    double mass;
    double charge[2];
};
extern struct species table[3];
extern double dt;
extern int steps;
double accelerate(double x, int s);
int bounce(double *x, double *v);
#pragma omp end declare target

#pragma omp begin declare target
double energy(const double *v, int n);
#pragma omp end declare target

/* Its definition says that it is for devices. */
float half(float x);

void set_table(void);

#endif
