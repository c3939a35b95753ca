//! Interoperability objects (OpenMP 5.2 §14.1 and 18.12): a CUDA stream, where the device is CUDA's.
//!
//! The stream is that of an asynchronous queue of its own. Elsewhere there is nothing to share, and an object is
//! omp_interop_none.

use super::super::construct::wait_on_host;
use super::super::routine::here;
use super::devices::{Endpoint, place};
use crate::device::Kind;
use crate::error::guard;
use crate::location::SourceLocation;
use crate::state::DeviceState;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicI64, Ordering};

/// What an omp_interop_t points to.
pub struct Interop {
    state: &'static DeviceState,
    device_num: c_int,
    /// omp_interop_fr_t
    runtime: c_int,
    /// The queue whose stream it is; none: `target` without `targetsync`.
    queue: Option<i64>,
}

/// Numbers that users' `async` clauses hardly have.
static NEXT_QUEUE: AtomicI64 = AtomicI64::new(1 << 24);

const CUDA: c_int = 1;
const CUDA_DRIVER: c_int = 2;

/// omp_interop_rc_t
const SUCCESS: c_int = 0;
const NO_VALUE: c_int = 1;
const EMPTY: c_int = -1;
const OUT_OF_RANGE: c_int = -2;
const TYPE_INT: c_int = -3;
const TYPE_PTR: c_int = -4;
const TYPE_STR: c_int = -5;

/// `init`. `preferred`: the words of `prefer_type`.
///
/// # Safety
/// `object` points to the program's variable, `preferred` to a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_omp_interop_init(
    object: *mut *mut Interop,
    syncs: c_int,
    device_num: c_int,
    preferred: *const c_char,
) {
    guard(|| {
        let location = here!(c"omp interop");
        // SAFETY: the caller's promise.
        let preferred = unsafe { CStr::from_ptr(preferred) }.to_string_lossy();
        let made = match place(location, device_num) {
            Endpoint::Device(state) if state.device.info().kind == Kind::Cuda => {
                // What was started before is done before the program uses the stream.
                wait_on_host(state, location, &[]);
                let queue = (syncs != 0).then(|| NEXT_QUEUE.fetch_add(1, Ordering::Relaxed));
                let runtime = runtime(&preferred);
                Box::into_raw(Box::new(Interop { state, device_num, runtime, queue }))
            }
            Endpoint::Device(_) | Endpoint::Host => std::ptr::null_mut(),
        };
        // SAFETY: the caller's promise.
        unsafe { *object = made };
    });
}

fn runtime(preferred: &str) -> c_int {
    let mut words = preferred.split(|c: char| !c.is_alphanumeric() && c != '_');
    let known = words.find_map(|word| match word.trim_start_matches("omp_ifr_") {
        "cuda" | "1" => Some(CUDA),
        "cuda_driver" | "2" => Some(CUDA_DRIVER),
        _ => None,
    });
    known.unwrap_or(CUDA)
}

/// `use`: what the program started on the stream is done before what follows.
///
/// # Safety
/// `object` points to the program's variable, which `init` has set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_omp_interop_use(object: *mut *mut Interop) {
    // SAFETY: the caller's promise.
    guard(|| finish(here!(c"omp interop"), unsafe { (*object).as_ref() }));
}

/// # Safety
/// As for `accl_omp_interop_use`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_omp_interop_destroy(object: *mut *mut Interop) {
    guard(|| {
        // SAFETY: the caller's promise.
        let interop = unsafe { std::mem::replace(&mut *object, std::ptr::null_mut()) };
        if !interop.is_null() {
            // SAFETY: `init` made it, and the variable that held it is empty now.
            finish(here!(c"omp interop"), Some(&*unsafe { Box::from_raw(interop) }));
        }
    });
}

fn finish(location: SourceLocation, interop: Option<&Interop>) {
    if let Some(Interop { state, queue: Some(queue), .. }) = interop {
        wait_on_host(state, location, &[*queue]);
    }
}

/// One row for each of omp_interop_property_t, from -1 down: its name, and the type of its value.
const PROPERTIES: [(&CStr, Type); 9] = [
    (c"fr_id", Type::Int),
    (c"fr_name", Type::Text),
    (c"vendor", Type::Int),
    (c"vendor_name", Type::Text),
    (c"device_num", Type::Int),
    (c"platform", Type::Pointer),
    (c"device", Type::Int),
    (c"device_context", Type::Pointer),
    (c"targetsync", Type::Pointer),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Int,
    Text,
    Pointer,
}

enum Value {
    Int(isize),
    Text(&'static CStr),
    Pointer(*mut c_void),
}

fn property(number: c_int) -> Option<(&'static CStr, Type)> {
    PROPERTIES.get(usize::try_from(-1 - i64::from(number)).ok()?).copied()
}

impl Interop {
    fn value(&self, name: &CStr) -> Option<Value> {
        let driver = self.runtime == CUDA_DRIVER;
        let (_, context) = self.state.device.native_handles();
        Some(match name.to_bytes() {
            b"fr_id" => Value::Int(self.runtime as isize),
            b"fr_name" => Value::Text(if driver { c"cuda_driver" } else { c"cuda" }),
            // The number that the list of vendors gives NVIDIA.
            b"vendor" => Value::Int(11),
            b"vendor_name" => Value::Text(c"nvidia"),
            b"device_num" => Value::Int(self.device_num as isize),
            b"device" => Value::Int(self.state.device.info().number as isize),
            b"device_context" if driver => Value::Pointer(context),
            b"targetsync" => {
                let queue = self.state.queue(here!(c"omp interop"), self.queue?);
                Value::Pointer(self.state.device.native_queue(queue.id))
            }
            _ => return None,
        })
    }
}

/// The value of a property, if it has this type; the reason where there is none is stored.
fn get(object: *const Interop, number: c_int, wanted: Type, code: *mut c_int) -> Option<Value> {
    // SAFETY: omp_interop_none, or what `init` made and `destroy` has not taken.
    let result = match (unsafe { object.as_ref() }, property(number)) {
        (_, None) => Err(OUT_OF_RANGE),
        (None, _) => Err(EMPTY),
        (Some(_), Some((_, ty))) if ty != wanted => Err(match ty {
            Type::Int => TYPE_INT,
            Type::Pointer => TYPE_PTR,
            Type::Text => TYPE_STR,
        }),
        (Some(interop), Some((name, _))) => interop.value(name).ok_or(NO_VALUE),
    };
    // SAFETY: null, or the program's variable.
    if let Some(code) = unsafe { code.as_mut() } {
        *code = result.as_ref().err().copied().unwrap_or(SUCCESS);
    }
    result.ok()
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_get_num_interop_properties(_: *const Interop) -> c_int {
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_get_interop_int(object: *const Interop, number: c_int, code: *mut c_int) -> isize {
    guard(|| match get(object, number, Type::Int, code) {
        Some(Value::Int(value)) => value,
        _ => 0,
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_get_interop_ptr(
    object: *const Interop,
    number: c_int,
    code: *mut c_int,
) -> *mut c_void {
    guard(|| match get(object, number, Type::Pointer, code) {
        Some(Value::Pointer(value)) => value,
        _ => std::ptr::null_mut(),
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_get_interop_str(
    object: *const Interop,
    number: c_int,
    code: *mut c_int,
) -> *const c_char {
    guard(|| match get(object, number, Type::Text, code) {
        Some(Value::Text(value)) => value.as_ptr(),
        _ => std::ptr::null(),
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_get_interop_name(_: *const Interop, number: c_int) -> *const c_char {
    property(number).map_or(std::ptr::null(), |(name, _)| name.as_ptr())
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_get_interop_type_desc(object: *const Interop, number: c_int) -> *const c_char {
    let known = property(number).filter(|_| !object.is_null());
    known.map_or(std::ptr::null(), |(name, ty)| {
        let described = match (ty, name.to_bytes()) {
            (_, b"targetsync") => c"cudaStream_t",
            (_, b"fr_id") => c"omp_interop_fr_t",
            (Type::Int, _) => c"int",
            (Type::Pointer, _) => c"void *",
            (Type::Text, _) => c"const char *",
        };
        described.as_ptr()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn omp_get_interop_rc_desc(_: *const Interop, code: c_int) -> *const c_char {
    let described = match code {
        SUCCESS => c"success",
        NO_VALUE => c"the property has no value",
        EMPTY => c"the object is omp_interop_none",
        OUT_OF_RANGE => c"there is no such property",
        TYPE_INT => c"the property is an integer; use omp_get_interop_int",
        TYPE_PTR => c"the property is a pointer; use omp_get_interop_ptr",
        TYPE_STR => c"the property is a string; use omp_get_interop_str",
        _ => c"another error",
    };
    described.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_asked_of_no_object() {
        let mut code = SUCCESS;
        assert!(omp_get_interop_ptr(std::ptr::null(), -9, &raw mut code).is_null());
        assert_eq!(code, EMPTY);
        assert_eq!(omp_get_interop_int(std::ptr::null(), 3, &raw mut code), 0);
        assert_eq!(code, OUT_OF_RANGE);
        // SAFETY: a string of this file's.
        let name = unsafe { CStr::from_ptr(omp_get_interop_name(std::ptr::null(), -9)) };
        assert_eq!(name, c"targetsync");
        assert!(omp_get_interop_name(std::ptr::null(), -10).is_null());
    }

    #[test]
    fn the_first_runtime_that_is_known_is_taken() {
        assert_eq!(runtime("prefer_type( sycl , cuda_driver )"), CUDA_DRIVER);
        assert_eq!(runtime("prefer_type(omp_ifr_cuda)"), CUDA);
        assert_eq!(runtime(""), CUDA);
    }
}
