// command: accl cc -Werror -c $FILE -o out.o
void add(int n, float *x, float *y)
{
    float *both[2] = {x, y};
#pragma acc parallel loop firstprivate(both) copy(x[0:n], y[0:n])
    for (int i = 0; i < n; i++)
        both[1][i] += both[0][i];
}
