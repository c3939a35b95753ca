/* C11's atomic functions, for programs that gcc compiles and that Acclimate reads through clang.
 *
 * GNU C's built-in functions take pointers to atomic objects with gcc, not with clang. So the functions of gcc's header, which
 * comes first, are defined again with pointers to plain objects. */
#if defined __clang__ || defined __cplusplus
#include_next <stdatomic.h>
#else
#ifndef ACCL_STDATOMIC_H
#define ACCL_STDATOMIC_H

/* gcc's is an atomic structure, which clang lets nobody initialise. */
#define atomic_flag accl_atomic_flag_of_gcc
#include_next <stdatomic.h>
#undef atomic_flag
typedef struct { _Bool accl_is_set; } atomic_flag;

#define ACCL_PLAIN(p) ((volatile __typeof__((void)0, *(p)) *)(p))

#undef atomic_load
#undef atomic_load_explicit
#define atomic_load(p) atomic_load_explicit(p, __ATOMIC_SEQ_CST)
#define atomic_load_explicit(p, order) \
    __extension__({ \
        __typeof__((void)0, *(p)) accl_loaded; \
        __atomic_load(ACCL_PLAIN(p), &accl_loaded, (order)); \
        accl_loaded; \
    })

#undef atomic_store
#undef atomic_store_explicit
#define atomic_store(p, value) atomic_store_explicit(p, value, __ATOMIC_SEQ_CST)
#define atomic_store_explicit(p, value, order) \
    __extension__({ \
        __typeof__((void)0, *(p)) accl_stored = (value); \
        __atomic_store(ACCL_PLAIN(p), &accl_stored, (order)); \
    })

#undef atomic_exchange
#undef atomic_exchange_explicit
#define atomic_exchange(p, value) atomic_exchange_explicit(p, value, __ATOMIC_SEQ_CST)
#define atomic_exchange_explicit(p, value, order) \
    __extension__({ \
        __typeof__((void)0, *(p)) accl_given = (value), accl_found; \
        __atomic_exchange(ACCL_PLAIN(p), &accl_given, &accl_found, (order)); \
        accl_found; \
    })

#define ACCL_COMPARE_EXCHANGE(p, expected, value, weak, success, failure) \
    __extension__({ \
        __typeof__((void)0, *(p)) accl_desired = (value); \
        __atomic_compare_exchange(ACCL_PLAIN(p), (expected), &accl_desired, weak, (success), (failure)); \
    })
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak
#undef atomic_compare_exchange_weak_explicit
#define atomic_compare_exchange_strong(p, expected, value) \
    ACCL_COMPARE_EXCHANGE(p, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_strong_explicit(p, expected, value, success, failure) \
    ACCL_COMPARE_EXCHANGE(p, expected, value, 0, success, failure)
#define atomic_compare_exchange_weak(p, expected, value) \
    ACCL_COMPARE_EXCHANGE(p, expected, value, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_weak_explicit(p, expected, value, success, failure) \
    ACCL_COMPARE_EXCHANGE(p, expected, value, 1, success, failure)

#undef atomic_fetch_add
#undef atomic_fetch_sub
#undef atomic_fetch_or
#undef atomic_fetch_xor
#undef atomic_fetch_and
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_or_explicit
#undef atomic_fetch_xor_explicit
#undef atomic_fetch_and_explicit
#define atomic_fetch_add(p, value) __atomic_fetch_add(ACCL_PLAIN(p), (value), __ATOMIC_SEQ_CST)
#define atomic_fetch_sub(p, value) __atomic_fetch_sub(ACCL_PLAIN(p), (value), __ATOMIC_SEQ_CST)
#define atomic_fetch_or(p, value) __atomic_fetch_or(ACCL_PLAIN(p), (value), __ATOMIC_SEQ_CST)
#define atomic_fetch_xor(p, value) __atomic_fetch_xor(ACCL_PLAIN(p), (value), __ATOMIC_SEQ_CST)
#define atomic_fetch_and(p, value) __atomic_fetch_and(ACCL_PLAIN(p), (value), __ATOMIC_SEQ_CST)
#define atomic_fetch_add_explicit(p, value, order) __atomic_fetch_add(ACCL_PLAIN(p), (value), (order))
#define atomic_fetch_sub_explicit(p, value, order) __atomic_fetch_sub(ACCL_PLAIN(p), (value), (order))
#define atomic_fetch_or_explicit(p, value, order) __atomic_fetch_or(ACCL_PLAIN(p), (value), (order))
#define atomic_fetch_xor_explicit(p, value, order) __atomic_fetch_xor(ACCL_PLAIN(p), (value), (order))
#define atomic_fetch_and_explicit(p, value, order) __atomic_fetch_and(ACCL_PLAIN(p), (value), (order))

#endif
#endif
