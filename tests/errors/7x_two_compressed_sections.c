/* Two sections of one compressed array on one construct: each would be compressed by itself. */
void f(int n, float *b)
{
#pragma acc parallel loop ccopyin(b[0:n:0:1]) ccopyout(b[n:n:0:1])
    for (int i = 0; i < n; i++)
        b[n + i] = b[i];
}
