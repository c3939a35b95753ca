// Elements of std::vector and std::array in plain OpenMP: the host says where they are when it launches a loop. Variables, parameters, members
// behind accessors and pointers, constants, structures, functions that are given the object, vectors of vectors, vectors that grow or change places
// between loops; what the device cannot do (vector<bool>, vectors of each thread, lengths of inner ones) the host's threads do.
// flags: -fopenmpc
// expect: launches=23
#include "../check.h"
#include <array>
#include <utility>
#include <vector>

struct Point {
    double x, y;
    int cell;
};

class Mesh {
public:
    explicit Mesh(int n) : m_x(n), m_force(n, 1.0), m_nodes(4 * n)
    {
        for (int i = 0; i < n; i++) {
            m_x[i] = i % 7;
            for (int k = 0; k < 4; k++)
                m_nodes[4 * i + k] = (i + k * 3) % n;
        }
    }
    double &x(int i) { return m_x[i]; }
    double &force(int i) { return m_force[i]; }
    const int *nodes(int i) const { return &m_nodes[4 * i]; }
    int size() const { return (int)m_x.size(); }
    void scale(double by)
    {
#pragma omp parallel for
        for (int i = 0; i < size(); i++)
            m_x[i] *= by;
    }

private:
    std::vector<double> m_x, m_force;
    std::vector<int> m_nodes;
};

static std::vector<float> table(100, 0.5f);
static std::array<int, 16> counts;

static void gather(Mesh &mesh, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const int *nodes = mesh.nodes(i);
        double sum = 0;
        for (int k = 0; k < 4; k++)
            sum += mesh.x(nodes[k]);
        mesh.force(i) += sum;
    }
}

static void advance(Mesh *mesh, double dt)
{
#pragma omp parallel for firstprivate(dt)
    for (int i = 0; i < mesh->size(); i++)
        mesh->x(i) += mesh->force(i) * dt;
}

/* Functions that are given the object. */
static void collect(Mesh &mesh, const int *nodes, double *to)
{
    for (int k = 0; k < 4; k++)
        to[k] = mesh.x(nodes[k]);
}

static double largest(Mesh &mesh, int i)
{
    double local[4];
    collect(mesh, mesh.nodes(i), local);
    double most = local[0];
    for (int k = 1; k < 4; k++)
        if (local[k] > most)
            most = local[k];
    if (most < 0)
        return 0;
    return most + mesh.force(i);
}

static void extremes(Mesh &mesh, std::vector<double> &to)
{
#pragma omp parallel for
    for (int i = 0; i < mesh.size(); i++)
        to[i] = largest(mesh, i);
}

/* Its state comes before the pointers of a vector. */
template <class T> struct Counting {
    typedef T value_type;
    long number = 7;
    Counting() = default;
    template <class U> Counting(const Counting<U> &other) : number(other.number) {}
    T *allocate(std::size_t n) { return static_cast<T *>(::operator new(n * sizeof(T))); }
    void deallocate(T *p, std::size_t) { ::operator delete(p); }
    template <class U> bool operator==(const Counting<U> &) const { return true; }
    template <class U> bool operator!=(const Counting<U> &) const { return false; }
};

typedef std::vector<std::vector<double>> Matrix;

static void multiply(const Matrix &a, const Matrix &b, Matrix &c)
{
    const int n = (int)a.size(), m = (int)b[0].size(), l = (int)b.size();
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < l; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static double total(const std::vector<double> &v)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (std::size_t i = 0; i < v.size(); i++)
        sum += v[i];
    return sum;
}

static void points(std::vector<Point> &all, const std::vector<float> &weight)
{
#pragma omp parallel for
    for (int i = 0; i < (int)all.size(); i++) {
        Point &p = all[i];
        p.x += weight[p.cell];
        all[i].y = p.x * 2;
    }
}

int main()
{
    const int n = 1000;
    Mesh *mesh = new Mesh(n);
    std::vector<double> x(n), force(n, 1.0);
    for (int i = 0; i < n; i++)
        x[i] = i % 7;
    for (int step = 0; step < 3; step++) {
        gather(*mesh, n);
        advance(mesh, 0.25);
        mesh->scale(0.5);
        std::vector<double> before = x;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 4; k++)
                force[i] += before[(i + k * 3) % n];
        for (int i = 0; i < n; i++)
            x[i] = (x[i] + force[i] * 0.25) * 0.5;
    }
    for (int i = 0; i < n; i++)
        check_near("mesh", i, mesh->x(i), x[i], 1e-12);
    std::vector<double> most(n);
    extremes(*mesh, most);
    for (int i = 0; i < n; i++) {
        double want = x[i];
        for (int k = 1; k < 4; k++)
            want = x[(i + k * 3) % n] > want ? x[(i + k * 3) % n] : want;
        check_near("most", i, most[i], want + mesh->force(i), 1e-12);
    }
    delete mesh;

    Matrix p(30, std::vector<double>(20, 1.5)), q(20, std::vector<double>(40)), r(30, std::vector<double>(40));
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 40; j++)
            q[i][j] = i * j % 7;
    for (int step = 0; step < 3; step++) {
        multiply(p, q, r);
        for (int i = 0; i < 30; i++)
            for (int j = 0; j < 40; j++) {
                double want = 0;
                for (int k = 0; k < 20; k++)
                    want += p[i][k] * q[k][j];
                check_near("product", i * 40 + j, r[i][j], want, 1e-12);
            }
        q[3][3] += r[2][2];
        p[1].push_back(4);
        p[2].resize(200, 1.0);
        std::swap(p[4], p[5]);
        p[4][0] = step;
    }

    /* Vectors that grow and change places. */
    std::vector<double> a(n, 1.0), b(n, 2.0);
    for (int step = 0; step < 4; step++) {
#pragma omp parallel for
        for (int i = 0; i < (int)a.size(); i++)
            a[i] += b[i] * (step + 1);
        std::swap(a, b);
        a.push_back(step);
        b.push_back(7);
    }
    /* a: 1+2=3 and b: 2; 2+3*2=8, 3; 3+8*3=27, 8; 8+27*4=116, 27. */
    check_near("a", 0, a[5], 27, 0);
    check_near("b", 0, b[5], 116, 0);
    check_near("total", 0, total(a), 27.0 * n + a[n] + a[n + 1] + a[n + 2] + a[n + 3], 1e-12);

    std::vector<Point> all(300);
    for (int i = 0; i < 300; i++)
        all[i] = Point{(double)i, 0.0, i % 100};
    for (int i = 0; i < 100; i++)
        table[i] = i * 0.25f;
    points(all, table);
    for (int i = 0; i < 300; i++) {
        check_near("x", i, all[i].x, i + (i % 100) * 0.25, 0);
        check_near("y", i, all[i].y, 2 * all[i].x, 0);
    }

    /* The table in a region with several loops, and an array. */
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 100; i++)
            table[i] = i;
#pragma omp for
        for (int i = 0; i < 16; i++)
            counts[i] = (int)table[i] * 2 + i;
    }
    for (int i = 0; i < 16; i++)
        check_int("counts", i, counts[i], 3 * i);

    std::vector<int, Counting<int>> counted(50, 1);
    std::vector<std::vector<int, Counting<int>>> counted_rows(50, counted);
#pragma omp parallel for
    for (int i = 0; i < 50; i++)
        counted[i] += i;
#pragma omp parallel for
    for (int i = 0; i < 50; i++)
        counted_rows[i][2] += i;
    for (int i = 0; i < 50; i++) {
        check_int("counted", i, counted[i], 1 + i);
        check_int("counted_rows", i, counted_rows[i][2], 1 + i);
    }

    /* These stay with the host's threads. */
    std::vector<bool> odd(64);
    std::vector<std::vector<int>> rows(20, std::vector<int>(5, 1));
    std::vector<int> own(4, 9);
#pragma omp parallel for num_threads(1)
    for (int i = 0; i < 64; i++)
        odd[i] = i % 2;
#pragma omp parallel for
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 5; j++)
            rows[i][j] += i * j;
#pragma omp parallel for firstprivate(own)
    for (int i = 0; i < 20; i++) {
        own[1] = i;
        rows[i][0] += own[1] + own[3];
    }
    for (int i = 0; i < 64; i++)
        check_int("odd", i, odd[i], i % 2);
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 5; j++)
            check_int("rows", i * 5 + j, rows[i][j], 1 + i * j + (j == 0 ? i + 9 : 0));
    return finish();
}
