// Stream compaction through a captured counter, and atomics on members of structures.
// expect: launches=1 uploads>=2 downloads>=2
#include <stdlib.h>
#include "check.h"

struct bucket {
    int count;
    double sum;
};

static int ascending(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

int main(void)
{
    enum { N = 3000 };
    static int in[N], kept[N];
    int count = 0, want = 0;
    struct bucket buckets[3] = {{0, 0.0}};
    for (int i = 0; i < N; i++)
        in[i] = (i * 37) % 4001;
#pragma acc parallel loop copyin(in) copyout(kept) copy(count, buckets)
    for (int i = 0; i < N; i++)
        if (in[i] % 3 == 0) {
            int at;
#pragma acc atomic capture
            at = count++;
            kept[at] = in[i];
#pragma acc atomic update
            buckets[i % 3].count += 1;
#pragma acc atomic update
            buckets[i % 3].sum += in[i];
        }
    qsort(kept, count, sizeof *kept, ascending);
    static int expected[N];
    struct bucket want_buckets[3] = {{0, 0.0}};
    for (int i = 0; i < N; i++)
        if (in[i] % 3 == 0) {
            expected[want++] = in[i];
            want_buckets[i % 3].count++;
            want_buckets[i % 3].sum += in[i];
        }
    qsort(expected, want, sizeof *expected, ascending);
    check_int("count", 0, count, want);
    for (int i = 0; i < want; i++)
        check_int("kept", i, kept[i], expected[i]);
    for (int b = 0; b < 3; b++) {
        check_int("buckets.count", b, buckets[b].count, want_buckets[b].count);
        check_near("buckets.sum", b, buckets[b].sum, want_buckets[b].sum, 0.0);
    }
    return finish();
}
