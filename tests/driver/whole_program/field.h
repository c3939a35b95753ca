#ifndef FIELD_H
#define FIELD_H
#ifdef __cplusplus
extern "C" {
#endif
#pragma acc routine seq
double field_at(int cell, double x);
#pragma acc routine seq
extern int steps_to(int cell);
extern double strength[3];
#pragma acc declare copyin(strength)
#ifdef __cplusplus
}
#endif
#endif
