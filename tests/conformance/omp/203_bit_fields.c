// Bit-fields in code for devices, read and written, as the host's compiler lays them out: C11 §6.7.2.1, §6.5.16.
// expect: launches=4
#include "../check.h"
#include <string.h>

#define N 300

enum Colour { RED, GREEN, BLUE };

typedef struct {
    unsigned a : 5, b : 11;
    int c : 7;
    int : 3;
    _Bool d : 1;
    unsigned e : 30;
} Packed;

typedef struct {
    char first;
    int near : 6;
    unsigned split : 20;
    char between;
    int alone : 3;
    short behind;
    long wide : 40;
    unsigned long other : 24;
    int : 0;
    signed char last : 4;
    enum Colour colour : 2;
    double value;
    unsigned tail : 9;
} Mixed;

typedef struct {
    Packed inner[2];
    unsigned count : 12;
    unsigned char flag : 1, more : 7;
} Nested;

static Packed p[N], q[N];
static Mixed m[N], w[N];
static Nested n[N], o[N];

static const Packed table[3] = {{1, 2, -3, 1, 4}, {31, 2047, 63, 0, 1}, {.c = -64, .e = 77}};

#pragma omp declare target
static int weight(const Packed *of)
{
    return of->a + of->b * 3 + of->c + of->d;
}
#pragma omp end declare target

// What is done on the device, and here.
static void change_packed(Packed *x, int i)
{
    Packed local = {i, i * 7, -i, i & 1, i * 1000};
    x->a = local.a + 1;
    x->b += local.b;
    x->c++;
    --x->c;
    x->c -= 2;
    x->d = x->b > 100;
    x->e = local.e ^ x->a;
    x->e <<= 1;
    int before = x->a--;
    int after = x->a = before + 30;
    x->b ^= after;
    *x = i % 50 == 0 ? table[i % 3] : *x;
}

static void change_mixed(Mixed *x, int i)
{
    x->first = i;
    x->near = i - 3;
    x->split = x->split * 5 + i * 999;
    x->between ^= x->near;
    x->alone = -x->alone - (i & 3);
    x->behind += x->alone;
    x->wide = x->wide * 31 - i * 123456789L;
    x->other |= i * 3;
    x->last = i;
    x->colour = i % 3 == 0 ? BLUE : GREEN;
    x->value = x->last + x->wide * 0.5;
    x->tail = x->tail + x->last;
    x->tail %= 100;
}

static void change_nested(Nested *x, int i)
{
    x->inner[i & 1].a += i;
    x->inner[1 - (i & 1)].e = x->count;
    x->count = x->inner[i & 1].a + i;
    x->flag = x->count & 1;
    x->more = ~x->more;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        memset(&p[i], i, sizeof(Packed));
        memset(&m[i], i * 3, sizeof(Mixed));
        memset(&n[i], i * 5, sizeof(Nested));
    }
    memcpy(q, p, sizeof p);
    memcpy(w, m, sizeof m);
    memcpy(o, n, sizeof n);
    long sum = 0, expected = 0;
#pragma omp target teams distribute parallel for map(tofrom: p)
    for (int i = 0; i < N; i++)
        change_packed(&p[i], i);
#pragma omp target teams distribute parallel for map(tofrom: m)
    for (int i = 0; i < N; i++)
        change_mixed(&m[i], i);
#pragma omp target teams distribute parallel for map(tofrom: n)
    for (int i = 0; i < N; i++)
        change_nested(&n[i], i);
#pragma omp target teams distribute parallel for map(to: p) reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += weight(&p[i]) + (p[i].c < 0 ? 1000 : p[i].e % 7) + table[i % 3].b + (int)sizeof(Mixed);
    for (int i = 0; i < N; i++) {
        change_packed(&q[i], i);
        change_mixed(&w[i], i);
        change_nested(&o[i], i);
        expected += weight(&q[i]) + (q[i].c < 0 ? 1000 : q[i].e % 7) + table[i % 3].b + (int)sizeof(Mixed);
    }
    for (int i = 0; i < N; i++) {
        check_int("a", i, p[i].a, q[i].a);
        check_int("b", i, p[i].b, q[i].b);
        check_int("c", i, p[i].c, q[i].c);
        check_int("d", i, p[i].d, q[i].d);
        check_int("e", i, p[i].e, q[i].e);
        check_int("first", i, m[i].first, w[i].first);
        check_int("near", i, m[i].near, w[i].near);
        check_int("split", i, m[i].split, w[i].split);
        check_int("between", i, m[i].between, w[i].between);
        check_int("alone", i, m[i].alone, w[i].alone);
        check_int("behind", i, m[i].behind, w[i].behind);
        check_int("wide", i, m[i].wide, w[i].wide);
        check_int("other", i, m[i].other, w[i].other);
        check_int("last", i, m[i].last, w[i].last);
        check_int("colour", i, m[i].colour, w[i].colour);
        check_near("value", i, m[i].value, w[i].value, 0);
        check_int("tail", i, m[i].tail, w[i].tail);
        check_int("nested", i, memcmp(&n[i], &o[i], sizeof(Nested)), 0);
    }
    check_int("sum", 0, sum, expected);
    return finish();
}
