int main(void)
{
    int a[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma acc data copy(a)
    for (int k = 0; k < 2; k++) {
#pragma acc parallel loop
        for (int i = 0; i < 100; i++)
            a[i] += k;
    }
    return a[7] != 8;
}
