// What is assigned to the base of an object leaves the members of the derived class that lie in the base's padding, whatever
// the assignment is written through. Such constructs run on the host, others that use the classes on the device.
// needs: separate
// expect: launches=1
#include "check.h"

class Base
{
  public:
    Base(double x, char tag) : x(x), tag(tag) {}
    double x;
    char tag;
    void set(const Base &from) { *this = from; }
};

class Derived : public Base
{
  public:
    Derived(double x, char tag, char own) : Base(x, tag), own(own) {}
    char own;
    int more = 3;
};

#pragma acc routine seq
void by_reference(Base &to, const Base &from)
{
    to = from;
}

#pragma acc routine seq
void by_pointer(Base *to, const Base *from)
{
    *to = *from;
}

#pragma acc routine seq
Base made(int i)
{
    for (int n = 0; n < 100; n++)
        if (i < n)
            return Base(n, 1);
    return Base(i, 2);
}

const int N = 4;

static void expect(const Derived *d, int step, bool reversed)
{
    for (int i = 0; i < N; i++) {
        int from = reversed ? N - 1 - i : i;
        check_int("own", i, d[i].own, i + 3 + step);
        check_int("more", i, d[i].more, 3);
        check_near("x", i, d[i].x, from + 1, 0);
    }
}

int main()
{
    Derived d[N] = {{1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {4, 5, 6}};
    Base bases[N] = {{1, 2}, {2, 3}, {3, 4}, {4, 5}};
    double out[N];
#pragma acc parallel loop copy(d) copyout(out)
    for (int i = 0; i < N; i++) {
        out[i] = d[i].x * 10 + d[i].tag + d[i].own * 0.5 + d[i].more * 100;
        d[i].own++;
    }
    for (int i = 0; i < N; i++)
        check_near("out", i, out[i], (i + 1) * 10 + i + 2 + (i + 3) * 0.5 + 300, 0);
    expect(d, 1, false);
#pragma acc parallel loop copy(d) copyin(bases)
    for (int i = 0; i < N; i++)
        static_cast<Base &>(d[i]) = bases[N - 1 - i];
    expect(d, 1, true);
#pragma acc parallel loop copy(d) copyin(bases)
    for (int i = 0; i < N; i++)
        by_reference(d[i], bases[i]);
    expect(d, 1, false);
#pragma acc parallel loop copy(d) copyin(bases)
    for (int i = 0; i < N; i++)
        by_pointer(&d[i], &bases[N - 1 - i]);
    expect(d, 1, true);
#pragma acc parallel loop copy(d) copyin(bases)
    for (int i = 0; i < N; i++) {
        Base &base = d[i];
        base = bases[i];
    }
    expect(d, 1, false);
#pragma acc parallel loop copy(d) copyin(bases)
    for (int i = 0; i < N; i++)
        d[i].set(bases[N - 1 - i]);
    expect(d, 1, true);
#pragma acc parallel loop copy(d)
    for (int i = 0; i < N; i++)
        static_cast<Base &>(d[i]) = made(i);
    expect(d, 1, false);
    return finish();
}
