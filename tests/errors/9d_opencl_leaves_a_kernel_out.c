// run
// env: ACC_DEVICE_TYPE=opencl
// expect-exit: 0
// A function that returns a pointer into either of two memories: only the construct that calls it has no OpenCL code.
static double *either(double *a, double *b, int first)
{
    if (first)
        return a;
    return b;
}

int main(void)
{
    double a[16] = {0}, b[16];
#pragma acc parallel loop copyin(a) copyout(b)
    for (int i = 0; i < 16; i++)
        b[i] = 2 * a[i];
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 16; i++) {
        double mine = 3;
        *either(&mine, &a[i], i % 2) += 1;
    }
    return 0;
}
