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

enum { SMALL = 256, BATCHES = 101, BATCH = 100 };
static accl_var vars[2];
static double total;

static void launch(void) { saxpy(vars, 1, SMALL, ACCL_SYNC); }
static void launch_present(void) {
    accl_var present[2] = {vars[0], vars[1]};
    present[0].kind = present[1].kind = ACCL_PRESENT;
    accl_data_begin(&data_site, present, 2, 1);
    saxpy(present, 1, SMALL, 1);
    accl_data_end(&data_site, present, 2, 1);
}
static void launch_reduction(void) { sum_by(4, vars + 1, &total, SMALL, ACCL_SYNC); }
static void launch_wait(void) { launch(), acc_wait_all(); }
static void update(uint32_t kind) {
    accl_var v = vars[1];
    v.kind = kind;
    accl_update(&update_site, &v, 1, ACCL_SYNC);
}
static void update_self(void) { update(ACCL_UPDATE_SELF); }
static void update_device(void) { update(ACCL_UPDATE_DEVICE); }
static float own_x[SMALL], own_y[SMALL];
static void region(void) {
    accl_var own[2] = {section("x", own_x, 0, SMALL, 4, ACCL_COPYIN), section("y", own_y, 0, SMALL, 4, ACCL_CREATE)};
    accl_data_begin(&data_site, own, 2, ACCL_SYNC);
    saxpy(own, 1, SMALL, ACCL_SYNC);
    accl_data_end(&data_site, own, 2, ACCL_SYNC);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of many batches, with the wait for the last launch counted and not. */
static void measure(const char *what, void (*action)(void)) {
    static double issued[BATCHES], done[BATCHES];
    for (int b = 0; b < BATCHES; b++) {
        double t = now();
        for (int i = 0; i < BATCH; i++) action();
        issued[b] = now() - t;
        acc_wait_all();
        done[b] = now() - t;
    }
    qsort(issued, BATCHES, sizeof *issued, by_value), qsort(done, BATCHES, sizeof *done, by_value);
    printf("%-28s%8.3f us to issue, %8.3f us each\n", what, issued[BATCHES / 2] / BATCH * 1e6, done[BATCHES / 2] / BATCH * 1e6);
}

int main(void) {
    size_t large = (size_t)256 << 20;
    float *x = malloc(large), *y = malloc(large);
    memset(x, 0, large), memset(y, 0, large);
    vars[0] = section("x", x, 0, SMALL, 4, ACCL_COPYIN), vars[1] = section("y", y, 0, SMALL, 4, ACCL_COPY);
    accl_data_begin(&data_site, vars, 2, ACCL_SYNC);
    measure("launch", launch);
    measure("launch with present clauses", launch_present);
    measure("launch with a reduction", launch_reduction);
    measure("launch and wait", launch_wait);
    measure("update self, 1 KiB", update_self);
    measure("update device, 1 KiB", update_device);
    measure("region with copyin, create", region);
    accl_data_end(&data_site, vars, 2, ACCL_SYNC);

    double t;
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
