//! Matrices that the device stores by columns.
//!
//! Where each thread works on a row of its own, neighbouring threads touch elements a whole row apart, which no memory likes.
//! The compiler finds such arrays among those that a `create` clause brings, and says how long a row is (`row_bytes`). Their
//! kernels take both strides of the matrix as arguments, so they are right in either order, and a GPU stores the matrix in
//! column-major order: the same elements of neighbouring rows lie side by side.
//!
//! Nobody else may see that order. Whoever wants the bytes or the address of the array has it [made plain](make_plain) first, and
//! plain it stays: transfers, `host_data`, attached pointers, and kernels that were not compiled for it. So nothing has to be
//! proven of what else the program does with the array.
//!
//! Invariant: the order changes only while `storage::exclusive` is held, and when all work on the device has ended.

use super::{Exclusive, Storage, any_not_plain, exclusive};
use crate::call::{CallContext, LockedTable};
use crate::device::Kind;
use crate::generation::changed;
use crate::location::Name;
use crate::present::{Mapping, Presence};
use crate::profile::Work;
use crate::profiling::Data;
use crate::variable::first;
use accl_abi::{Arg, Kernel, LaunchInfo, Var, arg_flags, arg_kind, data_kind, slice};

/// A matrix of as many whole rows as its array holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnMajor {
    row_bytes: usize,
    elem_size: usize,
    rows: usize,
}

impl ColumnMajor {
    /// The matrix that a clause brings, if this device is to store it by columns.
    pub fn of_clause(call: &CallContext, var: &Var) -> Option<ColumnMajor> {
        let elem_size = var.elem_size as usize;
        let wanted = var.kind == data_kind::CREATE && var.row_bytes > 0 && var.offset == 0 && elem_size > 0;
        let gains = !call.state.shared() && call.state.device.info().kind != Kind::Cpu;
        let is_matrix =
            wanted && var.bytes.is_multiple_of(var.row_bytes) && var.row_bytes.is_multiple_of(elem_size);
        let rows = if is_matrix { var.bytes / var.row_bytes } else { 0 };
        (gains && rows > 1).then_some(ColumnMajor { row_bytes: var.row_bytes, elem_size, rows })
    }

    /// The bytes of the array in the host's order, from those in the device's.
    fn by_rows(self, columns: &[u8]) -> Vec<u8> {
        let length = self.row_bytes / self.elem_size;
        let mut rows = Vec::with_capacity(columns.len());
        for row in 0..self.rows {
            for element in 0..length {
                let at = (element * self.rows + row) * self.elem_size;
                rows.extend_from_slice(&columns[at..at + self.elem_size]);
            }
        }
        rows
    }
}

/// How many elements lie from one to the next, in a row or from row to row, of a variable whose rows have `arg.size` elements.
pub fn stride(mapping: Option<&Mapping>, arg: &Arg) -> i64 {
    let of_rows = arg.flags & arg_flags::OF_ROWS != 0;
    match (mapping.map(|mapping| &mapping.storage), of_rows) {
        (Some(Storage::ColumnMajor(matrix)), false) => matrix.rows as i64,
        (Some(Storage::ColumnMajor(_)), true) => 1,
        (_, false) => 1,
        (_, true) => i64::from(arg.size),
    }
}

/// Has those matrices made plain that this launch's kernel could not follow by columns.
///
/// # Safety
/// As for [`launch`](crate::launch::launch).
pub unsafe fn before_launch(call: &CallContext, exclusive: &Exclusive, info: &LaunchInfo, kernel: &Kernel) {
    let mut locked: LockedTable = None;
    // SAFETY: constant tables, and the launch's lists are as long.
    let (table, reduced) =
        unsafe { (slice(kernel.args, kernel.n_args), slice(info.reduction_vars, kernel.n_reductions)) };
    for variable in reduced {
        if let Some(mapping) = call.mapping(&mut locked, *variable as usize, 1) {
            make_plain(call, exclusive, mapping);
        }
    }
    for arg in table.iter().filter(|arg| arg.kind == arg_kind::DATA) {
        // SAFETY: the index of such an argument is within the launch's variables.
        let var = unsafe { &*info.vars.add(arg.index as usize) };
        if var.kind == data_kind::DEVICEPTR || var.base.is_null() {
            continue;
        }
        let Some(mapping) = call.mapping(&mut locked, first(var), var.bytes) else { continue };
        let Storage::ColumnMajor(matrix) = &mapping.storage else { continue };
        let follows = |arg_of: &Arg| {
            arg_of.kind == arg_kind::STRIDE
                && arg_of.index == arg.index
                && arg_of.size as usize * matrix.elem_size == matrix.row_bytes
        };
        let is_itself = var.base as usize == mapping.host && var.elem_size as usize == matrix.elem_size;
        if !(is_itself && table.iter().any(follows)) {
            make_plain(call, exclusive, mapping);
        }
    }
}

/// As [`make_plain`], of the array around a stretch of the host's memory, if there is one.
pub fn make_plain_around(call: &CallContext, host: usize, bytes: usize) {
    if any_not_plain() {
        let exclusive = exclusive(call);
        let (mut table, found) = call.find(host, bytes);
        if let Presence::Inside(start) = found
            && let Some(mapping) = table.get_mut(start)
        {
            make_plain(call, &exclusive, mapping);
        }
    }
}

/// As [`make_plain`], of what a pointer on the device is about to lead to, and of the array that the pointer lies in. A pointer
/// that is not on the device is not attached.
pub fn before_attach(call: &CallContext, slot: usize, target: usize) {
    if any_not_plain() && matches!(call.find(slot, size_of::<usize>()).1, Presence::Inside(_)) {
        make_plain_around(call, target, 1);
        make_plain_around(call, slot, size_of::<usize>());
    }
}

/// As [`make_plain`], of all arrays: for data that are reached by pointers in other data.
pub fn make_all_plain(call: &CallContext) {
    if any_not_plain() {
        let exclusive = exclusive(call);
        call.state.table().mappings().for_each(|mapping| make_plain(call, &exclusive, mapping));
    }
}

/// Brings an array that is stored by columns into the host's order, for good.
pub fn make_plain(call: &CallContext, _: &Exclusive, mapping: &mut Mapping) {
    let Storage::ColumnMajor(matrix) = mapping.storage else { return };
    let (state, device, bytes) = (call.state, mapping.device, mapping.bytes);
    let finish = || state.queues.all().into_iter().for_each(|queue| state.finish(call.location, queue));
    finish();
    let mut columns = vec![0; bytes];
    let told = Data { name: Name(mapping.name), bytes, host: mapping.host, device };
    call.transfer(Work::Download, 0, told, |queue| {
        // SAFETY: the mapping's memory, and a buffer that stays until the queue is finished.
        unsafe { state.device.download(queue, device, columns.as_mut_ptr(), bytes) }
    });
    finish();
    let rows = matrix.by_rows(&columns);
    call.transfer(Work::Upload, 0, told, |queue| {
        // SAFETY: as above.
        unsafe { state.device.upload(queue, device, rows.as_ptr(), bytes) }
    });
    finish();
    mapping.storage = Storage::Plain;
    changed();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_rows() {
        let matrix = ColumnMajor { row_bytes: 6, elem_size: 2, rows: 2 };
        // Rows aa bb cc, dd ee ff.
        assert_eq!(matrix.by_rows(b"aaddbbeeccff"), b"aabbccddeeff");
    }
}
