// command: accl cc -Werror -c $FILE -o out.o
double *fill(int n, double *p)
{
    double *end = p + n;
#pragma acc kernels copy(p[0:n])
    while (p != end) {
        *p = 1.0;
        p++;
    }
    return p;
}
