#ifndef SCALE_H
#define SCALE_H
void scale(int n, float factor, float *a);
int count(int n, const float *a, float wanted);
#endif
