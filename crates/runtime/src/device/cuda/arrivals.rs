//! What a queue has still to bring to host memory.
//!
//! A download or a reduction's result arrives in pinned memory, and is brought to where the user wants it when the host waits.
//! `wait(1) async(2)` makes queue 2 wait for queue 1: a host that then waits for queue 2 alone must see what both bring, in
//! the order in which the program asked for it, since both may write the same variable. So arrivals are numbered over all
//! queues, and a queue remembers up to which number it follows others.

use super::staging::Block;
use super::{QueueId, Rectangle};
use std::collections::BTreeMap;
use std::ops::Range;

/// Something on its way to host memory.
pub enum Arrival {
    Block {
        block: Block,
        to: *mut u8,
        shape: Rectangle,
    },
    /// A reduction's result in a slot of the queue's `scratch`.
    Result {
        slot: *mut u8,
        to: *mut u8,
        bytes: usize,
    },
}

// SAFETY: the memory is the queue's or the user's until the arrival is handled, once.
unsafe impl Send for Arrival {}

impl Arrival {
    /// The host memory that it may write.
    pub fn range(&self) -> Range<usize> {
        let (to, bytes) = match self {
            Arrival::Block { to, shape, .. } => {
                (*to as usize, shape.rows.saturating_sub(1) * shape.pitch + shape.width)
            }
            Arrival::Result { to, bytes, .. } => (*to as usize, *bytes),
        };
        to..to + bytes
    }
}

/// The arrivals of one queue, by number.
pub struct Arrivals<T> {
    own: Vec<(u64, T)>,
    /// Queues that this one was ordered after when they had something to bring, each with the number before which that was.
    following: BTreeMap<QueueId, u64>,
}

impl<T> Default for Arrivals<T> {
    fn default() -> Arrivals<T> {
        Arrivals { own: vec![], following: BTreeMap::new() }
    }
}

impl<T> Arrivals<T> {
    /// Numbers grow.
    pub fn push(&mut self, number: u64, arrival: T) {
        self.own.push((number, arrival));
    }

    pub fn own(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.own.iter().map(|(_, arrival)| arrival)
    }

    /// The queues that this one follows, each with its number.
    pub fn following(&self) -> BTreeMap<QueueId, u64> {
        self.following.clone()
    }

    /// What a queue follows that is ordered after this one, which has the id: also this one's arrivals with smaller numbers
    /// than `before`.
    pub fn with_own(&self, id: QueueId, before: u64) -> BTreeMap<QueueId, u64> {
        let mut all = self.following();
        if !self.own.is_empty() {
            all.insert(id, before);
        }
        all
    }

    pub fn follow(&mut self, others: BTreeMap<QueueId, u64>) {
        for (id, before) in others {
            let known = self.following.entry(id).or_default();
            *known = before.max(*known);
        }
    }

    /// Takes what has smaller numbers.
    pub fn take(&mut self, before: u64) -> impl Iterator<Item = (u64, T)> {
        let end = self.own.partition_point(|(number, _)| *number < before);
        self.own.drain(..end)
    }

    /// Forgets arrivals that were brought to the host.
    pub fn forget(&mut self, brought: &BTreeMap<QueueId, u64>) {
        self.following.retain(|id, before| brought.get(id).is_none_or(|done| done < before));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: QueueId = QueueId(1);
    const THREE: QueueId = QueueId(3);

    #[test]
    fn a_queue_that_follows_another_brings_what_came_before() {
        let (mut one, mut three, mut zero) =
            (Arrivals::default(), Arrivals::default(), Arrivals::<&str>::default());
        three.push(0, "x on 3");
        one.follow(three.with_own(THREE, 1));
        one.push(1, "y on 1");
        zero.follow(one.with_own(ONE, 2));
        three.push(2, "later on 3");
        assert_eq!(zero.following(), BTreeMap::from([(ONE, 2), (THREE, 1)]));
        let brought = zero.following();
        let mut all: Vec<_> = one.take(brought[&ONE]).chain(three.take(brought[&THREE])).collect();
        all.sort();
        assert_eq!(all, [(0, "x on 3"), (1, "y on 1")]);
        assert_eq!(three.own().collect::<Vec<_>>(), [&"later on 3"]);
        zero.follow(three.with_own(THREE, 3));
        zero.forget(&brought);
        assert_eq!(zero.following(), BTreeMap::from([(THREE, 3)]));
    }

    #[test]
    fn queues_with_nothing_to_bring_are_not_followed() {
        let mut one = Arrivals::<u8>::default();
        assert!(one.with_own(ONE, 7).is_empty());
        one.follow(BTreeMap::from([(THREE, 5)]));
        assert_eq!(one.with_own(ONE, 7), BTreeMap::from([(THREE, 5)]));
    }
}
