//! The routines of the profiling interface (OpenACC 3.3 section 5.3), and the libraries that use it: what `ACC_PROFLIB` names, and
//! what the program has linked.

use crate::config::config;
use crate::error::guard;
use crate::log;
use crate::profiling::{self, Callback};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Once;

type Change = extern "C" fn(c_int, Option<Callback>, c_int);
type Lookup = unsafe extern "C" fn(*const c_char) -> *const c_void;
type RegisterLibrary = unsafe extern "C" fn(Change, Change, Lookup);

#[unsafe(no_mangle)]
pub extern "C" fn acc_prof_register(event: c_int, callback: Option<Callback>, how: c_int) {
    guard(|| profiling::change(event, callback, how, true));
}

#[unsafe(no_mangle)]
pub extern "C" fn acc_prof_unregister(event: c_int, callback: Option<Callback>, how: c_int) {
    guard(|| profiling::change(event, callback, how, false));
}

/// # Safety
/// A string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_prof_lookup(name: *const c_char) -> *const c_void {
    // SAFETY: the caller's promise.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"acc_prof_register" => acc_prof_register as *const c_void,
        b"acc_prof_unregister" => acc_prof_unregister as *const c_void,
        b"acc_prof_lookup" => acc_prof_lookup as *const c_void,
        _ => std::ptr::null(),
    }
}

// The program may have a function of this name; null, if it has none.
std::arch::global_asm!(
    ".pushsection .data.rel.accl_register_library,\"aw\"",
    ".balign 8",
    ".weak acc_register_library",
    ".globl accl_register_library_of_program",
    ".hidden accl_register_library_of_program",
    "accl_register_library_of_program: .quad acc_register_library",
    ".popsection",
);

unsafe extern "C" {
    static accl_register_library_of_program: Option<RegisterLibrary>;
}

/// The host compiler's library for OpenMP has a function of this name, which ends the program.
fn is_of_libgomp(register: RegisterLibrary) -> bool {
    // SAFETY: plain data.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: any address may be asked for.
    let found = unsafe { libc::dladdr(register as *const c_void, &raw mut info) } != 0;
    // SAFETY: a string of the dynamic linker's.
    found && !info.dli_fname.is_null() && unsafe { accl_abi::text(info.dli_fname) }.contains("libgomp")
}

/// Has the libraries register what they want to be told of, once (section 5.3.2).
pub fn load_libraries() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        profiling::start_tool();
        // SAFETY: written by the linker alone.
        let own = unsafe { accl_register_library_of_program }.filter(|register| !is_of_libgomp(*register));
        if let Some(register) = own {
            // SAFETY: a function of this name has this type.
            unsafe { register(acc_prof_register, acc_prof_unregister, acc_prof_lookup) };
        }
        for name in &config().profiling_libraries {
            // SAFETY: the user wants the library to be loaded.
            let library = unsafe { libloading::Library::new(name) };
            let register = library.and_then(|library| {
                let library = Box::leak(Box::new(library));
                // SAFETY: as above.
                unsafe { library.get::<RegisterLibrary>(b"acc_register_library") }.map(|symbol| *symbol)
            });
            match register {
                // SAFETY: as above.
                Ok(register) => unsafe { register(acc_prof_register, acc_prof_unregister, acc_prof_lookup) },
                Err(error) => {
                    log::warning(&format!("the library {name} of ACC_PROFLIB cannot be used: {error}"))
                }
            }
        }
    });
}
