// Statements: loops of every kind, switch, break and continue, blocks and shadowing.
int f(int n, int *restrict a, const int *restrict b)
{
    int sum = 0, i;
#pragma acc parallel loop copy(a[0:n]) copyin(b[0:n]) reduction(+:sum)
    for (i = 0; i < n; i++) {
        int i2 = 0;
        while (i2 < b[i]) {
            if (a[i2] == 3)
                break;
            i2++;
        }
        do {
            i2--;
            if (i2 == 7)
                continue;
        } while (i2-- > 0);
        for (;;) {
            if (++i2 > 10)
                break;
        }
        for (int j = n; j-- > 0;)
            sum += j;
        for (int j = b[i]; j < b[i + 1]; j++)
            sum += a[j];
        for (int j = a[i]; j < a[i + 1]; j++)
            a[j] = 0;
        switch (b[i]) {
        case 1:
        case 2:
            sum++;
            break;
        case 4 ... 6: {
            int i = 3;
            sum += i;
        }
        default:
            sum--;
        }
        {
            int i = 5;
            sum += i;
        }
        if (n)
            ;
        else
            sum = 2;
    }
    return sum;
}
