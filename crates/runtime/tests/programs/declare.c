/* declare at file scope: the data are there on every device, from its start. */
#include "saxpy.h"

SITE(declare_site, "declare", 5);
SITE(data_site, "data", 10);
static float x[64], y[64];

__attribute__((constructor)) static void declare(void) {
    for (int i = 0; i < 64; i++) x[i] = (float)i;
    accl_var vars[2] = {section("x", x, 0, 64, 4, ACCL_COPYIN), section("y", y, 0, 64, 4, ACCL_CREATE)};
    accl_declare(&declare_site, vars, 2);
}

int main(void) {
    CHECK(acc_is_present(x, sizeof x) && acc_is_present(y, sizeof y));
    acc_delete_finalize(x, sizeof x);
    CHECK(acc_is_present(x, sizeof x));
    acc_update_device(y, sizeof y);
    accl_var vars[2] = {section("x", x, 0, 64, 4, ACCL_PRESENT), section("y", y, 0, 64, 4, ACCL_COPY)};
    accl_data_begin(&data_site, vars, 2, ACCL_SYNC);
    saxpy(vars, 3, 64, ACCL_SYNC);
    accl_data_end(&data_site, vars, 2, ACCL_SYNC);
    acc_update_self(y, sizeof y);
    for (int i = 0; i < 64; i++) CHECK(y[i] == 3 * (float)i);
    printf("ok\n");
    return 0;
}
