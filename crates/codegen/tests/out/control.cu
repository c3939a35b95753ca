/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

//accl:variant 0 control_3
/* control: parallel loop */
extern "C" __global__ void control_3(int n, int *a, const int *row, int m)
{
    accl_await_last_kernel();

    int late;
    int i = blockIdx.x * 64 + threadIdx.x;
    switch (a[i]) {
    case 1:
    case 2:
        a[i] = 3;
        break;
    case 3: {
        int t = a[i];
        a[i] = t * t;
    }
    default:
        a[i] = 0;
    }
    while (a[i] > 0) {
        if (a[i] == 7)
            break;
        a[i]--;
    }
    do {
        a[i]++;
    } while (a[i] < 10);
    for (;;) {
        i++;
        if (i > n)
            break;
        continue;
    }
    for (; i < n; i++) {
        if (a[i] == 3)
            continue;
        a[i] = 1;
    }
    while (i < n) {
        if (a[i] == 3)
            goto next;
        a[i] = 1;
    next:;
        if (i > 3)
            i++;
    }
    const int k_end = row[i + 1];
    for (int k = row[i]; k < k_end; k++)
        a[k] = 1;
    int s = 0;
    for (int k_2 = row[i]; k_2 < row[i + 1]; k_2++)
        s += row[k_2];
    for (int j = n - 1; j >= 0; j--)
        a[j] += s;
    for (int j = n; j > m; j -= 2)
        a[j] += s;
    for (late = 0; late < 10; late++)
        a[late] = 1;
    a[0] = late;
    if (!(i < 3))
        a[1] = 2;
    if (i == 1) {
        a[1] = 3;
    } else if (i == 2) {
        a[1] = 4;
    } else {
        a[1] = 5;
        if (a[2] == 1)
            a[3] = 1;
    }
    {
        int inner = a[4];
        a[5] = inner * inner;
    }
    for (long big = 0; big < n; big++)
        a[big] = 0;
    for (unsigned un = 0; un != n; un++)
        a[un] = 0;
    return;
}
