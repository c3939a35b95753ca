// Functions of <ctype.h>, <string.h> and <stdlib.h> that need nothing but their arguments, glibc's macros for them, and arithmetic
// that tells whether it overflows.
// expect: launches=4 uploads<=5 downloads<=6
#define _GNU_SOURCE
#include "../check.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define N 256
#define WORDS 6
#define LENGTH 24

static int classes(int c)
{
    int of = (isalpha(c) != 0) | (isdigit(c) != 0) << 1 | (isalnum(c) != 0) << 2 | (isspace(c) != 0) << 3;
    of |= (isupper(c) != 0) << 4 | (islower(c) != 0) << 5 | (ispunct(c) != 0) << 6 | (isprint(c) != 0) << 7;
    of |= (isgraph(c) != 0) << 8 | (iscntrl(c) != 0) << 9 | (isxdigit(c) != 0) << 10 | (isblank(c) != 0) << 11;
    return of + toupper(c) * 4096 + (tolower(c) << 20);
}

static long of_words(const char *a, const char *b)
{
    char made[2 * LENGTH];
    strcpy(made, a);
    strcat(made, b);
    strncat(made, "xyz", 2);
    long sum = (long)strlen(made) + 10 * strnlen(made, 7);
    const char *at = strchr(made, 'o'), *last = strrchr(made, 'o'), *part = strstr(made, "ow");
    sum = sum * 3 + (at ? at - made : -1);
    sum = sum * 3 + (last ? last - made : -1);
    sum = sum * 3 + (part ? part - made : -1);
    sum = sum * 3 + (memchr(a, 'e', strlen(a)) != 0);
    sum = sum * 3 + (long)(strspn(a, "abcdefgh") + strcspn(a, "xyzw"));
    int order = memcmp(a, b, 3), letters = strcasecmp(a, b), some = strncasecmp(a, b, 2);
    sum = sum * 5 + (order > 0) - (order < 0);
    sum = sum * 5 + (letters > 0) - (letters < 0);
    sum = sum * 5 + (some > 0) - (some < 0);
    strncpy(made, b, 8);
    for (int i = 0; i < 8; i++)
        sum = sum * 3 + made[i];
    return sum + atoi(a) + atol(b);
}

static int overflows(int i, int *value, long *wide)
{
    int a = i % 2 ? INT_MAX - i : INT_MIN + i, b = (i - 128) * 3, c;
    unsigned u;
    long l, m = i % 3 ? LONG_MIN / (i + 1) : LONG_MAX / (i + 1);
    unsigned long ul;
    int of = __builtin_add_overflow(a, b, &c);
    *value = c;
    of |= __builtin_sub_overflow(a, b, &c) << 1;
    *value ^= c;
    of |= __builtin_mul_overflow(i * 1000, b * 100, &c) << 2;
    *value += c;
    of |= __builtin_uadd_overflow(UINT_MAX - 100, i, &u) << 3;
    of |= __builtin_sub_overflow(100u, (unsigned char)i, &u) << 4;
    *value += u;
    of |= __builtin_mul_overflow(m, (long)(i - 5), &l) << 5;
    *wide = l;
    of |= __builtin_saddl_overflow(m, LONG_MIN / 2, &l) << 6;
    *wide ^= l;
    of |= __builtin_mul_overflow(ULONG_MAX / 100, (unsigned long)i, &ul) << 7;
    *wide += ul;
    of |= __builtin_mul_overflow(-1L, i ? LONG_MIN : LONG_MAX, &l) << 8;
    return of;
}

static double drawn(unsigned seed)
{
    unsigned short state[3] = {(unsigned short)seed, 17, (unsigned short)(seed >> 3)};
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += rand_r(&seed) / (double)RAND_MAX + erand48(state) + (double)(nrand48(state) % 100);
    return sum;
}

int main(void)
{
    static const char words[WORDS][LENGTH] = {"cow", "COW bell", "12 hens", "-77", "elbow", "window"};
    static int of_character[N], of_sums[N], values[N];
    static long of_pair[WORDS * WORDS], wide[N];
    static double random[N];
#pragma omp target teams distribute parallel for map(from : of_character)
    for (int c = 0; c < N; c++)
        of_character[c] = classes(c);
#pragma omp target teams distribute parallel for map(to : words) map(from : of_pair)
    for (int k = 0; k < WORDS * WORDS; k++)
        of_pair[k] = of_words(words[k / WORDS], words[k % WORDS]);
#pragma omp target teams distribute parallel for map(from : of_sums, values, wide)
    for (int i = 0; i < N; i++)
        of_sums[i] = overflows(i, &values[i], &wide[i]);
#pragma omp target teams distribute parallel for map(from : random)
    for (int i = 0; i < N; i++)
        random[i] = drawn(i);
    for (int i = 0; i < N; i++) {
        int value;
        long w;
        check_int("classes", i, of_character[i], classes(i));
        check_int("overflows", i, of_sums[i], overflows(i, &value, &w));
        check_int("value", i, values[i], value);
        check_int("wide", i, wide[i], w);
        check_near("random", i, random[i], drawn(i), 1e-12);
    }
    for (int k = 0; k < WORDS * WORDS; k++)
        check_int("words", k, of_pair[k], of_words(words[k / WORDS], words[k % WORDS]));
    return finish();
}
