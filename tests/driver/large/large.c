/* More static data than code of the usual model reaches. */
static double a[1 << 28], b[1 << 28];

int main(void)
{
#pragma acc parallel loop copyout(a[0 : 100], b[(1 << 28) - 100 : 100])
    for (int i = 0; i < 100; i++)
        a[i] = b[(1 << 28) - 100 + i] = i;
    for (int i = 0; i < 100; i++)
        if (a[i] != i || b[(1 << 28) - 100 + i] != i)
            return 1;
    return 0;
}
