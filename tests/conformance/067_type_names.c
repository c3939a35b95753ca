// Types are what the program declares, whatever they are called: names of built-in types and of other languages' types,
// tags that are typedefs of something else, and names that inner scopes give another meaning.
// expect: launches=6
#include "check.h"

typedef int bool;
typedef struct node *node;
struct node {
    double value;
    int next;
};
typedef unsigned char uint;
typedef double float4;
typedef struct {
    short x, y;
} int2;
typedef long half;
typedef short int64;
typedef char size_type;
enum color { RED };
typedef double color;
struct byte {
    int a, b;
};
typedef short byte;
typedef struct later *later;
struct later {
    char c;
    later follow;
};
typedef float string[5];

#define N 10

int main(void)
{
    bool m[N];
    struct node nodes[N];
    uint u[N];
    float4 f[N];
    int2 q[N];
    half h[N];
    int64 s[N];
    size_type z[N];
    color c[N];
    enum color e[N];
    struct byte sb[N];
    byte b[N];
    struct later l[N];
    string str[2];
    node p = nodes;
    typedef char T;
    int sum = 0;

    for (int i = 0; i < N; i++)
        m[i] = 1000 + i;
#pragma acc parallel loop reduction(+ : sum) copyin(m[0 : sizeof(bool) + 6])
    for (int i = 0; i < N; i++)
        sum += m[i];
    check_int("sum of bool", 0, sum, 10045);

#pragma acc parallel loop copyout(m, nodes, u, f, q, h, s, z, c, e, sb, b, l, str)
    for (int i = 0; i < N; i++) {
        m[i] = 300 * i;
        nodes[i].value = 0.5 * i;
        nodes[i].next = i;
        u[i] = 100 * i;
        f[i] = i + 1e-9;
        q[i].x = i;
        q[i].y = -i;
        h[i] = i * 10000000000L;
        s[i] = 30000 * i;
        z[i] = 70 * i;
        c[i] = i / 8.0;
        e[i] = RED + i;
        sb[i].a = i;
        sb[i].b = 2 * i;
        b[i] = 10000 * i;
        l[i].c = i;
        str[i / 5][i % 5] = i + 0.25f;
    }
    for (int i = 0; i < N; i++) {
        check_int("bool", i, m[i], 300 * i);
        check_near("node", i, nodes[i].value, 0.5 * i, 0);
        check_int("uint", i, u[i], 100 * i % 256);
        check_near("float4", i, f[i], i + 1e-9, 0);
        check_int("int2", i, q[i].x + 10 * q[i].y, -9 * i);
        check_int("half", i, h[i], i * 10000000000L);
        check_int("int64", i, s[i], (short)(30000 * i));
        check_int("size_type", i, z[i], (char)(70 * i));
        check_near("color", i, c[i], i / 8.0, 0);
        check_int("enum color", i, e[i], i);
        check_int("struct byte", i, sb[i].a + sb[i].b, 3 * i);
        check_int("byte", i, b[i], (short)(10000 * i));
        check_int("later", i, l[i].c, i);
        check_near("string", i, str[i / 5][i % 5], i + 0.25, 0);
    }

    sum = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(p[0:N])
    for (int i = 0; i < N; i++) {
        T x = 200 + i;
        sum += x + p[i].next;
    }
    check_int("sum of char", 0, sum, -56 * N + 90);
    {
        typedef double T;
        struct node {
            char c;
        } inner[N];
        T y[N], *yp = y;
#pragma acc parallel loop copyout(yp[0:N], inner)
        for (int i = 0; i < N; i++) {
            yp[i] = 1.5 * i;
            inner[i].c = i;
        }
        for (int i = 0; i < N; i++)
            check_near("inner T", i, y[i] + inner[i].c, 2.5 * i, 0);
    }
    T t[N], *tp = t;
    struct node *np = nodes;
#pragma acc parallel loop copyout(tp[0:N]) copy(np[0:N])
    for (int i = 0; i < N; i++) {
        tp[i] = 130 + i;
        np[i].value += 1;
    }
    sum = 0;
#pragma acc parallel loop copyin(tp[0:N]) reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += tp[i];
    check_int("outer T", 0, sum, -126 * N + 45);
    for (int i = 0; i < N; i++)
        check_near("outer node", i, nodes[i].value, 0.5 * i + 1, 0);
    return finish();
}
