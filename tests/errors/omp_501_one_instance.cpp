// One instance that cannot be written behind its template keeps no other from being written.
template <class T> void scale(int n, T *p)
{
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) p[i].x *= 2;
}

template <class T> void shift(int n, T *p)
{
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) p[i] += 1;
}

void both(int n, double *p)
{
    struct Own {
        double x;
    } own[4] = {};
    scale(4, own);
    shift(n, p);
}
