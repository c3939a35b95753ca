// Objects that each thread has for itself and whose methods change them go on from iteration to iteration: such loops stay with the host's
// threads, those whose methods only read are the device's.
// env: ACCL_DEVICE_CHOICE=never
// expect: launches=2
#include "../check.h"
#include <algorithm>
#include <cstdlib>

struct Queue {
    int *shared;
    size_t in;
};

class Buffer {
    size_t n, room;
    int *local;
    Queue &queue;

public:
    Buffer(Queue &queue) : n(0), room(100), queue(queue) { local = new int[room]; }
    ~Buffer() { delete[] local; }
    void push(int v)
    {
        if (n == room)
            flush();
        local[n++] = v;
    }
    void flush()
    {
        size_t start = __sync_fetch_and_add(&queue.in, n);
        std::copy(local, local + n, queue.shared + start);
        n = 0;
    }
};

struct Count {
    long n, m;
    void add(long v)
    {
        n += v;
        one();
    }
    void one() { m++; }
};

struct Bins {
    long of[4];
    long &at(int i) { return of[i]; }
};

class Generator {
    unsigned state;

public:
    Generator(unsigned seed) : state(seed) {}
    unsigned next() { return state = state * 1664525u + 1013904223u; }
};

struct Line {
    double a, b;
    double at(double x) const { return a * x + b; }
    double slope() { return a; }
};

template <class N, class D = N, bool checked = true, int step = 2 * 3> class Row {
    D *p;
    N n;

public:
    Row(D *p, N n) : p(p), n(n) {}
    D *begin() const { return p; }
    N size() const { return n; }
};

// A class whose template's default arguments are left out of its name.
template <class N, class D = N> struct Squares {
    void make(const Row<N, D> &row, D *out)
    {
#pragma omp parallel for
        for (N i = 0; i < row.size(); i++)
            std::copy(row.begin() + i, row.begin() + i + 1, out + i);
    }
};

int main()
{
    const int n = 20000;
    Queue queue = {new int[n], 0};
    int *a = new int[n];
    double *x = new double[n];
    for (int i = 0; i < n; i++)
        a[i] = i * 7 % 1000;
    long sum = 0, found = 0, bins[4] = {0, 0, 0, 0}, total = 0, number = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] < 100 ? a[i] : 0;
        number += a[i] < 100;
    }
#pragma omp parallel
    {
        Buffer buffer(queue);
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            if (a[i] < 100)
                buffer.push(a[i]);
        buffer.flush();
    }
    for (size_t i = 0; i < queue.in; i++)
        found += queue.shared[i];
    check_int("queue", 0, (long)queue.in, number);
    check_int("found", 0, found, sum);
    found = 0;
#pragma omp parallel
    {
        Count count;
        count.n = count.m = 0;
        Bins own = {{0, 0, 0, 0}};
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            if (a[i] < 100)
                count.add(a[i]);
#pragma omp for
        for (int i = 0; i < n; i++)
            own.at(i % 4) += 1;
#pragma omp critical
        {
            found += count.n;
            total += count.m;
            for (int k = 0; k < 4; k++)
                bins[k] += own.of[k];
        }
    }
    check_int("count", 0, found, sum);
    check_int("total", 0, total, number);
    for (int k = 0; k < 4; k++)
        check_int("bin", k, bins[k], n / 4);

    Generator generator(7);
#pragma omp parallel for firstprivate(generator) num_threads(1)
    for (int i = 0; i < n; i++)
        x[i] = generator.next();
    Generator again(7);
    for (int i = 0; i < n; i++)
        check_near("generator", i, x[i], again.next(), 0);

#pragma omp parallel
    {
        Line line = {2, 1};
#pragma omp for
        for (int i = 0; i < n; i++)
            x[i] = line.at(a[i]) + line.slope();
    }
    for (int i = 0; i < n; i++)
        check_near("line", i, x[i], 2.0 * a[i] + 3, 0);
    int *out = new int[n];
    Squares<int>().make(Row<int>(a, n), out);
    for (int i = 0; i < n; i++)
        check_int("row", i, out[i], a[i]);
    return finish();
}
