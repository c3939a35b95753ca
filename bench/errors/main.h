/* What is measured, and its report. */

static void encodings(int n)
{
    float *a = (float *)bench_alloc(n, sizeof *a), *out = (float *)bench_alloc(n, sizeof *out);
    for (int which = 0; which < 5; which++) {
        uint64_t state = 7 + which;
        for (int i = 0; i < n; i++)
            a[i] = sample(which, i, &state);
        for (const scheme *s = schemes; s->name; s++) {
            statistics all = {0};
            s->through(n, a, out);
            for (int i = 0; i < n; i++)
                add(&all, out[i], a[i]);
            char held[32];
            snprintf(held, sizeof held, "%s, %d of 32", s->name, s->bits);
            tell(distributions[which], held, &all);
        }
    }
    free(a);
    free(out);
}

/* Rows of `a` all of one magnitude, or each of another one. */
static void matrices(int n, int decades)
{
    size_t count = (size_t)n * n;
    float *a = (float *)bench_alloc(count, sizeof *a), *b = (float *)bench_alloc(count, sizeof *b);
    float *c = (float *)bench_alloc(count, sizeof *c);
    double *want = (double *)bench_alloc(count, sizeof *want), most = 0.0;
    bench_fill_float(a, count, 1, 0.0, 1.0);
    bench_fill_float(b, count, 2, 0.0, 1.0);
    for (size_t i = 0; i < count; i++)
        a[i] *= (float)pow(10.0, decades * ((double)(i / n * 7 % n) / n - 0.5));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                want[(size_t)i * n + j] += (double)a[(size_t)i * n + k] * b[(size_t)k * n + j];
    for (size_t i = 0; i < count; i++)
        most = fmax(most, want[i]);
    for (const product *p = products; p->held; p++) {
        statistics all = {0};
        p->run(n, a, b, c, (float)most);
        for (size_t i = 0; i < count; i++)
            add(&all, c[i], want[i]);
        char what[48];
        snprintf(what, sizeof what, "matmul %d%s", n, decades ? ", rows of 12 decades" : "");
        tell(what, p->held, &all);
    }
    free(a);
    free(b);
    free(c);
    free(want);
}

/* The largest relative error with the power in 32 bits; how long a step took with that. */
static double hotspot(int n, int steps, double *step_ms)
{
    size_t cells = (size_t)n * n;
    double *power = (double *)bench_alloc(cells, sizeof *power), *start = (double *)bench_alloc(cells, sizeof *start);
    double *t = (double *)bench_alloc(cells, sizeof *t), *u = (double *)bench_alloc(cells, sizeof *u);
    double *want = (double *)bench_alloc(cells, sizeof *want), worst = 0.0;
    bench_fill_double(power, cells, 2, 0.0, 2.0);
    bench_fill_double(start, cells, 1, 300.0, 340.0);
    for (const simulation *s = simulations; s->held; s++) {
        statistics all = {0};
        memcpy(t, start, cells * sizeof *t);
        double begin = bench_now_ms();
        s->run(n, steps, power, t, u);
        *step_ms = (bench_now_ms() - begin) / steps;
        if (s == simulations)
            memcpy(want, t, cells * sizeof *want);
        for (size_t i = 0; i < cells; i++)
            add(&all, t[i], want[i]);
        worst = fmax(worst, all.most);
        char what[48];
        snprintf(what, sizeof what, "HotSpot %d, %d steps", n, steps);
        if (s != simulations)
            tell(what, s->held, &all);
    }
    free(power);
    free(start);
    free(t);
    free(u);
    free(want);
    return worst;
}

int main(int argc, char **argv)
{
    int elements = bench_arg(argc, argv, 1, 1 << 20);
    int n = bench_arg(argc, argv, 2, 512);
    int steps = bench_arg(argc, argv, 3, 4000);
    bench_timer step = {0, 1, 1, 1, 0.0, {0.0}};
    double begin = bench_now_ms();
    encodings(elements);
    matrices(n, 0);
    matrices(n, 12);
    double error = hotspot(n, steps, &step.ms[0]);
    double app_ms = bench_now_ms() - begin;
    char size[48];
    snprintf(size, sizeof size, "%dx%dx%d", elements, n, steps);
    /* The papers': 1e-8 %. */
    return bench_report("errors", size, &step, app_ms, error, 1e-10);
}
