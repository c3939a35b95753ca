typedef struct { double x, y; } Point;
static int index_of[100];

double why(double *v, double *w, Point *p, int n)
{
    double s = 1;
    #pragma acc kernels
    {
        for (int i = 1; i < n; i++)
            v[i] = v[i - 1] +
                   w[i];
        for (int i = 1; i < n; i++)
            p[i].x = p[i - 1].x;
        for (int i = 0; i < n; i++)
            index_of[index_of[i]] = i;
        for (int i = 0; i < n; i++)
            w[i] = v[i];
    }
    #pragma acc parallel loop gang copyin(w[0:n])
    for (int i = 0; i < n; i++) {
        double s = 0;
        #pragma acc loop vector reduction(+:s)
        for (int j = 0; j < n; j++)
            s += w[j];
        v[i] = s;
    }
    return s;
}
