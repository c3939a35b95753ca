//! Sections that are private to one construct (`private(p[a:n])`, `firstprivate(p[a:n])`; OpenACC 3.3 sections 2.5.13, 2.5.14).
//!
//! The construct gets host memory of its own in the place of the program's, with the program's values where these are
//! first ones, and from there it is data like any other: a device with memory apart gives it memory there. So what is
//! present of the program's own array is neither read nor written. Untouched host memory costs no pages.

use crate::call::CallContext;
use crate::variable::first;
use accl_abi::{Var, data_flags, data_kind};
use std::alloc::Layout;

/// The alignment of the strictest type, and of vectors.
const ALIGN: usize = 64;

fn layout(var: &Var) -> Option<Layout> {
    let wanted = var.flags & data_flags::PRIVATE != 0 && var.bytes > 0;
    if wanted { Layout::from_size_align(var.bytes, ALIGN).ok() } else { None }
}

/// Gives private variables their memory.
pub fn begin(call: &CallContext, vars: &mut [Var]) {
    for var in vars {
        let Some(layout) = layout(var) else { continue };
        // SAFETY: the layout has a size.
        let memory = unsafe { std::alloc::alloc(layout) };
        if memory.is_null() {
            call.fatal(var.line, &format!("no host memory for {} private bytes", var.bytes), &[]);
        }
        if var.kind == data_kind::COPYIN {
            // SAFETY: the section is the program's to read, and the memory is new.
            unsafe { std::ptr::copy_nonoverlapping(first(var) as *const u8, memory, var.bytes) };
        }
        var.base = memory.wrapping_sub(var.offset).cast();
    }
}

/// Takes it back when the construct's kernels have ended.
pub fn end(call: &CallContext, vars: &[Var]) {
    let mut waited = false;
    for var in vars {
        let Some(layout) = layout(var) else { continue };
        // Other memory than the host's goes back to its pool in the order of the queue, by itself.
        let in_use = call.state.shared() || var.kind == data_kind::COPYIN;
        if in_use && !std::mem::replace(&mut waited, true) {
            call.state.finish(call.location, call.queue);
        }
        // SAFETY: `begin` allocated it with this layout, and no work on the queue uses it any more.
        unsafe { std::alloc::dealloc(first(var) as *mut u8, layout) };
    }
}
