/* OpenMP's device numbers, by itself and beside OpenACC's. With an argument: a mistake, which ends the program. */
#include "saxpy.h"

int omp_get_num_devices(void), omp_get_initial_device(void), omp_get_device_num(void), omp_is_initial_device(void);
int omp_get_default_device(void);
void omp_set_default_device(int);
enum { initial = -1, invalid = -4 };

int main(int argc, char **argv) {
    if (argc > 1) {
        const char *mistake = argv[1];
        if (!strcmp(mistake, "invalid")) accl_omp_offloads(invalid);
        else if (!strcmp(mistake, "large")) accl_omp_offloads(omp_get_num_devices() + 1);
        else if (!strcmp(mistake, "set")) omp_set_default_device(-2);
        else printf("%d\n", accl_omp_offloads(ACCL_OMP_DEFAULT_DEVICE));
        printf("went on\n");
        return 0;
    }
    int n = omp_get_num_devices();
    CHECK(n >= 1 && n == acc_get_num_devices(acc_device_current));
    CHECK(omp_get_initial_device() == n && omp_get_device_num() == n && omp_is_initial_device());

    /* a construct's device is the current one, and the default stays */
    CHECK(omp_get_default_device() == 0);
    CHECK(accl_omp_offloads(n - 1) == 1 && acc_get_device_num(acc_device_current) == n - 1);
    CHECK(omp_get_default_device() == 0);
    CHECK(accl_omp_offloads(ACCL_OMP_DEFAULT_DEVICE) == 1 && acc_get_device_num(acc_device_current) == 0);

    /* the host, by either number and as the default */
    CHECK(!accl_omp_offloads(n) && !accl_omp_offloads(initial));
    omp_set_default_device(initial);
    CHECK(omp_get_default_device() == n && !accl_omp_offloads(ACCL_OMP_DEFAULT_DEVICE));
    CHECK(accl_omp_offloads(0) == 1 && omp_get_default_device() == n);
    omp_set_default_device(n - 1);
    CHECK(omp_get_default_device() == n - 1 && accl_omp_offloads(ACCL_OMP_DEFAULT_DEVICE) == 1);
    CHECK(acc_get_device_num(acc_device_current) == n - 1);

    /* what acc_set_device_num chooses is OpenMP's default, too */
    omp_set_default_device(n);
    acc_set_device_num(0, acc_device_current);
    CHECK(omp_get_default_device() == 0 && accl_omp_offloads(ACCL_OMP_DEFAULT_DEVICE) == 1);
    printf("ok\n");
    return 0;
}
