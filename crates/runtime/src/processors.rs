//! The processors that the program may use.
//!
//! Where `OMP_PROC_BIND` is set the host compiler's OpenMP binds the program's first thread to one of them before `main`, and
//! every thread that is started from it would share that one. The library keeps the others as its places.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;

/// All of them, those of the first thread and OpenMP's places.
fn all() -> &'static libc::cpu_set_t {
    static ALL: OnceLock<libc::cpu_set_t> = OnceLock::new();
    ALL.get_or_init(|| {
        // SAFETY: a set of bits, which the system fills.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the set is as large as is said.
        unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) };
        for processor in places().into_iter().flatten() {
            if let Some(processor) = usize::try_from(processor).ok().filter(|p| *p < 1024) {
                // SAFETY: within the set.
                unsafe { libc::CPU_SET(processor, &mut set) };
            }
        }
        set
    })
}

/// How many there are, or how many the system's limits allow.
pub fn count() -> usize {
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    // SAFETY: a set of bits.
    let all = usize::try_from(unsafe { libc::CPU_COUNT(all()) }).unwrap_or(1);
    if is_bound() { all.max(available) } else { available }
}

/// The program's first thread is bound to one processor.
fn is_bound() -> bool {
    // SAFETY: a set of bits, which the system fills, as large as is said.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(libc::getpid(), size_of::<libc::cpu_set_t>(), &raw mut set);
        libc::CPU_COUNT(&set) == 1
    }
}

/// The thread may run on all of them.
pub fn use_all() {
    // SAFETY: the set is as large as is said. Where the system refuses, the thread stays where it is.
    unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), all()) };
}

/// The processors of OpenMP's places (OpenMP 5.2 §18.3), where the program has a library that knows any.
fn places() -> Option<Vec<c_int>> {
    let library = [c"libgomp.so.1", c"libomp.so", c"libomp.so.5"].into_iter().find_map(loaded)?;
    let number = symbol(library, c"omp_get_num_places")?;
    let processors = symbol(library, c"omp_get_place_num_procs")?;
    let ids = symbol(library, c"omp_get_place_proc_ids")?;
    // SAFETY: functions of the OpenMP standard, with its types.
    let (number, processors, ids) = unsafe {
        (
            std::mem::transmute::<*mut c_void, extern "C" fn() -> c_int>(number),
            std::mem::transmute::<*mut c_void, extern "C" fn(c_int) -> c_int>(processors),
            std::mem::transmute::<*mut c_void, extern "C" fn(c_int, *mut c_int)>(ids),
        )
    };
    let mut found = vec![];
    for place in 0..number() {
        let mut here = vec![0; usize::try_from(processors(place)).unwrap_or(0)];
        ids(place, here.as_mut_ptr());
        found.extend(here);
    }
    Some(found)
}

/// The library, if the program has it already.
fn loaded(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: a name that ends with 0; nothing is loaded.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    (!library.is_null()).then_some(library)
}

fn symbol(library: *mut c_void, name: &CStr) -> Option<*mut c_void> {
    // SAFETY: a library that is loaded, and a name that ends with 0.
    let symbol = unsafe { libc::dlsym(library, name.as_ptr()) };
    (!symbol.is_null()).then_some(symbol)
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_are_as_many_as_the_system_says() {
        let available = std::thread::available_parallelism().map_or(1, usize::from);
        assert!(super::count() >= 1 && (available == 1 || super::count() > 1));
        super::use_all();
    }
}
