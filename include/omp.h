/* OpenMP's runtime routines, for programs that Acclimate compiles.
 *
 * The header of the host compiler comes first. What OpenMP 5.2 has besides, the program takes from Acclimate's runtime. Where the
 * host compiler has no such header, this one declares what programs use of it, as GNU's OpenMP library lays it out. */
#ifndef ACCL_OMP_H
#define ACCL_OMP_H

/* clang's header includes this one, and programs written with clang count on it. */
#include <stdint.h>

#if defined(__has_include_next)
#if __has_include_next(<omp.h>)
#include_next <omp.h>
#define ACCL_HOST_HAS_OMP_H 1
#endif
#endif

#ifdef __cplusplus
#define ACCL_OMP_ENUM : __UINTPTR_TYPE__
#define ACCL_OMP_NOTHROW noexcept
#if __cplusplus < 201103L
#undef ACCL_OMP_ENUM
#define ACCL_OMP_ENUM
#undef ACCL_OMP_NOTHROW
#define ACCL_OMP_NOTHROW throw()
#endif
#define ACCL_OMP_ALLOCATOR = omp_null_allocator
extern "C" {
#else
#define ACCL_OMP_ENUM
#define ACCL_OMP_NOTHROW __attribute__((__nothrow__))
#define ACCL_OMP_ALLOCATOR
#endif

#ifndef ACCL_HOST_HAS_OMP_H

typedef struct { unsigned char _x[4] __attribute__((__aligned__(4))); } omp_lock_t;
typedef struct { unsigned char _x[8 + sizeof(void *)] __attribute__((__aligned__(sizeof(void *)))); } omp_nest_lock_t;

typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = (int)0x80000000U
} omp_sched_t;

typedef enum omp_proc_bind_t {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_primary = 2,
    omp_proc_bind_master = 2,
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
} omp_proc_bind_t;

typedef enum omp_sync_hint_t {
    omp_sync_hint_none = 0,
    omp_lock_hint_none = 0,
    omp_sync_hint_uncontended = 1,
    omp_lock_hint_uncontended = 1,
    omp_sync_hint_contended = 2,
    omp_lock_hint_contended = 2,
    omp_sync_hint_nonspeculative = 4,
    omp_lock_hint_nonspeculative = 4,
    omp_sync_hint_speculative = 8,
    omp_lock_hint_speculative = 8
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;

typedef struct __attribute__((__aligned__(sizeof(void *)))) omp_depend_t {
    char __omp_depend_t__[2 * sizeof(void *)];
} omp_depend_t;

typedef enum omp_pause_resource_t { omp_pause_soft = 1, omp_pause_hard = 2 } omp_pause_resource_t;

typedef __UINTPTR_TYPE__ omp_uintptr_t;

typedef enum omp_memspace_handle_t ACCL_OMP_ENUM {
    omp_default_mem_space = 0,
    omp_large_cap_mem_space = 1,
    omp_const_mem_space = 2,
    omp_high_bw_mem_space = 3,
    omp_low_lat_mem_space = 4,
    __omp_memspace_handle_t_max__ = __UINTPTR_MAX__
} omp_memspace_handle_t;

typedef enum omp_allocator_handle_t ACCL_OMP_ENUM {
    omp_null_allocator = 0,
    omp_default_mem_alloc = 1,
    omp_large_cap_mem_alloc = 2,
    omp_const_mem_alloc = 3,
    omp_high_bw_mem_alloc = 4,
    omp_low_lat_mem_alloc = 5,
    omp_cgroup_mem_alloc = 6,
    omp_pteam_mem_alloc = 7,
    omp_thread_mem_alloc = 8,
    __omp_allocator_handle_t_max__ = __UINTPTR_MAX__
} omp_allocator_handle_t;

typedef enum omp_alloctrait_key_t {
    omp_atk_sync_hint = 1,
    omp_atk_alignment = 2,
    omp_atk_access = 3,
    omp_atk_pool_size = 4,
    omp_atk_fallback = 5,
    omp_atk_fb_data = 6,
    omp_atk_pinned = 7,
    omp_atk_partition = 8
} omp_alloctrait_key_t;

typedef enum omp_alloctrait_value_t {
    omp_atv_default = -1,
    omp_atv_false = 0,
    omp_atv_true = 1,
    omp_atv_contended = 3,
    omp_atv_uncontended = 4,
    omp_atv_serialized = 5,
    omp_atv_sequential = 5,
    omp_atv_private = 6,
    omp_atv_all = 7,
    omp_atv_thread = 8,
    omp_atv_pteam = 9,
    omp_atv_cgroup = 10,
    omp_atv_default_mem_fb = 11,
    omp_atv_null_fb = 12,
    omp_atv_abort_fb = 13,
    omp_atv_allocator_fb = 14,
    omp_atv_environment = 15,
    omp_atv_nearest = 16,
    omp_atv_blocked = 17,
    omp_atv_interleaved = 18
} omp_alloctrait_value_t;

typedef struct omp_alloctrait_t { omp_alloctrait_key_t key; omp_uintptr_t value; } omp_alloctrait_t;

typedef enum omp_event_handle_t ACCL_OMP_ENUM { __omp_event_handle_t_max__ = __UINTPTR_MAX__ } omp_event_handle_t;

/* Threads and teams */
extern void omp_set_num_threads(int) ACCL_OMP_NOTHROW;
extern int omp_get_num_threads(void) ACCL_OMP_NOTHROW;
extern int omp_get_max_threads(void) ACCL_OMP_NOTHROW;
extern int omp_get_thread_num(void) ACCL_OMP_NOTHROW;
extern int omp_get_num_procs(void) ACCL_OMP_NOTHROW;
extern int omp_in_parallel(void) ACCL_OMP_NOTHROW;
extern void omp_set_dynamic(int) ACCL_OMP_NOTHROW;
extern int omp_get_dynamic(void) ACCL_OMP_NOTHROW;
extern void omp_set_nested(int) ACCL_OMP_NOTHROW;
extern int omp_get_nested(void) ACCL_OMP_NOTHROW;
extern void omp_set_schedule(omp_sched_t, int) ACCL_OMP_NOTHROW;
extern void omp_get_schedule(omp_sched_t *, int *) ACCL_OMP_NOTHROW;
extern int omp_get_thread_limit(void) ACCL_OMP_NOTHROW;
extern void omp_set_max_active_levels(int) ACCL_OMP_NOTHROW;
extern int omp_get_max_active_levels(void) ACCL_OMP_NOTHROW;
extern int omp_get_supported_active_levels(void) ACCL_OMP_NOTHROW;
extern int omp_get_level(void) ACCL_OMP_NOTHROW;
extern int omp_get_ancestor_thread_num(int) ACCL_OMP_NOTHROW;
extern int omp_get_team_size(int) ACCL_OMP_NOTHROW;
extern int omp_get_active_level(void) ACCL_OMP_NOTHROW;
extern int omp_in_final(void) ACCL_OMP_NOTHROW;
extern int omp_get_cancellation(void) ACCL_OMP_NOTHROW;
extern omp_proc_bind_t omp_get_proc_bind(void) ACCL_OMP_NOTHROW;
extern int omp_get_num_places(void) ACCL_OMP_NOTHROW;
extern int omp_get_place_num_procs(int) ACCL_OMP_NOTHROW;
extern void omp_get_place_proc_ids(int, int *) ACCL_OMP_NOTHROW;
extern int omp_get_place_num(void) ACCL_OMP_NOTHROW;
extern int omp_get_partition_num_places(void) ACCL_OMP_NOTHROW;
extern void omp_get_partition_place_nums(int *) ACCL_OMP_NOTHROW;
extern int omp_get_num_teams(void) ACCL_OMP_NOTHROW;
extern int omp_get_team_num(void) ACCL_OMP_NOTHROW;
extern void omp_set_num_teams(int) ACCL_OMP_NOTHROW;
extern int omp_get_max_teams(void) ACCL_OMP_NOTHROW;
extern void omp_set_teams_thread_limit(int) ACCL_OMP_NOTHROW;
extern int omp_get_teams_thread_limit(void) ACCL_OMP_NOTHROW;
extern int omp_get_max_task_priority(void) ACCL_OMP_NOTHROW;
extern void omp_fulfill_event(omp_event_handle_t) ACCL_OMP_NOTHROW;
extern void omp_set_affinity_format(const char *) ACCL_OMP_NOTHROW;
extern __SIZE_TYPE__ omp_get_affinity_format(char *, __SIZE_TYPE__) ACCL_OMP_NOTHROW;
extern void omp_display_affinity(const char *) ACCL_OMP_NOTHROW;
extern __SIZE_TYPE__ omp_capture_affinity(char *, __SIZE_TYPE__, const char *) ACCL_OMP_NOTHROW;
extern int omp_pause_resource(omp_pause_resource_t, int) ACCL_OMP_NOTHROW;
extern int omp_pause_resource_all(omp_pause_resource_t) ACCL_OMP_NOTHROW;
extern void omp_display_env(int) ACCL_OMP_NOTHROW;
extern double omp_get_wtime(void) ACCL_OMP_NOTHROW;
extern double omp_get_wtick(void) ACCL_OMP_NOTHROW;

/* Locks */
extern void omp_init_lock(omp_lock_t *) ACCL_OMP_NOTHROW;
extern void omp_init_lock_with_hint(omp_lock_t *, omp_sync_hint_t) ACCL_OMP_NOTHROW;
extern void omp_destroy_lock(omp_lock_t *) ACCL_OMP_NOTHROW;
extern void omp_set_lock(omp_lock_t *) ACCL_OMP_NOTHROW;
extern void omp_unset_lock(omp_lock_t *) ACCL_OMP_NOTHROW;
extern int omp_test_lock(omp_lock_t *) ACCL_OMP_NOTHROW;
extern void omp_init_nest_lock(omp_nest_lock_t *) ACCL_OMP_NOTHROW;
extern void omp_init_nest_lock_with_hint(omp_nest_lock_t *, omp_sync_hint_t) ACCL_OMP_NOTHROW;
extern void omp_destroy_nest_lock(omp_nest_lock_t *) ACCL_OMP_NOTHROW;
extern void omp_set_nest_lock(omp_nest_lock_t *) ACCL_OMP_NOTHROW;
extern void omp_unset_nest_lock(omp_nest_lock_t *) ACCL_OMP_NOTHROW;
extern int omp_test_nest_lock(omp_nest_lock_t *) ACCL_OMP_NOTHROW;

/* Devices and their memory */
extern void omp_set_default_device(int) ACCL_OMP_NOTHROW;
extern int omp_get_default_device(void) ACCL_OMP_NOTHROW;
extern int omp_get_num_devices(void) ACCL_OMP_NOTHROW;
extern int omp_get_device_num(void) ACCL_OMP_NOTHROW;
extern int omp_is_initial_device(void) ACCL_OMP_NOTHROW;
extern int omp_get_initial_device(void) ACCL_OMP_NOTHROW;
extern void *omp_target_alloc(__SIZE_TYPE__, int) ACCL_OMP_NOTHROW;
extern void omp_target_free(void *, int) ACCL_OMP_NOTHROW;
extern int omp_target_is_present(const void *, int) ACCL_OMP_NOTHROW;
extern int omp_target_memcpy(void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__, __SIZE_TYPE__, int, int) ACCL_OMP_NOTHROW;
extern int omp_target_memcpy_rect(void *, const void *, __SIZE_TYPE__, int, const __SIZE_TYPE__ *, const __SIZE_TYPE__ *,
                                  const __SIZE_TYPE__ *, const __SIZE_TYPE__ *, const __SIZE_TYPE__ *, int, int) ACCL_OMP_NOTHROW;
extern int omp_target_associate_ptr(const void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__, int) ACCL_OMP_NOTHROW;
extern int omp_target_disassociate_ptr(const void *, int) ACCL_OMP_NOTHROW;

/* Allocators of the host */
extern omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t, int, const omp_alloctrait_t[]) ACCL_OMP_NOTHROW;
extern void omp_destroy_allocator(omp_allocator_handle_t) ACCL_OMP_NOTHROW;
extern void omp_set_default_allocator(omp_allocator_handle_t) ACCL_OMP_NOTHROW;
extern omp_allocator_handle_t omp_get_default_allocator(void) ACCL_OMP_NOTHROW;
extern void omp_free(void *, omp_allocator_handle_t ACCL_OMP_ALLOCATOR) ACCL_OMP_NOTHROW;
extern void *omp_alloc(__SIZE_TYPE__, omp_allocator_handle_t ACCL_OMP_ALLOCATOR) ACCL_OMP_NOTHROW;
extern void *omp_aligned_alloc(__SIZE_TYPE__, __SIZE_TYPE__, omp_allocator_handle_t ACCL_OMP_ALLOCATOR) ACCL_OMP_NOTHROW;
extern void *omp_calloc(__SIZE_TYPE__, __SIZE_TYPE__, omp_allocator_handle_t ACCL_OMP_ALLOCATOR) ACCL_OMP_NOTHROW;
extern void *omp_aligned_calloc(__SIZE_TYPE__, __SIZE_TYPE__, __SIZE_TYPE__, omp_allocator_handle_t ACCL_OMP_ALLOCATOR) ACCL_OMP_NOTHROW;
extern void *omp_realloc(void *, __SIZE_TYPE__, omp_allocator_handle_t ACCL_OMP_ALLOCATOR,
                         omp_allocator_handle_t ACCL_OMP_ALLOCATOR) ACCL_OMP_NOTHROW;
#endif

/* New in OpenMP 5.2; a host's header may declare it, too. */
extern int omp_in_explicit_task(void) ACCL_OMP_NOTHROW;

/* What GNU's header has since version 13 of the compiler, and clang's always. */
#if !defined(ACCL_HOST_HAS_OMP_H) || defined(_OMP_H) && (defined(__clang__) || __GNUC__ < 13)
enum { omp_initial_device = -1, omp_invalid_device = -4 };
extern void *omp_get_mapped_ptr(const void *, int) ACCL_OMP_NOTHROW;
extern int omp_target_is_accessible(const void *, __SIZE_TYPE__, int) ACCL_OMP_NOTHROW;
extern int omp_target_memcpy_async(void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__, __SIZE_TYPE__, int, int, int,
                                   omp_depend_t *) ACCL_OMP_NOTHROW;
extern int omp_target_memcpy_rect_async(void *, const void *, __SIZE_TYPE__, int, const __SIZE_TYPE__ *, const __SIZE_TYPE__ *,
                                        const __SIZE_TYPE__ *, const __SIZE_TYPE__ *, const __SIZE_TYPE__ *, int, int, int,
                                        omp_depend_t *) ACCL_OMP_NOTHROW;
#endif

/* What GNU's header has since version 15, and clang's always. */
#if !defined(ACCL_HOST_HAS_OMP_H) || defined(_OMP_H) && (defined(__clang__) || __GNUC__ < 15)
typedef __INTPTR_TYPE__ omp_intptr_t;
typedef enum omp_interop_t ACCL_OMP_ENUM { omp_interop_none = 0, __omp_interop_t_max__ = __UINTPTR_MAX__ } omp_interop_t;
typedef enum omp_interop_fr_t {
    omp_ifr_cuda = 1,
    omp_ifr_cuda_driver = 2,
    omp_ifr_opencl = 3,
    omp_ifr_sycl = 4,
    omp_ifr_hip = 5,
    omp_ifr_level_zero = 6,
    omp_ifr_last = 7
} omp_interop_fr_t;
typedef enum omp_interop_property_t {
    omp_ipr_fr_id = -1,
    omp_ipr_fr_name = -2,
    omp_ipr_vendor = -3,
    omp_ipr_vendor_name = -4,
    omp_ipr_device_num = -5,
    omp_ipr_platform = -6,
    omp_ipr_device = -7,
    omp_ipr_device_context = -8,
    omp_ipr_targetsync = -9,
    omp_ipr_first = -9
} omp_interop_property_t;
typedef enum omp_interop_rc_t {
    omp_irc_no_value = 1,
    omp_irc_success = 0,
    omp_irc_empty = -1,
    omp_irc_out_of_range = -2,
    omp_irc_type_int = -3,
    omp_irc_type_ptr = -4,
    omp_irc_type_str = -5,
    omp_irc_other = -6
} omp_interop_rc_t;
extern int omp_get_num_interop_properties(const omp_interop_t) ACCL_OMP_NOTHROW;
extern omp_intptr_t omp_get_interop_int(const omp_interop_t, omp_interop_property_t, int *) ACCL_OMP_NOTHROW;
extern void *omp_get_interop_ptr(const omp_interop_t, omp_interop_property_t, int *) ACCL_OMP_NOTHROW;
extern const char *omp_get_interop_str(const omp_interop_t, omp_interop_property_t, int *) ACCL_OMP_NOTHROW;
extern const char *omp_get_interop_name(const omp_interop_t, omp_interop_property_t) ACCL_OMP_NOTHROW;
extern const char *omp_get_interop_type_desc(const omp_interop_t, omp_interop_property_t) ACCL_OMP_NOTHROW;
extern const char *omp_get_interop_rc_desc(const omp_interop_t, omp_interop_rc_t) ACCL_OMP_NOTHROW;
extern void *omp_target_memset(void *, int, __SIZE_TYPE__, int) ACCL_OMP_NOTHROW;
extern void *omp_target_memset_async(void *, int, __SIZE_TYPE__, int, int, omp_depend_t *) ACCL_OMP_NOTHROW;
#endif

#ifdef __cplusplus
}
#endif

#undef ACCL_OMP_ENUM
#undef ACCL_OMP_NOTHROW
#undef ACCL_OMP_ALLOCATOR
#endif
