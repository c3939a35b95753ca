/* Loads a library that holds a runtime of its own. */
#include "common.h"
#include <dlfcn.h>

int main(int argc, char **argv) {
    acc_init(acc_device_host);
    if (argc < 2) return 2;
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        printf("%s\n", dlerror());
        return 2;
    }
    ((void (*)(void))dlsym(library, "use"))();
    printf("went on\n");
    return 0;
}
