// Static members that only their class may name: kernels elsewhere use them through its functions, and `declare` stands in the class.
// expect: launches=4
#include "check.h"

class Counter
{
    static int total;
    static double table[4];
    static const int step = 2;
#pragma acc declare create(total) copyin(table)

public:
    static void reset(int value)
    {
        total = value;
#pragma acc update device(total)
    }
    static void add(int n)
    {
#pragma acc atomic
        total += n * step;
    }
    static double look(int i) { return table[i % 4]; }
    static int get()
    {
#pragma acc update self(total)
        return total;
    }
};
int Counter::total = 5;
double Counter::table[4] = {1, 2, 3, 4};

class Plain
{
    static int hits;

public:
    static void count(int n)
    {
#pragma acc parallel loop copy(hits)
        for (int i = 0; i < n; i++) {
#pragma acc atomic
            hits++;
        }
    }
    static int seen() { return hits; }
};
int Plain::hits = 1;

int main()
{
    double looked[8];
    Counter::reset(0);
#pragma acc parallel loop
    for (int i = 0; i < 100; i++)
        Counter::add(i);
    check_int("declared in the class", 0, Counter::get(), 9900);
#pragma acc parallel loop copyout(looked)
    for (int i = 0; i < 8; i++)
        looked[i] = Counter::look(i) * 10;
    for (int i = 0; i < 8; i++)
        check_near("table", i, looked[i], 10 * (i % 4 + 1), 0);
    Plain::count(10);
    check_int("in a clause", 0, Plain::seen(), 11);
    int seen[4];
#pragma acc parallel loop copyout(seen)
    for (int i = 0; i < 4; i++)
        seen[i] = Plain::seen() + i;
    check_int("by a function", 3, seen[3], 14);
    return finish();
}
