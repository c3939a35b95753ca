/* What the runtime costs: launches, reductions, data regions, transfers.
 *
 *   cc -O2 -I../abi/include -Itests/programs benches/latency.c libaccl_runtime.a -lpthread -ldl -lm
 */
#include "saxpy.h"
#include <time.h>

SITE(data_site, "data", 10);
SITE(update_site, "update", 20);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(void) {
    enum { SMALL = 256, TIMES = 20000 };
    size_t large = (size_t)256 << 20;
    float *x = malloc(large), *y = malloc(large);
    memset(x, 0, large), memset(y, 0, large);
    accl_var vars[2] = {section("x", x, 0, SMALL, 4, ACCL_COPYIN), section("y", y, 0, SMALL, 4, ACCL_COPY)};
    accl_data_begin(&data_site, vars, 2, ACCL_SYNC);
    double total = 0;
    saxpy(vars, 1, SMALL, ACCL_SYNC), sum(vars + 1, &total, SMALL, ACCL_SYNC), acc_wait_all();

    double t = now();
    for (int i = 0; i < TIMES; i++) saxpy(vars, 1, SMALL, ACCL_SYNC);
    double issued = now() - t;
    acc_wait_all();
    printf("launch                      %8.3f us to issue, %8.3f us each\n", issued / TIMES * 1e6, (now() - t) / TIMES * 1e6);

    t = now();
    for (int i = 0; i < TIMES; i++) {
        accl_var present[2] = {vars[0], vars[1]};
        present[0].kind = present[1].kind = ACCL_PRESENT;
        accl_data_begin(&data_site, present, 2, ACCL_SYNC);
        saxpy(present, 1, SMALL, ACCL_SYNC);
        accl_data_end(&data_site, present, 2, ACCL_SYNC);
    }
    issued = now() - t;
    acc_wait_all();
    printf("launch with present clauses %8.3f us to issue, %8.3f us each\n", issued / TIMES * 1e6, (now() - t) / TIMES * 1e6);

    t = now();
    for (int i = 0; i < TIMES / 4; i++) sum_by(4, vars + 1, &total, SMALL, ACCL_SYNC);
    printf("launch with a reduction     %8.3f us each\n", (now() - t) / (TIMES / 4) * 1e6);

    t = now();
    for (int i = 0; i < TIMES / 4; i++) saxpy(vars, 1, SMALL, ACCL_SYNC), acc_wait_all();
    printf("launch and wait             %8.3f us each\n", (now() - t) / (TIMES / 4) * 1e6);

    accl_var self = section("y", y, 0, SMALL, 4, ACCL_UPDATE_SELF);
    t = now();
    for (int i = 0; i < TIMES / 4; i++) accl_update(&update_site, &self, 1, ACCL_SYNC);
    printf("update self, 1 KiB          %8.3f us each\n", (now() - t) / (TIMES / 4) * 1e6);
    self.kind = ACCL_UPDATE_DEVICE;
    t = now();
    for (int i = 0; i < TIMES / 4; i++) accl_update(&update_site, &self, 1, ACCL_SYNC);
    acc_wait_all();
    printf("update device, 1 KiB        %8.3f us each\n", (now() - t) / (TIMES / 4) * 1e6);
    accl_data_end(&data_site, vars, 2, ACCL_SYNC);

    t = now();
    for (int i = 0; i < TIMES / 4; i++) {
        accl_var region[2] = {section("x", x, 0, SMALL, 4, ACCL_COPYIN), section("y", y, 0, SMALL, 4, ACCL_CREATE)};
        accl_data_begin(&data_site, region, 2, ACCL_SYNC);
        saxpy(region, 1, SMALL, ACCL_SYNC);
        accl_data_end(&data_site, region, 2, ACCL_SYNC);
    }
    acc_wait_all();
    printf("region with copyin, create  %8.3f us each\n", (now() - t) / (TIMES / 4) * 1e6);

    for (size_t bytes = 64 << 10; bytes <= large; bytes <<= 2) {
        accl_var region = section("x", x, 0, bytes / 4, 4, ACCL_CREATE), up = region, down = region;
        up.kind = ACCL_UPDATE_DEVICE, down.kind = ACCL_UPDATE_SELF;
        accl_data_begin(&data_site, &region, 1, ACCL_SYNC);
        accl_update(&update_site, &up, 1, ACCL_SYNC), accl_update(&update_site, &down, 1, ACCL_SYNC);
        int times = bytes < (16 << 20) ? 50 : 5;
        t = now();
        for (int i = 0; i < times; i++) accl_update(&update_site, &up, 1, ACCL_SYNC), acc_wait_all();
        double upload = (now() - t) / times;
        t = now();
        for (int i = 0; i < times; i++) accl_update(&update_site, &down, 1, ACCL_SYNC);
        double download = (now() - t) / times;
        printf("%6zu KiB: upload %7.2f GB/s, download %7.2f GB/s\n", bytes >> 10, bytes / upload * 1e-9, bytes / download * 1e-9);
        accl_data_end(&data_site, &region, 1, ACCL_SYNC);
    }
    return 0;
}
