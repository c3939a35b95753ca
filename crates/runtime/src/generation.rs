//! One number that changes whenever a launch could be planned otherwise than before.
//!
//! A launch plan rests on the present tables and on what is known of decoded copies. Whoever changes either, otherwise than in
//! counts and contents, calls [`changed`]. It is one number for all devices, since such changes are rare where time matters.

use std::sync::atomic::{AtomicU64, Ordering};

static GENERATION: AtomicU64 = AtomicU64::new(0);

/// The number as it is now. What was found out since it was read still holds if it is the same afterwards.
pub fn generation() -> u64 {
    GENERATION.load(Ordering::Acquire)
}

/// To be called after a present table, or what is known of a mapping's decoded copy, was changed.
pub fn changed() {
    GENERATION.fetch_add(1, Ordering::Release);
}
