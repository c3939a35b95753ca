// Members of objects, by `this`, by references and through pointers; arrays by reference in templates (2.5.15).
#include "check.h"
#define CHECK(condition) check_true(#condition, condition)

template <int N>
static void bins(const int *p, int n, int (&out)[N])
{
#pragma acc parallel loop reduction(+ : out) copyin(p[0 : n])
    for (int i = 0; i < n; i++)
        out[p[i] % N] += 1;
}

template <class T>
static T sum(const T *p, int n)
{
    T out[2] = {0, 0};
#pragma acc parallel loop reduction(+ : out[1]) copyin(p[0 : n])
    for (int i = 0; i < n; i++)
        out[1] += p[i];
    return out[1];
}

struct Vector {
    double x, y;
    int v[3];
};

class Counter {
public:
    int hits[4] = {0, 0, 0, 0};
    int n = 0;

    void count(int m)
    {
#pragma acc parallel loop reduction(+ : n) copy(this[0 : 1])
        for (int i = 0; i < m; i++)
            n += 1;
#pragma acc parallel loop reduction(+ : this->n) copy(this[0 : 1])
        for (int i = 0; i < m; i++)
            this->n += 1;
#pragma acc parallel loop reduction(+ : hits) copy(this[0 : 1])
        for (int i = 0; i < m; i++)
            hits[i % 4] += 1;
#pragma acc parallel loop gang reduction(max : n) copy(this[0 : 1])
        for (int i = 0; i < m; i++) {
#pragma acc loop vector reduction(max : n)
            for (int j = 0; j < 9; j++)
                n = n > i * j ? n : i * j;
        }
    }
};

int main()
{
    int p[100];
    double q[64];
    for (int i = 0; i < 100; i++)
        p[i] = i;
    for (int i = 0; i < 64; i++)
        q[i] = 0.5;
    int b[5] = {0};
    bins(p, 100, b);
    for (int k = 0; k < 5; k++)
        check_int("b", k, b[k], 20);
    CHECK(sum(p, 100) == 4950);
    CHECK(sum(q, 64) == 32);

    Counter c;
    c.count(40);
    check_int("n", 0, c.n, 39 * 8);
    for (int k = 0; k < 4; k++)
        check_int("hits", k, c.hits[k], 10);

    Vector v = {0, 1, {0, 0, 0}}, *to = &v, &same = v;
#pragma acc parallel loop reduction(+ : to->x) reduction(* : to->y) copy(to[0 : 1])
    for (int i = 0; i < 10; i++) {
        to->x += i;
        to->y *= 2;
    }
    CHECK(v.x == 45 && v.y == 1024);
#pragma acc parallel loop reduction(+ : to->v) copy(to[0 : 1])
    for (int i = 0; i < 90; i++)
        to->v[i % 3] += 1;
    CHECK(v.v[0] == 30 && v.v[2] == 30);
#pragma acc parallel loop reduction(min : same.x)
    for (int i = 0; i < 10; i++)
        if (same.x > i + 3)
            same.x = i + 3;
    CHECK(v.x == 3);

    int m[2][4] = {{0}}, (*rows)[4] = m;
#pragma acc parallel loop reduction(+ : rows[0 : 2][0 : 4]) num_workers(4) vector_length(32)
    for (int i = 0; i < 600; i++)
        rows[i % 2][i % 4] += 1;
    CHECK(m[0][0] == 150 && m[1][3] == 150 && m[0][1] == 0);
    int w[3] = {0, 0, 0};
#pragma acc parallel loop reduction(+ : w) num_gangs(7) num_workers(4) vector_length(32)
    for (int i = 0; i < 900; i++)
        w[i % 3]++;
    CHECK(w[0] == 300 && w[1] == 300 && w[2] == 300);
    return finish();
}
