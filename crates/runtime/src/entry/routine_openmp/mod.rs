//! OpenMP's runtime routines that concern devices (OpenMP 5.2 sections 18.7 and 18.8).
//!
//! A program compiled with `-fopenmp` takes these in place of those of the host compiler's OpenMP library, since the
//! runtime is linked before it; all other routines stay that library's.
//!
//! A routine whose result can say that it failed says so, by a null pointer or a number that is not zero, and the user is
//! told why in a warning. Otherwise a mistake ends the program; so does omp_invalid_device, as the standard wants it.

mod choice;
mod copy;
mod depend;
mod devices;
mod interop;
mod mapped;
mod memory;
mod pause;
mod shape;
mod tasks;

pub use devices::omp_get_num_devices;

use crate::location::Name;
use std::ffi::{CStr, c_int};

/// What a routine returns that failed.
const FAILED: c_int = libc::EINVAL;

/// What the log calls memory that has no name.
fn name(text: &'static CStr) -> Name {
    Name(text.as_ptr())
}

/// Addresses of functions, which are only there to be linked.
pub struct Linked(pub [*const (); 29]);

// SAFETY: nothing is done with the addresses.
unsafe impl Sync for Linked {}

/// A linker takes from an archive what nothing before it defines, and build systems name the other library before the runtime.
/// A program with constructs refers to this table, so that its routines are ours whatever comes first, and never mixed.
pub static LINKED: Linked = Linked([
    copy::omp_target_memcpy as *const (),
    copy::omp_target_memcpy_async as *const (),
    copy::omp_target_memcpy_rect as *const (),
    copy::omp_target_memcpy_rect_async as *const (),
    devices::omp_get_default_device as *const (),
    devices::omp_get_device_num as *const (),
    devices::omp_get_initial_device as *const (),
    devices::omp_get_num_devices as *const (),
    devices::omp_is_initial_device as *const (),
    devices::omp_set_default_device as *const (),
    interop::omp_get_interop_int as *const (),
    interop::omp_get_interop_name as *const (),
    interop::omp_get_interop_ptr as *const (),
    interop::omp_get_interop_rc_desc as *const (),
    interop::omp_get_interop_str as *const (),
    interop::omp_get_interop_type_desc as *const (),
    interop::omp_get_num_interop_properties as *const (),
    mapped::omp_get_mapped_ptr as *const (),
    mapped::omp_target_associate_ptr as *const (),
    mapped::omp_target_disassociate_ptr as *const (),
    mapped::omp_target_is_accessible as *const (),
    mapped::omp_target_is_present as *const (),
    memory::omp_target_alloc as *const (),
    memory::omp_target_free as *const (),
    memory::omp_target_memset as *const (),
    memory::omp_target_memset_async as *const (),
    pause::omp_pause_resource as *const (),
    pause::omp_pause_resource_all as *const (),
    tasks::omp_in_explicit_task as *const (),
]);

/// The routines by sections of OpenMP 5.2, each with what there is to say of it, for the documentation.
pub const ROUTINES: &[(&str, &str, &[&str])] = &[
    ("18.5: tasks", "All others are the host compiler's library's.", &["int omp_in_explicit_task(void);"]),
    (
        "18.6: resources",
        "On the host they are the host compiler's library's. Devices wait for what they run, and keep their data.",
        &[
            "int omp_pause_resource(omp_pause_resource_t kind, int device_num);",
            "int omp_pause_resource_all(omp_pause_resource_t kind);",
        ],
    ),
    (
        "18.7: devices",
        "Devices are those of the thread's device type, with the numbers that acc_set_device_num takes; the host has the number \
         after the last, or -1 (omp_initial_device). A number of no device ends the program. acc_set_device_num and \
         omp_set_default_device choose the device of both languages.",
        &[
            "int omp_get_num_devices(void);",
            "int omp_get_initial_device(void);",
            "int omp_get_device_num(void);",
            "int omp_is_initial_device(void);",
            "int omp_get_default_device(void);",
            "void omp_set_default_device(int device_num);",
        ],
    ),
    (
        "18.8: device memory",
        "What fails returns a null pointer, or a number that is not 0, and a warning tells the reason; a number of no device ends \
         the program where the result cannot tell. So do omp_invalid_device, memory that is freed and was not given out, and \
         copies beyond the end of what omp_target_alloc gave out.",
        &[
            "void *omp_target_alloc(size_t size, int device_num);",
            "void omp_target_free(void *device_ptr, int device_num);",
            "void *omp_target_memset(void *ptr, int val, size_t count, int device_num);",
        ],
    ),
    (
        "18.8: what is mapped",
        "Memory is accessible where the device shares the host's memory.",
        &[
            "int omp_target_is_present(const void *ptr, int device_num);",
            "int omp_target_is_accessible(const void *ptr, size_t size, int device_num);",
            "void *omp_get_mapped_ptr(const void *ptr, int device_num);",
            "int omp_target_associate_ptr(const void *host_ptr, const void *device_ptr, size_t size, size_t device_offset, int device_num);",
            "int omp_target_disassociate_ptr(const void *ptr, int device_num);",
        ],
    ),
    (
        "18.8: copies",
        "Boxes may have any number of dimensions. The asynchronous routines wait for the tasks that their depend objects name, and are \
         done when they return; a task that one of these waits for must not wait for the thread that called the routine. Copies \
         between two devices go through the host's memory.",
        &[
            "int omp_target_memcpy(void *dst, const void *src, size_t length, size_t dst_offset, size_t src_offset, int dst_device_num, int src_device_num);",
            "int omp_target_memcpy_rect(void *dst, const void *src, size_t element_size, int num_dims, const size_t *volume, const size_t *dst_offsets, const size_t *src_offsets, const size_t *dst_dimensions, const size_t *src_dimensions, int dst_device_num, int src_device_num);",
            "int omp_target_memcpy_async(void *dst, const void *src, size_t length, size_t dst_offset, size_t src_offset, int dst_device_num, int src_device_num, int depobj_count, omp_depend_t *depobj_list);",
            "int omp_target_memcpy_rect_async(void *dst, const void *src, size_t element_size, int num_dims, const size_t *volume, const size_t *dst_offsets, const size_t *src_offsets, const size_t *dst_dimensions, const size_t *src_dimensions, int dst_device_num, int src_device_num, int depobj_count, omp_depend_t *depobj_list);",
            "void *omp_target_memset_async(void *ptr, int val, size_t count, int device_num, int depobj_count, omp_depend_t *depobj_list);",
        ],
    ),
    (
        "18.12: interoperability",
        "On CUDA devices an object that `interop init(targetsync: o)` sets has a stream; on others, and on the host, it is \
         omp_interop_none.",
        &[
            "int omp_get_num_interop_properties(const omp_interop_t interop);",
            "omp_intptr_t omp_get_interop_int(const omp_interop_t interop, omp_interop_property_t property_id, int *ret_code);",
            "void *omp_get_interop_ptr(const omp_interop_t interop, omp_interop_property_t property_id, int *ret_code);",
            "const char *omp_get_interop_str(const omp_interop_t interop, omp_interop_property_t property_id, int *ret_code);",
            "const char *omp_get_interop_name(const omp_interop_t interop, omp_interop_property_t property_id);",
            "const char *omp_get_interop_type_desc(const omp_interop_t interop, omp_interop_property_t property_id);",
            "const char *omp_get_interop_rc_desc(const omp_interop_t interop, omp_interop_rc_t ret_code);",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::ROUTINES;
    use std::collections::BTreeSet;

    #[test]
    fn every_routine_is_documented() {
        let sources = [
            include_str!("copy.rs"),
            include_str!("devices.rs"),
            include_str!("interop.rs"),
            include_str!("mapped.rs"),
            include_str!("memory.rs"),
            include_str!("pause.rs"),
            include_str!("tasks.rs"),
        ];
        let name = |text: &'static str| text.split('(').next().unwrap_or_default();
        let defined: BTreeSet<&str> =
            sources.iter().flat_map(|text| text.split("extern \"C\" fn omp_").skip(1)).map(name).collect();
        let prototypes = ROUTINES.iter().flat_map(|(_, _, prototypes)| prototypes.iter());
        // Types have such names, too.
        let head = |prototype: &'static str| prototype.split('(').next().unwrap_or_default();
        let documented = prototypes.map(|prototype| head(prototype).rsplit_once("omp_").unwrap().1).collect();
        assert_eq!(defined, documented);
        assert_eq!(defined.len(), super::LINKED.0.len());
    }
}
