# The host writes one element of a large array between launches, again and again, and kernels only read the array: its page alone is sent,
# however often that was so before.
cat >bias.c <<'END'
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20, STEPS = 400 };

int main(void)
{
    float *units = malloc(N * sizeof(float)), *sums = calloc(N, sizeof(float));
    for (int i = 0; i < N; i++)
        units[i] = 1;
    for (int step = 0; step < STEPS; step++) {
        units[0] = step;
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            sums[i] += units[i];
    }
    printf("%g %g\n", sums[0], sums[N - 1]);
    return 0;
}
END
"$ACCL" cc -O2 -fopenmpc bias.c -o bias
ACC_DEVICE_TYPE=cpu ACCL_CPU_MEMORY=separate ACCL_NOTIFY=3 ./bias >printed 2>log
[ "$(cat printed)" = "79800 400" ] || fail "$(cat printed)"
# The array is 4 MiB, and 400 pages have 1.6 MiB.
bytes=$(sed -n 's/^upload .*variable=units.* bytes=//p' log | awk '{ sum += $1 } END { print sum }')
[ "$bytes" -lt 8000000 ] || fail "$bytes bytes were sent"
[ "$(grep -c '^launch ' log)" = 400 ] || fail "$(grep -c '^launch ' log) launches"
