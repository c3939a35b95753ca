// C++: objects with methods, operators, constructors and inheritance used in target regions.
// expect: launches=4
// needs: separate
#include "../check.h"

struct Vector {
    double x, y;
    Vector(double x = 0, double y = 0) : x(x), y(y) {}
    Vector operator+(const Vector &o) const { return Vector(x + o.x, y + o.y); }
    Vector &operator*=(double by)
    {
        x *= by;
        y *= by;
        return *this;
    }
    double dot(const Vector &o) const { return x * o.x + y * o.y; }
};

struct Base {
    int count = 2;
    int twice() const { return 2 * count; }
};
struct Body : Base {
    Vector position, velocity;
    void step(double dt)
    {
        Vector move = velocity;
        move *= dt;
        position = position + move;
        count++;
    }
};

int main()
{
    const int n = 50;
    Body bodies[n], one;
    Vector *v = new Vector[n];
    double energy = 0;
    for (int i = 0; i < n; i++) {
        bodies[i].velocity = Vector(i, 1);
        v[i] = Vector(i, -i);
    }
#pragma omp target teams distribute parallel for map(tofrom: bodies)
    for (int i = 0; i < n; i++)
        bodies[i].step(0.5);
    for (int i = 0; i < n; i++) {
        check_near("x", i, bodies[i].position.x, 0.5 * i, 0);
        check_int("count", i, bodies[i].count, 3);
    }
#pragma omp target teams distribute parallel for reduction(+ : energy) map(to: v[0:n])
    for (int i = 0; i < n; i++)
        energy += v[i].dot(v[i] + Vector(1, 0));
    double want = 0;
    for (int i = 0; i < n; i++)
        want += i * (i + 1.0) + i * i;
    check_near("energy", 0, energy, want, 1e-12);
    // By rule it is mapped both ways.
#pragma omp target
    one.step(2);
    check_int("one", 0, one.count, 3);
    int twice = 0;
#pragma omp target map(from: twice) map(to: one)
    twice = one.twice();
    check_int("twice", 0, twice, 6);
    delete[] v;
    return finish();
}
