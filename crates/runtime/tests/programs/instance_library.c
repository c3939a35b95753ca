#include "openacc.h"
void use(void) { acc_init(acc_device_host); }
