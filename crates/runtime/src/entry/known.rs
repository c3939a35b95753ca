//! What programs that `-fopenmpc` translates ask before a construct.

use super::routine::here;
use crate::call::CallContext;
use crate::error::guard;
use crate::location::SourceLocation;
use crate::queues::ASYNC_SYNC;
use crate::residency;
use std::ffi::{c_int, c_void};

/// Whether the device can have what the pointer leads to.
#[unsafe(no_mangle)]
pub extern "C" fn accl_is_known(pointer: *const c_void) -> c_int {
    guard(|| {
        let call = CallContext::new(here!(c"accl_is_known"), ASYNC_SYNC);
        residency::is_known(&call, pointer as usize).into()
    })
}

/// Whether it can have what the pointers in an array lead to, through so many levels of them.
#[unsafe(no_mangle)]
pub extern "C" fn accl_rows_are_known(array: *const c_void, bytes: usize, levels: c_int) -> c_int {
    guard(|| {
        let call = CallContext::new(here!(c"accl_rows_are_known"), ASYNC_SYNC);
        residency::rows_are_known(&call, array as usize, bytes, levels as u32).into()
    })
}
