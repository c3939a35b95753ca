// Lines that are no schedules, and schedules that no loop's directive follows.
void f(int n, float *a)
{
#pragma accl schedule(block(64)
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma accl scedule(block(64))
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma accl schedule(block 64)
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma accl schedule(block(64))
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma accl schedule(block(64))
#pragma acc parallel copy(a[0:n])
#pragma acc loop
    for (int i = 0; i < n; i++)
        a[i] += 1;
}
