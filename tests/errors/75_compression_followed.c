// A pointer that the kernel itself loads from device memory does not tell how its array is held.
struct field {
    int n;
    float *x, *y;
};

void elements(struct field *t, float *restrict c, int n)
{
#pragma acc data present(t[0:4]) ccopyin(t[0].x[0:n])
#pragma acc parallel loop copyout(c[0:n])
    for (int i = 0; i < n; i++)
        c[i] = t[1].y[i] + t[i % 4].x[i];
}

void listed(struct field *t, float *restrict c, int n)
{
#pragma acc parallel loop present(t[0:4]) compression(t[0].x) copyout(c[0:n])
    for (int i = 0; i < n; i++)
        c[i] = t[0].x[i];
}

void by_another_name(struct field s, float *restrict c, int n)
{
#pragma acc data copyin(s) ccopyin(s.x[0:n]) attach(s.x)
#pragma acc parallel loop compression(s.x) copyout(c[0:n])
    for (int i = 0; i < n; i++) {
        struct field *p = &s;
        c[i] = s.x[i] + p->x[i];
    }
}

void unlisted(struct field s, float *restrict c, int n)
{
#pragma acc data copyin(s) ccopyin(s.x[0:n]) attach(s.x)
#pragma acc parallel loop copyout(c[0:n])
    for (int i = 0; i < n; i++)
        c[i] = s.x[i];
}
