/* Functions for devices alone that the host program calls, and clauses that change nothing here. */
#pragma acc routine seq nohost
static int square(int i)
{
    return i * i;
}

int f(int n, int *a)
{
    int count = square(n);
#pragma acc parallel loop copy(capture : a[0:n]) copy(count)
    for (int i = 0; i < n; i++) {
        a[i] = square(i);
#pragma acc atomic update if (n > 3)
        count++;
    }
#pragma acc update self(a[0:n]) device_type(host) if (n > 3)
    return count + square(2);
}
