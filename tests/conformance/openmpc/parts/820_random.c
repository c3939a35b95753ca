/* For CPUs: no word about devices. */
static const double scale = 1.0 / 8388608;

static double step(double x, double a)
{
    double t = a * x;
    return t - (double)(long)(t * scale) * 8388608;
}

double next_random(double *x, double a)
{
    *x = step(*x, a);
    if (*x < 1)
        return 0;
    return *x * scale;
}

void fill(int n, double *row, double seed)
{
    for (int i = 0; i < n; i++)
        row[i] = next_random(&seed, 1220703);
}
