// command: accl cc -Werror -c $FILE -o out.o
#include <complex.h>
void products(int n, double complex *z, long double complex *l)
{
    double complex sum = 1;
#pragma acc parallel loop copy(z[0:n]) reduction(*:sum)
    for (int i = 0; i < n; i++)
        sum *= z[i];
#pragma acc parallel loop copy(z[0:n], l[0:n])
    for (int i = 0; i < n; i++) {
        z[i] = z[i] * l[i];
        z[i] = cacos(z[i]);
    }
}
