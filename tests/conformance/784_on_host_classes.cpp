// C++ that devices do not have: virtual functions, containers, streams and exceptions in constructs that the host runs.
// needs: separate
// expect: launches=1
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>
#include "check.h"

const int N = 50;

struct Shape
{
    virtual double area() const = 0;
    virtual ~Shape() {}
};

struct Square : Shape
{
    double side = 2;
    double area() const override { return side * side; }
};

template <typename T> void scaled(T *a, int n, Shape &shape)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = T(a[i] * shape.area());
}

struct Field
{
    int count = N;
    double values[N];
    int sorted(Shape &shape)
    {
        int changed = 0;
#pragma acc serial copy(this[0:1]) copy(changed)
        {
            std::vector<double> order(values, values + count);
            std::sort(order.begin(), order.end());
            std::copy(order.begin(), order.end(), values);
            try {
                if (shape.area() > 3)
                    throw 5;
            } catch (int code) {
                changed = code;
            }
        }
        return changed;
    }
};

int main()
{
    Square square;
    static double a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc data copy(a)
    {
        for (int i = 0; i < N; i++)
            a[i] = -1;
        scaled(a, N, square);
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            a[i] += 1;
    }
    for (int i = 0; i < N; i++)
        check_near("a", i, a[i], 4.0 * i + 1, 0);
    int whole[N];
    for (int i = 0; i < N; i++)
        whole[i] = i;
    scaled(whole, N, square);
    for (int i = 0; i < N; i++)
        check_int("whole", i, whole[i], 4 * i);

    Field field;
    for (int i = 0; i < N; i++)
        field.values[i] = N - i;
    check_int("changed", 0, field.sorted(square), 5);
    for (int i = 0; i < N; i++)
        check_near("sorted", i, field.values[i], i + 1, 0);

    std::string text = "none";
    int length = 0;
#pragma acc parallel copy(length)
    {
        std::ostringstream stream;
        stream << "of " << N;
        text = stream.str();
        length = (int)text.size();
    }
    check_int("length", 0, length, 5);
    return finish();
}
