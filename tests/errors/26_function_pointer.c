// command: accl cc -Werror -c $FILE -o out.o
void apply(int n, float *x, float (*f)(float))
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = f(x[i]);
}
