// run
// env: ACC_DEVICE_TYPE=cpu
int main(void)
{
    int x[4] = {0};
#pragma acc parallel loop present(x)
    for (int i = 0; i < 4; i++)
        x[i] = i;
    return x[3] != 3;
}
