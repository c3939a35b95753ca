// Schedules that cannot be followed: steps that do not apply, parameters that they cannot have, places where none can stand.
void f(int n, float *a, const float *b, float *m)
{
#pragma accl schedule(block(100))
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma accl schedule(tile(4))
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma accl schedule(vectorize(3))
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma accl schedule(vectorize unroll_and_jam)
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma accl schedule(unroll_and_jam(j:4))
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma accl schedule(vectorize)
#pragma acc parallel loop copy(a[0:n]) copyin(b[0:n + 1])
    for (int i = 0; i < n; i++)
        a[i] += b[i + 1];
#pragma accl schedule(shared_tile(stencil) coarsen)
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma accl schedule(grid(i:y, k:x))
#pragma acc parallel loop copy(m[0:n * n])
    for (int i = 0; i < n; i++)
#pragma acc loop
        for (int j = 0; j < n; j++)
            m[i * n + j] += 1;
#pragma accl schedule(grid(j:x))
#pragma acc parallel loop copy(m[0:n * n])
    for (int i = 0; i < n; i++)
#pragma acc loop
        for (int j = 0; j < n; j++)
            m[i * n + j] += 1;
#pragma accl schedule(block(64, 4) register_tile)
#pragma acc parallel loop collapse(2) copyin(b[0:n * n]) copy(a[0:n * n], m[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            m[i * n + j] = sum;
        }
#pragma accl schedule(shared_tile(stream))
#pragma acc parallel loop copyin(b[0:n]) copy(a[0:n])
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < n; j++)
            sum += b[j] - a[i];
        a[i] = sum;
    }
#pragma acc parallel loop gang copy(m[0:n * n])
    for (int i = 0; i < n; i++)
#pragma accl schedule(block(64))
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            m[i * n + j] += 1;
}

#pragma acc routine seq
void g(int n, float *a)
{
#pragma accl schedule(block(64))
#pragma acc loop seq
    for (int i = 0; i < n; i++)
        a[i] += 1;
}
void h(int n, float *a)
{
#pragma acc parallel loop copy(a[0:n*n])
    for (int i = 0; i < n; i++) g(n, a + i * n);
}
void sums(int n, float *a, const float *m)
{
#pragma accl schedule(cluster(8) lanes(8))
#pragma acc parallel loop gang copyin(m[0:n * n]) copy(a[0:n])
    for (int i = 0; i < n; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < n; j++)
            sum += m[i * n + j];
        a[i] = sum;
    }
#pragma accl schedule(cluster(8) split_reduction)
#pragma acc parallel loop gang copyin(m[0:n * n]) copy(a[0:n])
    for (int i = 0; i < n; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < n; j++)
            sum += m[i * n + j];
        a[i] = sum;
    }
}
