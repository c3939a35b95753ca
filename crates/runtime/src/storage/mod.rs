//! How a device stores the arrays of the present table.
//!
//! Most arrays are stored *plain*, byte for byte as on the host. An array that a compressed clause brought is stored *encoded*
//! (`compress`), which changes what its device address means, how it travels and what a kernel is handed. A matrix whose rows are the
//! threads' may be stored by columns ([`column_major`]). The present table,
//! data clauses, updates and launches ask here and nowhere else:
//!
//! - [`Storage`], a member of each mapping, answers for addresses and sizes, and refuses what its array does not have;
//! - [`contents`] brings an array up to date for a transfer, and sends and receives parts of it;
//! - [`arguments`] makes an array an argument of a kernel;
//! - [`launch`] prepares the encoded arrays of a launch, and does what is to be done after it.
//!
//! Invariant: what concerns plain arrays alone is answered in this folder, so work on them never reaches `compress`.

pub mod arguments;
pub mod column_major;
pub mod contents;
pub mod launch;

pub use crate::compress::Statistics;
use column_major::ColumnMajor;

use crate::call::CallContext;
use crate::compress::{EncodedArray, check};
use crate::device::Kind;
use crate::pool::Block;
use crate::present::Mapping;
use crate::variable::format;
use accl_abi::Var;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Arrays that are present anywhere and not stored plain. Where there are none, nothing needs to be looked up.
static NOT_PLAIN: AtomicUsize = AtomicUsize::new(0);

/// True where some array is not stored plain, on whatever device.
#[inline]
pub fn any_not_plain() -> bool {
    NOT_PLAIN.load(Ordering::Relaxed) > 0
}

/// How the device stores the array of a mapping.
pub enum Storage {
    /// The device stores the bytes that the host has.
    Plain,
    /// The device stores its elements in fewer bits.
    Encoded(Box<EncodedArray>),
    /// The device stores the same elements, by columns.
    ColumnMajor(ColumnMajor),
}

impl Drop for Storage {
    fn drop(&mut self) {
        if !self.is_plain() {
            NOT_PLAIN.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Storage {
    /// How an array that a data clause brings is to be stored; an error of the user's where the clause cannot be followed.
    pub fn of_clause(call: &CallContext, var: &Var) -> Storage {
        match format(var) {
            None => match ColumnMajor::of_clause(call, var) {
                None => Storage::Plain,
                Some(matrix) => Storage::ColumnMajor(matrix).counted(),
            },
            Some(format) => {
                let array = EncodedArray::new(check::requested(call, var, format));
                Storage::Encoded(Box::new(array)).counted()
            }
        }
    }

    fn counted(self) -> Storage {
        NOT_PLAIN.fetch_add(1, Ordering::Relaxed);
        self
    }

    #[inline]
    pub fn is_plain(&self) -> bool {
        matches!(self, Storage::Plain)
    }

    /// The encoded array, for the modules that encode and decode.
    pub fn encoded(&self) -> Option<&EncodedArray> {
        match self {
            Storage::Plain | Storage::ColumnMajor(_) => None,
            Storage::Encoded(array) => Some(array),
        }
    }

    /// As [`Storage::encoded`], to change what is known of its decoded copy.
    pub fn encoded_mut(&mut self) -> Option<&mut EncodedArray> {
        match self {
            Storage::Plain | Storage::ColumnMajor(_) => None,
            Storage::Encoded(array) => Some(array),
        }
    }

    /// The device address of what lies `distance` bytes from the array's beginning on the host, of an array that begins at
    /// `device`; and for an encoded array the number of the element there.
    #[inline]
    pub fn locate(&self, device: u64, distance: usize) -> (u64, i64) {
        match self {
            Storage::Plain | Storage::ColumnMajor(_) => (device.wrapping_add(distance as u64), 0),
            Storage::Encoded(array) => array.stored.locate(device, distance as i64),
        }
    }

    /// Bytes on the device of an array that has so many on the host.
    pub fn bytes(&self, host: usize) -> usize {
        match self {
            Storage::Plain | Storage::ColumnMajor(_) => host,
            Storage::Encoded(array) => array.stored.bytes(host),
        }
    }

    /// Memory of a new array has to be cleared: a group of elements that is written in parts must not have the exponent of what
    /// was there before.
    pub fn needs_cleared_memory(&self) -> bool {
        self.encoded().is_some_and(|array| array.stored.is_block())
    }

    /// Device memory that the array has beside its mapping's own: that of its decoded copy.
    pub fn extra_block(&self) -> Option<Block> {
        self.encoded()?.coherence.copy().map(|copy| copy.block)
    }

    /// Refuses to give an encoded array's address, in the name of `what`, to code that would take it for a plain one.
    pub fn require_address(&self, call: &CallContext, line: i32, what: &str) {
        if let Storage::Encoded(array) = self {
            check::refuse_address(call, line, what, &array.stored);
        }
    }
}

/// Refuses a kernel that loads a pointer in the memory of `holder` which leads to an encoded array.
pub fn refuse_indirect(call: &CallContext, holder: &Var, mapping: &Mapping) -> ! {
    check::refuse_indirect(call, holder, mapping)
}

/// While it is there, no other thread decides which form of an encoded array, the encoded one or a decoded copy, is used, or in
/// which order a matrix is stored.
pub struct Exclusive(#[expect(dead_code, reason = "held, not looked at")] Option<MutexGuard<'static, ()>>);

/// Enters the section in which forms are decided on. It is to be entered before the present table is locked, and to be left
/// when the work that uses the array is on its queue. Nothing is locked where all arrays are
/// stored plain.
#[inline]
pub fn exclusive(call: &CallContext) -> Exclusive {
    static DECIDING: Mutex<()> = Mutex::new(());
    let needed = any_not_plain() && call.state.device.info().kind != Kind::Cpu;
    Exclusive(needed.then(|| DECIDING.lock().unwrap_or_else(|poisoned| poisoned.into_inner())))
}

/// What a transfer does with an array on the device.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It reads the array.
    Read,
    /// It overwrites parts of the array.
    Changed,
    /// It overwrites all of the array.
    Replaced,
}

impl Access {
    /// What a transfer of so many bytes to the device does with the array.
    pub fn write_of(bytes: usize, mapping: &Mapping) -> Access {
        if bytes == mapping.bytes { Access::Replaced } else { Access::Changed }
    }
}
