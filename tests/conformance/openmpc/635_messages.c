// Loops that tell of errors in branches run on the device, and say as often as they would: the same text from each iteration.
// expect: launches=5
// expect-stderr: limit 40 passed in 7 places
#include "../check.h"
#include <stdlib.h>

enum { N = 50000 };
static int kind[N], times;
static double value[N];

static void by_kind(FILE *log, int n, int limit)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double v;
        switch (kind[i]) {
        case 0:
            v = i;
            break;
        case 1:
            v = -i;
            break;
        default:
            fprintf(log, "%s %d: no such kind\n", "line", 2);
            v = 0;
            break;
        }
        value[i] = v;
        if (v > limit)
            if (i % 7000 == 0)
                puts("large");
    }
}

static void in_region(int limit)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            value[i] = i % 50;
#pragma omp for
        for (int i = 0; i < N; i++) {
            if (value[i] > limit) {
                value[i] = limit;
                if (i < 350 && i % 50 == 49)
                    fprintf(stderr, "limit %d passed in 7 places\n", limit);
            }
        }
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        kind[i] = i % 2;
    FILE *log = tmpfile();
    by_kind(log, N, 100);
    kind[100] = kind[N - 1] = kind[77] = 5;
    by_kind(log, N, 100);
    by_kind(stderr, 101, 100);
    rewind(log);
    char line[80];
    while (fgets(line, sizeof line, log))
        times++;
    check_int("lines in the file", 0, times, 3);
    check_near("what they are for is zero", 100, value[100], 0, 0);
    check_near("others", 1001, value[1001], -1001, 0);
    in_region(40);
    check_near("limited", 49, value[49], 40, 0);
    check_near("not limited", 30, value[30], 30, 0);
    return finish();
}
