// What is evaluated first: the right side of an assignment before its left side, other operands from the left to the right.
// expect: launches=1
#include "check.h"

static double &halved(double &x) { x *= 0.5; return x; }
static int next(int &i) { i += 1; return i; }
static double less(double a, double b) { return a - b; }
struct Counter {
    int count;
    double v[3];
    int next() { return count++; }
    double &operator[](int k) { count += 10; return v[k]; }
    Counter &operator+=(double x) { v[0] += x; return *this; }
    Counter &moved(int by) { count += by; return *this; }
    double less(int n) const { return count - n; }
};
struct Pair {
    double x, y;
};

static void compute(int i, double *a, int *at, Counter &c, double *o)
{
    // The right side first, in plain and compound assignments, of numbers, calls and structures.
    halved(a[0]) = a[0] + 1;
    o[0] = a[0];
    halved(a[1]) += a[1];
    o[1] = a[1];
    c[1] = c.count;
    o[2] = c.v[1];
    Pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
    int k = 0;
    pairs[next(k)] = Pair{k + 1.0, pairs[k].x};
    o[3] = pairs[1].x + 10 * pairs[1].y;
    pairs[k] = {pairs[k].y, pairs[next(k)].x};
    o[4] = pairs[2].x + 10 * pairs[2].y;
    a[at[0]] = next(at[0]);
    o[5] = a[i % 2 + 1];
    halved(c.v[0]) += halved(c.v[0]);
    (c += c.v[0]) += halved(c.v[0]);
    o[6] = c.v[0];
    // From the left to the right.
    o[7] = a[k] + next(k) * a[k] + (k += 1);
    o[8] = less(k, next(k));
    o[9] = less(a[2], halved(a[2]));
    o[10] = c.moved(1).less(c.next());
    o[11] = (k << next(k)) + (c.count && c.next() ? c.count : 0);
    int list[] = {k, next(k), k};
    o[12] = list[0] + 10 * list[1] + 100 * list[2];
    // Places that hold their own subscript.
    int self[4] = {2, 1, 1, 0};
    o[13] = (self[self[0]] = 3) + (self[self[3]] = 1) + ++self[self[0]];
    o[14] = self[0] + 10 * self[1] + 100 * self[2] + 1000 * self[3];
    int stack[4], top = 0;
    stack[top++] = top;
    stack[top++] = top;
    stack[top] = top++;
    o[15] = stack[0] + 10 * stack[1] + 100 * stack[2] + 1000 * top;
}

int main()
{
    const int n = 64, results = 16;
    double o[n * results], want[results];
    int at[n];
    for (int i = 0; i < n; i++)
        at[i] = i % 2;
#pragma acc parallel loop copyin(at) copyout(o)
    for (int i = 0; i < n; i++) {
        double a[6] = {8.0 + i, 6, 12, 1, 2, 3};
        Counter c = {i, {16, 2, 4}};
        int mine[1] = {at[i]};
        compute(i, a, mine, c, o + i * results);
    }
    for (int i = 0; i < n; i++) {
        double a[6] = {8.0 + i, 6, 12, 1, 2, 3};
        Counter c = {i, {16, 2, 4}};
        int mine[1] = {at[i]};
        compute(i, a, mine, c, want);
        for (int k = 0; k < results; k++)
            check_near("o", i * 100 + k, o[i * results + k], want[k], 1e-14);
    }
    return finish();
}
