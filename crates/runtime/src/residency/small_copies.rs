//! Device copies of small objects, which have no pages of their own.
//!
//! Nobody notices what the host does to them. So a copy remembers its contents: a construct sends an object where the host's
//! contents are others, and brings it home where its kernels may have written it. An object that nobody changes is sent once.
//! This is for synchronous constructs; others treat small objects as a `copy` clause does.
//!
//! Invariants: a copy is of a whole object, so no two overlap; one that is in use by a construct is neither sent nor given back.

use super::objects::TRACKED;
use crate::call::CallContext;
use crate::data::take_block;
use crate::device::SYNC_QUEUE;
use crate::pool::Block;
use crate::state::DeviceState;
use crate::transfer;
use crate::variable::name;
use accl_abi::{Var, data_kind};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Copies that are kept.
const KEPT: usize = 512;
/// `Var::reserved` of an item that was found here is this less its kind.
const FOUND: i32 = -2;

struct SmallCopy {
    state: &'static DeviceState,
    block: Block,
    /// What both sides had when they had the same. `None`: nobody knows.
    contents: Option<Vec<u8>>,
    bytes: usize,
    /// Constructs under way that use it.
    uses: usize,
    last_use: u64,
}

#[derive(Default)]
struct SmallCopies {
    /// By the device, and where the object begins.
    copies: BTreeMap<(usize, usize), SmallCopy>,
    uses: u64,
}

static COPIES: Mutex<SmallCopies> = Mutex::new(SmallCopies { copies: BTreeMap::new(), uses: 0 });

fn copies() -> MutexGuard<'static, SmallCopies> {
    COPIES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(state: &'static DeviceState, start: usize) -> (usize, usize) {
    (std::ptr::from_ref(state) as usize, start)
}

fn bytes_at(extent: &Range<usize>) -> Vec<u8> {
    // SAFETY: an object of the program's, which is not freed while a construct uses it.
    unsafe { std::slice::from_raw_parts(extent.start as *const u8, extent.len()) }.to_vec()
}

/// Brings an object up to date on the device, and puts its address there into the item. False where it is left to data clauses' ways.
pub fn enter(call: &CallContext, var: &mut Var, extent: &Range<usize>) -> bool {
    if !call.queue.is_sync() || extent.is_empty() || extent.len() >= TRACKED {
        return false;
    }
    let covers = super::first(var) <= extent.start && super::first(var) + var.bytes >= extent.end;
    let overwrites = var.kind == data_kind::CREATE || var.kind == data_kind::COPYOUT && covers;
    let mut all = copies();
    all.uses += 1;
    let now = all.uses;
    let key = key(call.state, extent.start);
    if all.copies.get(&key).is_some_and(|copy| copy.bytes != extent.len()) {
        if all.copies[&key].uses > 0 {
            return false;
        }
        all.remove(key);
    }
    let copy = all.copies.entry(key).or_insert_with(|| SmallCopy {
        state: call.state,
        block: take_block(call, var, extent.len()),
        contents: None,
        bytes: extent.len(),
        uses: 0,
        last_use: now,
    });
    // Another item of the construct may overwrite what this one reads.
    if copy.uses == 0 || copy.contents.is_none() {
        let host = bytes_at(extent);
        if overwrites {
            copy.contents = None;
        } else if copy.contents.as_ref() != Some(&host) {
            transfer::send_current(call, name(var), var.line, extent.start, copy.block.address, extent.len());
            copy.contents = Some(host);
        }
    }
    (copy.uses, copy.last_use) = (copy.uses + 1, now);
    let device = copy.block.address;
    all.make_room();
    var.reserved = FOUND - var.kind as i32;
    var.row_bytes = extent.start;
    var.base = (device as usize).wrapping_add((var.base as usize).wrapping_sub(extent.start)) as *mut _;
    var.kind = data_kind::DEVICEPTR;
    true
}

pub fn was_found(var: &Var) -> bool {
    super::is_resident(var) && var.kind == data_kind::DEVICEPTR && var.reserved <= FOUND
}

/// The use of an item that was found here ends. True where its contents are on their way to the host: [`arrived`] is to be called when the
/// queue is finished.
pub fn exit(call: &CallContext, var: &Var) -> bool {
    let key = key(call.state, var.row_bytes);
    let Some((device, bytes)) = copies().copies.get(&key).map(|copy| (copy.block.address, copy.bytes)) else {
        return false;
    };
    if is_written(var) {
        transfer::receive_current(call, name(var), var.line, var.row_bytes, device, bytes);
        return true;
    }
    end_use(key, None);
    false
}

/// The contents that a kernel may have written are on the host.
pub fn arrived(call: &CallContext, var: &Var) {
    let key = key(call.state, var.row_bytes);
    let Some(bytes) = copies().copies.get(&key).map(|copy| copy.bytes) else { return };
    end_use(key, Some(bytes_at(&(var.row_bytes..var.row_bytes + bytes))));
}

fn is_written(var: &Var) -> bool {
    matches!((FOUND - var.reserved) as u32, data_kind::COPY | data_kind::COPYOUT)
}

fn end_use(key: (usize, usize), written: Option<Vec<u8>>) {
    if let Some(copy) = copies().copies.get_mut(&key) {
        copy.uses -= 1;
        if written.is_some() {
            copy.contents = written;
        }
    }
}

impl SmallCopies {
    fn remove(&mut self, key: (usize, usize)) {
        if let Some(copy) = self.copies.remove(&key) {
            copy.state.pool.give(copy.block, SYNC_QUEUE);
        }
    }

    /// Gives back the copy that was not used longest, where there are too many.
    fn make_room(&mut self) {
        if self.copies.len() > KEPT {
            let unused = self.copies.iter().filter(|(_, copy)| copy.uses == 0);
            let oldest = unused.min_by_key(|(_, copy)| copy.last_use).map(|(key, _)| *key);
            oldest.into_iter().for_each(|key| self.remove(key));
        }
    }
}

/// Nothing of a device is kept.
pub fn leave(state: &'static DeviceState) {
    let mut all = copies();
    let of_state = |(of, _): &&(usize, usize)| *of == std::ptr::from_ref(state) as usize;
    let gone: Vec<_> = all.copies.keys().filter(of_state).copied().collect();
    gone.into_iter().for_each(|key| all.remove(key));
}
