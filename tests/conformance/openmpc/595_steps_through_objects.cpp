// A loop that goes on by what it assigns through `operator[]` or another member function waits for nobody: labels of a graph's components,
// which threads shorten side by side.
// expect: launches=3
#include "../check.h"

class Labels {
public:
    explicit Labels(int n) : first(new int[n]) {}
    ~Labels() { delete[] first; }
    int &operator[](int i) { return first[i]; }
    int &at(int i) { return first[i]; }

private:
    int *first;
};

enum { N = 3000 };

int main()
{
    Labels labels(N), others(N);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        labels[i] = i % 10 == 0 ? i : i - 1;
        others.at(i) = i == 0 ? 0 : i / 2;
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        while (labels[i] != labels[labels[i]])
            labels[i] = labels[labels[i]];
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        while (others.at(i) != others.at(others.at(i)))
            others.at(i) = others.at(others.at(i));
    for (int i = 0; i < N; i++) {
        check_int("labels", i, labels[i], i / 10 * 10);
        check_int("others", i, others.at(i), 0);
    }
    return finish();
}
