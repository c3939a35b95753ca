union bits { float f; unsigned u; };
void flip(int n, float *x)
{
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; i++) {
        union bits b;
        b.f = x[i];
        b.u ^= 0x80000000u;
        x[i] = b.f;
    }
}
