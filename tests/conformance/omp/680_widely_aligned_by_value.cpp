// Structures that are aligned to 32 and 64 bytes, members of others, that kernels take by value and in arrays.
// expect: launches=2
#include "../check.h"

#define N 20

struct alignas(32) Four {
    double v[4];
    Four operator*(double s) const { return {{v[0] * s, v[1] * s, v[2] * s, v[3] * s}}; }
};

struct alignas(64) Line {
    float a;
    char c;
};

struct Record {
    char kind;
    Line lines[2];
    double d;
    Line last;
    short s;
};

int main()
{
    Four x{{1, 2, 3, 4}}, y;
#pragma omp target map(from : y) firstprivate(x)
    {
        y = x * 2;
        x.v[0] += 1;
        for (int i = 0; i < 4; i++)
            y.v[i] -= x.v[i] / 4;
    }
    for (int i = 0; i < 4; i++)
        check_near("four", i, y.v[i], 2.0 * (i + 1) - (i + 1 + (i == 0)) / 4.0, 1e-12);

    static Record records[N];
    for (int i = 0; i < N; i++) {
        records[i].kind = i;
        records[i].lines[0].a = i;
        records[i].lines[1].c = i + 1;
        records[i].d = i * 0.5;
        records[i].s = -i;
    }
    Record one = records[7];
    double total = 0;
#pragma omp target teams distribute parallel for map(tofrom : records) firstprivate(one) reduction(+ : total)
    for (int i = 0; i < N; i++) {
        Record r = records[i];
        r.lines[1].a = r.lines[0].a * 2 + one.d;
        r.last.c = r.kind;
        r.s += one.s;
        records[i] = r;
        total += r.d + r.lines[1].c;
    }
    check_near("total", 0, total, 95 + 210, 1e-9);
    for (int i = 0; i < N; i++) {
        check_near("a", i, records[i].lines[1].a, 2 * i + 3.5, 1e-5);
        check_int("c", i, records[i].last.c, i);
        check_int("s", i, records[i].s, -i - 7);
    }
    return finish();
}
