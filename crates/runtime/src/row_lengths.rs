//! How long the loops inside gang loops are, as earlier launches measured it.
//!
//! A variant for few lanes counts in a sample of its blocks ([`accl_abi::MEASURED`]), from nothing at the first launch with so many
//! iterations, until it has seen enough. The launch that follows one of the same kernel with as many iterations waits for it, once,
//! and reads the counts; launches from then on have lanes that fit.

use crate::call::CallContext;
use crate::device::{Function, QueueId};
use crate::error::Result;
use accl_abi::Kernel;
use std::collections::HashMap;
use std::sync::Mutex;

/// The lengths of one device's kernels.
#[derive(Default)]
pub struct RowLengths(Mutex<HashMap<Key, Length>>);

/// Rows, the loops in them, the iterations of these.
type Counts = [u64; 3];

/// The kernel's table, and the iterations of its gang loop.
type Key = (usize, i64);

#[derive(Clone, Copy)]
enum Length {
    /// A launch on this queue counts at this address.
    Counted {
        queue: QueueId,
        address: u64,
    },
    Known(RowLength),
}

/// What is known of the rows of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowLength {
    /// The mean length of a loop inside.
    pub mean: f64,
    /// How many such loops a row has, in the mean.
    pub loops: f64,
}

/// More are not remembered: a program whose trip counts differ in each launch gains nothing.
const MOST: usize = 256;

fn key(kernel: &Kernel, trips: i64) -> Key {
    (std::ptr::from_ref(kernel) as usize, trips)
}

/// The lengths of the loops inside the kernel's gang loop, if they were measured for this trip count.
pub fn of(call: &CallContext, kernel: &Kernel, trips: i64) -> Option<RowLength> {
    let mut lengths = call.state.row_lengths.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let key = key(kernel, trips);
    match *lengths.get(&key)? {
        Length::Known(length) => Some(length),
        Length::Counted { queue, address } => {
            let length = counted(call, queue, address);
            match length {
                Some(length) => lengths.insert(key, Length::Known(length)),
                None => lengths.remove(&key),
            };
            length
        }
    }
}

/// A launch of this function is about to be put on the call's queue: where it is the first with so many iterations, what others
/// counted is read, and taken away.
pub fn begin(call: &CallContext, kernel: &Kernel, trips: i64, function: &Function) {
    if function.measured == 0 {
        return;
    }
    let mut lengths = call.state.row_lengths.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if lengths.len() >= MOST || lengths.contains_key(&key(kernel, trips)) {
        return;
    }
    lengths.retain(|_, length| match *length {
        Length::Counted { queue, address } if address == function.measured => {
            let known = counted(call, queue, address);
            known.inspect(|known| *length = Length::Known(*known)).is_some()
        }
        _ => true,
    });
    // SAFETY: a variable of a loaded module. A device that cannot fill it has other trouble, which the launch tells.
    let _ = unsafe { call.state.device.fill(call.queue.id, function.measured, 0, size_of::<Counts>()) };
}

/// A launch of this function was put on the call's queue. True where its counts are still to be read.
pub fn launched(call: &CallContext, kernel: &Kernel, trips: i64, function: &Function) -> bool {
    if function.measured == 0 {
        return false;
    }
    let mut lengths = call.state.row_lengths.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let counted = Length::Counted { queue: call.queue.id, address: function.measured };
    if lengths.len() >= MOST && !lengths.contains_key(&key(kernel, trips)) {
        return false;
    }
    matches!(lengths.entry(key(kernel, trips)).or_insert(counted), Length::Counted { .. })
}

/// What launches on this queue count at this address comes to, where that can be read.
fn counted(call: &CallContext, queue: QueueId, address: u64) -> Option<RowLength> {
    read(call, queue, address).ok().and_then(of_counts)
}

/// The counts when the queue has done what is on it now.
fn read(call: &CallContext, queue: QueueId, address: u64) -> Result<Counts> {
    let mut counts = Counts::default();
    let device = &call.state.device;
    // SAFETY: room for the counts, which stays until the queue is finished; a variable of a loaded module.
    let put = unsafe { device.download(queue, address, counts.as_mut_ptr().cast(), size_of::<Counts>()) };
    device.finish(queue)?;
    put.map(|()| counts)
}

/// Iterations of each loop inside; of each iteration of the gang loop, where most have no such loop.
fn of_counts([rows, loops, iterations]: Counts) -> Option<RowLength> {
    let mean = iterations as f64 / rows.max(loops) as f64;
    (rows > 0).then(|| RowLength { mean, loops: loops as f64 / rows as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_of_the_loops_that_ran_and_of_the_rows_without() {
        let of = |counts| of_counts(counts).map(|length| (length.mean, length.loops));
        assert_eq!(of([100, 100, 600]), Some((6.0, 1.0)));
        assert_eq!(of([100, 1, 6]), Some((0.06, 0.01)));
        assert_eq!(of([10, 270, 2700]), Some((10.0, 27.0)));
        assert_eq!(of([0, 0, 0]), None);
    }
}
