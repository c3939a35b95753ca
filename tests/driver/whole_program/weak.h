#pragma acc routine seq
int chosen(int x);
