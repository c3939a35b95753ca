//! Lists of variables that only the running program can count: elements of mapped arrays, iterations of an iterator.

use super::routine::here;
use crate::call::CallContext;
use crate::error::guard;
use crate::location::SourceLocation;
use crate::present::Presence;
use crate::queues::ASYNC_SYNC;
use crate::variable::first;
use accl_abi::{Var, data_flags, data_kind};
use std::ffi::{c_char, c_int, c_void};

/// A list of variables that grows (`accl_list`).
#[repr(C)]
pub struct List {
    vars: *mut Var,
    n: u32,
    capacity: u32,
}

impl List {
    /// Takes the variables out.
    ///
    /// # Safety
    /// The list is one of the program's, which only these functions change.
    unsafe fn take(&mut self) -> Vec<Var> {
        if self.vars.is_null() {
            return vec![];
        }
        let vars = std::mem::replace(&mut self.vars, std::ptr::null_mut());
        // SAFETY: `put` made it of a vector.
        unsafe { Vec::from_raw_parts(vars, self.n as usize, self.capacity as usize) }
    }

    fn put(&mut self, vars: Vec<Var>) {
        let mut vars = std::mem::ManuallyDrop::new(vars);
        *self = List { vars: vars.as_mut_ptr(), n: vars.len() as u32, capacity: vars.capacity() as u32 };
    }
}

/// # Safety
/// The contract of accl_abi.h.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the members of an accl_var")]
pub unsafe extern "C" fn accl_list_add(
    list: *mut List,
    name: *const c_char,
    base: *const c_void,
    offset: usize,
    bytes: usize,
    kind: u32,
    flags: u32,
    elem_size: u32,
    line: i32,
) {
    let (base, dims, format) = (base.cast_mut(), std::ptr::null(), std::ptr::null());
    let (n_dims, reserved, row_bytes) = (0, 0, 0);
    let var = Var {
        name,
        base,
        offset,
        bytes,
        kind,
        flags,
        elem_size,
        n_dims,
        dims,
        line,
        reserved,
        format,
        row_bytes,
        pointers: std::ptr::null(),
    };
    // SAFETY: the caller's promise.
    let list = unsafe { &mut *list };
    // SAFETY: as above.
    let mut vars = unsafe { list.take() };
    vars.push(var);
    list.put(vars);
}

/// # Safety
/// The contract of accl_abi.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_list_free(list: *mut List) {
    // SAFETY: the caller's promise.
    drop(unsafe { (*list).take() });
}

/// # Safety
/// The contract of accl_abi.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn accl_list_complete(list: *mut List) {
    // SAFETY: the caller's promise.
    let list = unsafe { &mut *list };
    // SAFETY: as above.
    let mut vars = unsafe { list.take() };
    gather(&mut vars);
    list.put(vars);
}

/// Whether a part of the array is present, and this element of it is not.
#[unsafe(no_mangle)]
pub extern "C" fn accl_is_beside_present(
    array: *const c_void,
    bytes: usize,
    element: *const c_void,
    size: usize,
) -> c_int {
    guard(|| {
        let call = CallContext::new(here!(c"map"), ASYNC_SYNC);
        let find = |address: *const c_void, bytes| call.find(address as usize, bytes).1;
        let beside = matches!(find(array, bytes), Presence::Partial(_))
            && !matches!(find(element, size), Presence::Inside(_));
        c_int::from(beside)
    })
}

/// Parts of one object become one variable, from the first to the last, unless another one is all of it. It comes before those
/// which may be its parts.
fn gather(vars: &mut Vec<Var>) {
    let (together, others): (Vec<Var>, Vec<Var>) =
        vars.drain(..).partition(|var| var.flags & data_flags::TOGETHER != 0);
    let maps = |var: &&Var| var.kind <= data_kind::DELETE;
    let rooms: Vec<(usize, usize, bool)> = others
        .iter()
        .filter(maps)
        .map(|var| (range(var).0, range(var).1, matches!(var.kind, data_kind::CREATE | data_kind::DELETE)))
        .collect();
    let mut whole: Vec<Var> = vec![];
    for var in together {
        let (start, end) = range(&var);
        // A part is an item of the clause itself, too.
        let of_clause = var.flags & data_flags::IMPLICIT != 0;
        let holds = |room: &&(usize, usize, bool)| {
            let larger = room.1 - room.0 > end - start;
            room.0 <= start && end <= room.1 && (larger || room.2 && !of_clause)
        };
        if rooms.iter().any(|room| holds(&room)) {
            continue;
        }
        match whole.iter_mut().find(|other| other.base == var.base && other.kind == var.kind) {
            None => whole.push(var),
            Some(other) => {
                let before = range(other);
                let (start, end) = (start.min(before.0), end.max(before.1));
                other.offset = start.wrapping_sub(other.base as usize);
                other.bytes = end - start;
                if var.flags & data_flags::IMPLICIT == 0 {
                    other.flags &= !data_flags::IMPLICIT;
                }
            }
        }
    }
    whole.extend(others);
    // What holds others comes before them.
    whole.sort_by_key(|var| std::cmp::Reverse(var.bytes));
    *vars = whole;
}

fn range(var: &Var) -> (usize, usize) {
    (first(var), first(var) + var.bytes)
}
