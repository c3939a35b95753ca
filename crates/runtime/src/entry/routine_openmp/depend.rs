//! Waiting for the tasks that depend objects name.
//!
//! Tasks and depend objects are the host compiler's OpenMP library's, which has a function for a `taskwait` with depend
//! clauses: compilers call it, and so does this file, by the rules of GNU's libgomp or LLVM's libomp.

use crate::error::{fatal, fatal_plain};
use crate::location::SourceLocation;
use std::ffi::{CStr, c_int, c_void};
use std::mem::transmute;
use std::sync::OnceLock;

/// One object of libomp's: what a depend clause names.
#[repr(C)]
#[derive(Clone, Copy)]
struct Dependence {
    address: usize,
    bytes: usize,
    flags: usize,
}

type GnuWait = unsafe extern "C" fn(*mut *mut c_void);
type LlvmWait = unsafe extern "C" fn(*const c_void, i32, i32, *mut Dependence, i32, *mut Dependence);
type LlvmThread = unsafe extern "C" fn(*const c_void) -> i32;

/// How the program's OpenMP library waits.
#[derive(Clone, Copy)]
enum Library {
    Gnu(GnuWait),
    Llvm(LlvmWait, LlvmThread),
}

fn library() -> Option<Library> {
    static FOUND: OnceLock<Option<Library>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // LLVM's library has the functions of GNU's, too.
        // SAFETY: the types are those that the compilers call these functions by.
        unsafe {
            match (function(c"__kmpc_omp_wait_deps"), function(c"__kmpc_global_thread_num")) {
                (Some(wait), Some(thread)) => Some(Library::Llvm(
                    transmute::<*mut c_void, LlvmWait>(wait),
                    transmute::<*mut c_void, LlvmThread>(thread),
                )),
                _ => {
                    Some(Library::Gnu(transmute::<*mut c_void, GnuWait>(function(c"GOMP_taskwait_depend")?)))
                }
            }
        }
    })
}

/// How many parallel regions are around the caller; 0 without a library.
pub fn level() -> c_int {
    static FOUND: OnceLock<Option<unsafe extern "C" fn() -> c_int>> = OnceLock::new();
    // SAFETY: the type is that of the routine, which may be called from anywhere.
    let routine = FOUND.get_or_init(|| unsafe {
        function(c"omp_get_level").map(|at| transmute::<*mut c_void, unsafe extern "C" fn() -> c_int>(at))
    });
    // SAFETY: as above.
    routine.map_or(0, |level| unsafe { level() })
}

fn function(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: a terminated name; the symbol is not used here.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// To be called outside of `guard`: other tasks, the user's code, may be run here meanwhile.
///
/// # Safety
/// The list has as many initialised depend objects.
pub unsafe fn wait(location: SourceLocation, count: c_int, list: *mut c_void) {
    let Ok(count @ 1..) = usize::try_from(count) else { return };
    if list.is_null() {
        fatal(location, 0, "depend objects are counted, but their list is a null pointer", &[]);
    }
    // SAFETY: the caller's promise.
    unsafe {
        match library() {
            Some(Library::Gnu(wait)) => wait_gnu(wait, list, count),
            Some(Library::Llvm(wait, thread)) => wait_llvm(wait, thread, list.cast(), count),
            None => fatal_plain("depend objects need an OpenMP library (-fopenmp)"),
        }
    }
}

/// An omp_depend_t of libgomp's is two pointers, and dependences given by such objects stand after five numbers: 0, how many
/// there are, and how many of them are addresses of each kind.
///
/// # Safety
/// As for [`wait`].
unsafe fn wait_gnu(wait: GnuWait, list: *mut c_void, count: usize) {
    let null = std::ptr::null_mut();
    let mut dependences = vec![null, count as *mut c_void, null, null, null];
    // SAFETY: the caller's promise.
    dependences.extend((0..count).map(|at| unsafe { list.cast::<[*mut c_void; 2]>().add(at).cast() }));
    // SAFETY: the list has the form that libgomp reads.
    unsafe { wait(dependences.as_mut_ptr()) }
}

/// An omp_depend_t of libomp's points to its dependences, which stand after one that has their number in place of an address.
///
/// # Safety
/// As for [`wait`].
unsafe fn wait_llvm(wait: LlvmWait, thread: LlvmThread, list: *const *const Dependence, count: usize) {
    let mut dependences = vec![];
    for at in 0..count {
        // SAFETY: the caller's promise.
        unsafe {
            let first = *list.add(at);
            let many = (*first.sub(1)).address;
            dependences.extend_from_slice(std::slice::from_raw_parts(first, many));
        }
    }
    let (list, many) = (dependences.as_mut_ptr(), dependences.len() as i32);
    // SAFETY: as compilers call it; no source location is given.
    unsafe { wait(std::ptr::null(), thread(std::ptr::null()), many, list, 0, std::ptr::null_mut()) }
}
