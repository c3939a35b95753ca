//! What a kernel is given: the addresses of its arrays on the device, values, trip counts, keys of compressed arrays.

use super::USUAL;
use crate::compress::{Stored, check};
use crate::data::{Held, Task, absent, first, partial};
use crate::device::{Argument, Kind, Target};
use crate::error::fatal;
use crate::present::{Found, Mapping, PresentTable};
use crate::site::Name;
use accl_abi::{Arg, Kernel, LaunchInfo, Var, arg_flags, arg_kind, data_flags, data_kind, slice, text};
use smallvec::SmallVec;
use std::ffi::c_void;
use std::sync::atomic::Ordering;

/// The extent in device memory of an argument that a kernel reads or writes.
#[derive(Clone, Copy)]
pub struct Range {
    pub begin: u64,
    pub end: u64,
    pub flags: u32,
    pub base: u64,
    /// Bytes from base to the end, as far as known.
    pub reach: u64,
    pub known: bool,
}

/// Of an argument that is no array.
const NOTHING: Range = Range { begin: 0, end: 0, flags: 0, base: 0, reach: 0, known: true };

/// Finds the arguments and, for arrays, their extents on the device. Which form of a compressed array is the array is decided
/// later (`compress::copies::provide`).
///
/// # Safety
/// As for [`launch`].
pub(super) unsafe fn resolve(
    task: &Task,
    info: &LaunchInfo,
    kernel: &Kernel,
    arguments: &mut SmallVec<[Argument; USUAL]>,
    ranges: &mut SmallVec<[Range; USUAL]>,
) {
    // SAFETY: a constant table.
    let table = unsafe { slice(kernel.args, kernel.n_args) };
    let mut firsts: SmallVec<[Option<First>; USUAL]> = SmallVec::new();
    let mut held = None;
    for arg in table {
        let mut range = NOTHING;
        arguments.push(match arg.kind {
            arg_kind::DATA => {
                // SAFETY: the index is within the launch's variables.
                let var = unsafe { &*info.vars.add(arg.index as usize) };
                let (argument, of_array, first) = data(task, &mut held, var, arg.flags, arg.size as usize);
                if first.is_some() {
                    firsts.resize(firsts.len().max(arg.index as usize + 1), None);
                    firsts[arg.index as usize] = first;
                }
                range = of_array;
                argument
            }
            arg_kind::VALUE => Argument::Value { size: arg.size },
            arg_kind::REDUCTION => Argument::Reduction(arg.index),
            arg_kind::CODEC => {
                let first = firsts.get(arg.index as usize).copied().flatten();
                let key = first.and_then(|f| Some(f.stored(&held)?.key(arg.flags, f.element)));
                // A kernel that has no iteration, or an array that is not there: nothing is decoded.
                Argument::Number { bytes: key.unwrap_or_default(), size: arg.size }
            }
            arg_kind::EXTENT => {
                // SAFETY: as for DATA.
                let var = unsafe { &*info.vars.add(arg.index as usize) };
                Argument::Trips(extent(task, &mut held, var, arg))
            }
            _ => Argument::Trips(info.trips[arg.index.min(2) as usize]),
        });
        ranges.push(range);
    }
}

/// Refuses an address where one array on the device ends and another begins, and so has two places there: nothing is
/// read at this one that would tell.
fn one_meaning(task: &Task, var: &Var, table: &PresentTable) {
    let host = first(var);
    let (Some(before), Some(after)) = (table.ending_at(host), table.get(host)) else { return };
    let message = format!(
        "where {} lies on the device cannot be told: {} ends there on the host, and {} begins",
        crate::data::name(var),
        Name(before.name),
        Name(after.name)
    );
    let help =
        "help: compare indices, or compute the pointer in the construct from the array that it belongs to";
    fatal(task.place, 0, &message, &[help.to_owned()])
}

/// True where the user gave no section.
fn is_bare(var: &Var) -> bool {
    // SAFETY: names are constants of the program.
    !var.name.is_null() && !unsafe { text(var.name) }.contains('[')
}

/// Where the device's part of a variable begins or ends, counted in elements from its base.
fn extent(task: &Task, held: &mut Held, var: &Var, arg: &Arg) -> i64 {
    let cpu = task.state.device.info().kind == Kind::Cpu;
    if cpu && arg.flags & arg_flags::ON_CPU == 0 {
        return 0;
    }
    let (_, range, first) = data(task, held, var, 0, 0);
    if let Some(pitch) = first.and_then(|first| first.stored(held).map(Stored::pitch)) {
        return extent_on_host(task, held, var, arg, pitch);
    }
    if !range.known {
        // SAFETY: a name of the program's.
        let name = if var.name.is_null() { "an array".into() } else { unsafe { text(var.name) } };
        let message =
            format!("how much of {name} is on the device is not known, and a window (fcw) of it is fetched");
        task.fatal(
            0,
            &message,
            &["help: give the array a section in a data clause: present(a[0:n])".to_owned()],
        );
    }
    let size = i64::from(arg.size.max(1));
    let at = if arg.flags & arg_flags::END != 0 { range.end } else { range.begin };
    (at as i64 - range.base as i64).div_euclid(size)
}

/// As [`extent`], of a compressed array, whose elements are counted on the host.
fn extent_on_host(task: &Task, held: &mut Held, var: &Var, arg: &Arg, pitch: usize) -> i64 {
    let (begin, end) = if var.bytes > 0 {
        (first(var), first(var) + var.bytes)
    } else {
        let Found::Inside(start) = task.find_in(held, first(var), 0) else { return 0 };
        let mapping = held.as_ref().and_then(|table| table.get(start));
        mapping.map_or((start, start), |mapping| (mapping.host, mapping.end()))
    };
    let at = if arg.flags & arg_flags::END != 0 { end } else { begin };
    (at as i64 - var.base as i64).div_euclid((arg.size as usize * pitch) as i64)
}

/// The first element of a compressed array: where its mapping begins, and the element's number.
#[derive(Clone, Copy)]
struct First {
    start: usize,
    element: i64,
}

impl First {
    fn stored(self, held: &Held) -> Option<&Stored> {
        held.as_ref()?.get(self.start)?.stored.as_ref()
    }
}

/// An array's argument and range, and where a compressed one begins.
type Resolved = (Argument, Range, Option<First>);

/// The device address of one variable.
fn data(task: &Task, held: &mut Held, var: &Var, flags: u32, plane: usize) -> Resolved {
    let host = first(var);
    let reach = (var.offset + var.bytes) as u64;
    if var.kind == data_kind::PRESENT && var.bytes == 0 && is_bare(var) && !var.base.is_null() {
        // `present(p)`, extent unknown: absence shows only here, where a kernel would use it. Only an address may be the
        // end of an array: what is followed there would be another array, which is not present.
        let followed = var.flags & data_flags::ADDRESS == 0;
        if task.find_in(held, host, usize::from(followed)) == Found::Absent {
            absent(task, var, held.get_or_insert_with(|| task.state.table()));
        }
        if var.flags & data_flags::ADDRESS != 0 && !task.state.shared() {
            one_meaning(task, var, held.get_or_insert_with(|| task.state.table()));
        }
    }
    let compressed = !var.format.is_null() || check::PRESENT.load(Ordering::Relaxed) > 0;
    if var.kind == data_kind::DEVICEPTR || task.state.shared() && !compressed {
        return on_host(var, flags);
    }
    if var.base.is_null() {
        let range = Range { begin: 0, end: 0, flags, base: 0, reach, known: true };
        return (Argument::Data { base: 0, inside: 0 }, range, None);
    }
    if let Some(mapping) = task.mapping(held, host, var.bytes) {
        check::argument(task, var, flags, mapping);
        return present(var, flags, plane, mapping);
    }
    let found = task.find_in(held, host, var.bytes);
    let table = held.get_or_insert_with(|| task.state.table());
    match found {
        Found::Inside(_) => unreachable!("the lock is held"),
        Found::Partial(start) => partial(task, var, table, start),
        // A local of the kernel's own constructs, or one that declares: the host's memory.
        Found::Absent if task.state.shared() && var.format.is_null() => on_host(var, flags),
        Found::Absent if var.bytes > 0 && var.kind != data_kind::NO_CREATE => absent(task, var, table),
        Found::Absent => {
            let range = Range { begin: 0, end: 0, flags, base: 0, reach, known: true };
            (Argument::Data { base: 0, inside: 0 }, range, None)
        }
    }
}

fn present(var: &Var, flags: u32, plane: usize, mapping: &Mapping) -> Resolved {
    let (base, element) = mapping.locate(var.base as usize);
    let host = first(var);
    let inside = mapping.translate(host);
    let start = mapping.stored.is_some().then_some(First { start: mapping.host, element });
    if let Some(stored) = mapping.stored.as_ref().filter(|stored| stored.plane > 0) {
        let (argument, range) = in_plane(flags, stored, element, base, inside, plane);
        return (argument, range, start);
    }
    // An empty section stands for a pointer whose extent the compiler does not know.
    let (begin, end, reach) = if var.bytes > 0 {
        (inside, mapping.translate(host + var.bytes), (var.offset + var.bytes) as u64)
    } else {
        (mapping.device, mapping.device + mapping.device_bytes() as u64, mapping.bytes as u64)
    };
    let inside =
        if inside == mapping.device + mapping.device_bytes() as u64 { mapping.device } else { inside };
    let place = mapping.stored.as_ref().map_or(0, |stored| stored.place_in_group(element));
    // Elements in the middle of a group are not aligned, whatever the address.
    let range = Range { begin, end, flags, base: base | u64::from(place != 0), reach, known: true };
    (Argument::Data { base, inside }, range, start)
}

/// A member's plane of an array of structures.
fn in_plane(
    flags: u32,
    stored: &Stored,
    element: i64,
    base: u64,
    inside: u64,
    plane: usize,
) -> (Argument, Range) {
    let start = stored.plane_start(plane);
    let (begin, reach) = (inside + start, stored.plane_start(1));
    let aligned = (base + start) | u64::from(stored.place_in_group(element) != 0);
    let range = Range { begin, end: begin + reach, flags, base: aligned, reach, known: true };
    (Argument::Data { base: base + start, inside: begin }, range)
}

/// A device address, or memory that the device shares.
fn on_host(var: &Var, flags: u32) -> Resolved {
    let (base, begin) = (var.base as u64, first(var) as u64);
    let reach = (var.offset + var.bytes) as u64;
    let range = Range { begin, end: begin + var.bytes as u64, flags, base, reach, known: var.bytes > 0 };
    (Argument::Data { base, inside: begin }, range, None)
}

/// A reduction variable that is present is reduced into on the device (section 2.5.15).
pub(super) fn target(task: &Task, variable: *mut c_void, bytes: usize) -> Target {
    if task.state.shared() {
        return Target::Host(variable);
    }
    let (table, found) = task.find(variable as usize, bytes);
    match found {
        Found::Inside(start) => match table.get(start) {
            Some(mapping) => Target::Device(mapping.translate(variable as usize)),
            None => Target::Host(variable),
        },
        Found::Absent | Found::Partial(_) => Target::Host(variable),
    }
}
