// An object on the stack that a function has by reference is brought to the device, whether its members or its methods are used.
// expect: launches=3
#include "../check.h"

struct Short {
    float x[6];
    float sum() const
    {
        float s = 0;
        for (int k = 0; k < 6; k++)
            s += x[k];
        return s;
    }
};

struct Counts {
    int bins[4];
    void set(int bin, int to) { bins[bin] = to; }
};

static float by_method(const Short &one, const double *w, int n)
{
    float all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int k = 0; k < n; k++)
        all += w[k] > 2 ? one.sum() : 0;
    return all;
}

static float by_member(const Short &one, const double *w, int n)
{
    float all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int k = 0; k < n; k++)
        all += w[k] > 2 ? one.x[k % 6] : 0;
    return all;
}

static void written(Counts &counts, int n)
{
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        counts.set(k, k * k + 1);
}

int main()
{
    const int n = 999;
    double *w = new double[n];
    for (int i = 0; i < n; i++)
        w[i] = i;
    Short s = {{1, 2, 3, 4, 5, 6}};
    float members = 0;
    for (int k = 3; k < n; k++)
        members += s.x[k % 6];
    check_near("method", 0, by_method(s, w, n), 21.0 * (n - 3), 0.0);
    check_near("member", 0, by_member(s, w, n), members, 0.0);
    Counts counts = {{0, 0, 0, -7}};
    written(counts, 3);
    for (int k = 0; k < 4; k++)
        check_int("bins", k, counts.bins[k], k < 3 ? k * k + 1 : -7);
    delete[] w;
    return finish();
}
