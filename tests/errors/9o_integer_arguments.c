/* Sizes and queues of floating types, and an array where an address of the device is meant. */
void f(int n, float *a, float x, double *sizes)
{
    float own[8];
#pragma acc parallel loop copy(a[0:n]) num_gangs(x) async(x + 1)
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop gang worker vector copy(a[0:n]) num_workers(4.0) vector_length(n > 5 ? 2.5f : 1)
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop copy(a[0:n]) num_gangs((int)x) async((long)(x * 2)) vector_length(n * 32)
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc update self(a[0:n]) async((float)n)
#pragma acc wait(sizes[0])
#pragma acc parallel loop deviceptr(own)
    for (int i = 0; i < 8; i++)
        own[i] = i;
}

void g(int n, int m, float a[], float rows[n][m], float sized[8])
{
#pragma acc parallel loop deviceptr(a, rows, sized)
    for (int i = 0; i < n; i++)
        a[i] = rows[i][0] + sized[0];
}
