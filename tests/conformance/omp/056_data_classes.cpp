// C++: objects that live on the device from their constructor to their destructor, with the arrays of their members attached.
// expect: launches=4
// needs: separate
#include "../check.h"

class Mesh {
  public:
    int n;
    double *x, *y;
    explicit Mesh(int n) : n(n), x(new double[n]), y(new double[n])
    {
        for (int i = 0; i < n; i++)
            x[i] = i, y[i] = 0;
#pragma omp target enter data map(to: this[0:1])
#pragma omp target enter data map(to: x[0:n]) map(alloc: y[0:n])
    }
    ~Mesh()
    {
#pragma omp target exit data map(delete: x[0:n], y[0:n])
#pragma omp target exit data map(delete: this[0:1])
        delete[] x;
        delete[] y;
    }
    double at(int i) const { return x[i] + 1; }
    void run()
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            y[i] = at(i);
    }
    void host()
    {
#pragma omp target update from(y[0:n])
    }
};

static double sum(const Mesh &m)
{
    double total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total)
    for (int i = 0; i < m.n; i++)
        total += m.y[i];
    return total;
}

int main()
{
    Mesh mesh(70), *other = new Mesh(20);
    mesh.run();
    other->run();
    mesh.host();
    other->host();
    for (int i = 0; i < 70; i++)
        check_near("y", i, mesh.y[i], i + 1, 0);
    check_near("other", 0, other->y[19], 20, 0);
    check_near("sum", 0, sum(mesh), 70 * 71 / 2, 0);
#pragma omp target
    other->y[0] = other->x[3];
    other->host();
    check_near("other", 1, other->y[0], 3, 0);
    delete other;
    return finish();
}
