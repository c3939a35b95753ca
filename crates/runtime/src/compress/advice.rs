//! A warning for compressed arrays that gain nothing where they are.
//!
//! Where a GPU's cache would hold all arrays of a launch plain ([`copies::in_cache`]), no bytes from memory are saved, and
//! decoding and encoding cost more than nothing. Most kernels have plain copies there. Of arrays that are used as they are held
//! nevertheless, in windows or because a kernel that reads others many times writes them, the user is told, once for each
//! clause, when [`ENOUGH`] such launches have used the array.

use super::{check, copies};
use crate::config::config;
use crate::data::{Task, first};
use crate::launch::Range;
use crate::log;
use crate::site::{Name, Place};
use accl_abi::{Arg, LaunchInfo, arg_flags, arg_kind};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Launches after which it matters.
const ENOUGH: u32 = 32;

/// Counts a launch for the arrays that it uses as they are held: with `decoded` those that have no copies.
pub fn on_launch(task: &Task, info: &LaunchInfo, table: &[Arg], ranges: &[Range], decoded: bool) {
    if check::PRESENT.load(Ordering::Relaxed) == 0
        || !config().warnings
        || !task.state.device.info().is_accelerator
        || !copies::in_cache(task, ranges)
    {
        return;
    }
    let mut held = None;
    let mut useless = vec![];
    for arg in table.iter().filter(|arg| arg.kind == arg_kind::DATA) {
        if decoded && arg.flags & arg_flags::DECODED != 0 {
            continue;
        }
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(arg.index as usize) };
        if check::format(var).is_none() {
            continue;
        }
        let Some(mapping) = task.mapping(&mut held, first(var), var.bytes) else { continue };
        let Some(stored) = &mapping.stored else { continue };
        if mapping.copies.used_in_vain(ENOUGH) {
            useless.push((stored.place, stored.line, Name(mapping.name), mapping.bytes));
        }
    }
    drop(held);
    for (place, line, name, bytes) in useless {
        warn(task, place, line, name, bytes);
    }
}

fn warn(task: &Task, place: Place, line: i32, name: Name, bytes: usize) {
    static TOLD: Mutex<BTreeSet<(usize, i32, String)>> = Mutex::new(BTreeSet::new());
    let key = (std::ptr::from_ref(place.0) as usize, line, name.to_string());
    if !TOLD.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(key) {
        return;
    }
    let cache = task.state.device.info().cache >> 20;
    log::warning(&format!(
        "{name} gains nothing from compression: the device's cache of {cache} MB would hold it ({bytes} bytes) and the \
         other arrays of its kernels plain, and they decode or encode it each time\n  {}\n  \
         help: hold {name} plain where arrays are so small, or set ACCL_WARNINGS=0",
        place.describe(line)
    ));
}
