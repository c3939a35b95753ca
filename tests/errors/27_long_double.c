// command: accl cc -Werror -c $FILE -o out.o
void scale(int n, double *x)
{
    long double factor = 1.0L / 3;
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = factor * x[i];
}
