// Pointers to string literals in kernels: given to functions, chosen, elements of tables, returned. They are arrays on the device, which
// `default(none)` does not ask for.
// expect: launches=2 uploads<=7 downloads<=2
#include "check.h"
#include <string.h>
#define N 60

static int sum(const char *text)
{
    int of = 0;
    for (const char *at = text; *at; at++)
        of = of * 3 + *at;
    return of;
}

static const char *unit(int k) { return k % 3 == 0 ? "mm" : k % 3 == 1 ? "cm" : "an inch"; }

static int contains(const char *text, char c)
{
    while (*text && *text != c)
        text++;
    return *text == c;
}

int main(void)
{
    int a[N], b[N];
#pragma acc parallel loop default(none) copyout(a)
    for (int i = 0; i < N; i++) {
        const char *names[2] = {"one", "th\"ree\n"};
        a[i] = sum(names[i & 1]) + sum(i % 3 ? "abc" : "an inch") + strcmp("ab", unit(i));
    }
#pragma acc parallel loop copyout(b)
    for (int i = 0; i < N; i++) {
        const char *text = unit(i);
        b[i] = contains(text, 'm') + 10 * contains("aeiou", 'a' + i % 26) + (int)strlen(text) * 100;
    }
    for (int i = 0; i < N; i++) {
        const char *names[2] = {"one", "th\"ree\n"};
        int order = strcmp("ab", unit(i));
        check_true("order", (a[i] - sum(names[i & 1]) - sum(i % 3 ? "abc" : "an inch") < 0) == (order < 0));
        check_int("contains", i, b[i],
                  contains(unit(i), 'm') + 10 * contains("aeiou", 'a' + i % 26) + (int)strlen(unit(i)) * 100);
    }
    return finish();
}
