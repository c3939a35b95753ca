// run
// env: ACC_DEVICE_TYPE=fpga
int main(void)
{
    int x[4] = {0};
#pragma acc parallel loop copy(x)
    for (int i = 0; i < 4; i++)
        x[i] = i;
    return x[3] != 3;
}
