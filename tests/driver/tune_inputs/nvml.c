/* Takes the place of libnvidia-ml.so.1: a device that takes a hundred watts all the time. */
#include <time.h>

int nvmlInit_v2(void)
{
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    static int own;
    *device = &own;
    return index == 0 ? 0 : 2;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    (void)uuid, (void)device;
    return 6;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    struct timespec now;
    (void)device;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *millijoules = now.tv_sec * 100000ull + now.tv_nsec / 10000;
#ifdef OLD
    return 3;
#else
    return 0;
#endif
}
