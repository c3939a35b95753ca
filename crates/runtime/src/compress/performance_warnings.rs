//! A warning for compressed arrays that gain nothing where they are.
//!
//! Where a GPU's cache would hold all arrays of a launch plain ([`decoded_copy::in_cache`]), no bytes from memory are saved, and
//! decoding and encoding cost more than nothing. Most kernels have decoded copies there. Of arrays that are used as they are
//! stored nevertheless, in windows or because a kernel that reads others many times writes them, the user is told, once for each
//! clause, when [`ENOUGH`] such launches have used the array.

use super::decoded_copy;
use crate::call::CallContext;
use crate::config::config;
use crate::location::{Name, SourceLocation};
use crate::log;
use crate::storage::launch::LaunchArrays;
use crate::variable::{first, format};
use accl_abi::{arg_flags, arg_kind};
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Launches after which it matters.
const ENOUGH: u32 = 32;

/// Counts a launch for the arrays that it uses as they are stored: with `decoded` those that have no copies.
pub fn on_launch(call: &CallContext, arrays: &LaunchArrays, decoded: bool) {
    if !config().warnings
        || !call.state.device.info().is_accelerator
        || !decoded_copy::in_cache(call, arrays.ranges)
    {
        return;
    }
    let mut locked = None;
    let mut useless = vec![];
    for arg in arrays.table.iter().filter(|arg| arg.kind == arg_kind::DATA) {
        if decoded && arg.flags & arg_flags::DECODED != 0 {
            continue;
        }
        let var = arrays.var(arg);
        if format(var).is_none() {
            continue;
        }
        let Some(mapping) = call.mapping(&mut locked, first(var), var.bytes) else { continue };
        let (name, bytes) = (Name(mapping.name), mapping.bytes);
        let Some(array) = mapping.storage.encoded_mut() else { continue };
        if array.coherence.used_in_vain(ENOUGH) {
            useless.push((array.stored.location, array.stored.line, name, bytes));
        }
    }
    drop(locked);
    for (location, line, name, bytes) in useless {
        warn(call, location, line, name, bytes);
    }
}

fn warn(call: &CallContext, location: SourceLocation, line: i32, name: Name, bytes: usize) {
    static TOLD: Mutex<BTreeSet<(usize, i32, String)>> = Mutex::new(BTreeSet::new());
    let key = (std::ptr::from_ref(location.0) as usize, line, name.to_string());
    if !TOLD.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(key) {
        return;
    }
    let cache = call.state.device.info().cache >> 20;
    log::warning(&format!(
        "{name} gains nothing from compression: the device's cache of {cache} MB would hold it ({bytes} bytes) and the \
         other arrays of its kernels plain, and they decode or encode it each time\n  {}\n  \
         help: hold {name} plain where arrays are so small, or set ACCL_WARNINGS=0",
        location.describe(line)
    ));
}
