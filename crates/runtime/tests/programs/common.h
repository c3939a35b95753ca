/* What the hand-written test programs share: the tables a compiler would emit, by macros. */
#include "accl_abi.h"
#include "openacc.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SITE(id, words, at) static const accl_site id = {__FILE__, "main", words, at, at}
#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);               \
            exit(3);                                                                     \
        }                                                                                \
    } while (0)

static inline accl_var section(const char *name, void *base, size_t lo, size_t n, size_t size, uint32_t kind) {
    accl_var v;
    memset(&v, 0, sizeof v);
    v.name = name;
    v.base = base;
    v.offset = lo * size;
    v.bytes = n * size;
    v.kind = kind;
    v.elem_size = (uint32_t)size;
    return v;
}
