// `declare target` and its end around functions in classes and class templates.
// expect: launches=2
#include "../check.h"

struct Point {
    double x, y;
#pragma omp declare target
    Point operator+(const Point &o) const { return {x + o.x, y + o.y}; }
    double dot(const Point &o) const { return x * o.x + y * o.y; }
#pragma omp end declare target
};

template <class T> class Row {
    T *data;
    int length;

  public:
    explicit Row(int n) : data(new T[n]), length(n) {}
    ~Row() { delete[] data; }
#pragma omp begin declare target
    T &operator[](int i) { return data[i]; }
    const T &operator[](int i) const { return data[i]; }
    static T twice(T value) { return value + value; }
#pragma omp end declare target
    T *begin() { return data; }
    int size() const { return length; }
};

int main()
{
    Row<int> row(50);
    int *values = row.begin(), n = row.size();
#pragma omp target teams distribute parallel for map(from: values[0 : n])
    for (int i = 0; i < n; i++)
        values[i] = Row<int>::twice(i);
    for (int i = 0; i < n; i++)
        check_int("a member of a template", i, row[i], 2 * i);

    Point p{1, 2}, q{3, 4};
    double result = 0;
#pragma omp target map(to: p, q) map(from: result)
    result = (p + q).dot(q);
    check_near("members of a class", 0, result, 36, 0);
    return finish();
}
