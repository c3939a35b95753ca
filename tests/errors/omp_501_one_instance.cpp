// One instance that cannot be written behind its template keeps no other from being written.
template <class T> struct Twice {
    static T of(T x) { return 2 * x; }
};

template <template <class> class F> void scale(int n, double *p)
{
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) p[i] = F<double>::of(p[i]);
}

template <class T> void shift(int n, T *p)
{
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) p[i] += 1;
}

void both(int n, double *p)
{
    scale<Twice>(n, p);
    shift(n, p);
}
