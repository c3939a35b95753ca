// run
// env: ACC_DEVICE_TYPE=cpu
int x[100];
int main(void)
{
#pragma acc enter data copyin(x[0:50])
#pragma acc parallel loop copy(x[0:100])
    for (int i = 0; i < 100; i++)
        x[i] = i;
    return 0;
}
