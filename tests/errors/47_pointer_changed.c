void fill(int n, double *p)
{
    double *end = p + n;
#pragma acc serial copy(p[0:n])
    while (p != end) {
        *p = 1.0;
        p++;
    }
}
