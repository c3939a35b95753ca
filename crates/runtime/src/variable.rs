//! What a data clause says of one variable (`accl_var`), in the words that the rest of the runtime uses.

use crate::location::Name;
use accl_abi::{Format, Var, data_flags};
use std::ffi::c_void;

/// The address of the section's first byte.
pub fn first(var: &Var) -> usize {
    (var.base as usize).wrapping_add(var.offset)
}

/// An empty section, or a pointer that is null (OpenACC 3.3 section 2.7): no clause does anything.
pub fn names_nothing(var: &Var) -> bool {
    var.bytes == 0 || var.base.is_null()
}

/// The variable's name.
pub fn name(var: &Var) -> Name {
    Name(var.name)
}

/// `a[0:100]`, from what is known of a variable.
pub fn section(var: &Var) -> String {
    let element = var.elem_size.max(1) as usize;
    format!("{}[{}:{}]", name(var), var.offset / element, var.bytes / element)
}

/// A variable without a name.
pub fn unnamed(kind: u32, flags: u32, host: *mut c_void, bytes: usize) -> Var {
    Var {
        name: c"(unnamed)".as_ptr(),
        base: host,
        offset: 0,
        bytes,
        kind,
        flags,
        elem_size: 1,
        n_dims: 0,
        dims: std::ptr::null(),
        line: 0,
        reserved: 0,
        format: std::ptr::null(),
        row_bytes: 0,
        pointers: std::ptr::null(),
    }
}

/// The line of a clause; implicit data has the line of its use, and is reported at the directive.
pub fn directive_line(var: &Var) -> i32 {
    if var.flags & data_flags::IMPLICIT != 0 { 0 } else { var.line }
}

/// The compressed format that a clause or a construct names.
pub fn format(var: &Var) -> Option<&Format> {
    // SAFETY: null, or the caller's, alive for the call.
    unsafe { var.format.as_ref() }
}
