/* Arguments that are of the wrong kind: what is no pointer, numbers of queues that are no integers, `*` among device types. */
void f(int n, float *a, float queue)
{
    int x = 3;
#pragma acc parallel deviceptr(x)
    x = 1;
#pragma acc enter data attach(x)
#pragma acc exit data detach(x)
#pragma acc wait(1.5)
#pragma acc parallel loop copy(a[0:n]) async(queue)
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc update self(a[0:n]) wait(-(2.5f))
#pragma acc parallel loop copy(a[0:n]) device_type(*, nvidia) num_gangs(2)
    for (int i = 0; i < n; i++)
        a[i] = i;
}
