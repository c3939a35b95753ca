/* What follows device_type and cannot differ between devices, types that no device here has, and what one mapping of a
 * loop cannot follow. */
void f(int n, float *a, float *b)
{
#pragma acc parallel loop gang device_type(nvidia) vector_length(64) copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop device_type(xeonphi) num_gangs(3) device_type(default) vector_length(2)
    for (int i = 0; i < n; i++)
        b[i] = i;
#pragma acc parallel loop gang device_type(host) seq
    for (int i = 0; i < n; i++)
        b[i] += 1;
#pragma acc parallel loop gang device_type(host, radeon) vector(32) device_type(*) vector(64)
    for (int i = 0; i < n; i++)
        b[i] += 1;
#pragma acc init device_type(xeonphi)
#pragma acc set device_type(nvidia, host)
}
#pragma acc routine seq device_type(host) vector
float g(float x);
