// acc_get_property and acc_get_property_string: memory sizes that make sense, names that are there.
// needs: runtime
// expect: launches=0 uploads=0 downloads=0
#include <openacc.h>
#include <string.h>
#include "check.h"

int main(void)
{
    acc_device_t type = acc_get_device_type();
    int number = acc_get_device_num(type);
    size_t memory = acc_get_property(number, type, acc_property_memory);
    size_t left = acc_get_property(number, type, acc_property_free_memory);
    const char *name = acc_get_property_string(number, type, acc_property_name);
    const char *vendor = acc_get_property_string(number, type, acc_property_vendor);
    const char *driver = acc_get_property_string(number, type, acc_property_driver);
    check_true("no more free than there is", memory == 0 || left <= memory);
    check_true("a name", name != NULL && strlen(name) > 0);
    check_true("a vendor", vendor != NULL && strlen(vendor) > 0);
    check_true("a driver", driver != NULL && strlen(driver) > 0);
    return finish();
}
