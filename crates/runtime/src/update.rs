//! Movement of data between host and device: the `update` directive, and the transfers of data
//! clauses.
//!
//! OpenACC 3.3 section 2.14.4. A strided section is given as runs: `dims[0].stride` bytes each,
//! repeated by each further dimension; two dimensions travel as one rectangle.
//!
//! Attached pointers (section 2.6.7) differ between host and device on purpose. A transfer of the
//! memory they lie in must not carry one side's pointers to the other, so they are put right after it.

use crate::compress::settle::{self, Held, Use};
use crate::compress::transfer;
use crate::data::{Task, absent, attached_within, first, name, part_of, partial};
use crate::device::Rectangle;
use crate::present::{Attachment, Found, Mapping};
use crate::profile::Work;
use crate::queues::{Origin, Queue};
use crate::site::Name;
use accl_abi::{Dim, Var, data_flags, data_kind, slice};

/// Devices take the values of host memory when an upload is put on a queue. Where a queue has still to write there, which
/// the program may have ordered before this one by `wait(1) async(2)`, the host waits for it first.
pub fn await_arrivals(task: &Task, host: usize, bytes: usize) {
    finish_where(task, |queue| queue.expects(host, bytes));
}

/// The host waits for the asynchronous queues of which this holds.
pub fn finish_where(task: &Task, holds: impl Fn(&Queue) -> bool) {
    for queue in task.state.queues.all() {
        if !queue.is_sync() && holds(queue) {
            task.state.finish(task.place, queue);
        }
    }
}

/// A download to these bytes was put on the task's queue.
pub fn expect(task: &Task, host: usize, bytes: usize) {
    if !task.queue.is_sync() {
        task.queue.expect(host, bytes, Origin::Download);
    }
}

/// Copies from host to device.
pub fn send(task: &Task, name: Name, line: i32, host: usize, device: u64, bytes: usize) {
    await_arrivals(task, host, bytes);
    task.transfer(Work::Upload, name, line, bytes, |queue| {
        // SAFETY: the section is the user's, and present (or just made) on the device.
        unsafe { task.state.device.upload(queue, device, host as *const u8, bytes) }
    });
}

/// Copies from device to host, and leaves attached pointers of the host as they are.
pub fn receive(
    task: &Task,
    name: Name,
    line: i32,
    host: usize,
    device: u64,
    bytes: usize,
    pointers: &[(usize, Attachment)],
) {
    task.transfer(Work::Download, name, line, bytes, |queue| {
        // SAFETY: as in `send`; the user keeps the memory until the queue is waited for.
        unsafe { task.state.device.download(queue, device, host as *mut u8, bytes) }
    });
    expect(task, host, bytes);
    restore(task, pointers);
}

/// Writes the host's pointers again after device memory was copied over them.
fn restore(task: &Task, pointers: &[(usize, Attachment)]) {
    if pointers.is_empty() {
        return;
    }
    task.state.finish(task.place, task.queue);
    for (slot, attachment) in pointers {
        // SAFETY: the address of a pointer variable inside the section just written.
        unsafe { (*slot as *mut usize).write_unaligned(attachment.host_target) };
    }
}

/// Writes a pointer in device memory; does nothing where memory is shared.
pub fn write_pointer(task: &Task, slot: u64, value: u64) {
    if task.state.shared() {
        return;
    }
    if let Err(error) = task.state.device.prepare_for_pointers() {
        task.state.fail(task.place, None, "attaching a pointer", &error);
    }
    task.put("attaching a pointer", |queue| {
        // SAFETY: the slot lies in a present section; the value is read before this returns.
        unsafe { task.state.device.upload(queue, slot, (&raw const value).cast(), size_of::<u64>()) }
    });
}

/// Where pointers are attached on the device within a part of a mapping, and their values there.
pub fn pointers_on_device(mapping: &Mapping, host: usize, bytes: usize) -> Vec<(u64, u64)> {
    let pointers = attached_within(mapping, host, bytes);
    pointers.iter().map(|(slot, a)| (mapping.translate(*slot), a.device_target)).collect()
}

/// Writes the device's pointers again after host memory was copied over them.
pub fn write_pointers(task: &Task, pointers: &[(u64, u64)]) {
    pointers.iter().for_each(|(slot, value)| write_pointer(task, *slot, *value));
}

/// The update directive for one variable (kind `UPDATE_SELF` or `UPDATE_DEVICE`).
pub fn update(task: &Task, var: &Var) {
    if crate::rows::is_deep(var) {
        return crate::rows::update(task, var);
    }
    let host = first(var);
    let runs = runs(var);
    if runs.bytes() == 0 || var.base.is_null() {
        return;
    }
    let alone = settle::alone(task);
    let (mut table, found) = task.find(host, runs.span());
    let start = match found {
        Found::Inside(start) => start,
        Found::Partial(start) => partial(task, var, &table, start),
        Found::Absent if var.flags & data_flags::IF_PRESENT != 0 => return,
        Found::Absent => absent(task, var, &table),
    };
    let Some(mapping) = table.get_mut(start) else {
        return;
    };
    let how = match var.kind {
        data_kind::UPDATE_SELF => Use::Read,
        _ if runs.bytes() == mapping.bytes => Use::Replaced,
        _ => Use::Changed,
    };
    if let Some(held) = settle::for_transfer(task, &alone, mapping, how) {
        drop(table);
        return convert(task, var, &runs, &held);
    }
    drop(alone);
    if task.state.shared() {
        return;
    }
    let device = mapping.translate(host);
    let pointers = attached_within(mapping, host, runs.span());
    let slots = pointers_on_device(mapping, host, runs.span());
    drop(table);
    let to_host = var.kind == data_kind::UPDATE_SELF;
    let work = if to_host { Work::Download } else { Work::Upload };
    if !to_host {
        await_arrivals(task, host, runs.span());
    }
    task.transfer(work, name(var), var.line, runs.bytes(), |queue| {
        let target = &*task.state.device;
        runs.each(&mut |skip, shape| {
            let (host, device) = (host + skip, device + skip as u64);
            // SAFETY: the section is the user's and present on the device, every run of it.
            unsafe {
                match (to_host, shape.rows) {
                    (true, 1) => target.download(queue, device, host as *mut u8, shape.width),
                    (true, _) => target.download_rectangle(queue, device, host as *mut u8, shape),
                    (false, 1) => target.upload(queue, device, host as *const u8, shape.width),
                    (false, _) => target.upload_rectangle(queue, device, host as *const u8, shape),
                }
            }
        })
    });
    if to_host {
        expect(task, host, runs.span());
        restore(task, &pointers);
    } else {
        write_pointers(task, &slots);
    }
}

/// The update of a compressed array: each run is decoded or encoded.
fn convert(task: &Task, var: &Var, runs: &Runs, held: &Held) {
    let host = first(var);
    let mut parts = vec![];
    let collected = runs.each(&mut |skip, shape| {
        parts.extend((0..shape.rows).map(|row| (host + skip + row * shape.pitch, shape.width)));
        Ok(())
    });
    debug_assert!(collected.is_ok());
    for part in parts {
        let section = part_of(task, var.line, held, part);
        match var.kind {
            data_kind::UPDATE_SELF => transfer::receive(task, name(var), var.line, &section),
            _ => transfer::send(task, name(var), var.line, var.base as usize, &section),
        }
    }
}

/// A strided section: a rectangle, repeated by `outer`.
#[derive(Debug, PartialEq, Eq)]
struct Runs<'a> {
    shape: Rectangle,
    outer: &'a [Dim],
}

fn runs(var: &Var) -> Runs<'static> {
    // SAFETY: the table's dimensions live for the call at least; they are not kept beyond it.
    let dims: &'static [Dim] = unsafe { slice(var.dims, var.n_dims) };
    match dims {
        [] | [_] => Runs { shape: Rectangle { width: var.bytes, rows: 1, pitch: var.bytes }, outer: &[] },
        [run, rows, outer @ ..] => {
            Runs { shape: Rectangle { width: run.stride, rows: rows.count, pitch: rows.stride }, outer }
        }
    }
}

impl Runs<'_> {
    /// Bytes that travel.
    fn bytes(&self) -> usize {
        self.shape.width * self.shape.rows * self.outer.iter().map(|dim| dim.count).product::<usize>()
    }

    /// Bytes from the first to the last.
    fn span(&self) -> usize {
        let outer: usize = self.outer.iter().map(|dim| dim.stride * dim.count.saturating_sub(1)).sum();
        outer + self.shape.pitch * self.shape.rows.saturating_sub(1) + self.shape.width
    }

    /// Calls `action` with the distance from the section's beginning of each rectangle.
    fn each(
        &self,
        action: &mut dyn FnMut(usize, Rectangle) -> crate::error::Result<()>,
    ) -> crate::error::Result<()> {
        fn level(
            outer: &[Dim],
            skip: usize,
            shape: Rectangle,
            action: &mut dyn FnMut(usize, Rectangle) -> crate::error::Result<()>,
        ) -> crate::error::Result<()> {
            let Some((last, inner)) = outer.split_last() else {
                return action(skip, shape);
            };
            (0..last.count).try_for_each(|i| level(inner, skip + i * last.stride, shape, action))
        }
        level(self.outer, 0, self.shape, action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_three_dimensions() {
        // a[2][3] runs of 4 bytes, 10 apart, planes 100 apart.
        let outer = [Dim { stride: 100, count: 2 }];
        let runs = Runs { shape: Rectangle { width: 4, rows: 3, pitch: 10 }, outer: &outer };
        assert_eq!((runs.bytes(), runs.span()), (24, 124));
        let mut seen = Vec::new();
        runs.each(&mut |skip, shape| {
            seen.push((skip, shape.rows));
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, [(0, 3), (100, 3)]);
    }
}
