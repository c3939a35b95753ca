// Constructs that the host runs have copies of static members and of variables of namespaces, too: the originals keep their values.
// expect: launches=0
#include "../check.h"

struct Counter {
    static int count;
    static int table[4];
    int own = 1;
    int in_method()
    {
        int result = 0;
#pragma omp target map(from: result)
        {
            static int calls;
            calls++;
            Counter::count += own;
            count += 2;
            result = Counter::count + calls;
        }
        return result;
    }
};
int Counter::count = 5;
int Counter::table[4] = {1, 2, 3, 4};

namespace outer {
int total = 3;
template <class T>
struct Of {
    static T sum;
};
template <class T>
T Of<T>::sum = 7;
}
int plain = 4;

int main()
{
    int result = 0;
#pragma omp target map(from: result)
    {
        static int calls;
        calls++;
        Counter::count += 10;
        Counter::table[1] = 9;
        outer::total++;
        ::plain++;
        plain++;
        outer::Of<int>::sum *= 2;
        result = Counter::count + Counter::table[1] + outer::total + plain + outer::Of<int>::sum + calls;
    }
    check_int("inside", 0, result, 15 + 9 + 4 + 6 + 14 + 1);
    check_int("member", 0, Counter::count, 5);
    check_int("array", 0, Counter::table[1], 9);
    check_int("of a namespace", 0, outer::total, 3);
    check_int("of none", 0, plain, 4);
    check_int("of a template", 0, outer::Of<int>::sum, 7);

    Counter counter;
    check_int("in a method", 0, counter.in_method(), 9);
    check_int("member after", 0, Counter::count, 5);

#pragma omp target map(tofrom: Counter::count) map(from: result)
    {
        static int calls;
        calls++;
        Counter::count += 10;
        result = calls;
    }
    check_int("mapped", 0, Counter::count, 15);
    return finish();
}
