// Temporaries and parameters by value whose destructors do something that is seen: they end with the full expression. The host runs
// the construct where it depends on a condition whether a temporary is made.
// expect: launches=6
#include "check.h"

#define N 32

struct Counts {
    int *count;
    int by;
    explicit Counts(int *count, int by = 100) : count(count), by(by) {}
    ~Counts() { *count += by; }
    int now() const { return *count; }
    Counts &more(int n)
    {
        by += n;
        return *this;
    }
};

struct Copied {
    int *count;
    explicit Copied(int *count) : count(count) {}
    Copied(const Copied &other) : count(other.count) { *count += 1000; }
    ~Copied() { *count += 1; }
};

static int by_value(Counts counts) { return *counts.count; }
static int by_reference(const Counts &counts) { return counts.now() + 1; }
static int sum(Counts a, Counts b) { return *a.count + *b.count; }
static int take(Copied copied) { return *copied.count; }
static Counts make(int *count) { return Counts(count, 7); }
static int in_return(int *count) { return by_value(Counts(count, 3)) + *count; }

int main()
{
    int o[N], p[N];
#pragma acc parallel loop copyout(o, p)
    for (int i = 0; i < N; i++) {
        int c = 0;
        (void)Counts(&c);
        Counts(&c, 5).more(i);
        p[i] = by_value(Counts(&c));
        p[i] += by_reference(Counts(&c)) * 2;
        o[i] = c;
    }
    for (int i = 0; i < N; i++) {
        check_int("temporaries", i, o[i], 305 + i);
        check_int("before their end", i, p[i], 105 + i + 2 * (206 + i));
    }

#pragma acc parallel loop copyout(o, p)
    for (int i = 0; i < N; i++) {
        int c = i;
        if (by_value(Counts(&c)) == i)
            c *= 2;
        int x = sum(Counts(&c), Counts(&c, 1));
        x += in_return(&c);
        p[i] = x;
        o[i] = c;
    }
    for (int i = 0; i < N; i++) {
        int c = (i + 100) * 2;
        check_int("a condition", i, p[i], 2 * c + 2 * (c + 101));
        check_int("all ended", i, o[i], c + 104);
    }

#pragma acc parallel loop copyout(o, p)
    for (int i = 0; i < N; i++) {
        int c = i;
        {
            Counts owned = make(&c);
            c += owned.by;
            make(&c);
            Counts other = Counts(&c, 1);
            p[i] = c;
            by_value(owned);
        }
        o[i] = c;
    }
    for (int i = 0; i < N; i++) {
        check_int("what functions return", i, p[i], i + 14);
        check_int("each ended once", i, o[i], i + 14 + 7 + 1 + 7);
    }

#pragma acc parallel loop copyout(o, p)
    for (int i = 0; i < N; i++) {
        int c = 0;
        {
            Copied one(&c);
            p[i] = take(one) + take(Copied(&c));
        }
        o[i] = c;
    }
    for (int i = 0; i < N; i++) {
        check_int("copied", i, p[i], 1000 + 1000);
        check_int("ends of copies", i, o[i], 1003);
    }

    int total = 0;
#pragma acc serial copy(total)
    {
        for (int i = 0; i < 4; i++)
            (void)Counts(&total, i);
        int turns = 0;
        while (by_value(Counts(&total, 10)) < 40)
            turns++;
        total = 100 * total + turns;
    }
    check_int("a loop", 0, total, 5604);

#pragma acc parallel loop copyout(o, p)
    for (int i = 0; i < N; i++) {
        int c = 0;
        switch (by_value(Counts(&c, 2))) {
        case 0:
            c += 5;
        }
        p[i] = c;
        o[i] = c;
    }
    for (int i = 0; i < N; i++)
        check_int("a switch", i, p[i], 7);

    // ACCL0249: the host runs it.
#pragma acc parallel loop copyout(o)
    for (int i = 0; i < N; i++) {
        int c = 0;
        int r = i % 2 && by_value(Counts(&c)) == 0;
        o[i] = c + r;
    }
    for (int i = 0; i < N; i++)
        check_int("under a condition", i, o[i], i % 2 ? 101 : 0);
    return finish();
}
