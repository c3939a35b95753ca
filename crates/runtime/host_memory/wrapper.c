/*
 * The functions of `accl_abi::host_memory`, as programs call them that were linked with --wrap of each. This text is compiled
 * once for each, with WRAP_name defined, so that a program takes only those it calls.
 *
 * Functions that may throw or be cancelled are called from here and not from the runtime, so that nothing but C is unwound.
 * The handlers are in src/residency/{allocations,system_calls,signal}.rs.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

void *accl_host_pages(size_t bytes, size_t alignment, int zero);
void *accl_host_noted(void *memory, size_t bytes);
void accl_host_forget(void *memory);
void *accl_host_realloc(void *memory, size_t bytes, void *(*real)(void *, size_t));
int accl_host_is_library(const void *function);
void accl_host_touch(const void *buffer, size_t bytes, int writes);
int accl_host_handler(int signal, const struct sigaction *new, struct sigaction *old);

#define WRAPPER __attribute__((visibility("hidden")))
#define READS(buffer, bytes) accl_host_touch(buffer, bytes, 0)
#define WRITES(buffer, bytes) accl_host_touch(buffer, bytes, 1)

/* ---- The C library's allocations ---- */

#ifdef WRAP_malloc
void *__real_malloc(size_t);
WRAPPER void *__wrap_malloc(size_t n) {
    void *p = accl_host_pages(n, 1, 0);
    return p ? p : accl_host_noted(__real_malloc(n), n);
}
#endif
#ifdef WRAP_calloc
void *__real_calloc(size_t, size_t);
WRAPPER void *__wrap_calloc(size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) return __real_calloc(n, size);
    void *p = accl_host_pages(bytes, 1, 1);
    return p ? p : accl_host_noted(__real_calloc(n, size), bytes);
}
#endif
#ifdef WRAP_realloc
void *__real_realloc(void *, size_t);
void *malloc(size_t);
WRAPPER void *__wrap_realloc(void *p, size_t n) {
    if (!p) return malloc(n);
    if (n) return accl_host_realloc(p, n, __real_realloc);
    accl_host_forget(p);
    return __real_realloc(p, n);
}
#endif
#ifdef WRAP_free
void __real_free(void *);
WRAPPER void __wrap_free(void *p) {
    accl_host_forget(p);
    __real_free(p);
}
#endif
#ifdef WRAP_aligned_alloc
void *__real_aligned_alloc(size_t, size_t);
WRAPPER void *__wrap_aligned_alloc(size_t alignment, size_t n) {
    void *p = accl_host_pages(n, alignment, 0);
    return p ? p : accl_host_noted(__real_aligned_alloc(alignment, n), n);
}
#endif
#ifdef WRAP_memalign
void *__real_memalign(size_t, size_t);
WRAPPER void *__wrap_memalign(size_t alignment, size_t n) {
    void *p = accl_host_pages(n, alignment, 0);
    return p ? p : accl_host_noted(__real_memalign(alignment, n), n);
}
#endif
#ifdef WRAP_posix_memalign
int __real_posix_memalign(void **, size_t, size_t);
WRAPPER int __wrap_posix_memalign(void **result, size_t alignment, size_t n) {
    void *p = accl_host_pages(n, alignment, 0);
    int error = p ? 0 : __real_posix_memalign(&p, alignment, n);
    if (!error) *result = accl_host_noted(p, n);
    return error;
}
#endif

/* ---- Arrays with static storage ---- */

/* Not a wrapper: 0 unless an array lies where the driver's link gave it pages of its own; 1 where they come from the program's
 * file, 2 where they begin as zeros. */
#ifdef WRAP_own_pages
__attribute__((weak)) extern char accl_data_objects_begin[], accl_data_objects_end[];
__attribute__((weak)) extern char accl_bss_objects_begin[], accl_bss_objects_end[];
WRAPPER int accl_host_has_own_pages(const char *object) {
    if (object >= accl_data_objects_begin && object < accl_data_objects_end) return 1;
    return object >= accl_bss_objects_begin && object < accl_bss_objects_end ? 2 : 0;
}
#endif

/* ---- operator new and delete ---- */

/* Those of the C++ library take their memory from the C library, so larger requests may go there at once. */
#define NEW(name, alignment, parameters, arguments)                                            \
    void *__real_##name parameters;                                                            \
    WRAPPER void *__wrap_##name parameters {                                                   \
        static int library = -1;                                                               \
        if (library < 0) library = accl_host_is_library((const void *)__real_##name);          \
        void *p = library ? accl_host_pages(n, alignment, 0) : 0;                              \
        return p ? p : accl_host_noted(__real_##name arguments, n);                            \
    }
#define DELETE(name, parameters, arguments)                                                    \
    void __real_##name parameters;                                                             \
    WRAPPER void __wrap_##name parameters {                                                    \
        accl_host_forget(p);                                                                   \
        __real_##name arguments;                                                               \
    }
#ifdef WRAP__Znwm
NEW(_Znwm, 1, (size_t n), (n))
#endif
#ifdef WRAP__Znam
NEW(_Znam, 1, (size_t n), (n))
#endif
#ifdef WRAP__ZnwmRKSt9nothrow_t
NEW(_ZnwmRKSt9nothrow_t, 1, (size_t n, const void *t), (n, t))
#endif
#ifdef WRAP__ZnamRKSt9nothrow_t
NEW(_ZnamRKSt9nothrow_t, 1, (size_t n, const void *t), (n, t))
#endif
#ifdef WRAP__ZnwmSt11align_val_t
NEW(_ZnwmSt11align_val_t, a, (size_t n, size_t a), (n, a))
#endif
#ifdef WRAP__ZnamSt11align_val_t
NEW(_ZnamSt11align_val_t, a, (size_t n, size_t a), (n, a))
#endif
#ifdef WRAP__ZnwmSt11align_val_tRKSt9nothrow_t
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, a, (size_t n, size_t a, const void *t), (n, a, t))
#endif
#ifdef WRAP__ZnamSt11align_val_tRKSt9nothrow_t
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, a, (size_t n, size_t a, const void *t), (n, a, t))
#endif
#ifdef WRAP__ZdlPv
DELETE(_ZdlPv, (void *p), (p))
#endif
#ifdef WRAP__ZdaPv
DELETE(_ZdaPv, (void *p), (p))
#endif
#ifdef WRAP__ZdlPvm
DELETE(_ZdlPvm, (void *p, size_t n), (p, n))
#endif
#ifdef WRAP__ZdaPvm
DELETE(_ZdaPvm, (void *p, size_t n), (p, n))
#endif
#ifdef WRAP__ZdlPvRKSt9nothrow_t
DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const void *t), (p, t))
#endif
#ifdef WRAP__ZdaPvRKSt9nothrow_t
DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const void *t), (p, t))
#endif
#ifdef WRAP__ZdlPvSt11align_val_t
DELETE(_ZdlPvSt11align_val_t, (void *p, size_t a), (p, a))
#endif
#ifdef WRAP__ZdaPvSt11align_val_t
DELETE(_ZdaPvSt11align_val_t, (void *p, size_t a), (p, a))
#endif
#ifdef WRAP__ZdlPvmSt11align_val_t
DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t n, size_t a), (p, n, a))
#endif
#ifdef WRAP__ZdaPvmSt11align_val_t
DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t n, size_t a), (p, n, a))
#endif
#ifdef WRAP__ZdlPvSt11align_val_tRKSt9nothrow_t
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *p, size_t a, const void *t), (p, a, t))
#endif
#ifdef WRAP__ZdaPvSt11align_val_tRKSt9nothrow_t
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *p, size_t a, const void *t), (p, a, t))
#endif

/* ---- Buffers ---- */

#define BUFFER(result, name, touch, bytes, parameters, arguments)                              \
    result __real_##name parameters;                                                           \
    WRAPPER result __wrap_##name parameters {                                                  \
        touch(p, bytes);                                                                       \
        return __real_##name arguments;                                                        \
    }
#ifdef WRAP_read
BUFFER(ssize_t, read, WRITES, n, (int f, void *p, size_t n), (f, p, n))
#endif
#ifdef WRAP___read_chk
BUFFER(ssize_t, __read_chk, WRITES, n, (int f, void *p, size_t n, size_t most), (f, p, n, most))
#endif
#ifdef WRAP_write
BUFFER(ssize_t, write, READS, n, (int f, const void *p, size_t n), (f, p, n))
#endif
#ifdef WRAP_pread
BUFFER(ssize_t, pread, WRITES, n, (int f, void *p, size_t n, off_t at), (f, p, n, at))
#endif
#ifdef WRAP___pread_chk
BUFFER(ssize_t, __pread_chk, WRITES, n, (int f, void *p, size_t n, off_t at, size_t most), (f, p, n, at, most))
#endif
#ifdef WRAP_pwrite
BUFFER(ssize_t, pwrite, READS, n, (int f, const void *p, size_t n, off_t at), (f, p, n, at))
#endif
#ifdef WRAP_pread64
BUFFER(ssize_t, pread64, WRITES, n, (int f, void *p, size_t n, off64_t at), (f, p, n, at))
#endif
#ifdef WRAP___pread64_chk
BUFFER(ssize_t, __pread64_chk, WRITES, n, (int f, void *p, size_t n, off64_t at, size_t most), (f, p, n, at, most))
#endif
#ifdef WRAP_pwrite64
BUFFER(ssize_t, pwrite64, READS, n, (int f, const void *p, size_t n, off64_t at), (f, p, n, at))
#endif
#ifdef WRAP_fread
BUFFER(size_t, fread, WRITES, size * n, (void *p, size_t size, size_t n, FILE *f), (p, size, n, f))
#endif
#ifdef WRAP___fread_chk
BUFFER(size_t, __fread_chk, WRITES, size * n, (void *p, size_t most, size_t size, size_t n, FILE *f),
       (p, most, size, n, f))
#endif
#ifdef WRAP_fwrite
BUFFER(size_t, fwrite, READS, size * n, (const void *p, size_t size, size_t n, FILE *f), (p, size, n, f))
#endif
#ifdef WRAP_fgets
BUFFER(char *, fgets, WRITES, n > 0 ? (size_t)n : 0, (char *p, int n, FILE *f), (p, n, f))
#endif
#ifdef WRAP___fgets_chk
BUFFER(char *, __fgets_chk, WRITES, n > 0 ? (size_t)n : 0, (char *p, size_t most, int n, FILE *f), (p, most, n, f))
#endif
#ifdef WRAP_recv
BUFFER(ssize_t, recv, WRITES, n, (int f, void *p, size_t n, int flags), (f, p, n, flags))
#endif
#ifdef WRAP___recv_chk
BUFFER(ssize_t, __recv_chk, WRITES, n, (int f, void *p, size_t n, size_t most, int flags), (f, p, n, most, flags))
#endif
#ifdef WRAP_send
BUFFER(ssize_t, send, READS, n, (int f, const void *p, size_t n, int flags), (f, p, n, flags))
#endif
#ifdef WRAP_recvfrom
BUFFER(ssize_t, recvfrom, WRITES, n, (int f, void *p, size_t n, int flags, void *from, socklen_t *length),
       (f, p, n, flags, from, length))
#endif
#ifdef WRAP___recvfrom_chk
BUFFER(ssize_t, __recvfrom_chk, WRITES, n,
       (int f, void *p, size_t n, size_t most, int flags, void *from, socklen_t *length),
       (f, p, n, most, flags, from, length))
#endif
#ifdef WRAP_sendto
BUFFER(ssize_t, sendto, READS, n, (int f, const void *p, size_t n, int flags, const void *to, socklen_t length),
       (f, p, n, flags, to, length))
#endif
#ifdef WRAP_readv
ssize_t __real_readv(int, const struct iovec *, int);
WRAPPER ssize_t __wrap_readv(int f, const struct iovec *list, int n) {
    for (int i = 0; i < n; i++) WRITES(list[i].iov_base, list[i].iov_len);
    return __real_readv(f, list, n);
}
#endif
#ifdef WRAP_writev
ssize_t __real_writev(int, const struct iovec *, int);
WRAPPER ssize_t __wrap_writev(int f, const struct iovec *list, int n) {
    for (int i = 0; i < n; i++) READS(list[i].iov_base, list[i].iov_len);
    return __real_writev(f, list, n);
}
#endif

/* ---- Handlers of signals ---- */

#ifdef WRAP_sigaction
int __real_sigaction(int, const struct sigaction *, struct sigaction *);
WRAPPER int __wrap_sigaction(int signal, const struct sigaction *new, struct sigaction *old) {
    return accl_host_handler(signal, new, old) ? 0 : __real_sigaction(signal, new, old);
}
#endif
#ifdef WRAP_signal
typedef void (*handler)(int);
handler __real_signal(int, handler);
WRAPPER handler __wrap_signal(int signal, handler new) {
    struct sigaction action = {.sa_handler = new}, old;
    return accl_host_handler(signal, &action, &old) ? old.sa_handler : __real_signal(signal, new);
}
#endif
