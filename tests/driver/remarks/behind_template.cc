template <class T> struct Values {
    T *first;
    int n;
    void fill(T x)
    {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            first[i] = x;
    }
};

double sum(Values<double> &v)
{
    v.fill(2);
    double *a = v.first, s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 100; i++)
        s += a[i];
    return s;
}
