// error(rel: …) and error(abs: …) choose the width; references and members in C++; if(0) runs on plain host data.
// expect: launches=4 uploads=6 downloads=5
#include "check.h"
#include <vector>

static const int N = 2000;

static void relative(const float *__restrict a, float *__restrict b, int n)
{
#pragma acc parallel loop ccopyin(error(rel: 1e-3): a[0:n]) copyout(b[0:n])
    for (int i = 0; i < n; i++)
        b[i] = a[i];
}

static void absolute(const float *__restrict a, float *__restrict b, int n)
{
#pragma acc parallel loop ccopyin(error(abs: 1e-6): a[0:n:-1.0:1.0]) copyout(b[0:n])
    for (int i = 0; i < n; i++)
        b[i] = a[i];
}

struct Field {
    double *values;
    int n;
    void scale(double by)
    {
        double *v = values;
        int m = n;
#pragma acc parallel loop ccopy(error(rel: 1e-9): v[0:m:-100:100])
        for (int i = 0; i < m; i++)
            v[i] *= by;
    }
    void add(double what, bool on_device)
    {
        double *v = values;
        int m = n;
#pragma acc data ccopy(v[0:m:-100:100])
        {
#pragma acc parallel loop compression(v) if(on_device)
            for (int i = 0; i < m; i++)
                v[i] += what;
            if (!on_device) {
#pragma acc update device(v[0:m])
            }
        }
    }
};

int main()
{
    std::vector<float> a(N), b(N);
    std::vector<double> values(N);
    for (int i = 0; i < N; i++) {
        a[i] = std::sin(0.1f * i);
        values[i] = i % 50;
    }
    relative(a.data(), b.data(), N);
    for (int i = 0; i < N; i++)
        check_near("relative to the largest", i, b[i], a[i], 1e-3);
    absolute(a.data(), b.data(), N);
    for (int i = 0; i < N; i++)
        check_near("absolute", i, b[i], a[i], 1.2e-6);
    Field field = {values.data(), N};
    field.scale(2);
    for (int i = 0; i < N; i++)
        check_near("scaled", i, values[i], 2 * (i % 50), 3e-7);
    field.add(1, true);
    field.add(0.5, false);
    for (int i = 0; i < N; i++)
        check_near("added", i, values[i], 2 * (i % 50) + 1.5, 1e-6);
    return finish();
}
