// Subscripts that are expressions: calls of macros, subscripts in subscripts, % for periodic
// borders, negative offsets from a shifted base, i[a].
// expect: launches=1 uploads=2 downloads=1
#include <stdlib.h>
#include "check.h"

#define WRAP(i, n) (((i) + (n)) % (n))
#define IDX(i, j, m) ((i) * (m) + (j))

int main(void)
{
    int n = 34, m = 21;
    int *a = malloc(n * m * sizeof *a), *map = malloc(m * sizeof *map);
    int *out = malloc(n * m * sizeof *out);
    for (int i = 0; i < n * m; i++)
        a[i] = (i * 71) % 1009;
    for (int j = 0; j < m; j++)
        map[j] = (j * 8 + 3) % m;
#pragma acc parallel loop collapse(2) copyin(a[0:n * m], map[0:m]) copyout(out[0:n * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const int *center = &a[IDX(i, j, m)];
            int sum = a[IDX(WRAP(i - 1, n), j, m)] + a[IDX(WRAP(i + 1, n), map[map[j]], m)];
            if (i > 0)
                sum += center[-m];
            sum += j[map] + (IDX(i, j, m))[a];
            out[IDX(i, j, m)] = sum;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int up = (i + n - 1) % n, down = (i + 1) % n;
            int want = a[up * m + j] + a[down * m + map[map[j]]] + map[j] + a[i * m + j];
            want += i > 0 ? a[(i - 1) * m + j] : 0;
            check_int("out", i * m + j, out[i * m + j], want);
        }
    free(a);
    free(map);
    free(out);
    return finish();
}
