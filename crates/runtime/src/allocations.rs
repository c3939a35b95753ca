//! Device memory that the program asked for by a routine: acc_malloc, omp_target_alloc.

use crate::call::CallContext;
use crate::location::Name;
use crate::log;
use crate::pool::Block;
use crate::profiling::{self, About, Data, Moment};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

/// `bytes` is what was asked for; the block may be larger.
struct Allocation {
    block: Block,
    bytes: usize,
    routine: Name,
}

// SAFETY: the name is a constant.
unsafe impl Send for Allocation {}

/// By address.
#[derive(Default)]
pub struct Allocations(Mutex<BTreeMap<u64, Allocation>>);

impl Allocations {
    fn list(&self) -> MutexGuard<'_, BTreeMap<u64, Allocation>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The address and size of the allocation that an address lies in.
    pub fn around(&self, address: u64) -> Option<(u64, usize)> {
        let list = self.list();
        let (start, allocation) = list.range(..=address).next_back()?;
        (address - start < allocation.bytes as u64).then_some((*start, allocation.bytes))
    }
}

/// Memory of the call's device; none where there is not as much, or nothing is asked for.
pub fn allocate(call: &CallContext, routine: Name, bytes: usize) -> Option<u64> {
    if bytes == 0 {
        return None;
    }
    let state = call.state;
    let block = state.pool.take(&*state.device, bytes, call.queue.id).ok()?;
    state.allocations.list().insert(block.address, Allocation { block, bytes, routine });
    log::allocation("alloc", state, call.location, 0, routine, bytes, block.address);
    let data = || Data { name: routine, bytes, host: 0, device: block.address };
    profiling::moment(Moment::Alloc, || About::of(call), data);
    // A block may have been in use on the sync queue; other streams of the user are not ordered.
    state.finish(call.location, call.queue);
    Some(block.address)
}

/// Gives memory back; false where no allocation of the call's device begins there.
pub fn free(call: &CallContext, address: u64) -> bool {
    let state = call.state;
    let Some(Allocation { block, routine, .. }) = state.allocations.list().remove(&address) else {
        return false;
    };
    log::allocation("free", state, call.location, 0, routine, block.bytes, block.address);
    let data = || Data { name: routine, bytes: block.bytes, host: 0, device: block.address };
    profiling::moment(Moment::Free, || About::of(call), data);
    // Work on any queue may still use it.
    for queue in state.queues.all() {
        state.finish(call.location, queue);
    }
    state.pool.give(block, call.queue.id);
    true
}
