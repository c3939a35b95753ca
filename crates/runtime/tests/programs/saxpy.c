/* saxpy and a sum, synchronous and on queues, with structured and dynamic data. */
#include "saxpy.h"

SITE(data_site, "data", 10);
SITE(enter_site, "enter data", 30);
SITE(exit_site, "exit data", 31);
SITE(update_site, "update", 32);
SITE(wait_site, "wait", 33);

enum { N = 100003 };
static float x[N], y[N];

static double expected_sum(void) {
    double s = 0;
    for (int i = 0; i < N; i++) s += y[i];
    return s;
}

int main(void) {
    for (int i = 0; i < N; i++) x[i] = (float)(i % 7), y[i] = 1;

    /* a data region with a kernel and a reduction */
    accl_var vars[2] = {section("x[0:n]", x, 0, N, 4, ACCL_COPYIN), section("y[0:n]", y, 0, N, 4, ACCL_COPY)};
    double total = 5;
    accl_data_begin(&data_site, vars, 2, ACCL_SYNC);
    saxpy(vars, 2, N, ACCL_SYNC);
    sum(vars + 1, &total, N, ACCL_SYNC);
    double during = total;
    accl_data_end(&data_site, vars, 2, ACCL_SYNC);
    for (int i = 0; i < N; i++) CHECK(y[i] == 1 + 2 * (float)(i % 7));
    CHECK(during == 5 + expected_sum());
    CHECK(!acc_is_present(x, sizeof x));

    /* dynamic data, a section in the middle, two queues, zero trips */
    accl_var whole[2] = {section("x", x, 0, N, 4, ACCL_COPYIN), section("y", y, 10, N - 20, 4, ACCL_COPYIN)};
    accl_enter_data(&enter_site, whole, 2, 1);
    CHECK(acc_is_present(x, sizeof x) && acc_is_present(y + 10, 4) && !acc_is_present(y + 9, 4));
    accl_var part[2] = {section("x", x, 10, N - 20, 4, ACCL_PRESENT), section("y", y, 10, N - 20, 4, ACCL_PRESENT)};
    accl_data_begin(&data_site, part, 2, 1);
    accl_var moved[2] = {part[0], part[1]};
    for (int k = 0; k < 2; k++) moved[k].base = (char *)moved[k].base + 40, moved[k].offset = 0;
    saxpy(moved, 1, N - 20, 1);
    int64_t one = 1;
    accl_wait(&wait_site, &one, 1, 2);
    saxpy(moved, 1, N - 20, 2);
    saxpy(moved, 1, 0, 2);
    total = 0;
    sum(moved + 1, &total, N - 20, 2);
    int64_t two = 2;
    accl_wait(&wait_site, &two, 1, ACCL_SYNC);
    accl_data_end(&data_site, part, 2, 1);
    accl_var back = section("y", y, 10, N - 20, 4, ACCL_UPDATE_SELF);
    accl_update(&update_site, &back, 1, ACCL_SYNC);
    double s = 0;
    for (int i = 10; i < N - 10; i++) s += y[i];
    CHECK(total == s);
    CHECK(y[10] == 1 + 4 * (float)(10 % 7));
    CHECK(y[9] == 1 + 2 * (float)(9 % 7));
    whole[0].kind = ACCL_DELETE, whole[1].kind = ACCL_COPYOUT;
    accl_exit_data(&exit_site, whole, 2, ACCL_SYNC);
    CHECK(!acc_is_present(x, 4) && !acc_is_present(y + 10, 4));

    /* sync work is seen by a queue that follows it */
    accl_var both[2] = {section("x", x, 0, N, 4, ACCL_COPYIN), section("y", y, 0, N, 4, ACCL_COPY)};
    for (int i = 0; i < N; i++) x[i] = 1, y[i] = 0;
    accl_data_begin(&data_site, both, 2, ACCL_SYNC);
    for (int k = 0; k < 20; k++) {
        saxpy(both, 1, N, ACCL_SYNC);
        saxpy(both, 1, N, 7);
        int64_t seven = 7;
        accl_wait(&wait_site, &seven, 1, ACCL_SYNC);
    }
    accl_data_end(&data_site, both, 2, 7);
    accl_wait(&wait_site, NULL, 0, ACCL_SYNC);
    for (int i = 0; i < N; i++) CHECK(y[i] == 40);
    CHECK(acc_async_test_all());
    printf("ok\n");
    return 0;
}
