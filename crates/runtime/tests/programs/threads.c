/* Host threads that use one device at the same time: shared data, own data, own queues. */
#include "saxpy.h"
#include <pthread.h>

SITE(data_site, "data", 10);
enum { N = 20000, THREADS = 4, TIMES = 25 };
static float x[N], y[THREADS][N];

static void *work(void *number) {
    int t = (int)(intptr_t)number;
    for (int k = 0; k < TIMES; k++) {
        int64_t async = k % 2 ? ACCL_SYNC : t;
        accl_var vars[2] = {section("x", x, 0, N, 4, ACCL_COPYIN), section("y", y[t], 0, N, 4, ACCL_COPY)};
        double total = 0, expected = 0;
        accl_data_begin(&data_site, vars, 2, async);
        saxpy(vars, 1, N, async);
        sum(vars + 1, &total, N, async);
        accl_data_end(&data_site, vars, 2, async);
        accl_wait(&data_site, &async, 1, ACCL_SYNC);
        for (int i = 0; i < N; i++) expected += y[t][i];
        CHECK(total == expected);
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < N; i++) x[i] = (float)(i % 3);
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, work, (void *)(intptr_t)t);
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < N; i++) CHECK(y[t][i] == TIMES * (float)(i % 3));
    CHECK(!acc_is_present(x, 4));
    printf("ok\n");
    return 0;
}
