// std::vector: its data() and size() taken outside, pointers inside; a vector of structures.
// expect: launches=2 uploads=3 downloads=2
#include <numeric>
#include <vector>
#include "check.h"

struct Particle {
    float x[3];
    float v[3];
};

int main()
{
    std::vector<double> a(501), b(501);
    std::iota(a.begin(), a.end(), 1.0);
    const double *pa = a.data();
    double *pb = b.data();
    const std::size_t n = a.size();
#pragma acc parallel loop copyin(pa[0:n]) copyout(pb[0:n])
    for (std::size_t i = 0; i < n; i++)
        pb[i] = pa[n - 1 - i] * 2.0;
    for (std::size_t i = 0; i < n; i++)
        check_near("b", i, b[i], 2.0 * (n - i), 0.0);

    std::vector<Particle> particles(77);
    std::vector<float> dt{0.5f, 0.25f, 0.125f};
    for (std::size_t i = 0; i < particles.size(); i++)
        particles[i] = Particle{{float(i), 0, 1}, {1, 2, float(i)}};
    Particle *p = particles.data();
    float *d = dt.data();
    int count = static_cast<int>(particles.size());
#pragma acc parallel loop copy(p[0:count]) copyin(d[0:3])
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            p[i].x[k] += p[i].v[k] * d[k];
    for (int i = 0; i < count; i++) {
        check_near("x0", i, particles[i].x[0], i + 0.5f, 0.0);
        check_near("x1", i, particles[i].x[1], 0.5f, 0.0);
        check_near("x2", i, particles[i].x[2], 1 + 0.125f * i, 0.0);
    }
    return finish();
}
