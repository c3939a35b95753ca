// Addresses of acc_malloc that no clause names: in pointers, in objects whose methods follow them, and in those that lambdas and
// function objects capture. Kernels use them as they are.
// expect: launches=11
#include "check.h"
#include <openacc.h>

struct View {
    double *p;
    int w;
    double &at(int i, int j) const
    {
        int k = i * w;
        k += j;
        return p[k];
    }
    void add(int i, int j, double v) const
    {
        double old = p[i * w + j];
        if (old < 0)
            return;
        p[i * w + j] = old + v;
    }
    double sum(int i) const
    {
        double s = 0;
        for (int j = 0; j < w; j++)
            s += p[i * w + j];
        return s;
    }
};

template <typename F> static void run(int n, F f)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        f(i);
}

struct Sums {
    View view;
    double *sums;
    void operator()(int i) const
    {
        double t = view.sum(i);
        sums[i] = t;
        sums[i] += view.at(i, 0);
    }
};

int main()
{
    const int n = 20, w = 30;
    double got[n];
    for (int round = 0; round < 2; round++) {
        double *p = (double *)acc_malloc(n * w * sizeof(double));
        double *sums = (double *)acc_malloc(n * sizeof(double));
        int step = round + 1;
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < w; j++)
                p[i * w + j] = i * step;

        View view{p, w};
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < w; j++) {
                view.at(i, j) *= 2;
                view.add(i, j, 1);
            }

        double total = 0;
        auto row = [=](int i) {
            double s = 0;
            for (int j = 0; j < w; j++)
                s += view.at(i, j);
            return s;
        };
#pragma acc parallel loop reduction(+ : total)
        for (int i = 0; i < n; i++)
            total += row(i);
        check_near("total", round, total, w * (2.0 * step * n * (n - 1) / 2 + n), 1e-9);

        run(n, [=](int i) {
            view.add(i, 1, 5);
            double s = view.sum(i);
            sums[i] = s;
        });
        acc_memcpy_from_device(got, sums, sizeof got);
        for (int i = 0; i < n; i++)
            check_near("lambda", i, got[i], w * (2.0 * step * i + 1) + 5, 1e-9);

        run(n, Sums{view, sums});
        acc_memcpy_from_device(got, sums, sizeof got);
        for (int i = 0; i < n; i++)
            check_near("object", i, got[i], (w + 1) * (2.0 * step * i + 1) + 5, 1e-9);
        acc_free(p);
        acc_free(sums);
    }

    /* An array on the device under its host address, as before. */
    double host[n];
    for (int i = 0; i < n; i++)
        host[i] = i;
    double *q = host;
#pragma acc enter data create(host)
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        q[i] = 2 * i;
#pragma acc exit data copyout(host)
    for (int i = 0; i < n; i++)
        check_near("host", i, host[i], 2 * i, 0);
    return finish();
}
