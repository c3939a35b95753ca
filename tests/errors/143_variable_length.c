// run
// env: ACC_DEVICE_TYPE=opencl
// expect-exit: 0
/* An array whose length only a thread knows: the languages of GPUs have none. Other constructs keep their code. */
int main(void)
{
    int n = 20;
    double a[20], b[20];
#pragma acc parallel loop copyout(b)
    for (int i = 0; i < n; i++)
        b[i] = i;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < n; i++) {
        double row[i + 1];
        for (int j = 0; j <= i; j++)
            row[j] = i - j;
        a[i] = row[0] + row[i];
    }
    return a[3] != 3 || b[3] != 3;
}
