//! The `update` directive.
//!
//! OpenACC 3.3 section 2.14.4. A strided section is given as runs: `dims[0].stride` bytes each, repeated by each further
//! dimension; two dimensions travel as one rectangle.

use crate::call::CallContext;
use crate::device::Rectangle;
use crate::not_present::{absent, partial};
use crate::present::Presence;
use crate::profile::Work;
use crate::profiling::Data;
use crate::residency::touch;
use crate::storage::contents::{Contents, PlainContents};
use crate::storage::{self, Access};
use crate::transfer::{await_arrivals, expect};
use crate::variable::{first, name};
use accl_abi::{Dim, Var, data_flags, data_kind, slice};

/// The update directive for one variable (kind `UPDATE_SELF` or `UPDATE_DEVICE`).
pub fn update(call: &CallContext, var: &Var) {
    if crate::rows::is_deep(var) {
        return crate::rows::update(call, var);
    }
    let host = first(var);
    let runs = runs(var);
    if runs.bytes() == 0 || var.base.is_null() {
        return;
    }
    let exclusive = storage::exclusive(call);
    let (mut table, found) = call.find(host, runs.span());
    let start = match found {
        Presence::Inside(start) => start,
        Presence::Partial(start) => match table.pieces(host, runs.span()) {
            Some(pieces) if runs.shape.rows == 1 && runs.outer.is_empty() => {
                drop((table, exclusive));
                let piece = |(host, bytes): (usize, usize)| Var {
                    offset: var.offset + (host - first(var)),
                    bytes,
                    ..*var
                };
                return pieces.into_iter().for_each(|at| update(call, &piece(at)));
            }
            _ => partial(call, var, &table, start),
        },
        Presence::Absent if var.flags & data_flags::IF_PRESENT != 0 => return,
        Presence::Absent => absent(call, var, &table),
    };
    let Some(mapping) = table.get_mut(start) else {
        return;
    };
    if call.state.shared() && mapping.storage.is_plain() && mapping.is_host_memory() {
        return;
    }
    let access = match var.kind {
        data_kind::UPDATE_SELF => Access::Read,
        _ => Access::write_of(runs.bytes(), mapping),
    };
    let contents = Contents::for_transfer(call, &exclusive, mapping, (host, runs.span()), access);
    drop(table);
    match &contents {
        Contents::Plain(plain) => {
            drop(exclusive);
            move_rectangles(call, var, &runs, plain);
        }
        Contents::Encoded(_) => move_rows(call, var, &runs, &contents),
    }
}

/// Moves the section's rectangles.
fn move_rectangles(call: &CallContext, var: &Var, runs: &Runs, plain: &PlainContents) {
    let host = first(var);
    let device = plain.translate(host);
    let to_host = var.kind == data_kind::UPDATE_SELF;
    let work = if to_host { Work::Download } else { Work::Upload };
    match to_host {
        true => touch(host, runs.span(), true),
        false => await_arrivals(call, host, runs.span()),
    }
    let told = Data { name: name(var), bytes: runs.bytes(), host, device };
    call.transfer(work, var.line, told, |queue| {
        let target = &*call.state.device;
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
        expect(call, host, runs.span());
        plain.restore_on_host(call);
    } else {
        plain.restore_on_device(call);
    }
}

/// Moves each run by itself, since what lies between two runs is theirs alone on the host.
fn move_rows(call: &CallContext, var: &Var, runs: &Runs, contents: &Contents) {
    let host = first(var);
    let mut rows = vec![];
    let collected = runs.each(&mut |skip, shape| {
        rows.extend((0..shape.rows).map(|row| (host + skip + row * shape.pitch, shape.width)));
        Ok(())
    });
    debug_assert!(collected.is_ok());
    for row in rows {
        match var.kind {
            data_kind::UPDATE_SELF => contents.receive(call, var, row),
            _ => contents.send(call, var, row),
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
