// Objects with pointers whose methods make others of these, iterators and ranges: what residency cannot follow the host's threads run,
// also where the object lies on a stack. Distances of pointers in memory need no device addresses.
// expect: launches=10
#include "../check.h"
#include <cstddef>

class Graph {
    int n, **index;

    class Neighbours {
        int node, **index;
        ptrdiff_t first;

    public:
        Neighbours(int node, int **index, ptrdiff_t first) : node(node), index(index), first(0)
        {
            const ptrdiff_t most = end() - begin();
            this->first = first < most ? first : most;
        }
        int *begin() { return index[node] + first; }
        int *end() { return index[node + 1]; }
    };

public:
    Graph(int n, int **index) : n(n), index(index) {}
    int nodes() const { return n; }
    long degree(int v) const { return index[v + 1] - index[v]; }
    Neighbours neighbours(int v, ptrdiff_t first = 0) const { return Neighbours(v, index, first); }
};

template <typename T> class Grown {
    T *start = nullptr, *behind = nullptr, *limit = nullptr;

public:
    size_t size() const { return behind - start; }
    T operator[](size_t at) const { return start[at]; }
    void push(T value)
    {
        if (behind == limit) {
            const size_t room = start ? 2 * (limit - start) : 1;
            T *larger = new T[room];
#pragma omp parallel for
            for (size_t i = 0; i < size(); i++)
                larger[i] = start[i];
            behind = larger + size();
            delete[] start;
            start = larger;
            limit = start + room;
        }
        *behind++ = value;
    }
};

static void degrees(const Graph &g, long *d)
{
#pragma omp parallel for
    for (int v = 0; v < g.nodes(); v++)
        d[v] = g.degree(v);
}

static void sums(const Graph &g, long *d)
{
#pragma omp parallel for
    for (int v = 0; v < g.nodes(); v++) {
        long sum = 0;
        for (int other : g.neighbours(v, 1))
            sum += other;
        d[v] += 100 * sum;
    }
}

int main()
{
    const int n = 500;
    int *ends = new int[3 * n], **index = new int *[n + 1];
    for (int v = 0; v <= n; v++)
        index[v] = ends + 3 * v;
    for (int k = 0; k < 3 * n; k++)
        ends[k] = k * 7 % n;
    const Graph g(n, index);
    long *d = new long[n];
    degrees(g, d);
    for (int v = 0; v < n; v++)
        check_int("degree", v, d[v], 3);
    sums(g, d);
    for (int v = 0; v < n; v++)
        check_int("sum", v, d[v], 3 + 100 * (ends[3 * v + 1] + ends[3 * v + 2]));
    Grown<int> all;
    for (int k = 0; k < 100; k++)
        all.push(3 * k);
    for (int k = 0; k < 100; k++)
        check_int("grown", k, all[k], 3 * k);
    return finish();
}
