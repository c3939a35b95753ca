// Members of classes in the padding at the end of their bases, over several levels: read, written, copied and mapped.
// expect: launches=4 fallbacks=0
#include "../check.h"

template <class T> class Storage {
protected:
    T *values;
    int count;

public:
    Storage(T *values, int n) : values(values), count(n)
    {
        for (int i = 0; i < n; i++)
            values[i] = i;
    }
    int size() const { return count; }
    T get(int i) const { return values[i % count]; }
};

class Middle : public Storage<double> {
public:
    int step;
    short kind;
    Middle(double *values, int n, int step) : Storage<double>(values, n), step(step), kind(3) {}
};

struct Leaf : Middle {
    char tag;
    float weight;
    Leaf(double *values, int n, int step, char tag, float weight)
        : Middle(values, n, step), tag(tag), weight(weight)
    {
    }
    double sum()
    {
        double s = 0, *v = values;
        int n = count;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : v[0 : n])
        for (int i = 0; i < n; i++)
            s += v[i] * step + kind + tag * weight;
        return s;
    }
    void write(double *out)
    {
#pragma omp target teams distribute parallel for map(from : out[0 : count]) map(to : values[0 : count])
        for (int i = 0; i < count; i++)
            out[i] = get(i) * step + size() + tag + weight + kind;
    }
};

struct Point {
    double x;
    int id;

private:
    int *unused() { return &id; }

protected:
    short level;
};

struct Weighted : Point {
    short weight;
    void set(double at, int number, short w) { x = at, id = number, level = 1, weight = w; }
    int sum() const { return id + level + weight; }
};

int main()
{
    const int n = 100;
    double values[n], out[n], expected = 0;
    Leaf leaf(values, n, 2, 5, 0.5f), copy = leaf;
    double sum = leaf.sum();
    leaf.write(out);
    for (int i = 0; i < n; i++) {
        expected += i * 2 + 3 + 2.5;
        check_near("out", i, out[i], i * 2 + n + 5 + 0.5 + 3, 0);
    }
    check_near("sum", 0, sum, expected, 1e-12);

    int size = 0, step = 0;
    float weight = 0;
#pragma omp target map(from : size, step, weight) map(tofrom : copy)
    {
        size = copy.size();
        copy.step += 1;
        step = copy.step;
        weight = copy.weight;
        copy.weight = 9;
        copy.tag = 1;
    }
    check_true("read", size == n && step == 3 && weight == 0.5f);
    check_true("written", copy.weight == 9 && copy.tag == 1 && copy.kind == 3 && copy.size() == n);

    Weighted points[50], others[50];
    int sums[50];
    for (int i = 0; i < 50; i++)
        points[i].set(i, i + 1, (short)(i + 2));
#pragma omp target teams distribute parallel for map(tofrom : points) map(from : others, sums)
    for (int i = 0; i < 50; i++) {
        Weighted point = points[i];
        Point base = point;
        point.x += base.id;
        point.weight *= 2;
        points[i] = point;
        others[49 - i] = point;
        sums[i] = point.sum();
    }
    for (int i = 0; i < 50; i++) {
        check_true("elements", points[i].x == 2 * i + 1 && points[i].id == i + 1 && points[i].weight == 2 * (i + 2));
        check_true("others", others[49 - i].sum() == sums[i] && sums[i] == i + 2 + 2 * (i + 2));
    }
    return finish();
}
