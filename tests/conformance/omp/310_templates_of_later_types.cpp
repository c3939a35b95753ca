// Function templates that hold constructs, and types defined behind them in namespaces that are opened again. The
// types' own functions, in the same namespaces, use them at once.
// expect: launches=2
#include "../check.h"
#include "parts/copy_in.h"
namespace store {
struct Pair {
    int a, b;
};

static void put(Pair *p) { check_true("the pair has a device address", copy_in(p) != nullptr); }
static void take(Pair *p) { fetch(p); }
}

namespace model {
inline namespace one {
struct Row {
    double v[4];
};

static void put(Row *r, int n) { check_true("the rows have a device address", store::copy_in(r, n) != nullptr); }
static void take(Row *r, int n) { store::fetch(r, n); }
}
}

int main(void) {
    store::Pair pair = {1, 2}, *p = &pair;
    model::Row rows[8] = {}, *r = rows;
    store::put(p);
    model::put(r, 8);
#pragma omp target
    p->a += 10 * p->b;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++)
            r[i].v[j] = i + 10 * j;
    store::take(p);
    model::take(r, 8);
    check_int("pair", 0, pair.a, 21);
    double sum = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++)
            sum += rows[i].v[j];
    check_near("sum", 0, sum, 592, 1e-12);
    return finish();
}
