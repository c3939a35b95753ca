// Objects that an iteration declares, whose constructors and methods write pointers into them: the neighbours of a node as a graph's
// class hands them to a range loop, a cursor that goes along a row and is handed on, and one that is part of another object.
// env: ACCL_DEVICE_CHOICE=never
// expect: launches=4
#include "../check.h"
#include <algorithm>
#include <cstddef>

class Graph {
    class Neighbours {
        int node, **index;
        size_t first;

    public:
        Neighbours(int node, int **index, size_t first) : node(node), index(index), first(0)
        {
            size_t most = end() - begin();
            this->first = std::min(first, most);
        }
        int *begin() { return index[node] + first; }
        int *end() { return index[node + 1]; }
    };
    int n, **index;

public:
    Graph(int n, int **index) : n(n), index(index) {}
    int size() const { return n; }
    Neighbours neighbours(int node, size_t first = 0) const { return Neighbours(node, index, first); }
};

class Cursor {
    const int *at, *end;

public:
    Cursor(const int *begin, const int *end)
    {
        at = begin;
        this->end = end;
    }
    bool more() const { return at != end; }
    void next() { ++at; }
    int value() const { return *at; }
};

struct Counted {
    Cursor cursor;
    int steps;
    Counted(const int *begin, const int *end) : cursor(begin, end), steps(0) {}
    void next()
    {
        cursor.next();
        steps++;
    }
};

static void skip(Cursor &cursor, int count)
{
    while (count-- > 0 && cursor.more())
        cursor.next();
}

int main()
{
    const int n = 3000;
    int *edges = new int[4 * n], **rows = new int *[n + 1];
    long *sums = new long[n], *most = new long[n], *steps = new long[n];
    rows[0] = edges;
    for (int i = 0; i < n; i++) {
        rows[i + 1] = rows[i] + i % 4;
        for (int k = 0; k < i % 4; k++)
            rows[i][k] = (7 * i + 11 * k) % n;
    }
    Graph graph(n, rows);

#pragma omp parallel for schedule(dynamic, 64)
    for (int u = 0; u < graph.size(); u++) {
        sums[u] = 0;
        for (int v : graph.neighbours(u))
            sums[u] += v;
    }
    long visited = 0;
#pragma omp parallel for reduction(+ : visited)
    for (int u = 0; u < graph.size(); u++)
        for (int &v : graph.neighbours(u, 1)) {
            v++;
            visited++;
        }
#pragma omp parallel for
    for (int u = 0; u < n; u++) {
        Cursor cursor(rows[u], rows[u + 1]);
        skip(cursor, 1);
        most[u] = -1;
        for (; cursor.more(); cursor.next())
            most[u] = std::max(most[u], (long)cursor.value());
    }
#pragma omp parallel for
    for (int u = 0; u < n; u++) {
        Counted counted(rows[u], rows[u + 1]);
        steps[u] = 0;
        for (; counted.cursor.more(); counted.next())
            steps[u] += counted.cursor.value();
        steps[u] += counted.steps;
    }

    long wanted = 0;
    for (int u = 0; u < n; u++) {
        long sum = 0, best = -1, all = u % 4;
        for (int k = 0; k < u % 4; k++) {
            int before = (7 * u + 11 * k) % n, now = before + (k > 0);
            sum += before;
            all += now;
            best = k > 0 ? std::max(best, (long)now) : best;
            wanted += k > 0;
        }
        check_int("sums", u, sums[u], sum);
        check_int("most", u, most[u], best);
        check_int("steps", u, steps[u], all);
    }
    check_int("visited", 0, visited, wanted);
    return finish();
}
