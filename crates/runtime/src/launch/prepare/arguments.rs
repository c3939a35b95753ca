//! The arguments of a kernel: addresses of its arrays on the device, values, trip counts, parameters of codecs.

use super::Prepared;
use crate::call::{CallContext, LockedTable};
use crate::data::{bring_together, means_part};
use crate::device::{Argument, Kind, ReductionTarget};
use crate::error::fatal;
use crate::location::Name;
use crate::not_present::{absent, partial};
use crate::present::{Presence, PresentTable};
use crate::residency;
use crate::storage::arguments::{
    ArgumentRange, ArrayArgument, argument, check, codec_parameter, may_be_encoded,
};
use crate::storage::column_major;
use crate::variable::{first, name};
use accl_abi::{Arg, Kernel, LaunchInfo, Var, arg_flags, arg_kind, data_flags, data_kind, slice, text};
use std::ffi::c_void;

/// The range of an argument that is no array.
const NOTHING: ArgumentRange = ArgumentRange { begin: 0, end: 0, flags: 0, base: 0, reach: 0, known: true };

/// Finds the arguments and, for arrays, their extents on the device.
///
/// # Safety
/// As for [`launch`](crate::launch::launch).
pub unsafe fn resolve(call: &CallContext, info: &LaunchInfo, kernel: &Kernel, prepared: &mut Prepared) {
    // SAFETY: a constant table.
    let table = unsafe { slice(kernel.args, kernel.n_args) };
    let mut locked = None;
    // SAFETY: the index of an argument that is an array is within the launch's variables.
    let array = |arg: &Arg| unsafe { &*info.vars.add(arg.index as usize) };
    let arrays = table.iter().filter(|arg| arg.kind == arg_kind::DATA);
    arrays.for_each(|arg| bring_together(call, &mut locked, array(arg)));
    for arg in table {
        let var = || array(arg);
        let mut range = NOTHING;
        prepared.given.arguments.push(match arg.kind {
            arg_kind::DATA => {
                let array = data(call, &mut locked, var(), arg.flags, arg.size as usize);
                prepared.any_encoded |= array.host_pitch.is_some();
                range = array.range;
                array.argument
            }
            arg_kind::VALUE => Argument::Value { size: arg.size },
            arg_kind::REDUCTION => Argument::Reduction(arg.index),
            arg_kind::CODEC => {
                Argument::Number { bytes: parameter(call, &mut locked, var(), arg), size: arg.size }
            }
            arg_kind::STRIDE => Argument::Trips(stride(call, &mut locked, var(), arg)),
            arg_kind::EXTENT => Argument::Trips(extent(call, &mut locked, var(), arg)),
            _ => Argument::Trips(info.trips[arg.index.min(2) as usize]),
        });
        prepared.ranges.push(range);
    }
}

/// The bytes of a parameter of the codec of a variable's array.
fn parameter(call: &CallContext, locked: &mut LockedTable, var: &Var, arg: &Arg) -> [u8; 8] {
    let mapping = match var.kind {
        data_kind::DEVICEPTR => None,
        _ => call.mapping(locked, first(var), var.bytes),
    };
    codec_parameter(mapping, var, arg.flags)
}

/// A stride of the matrix that a variable is.
fn stride(call: &CallContext, locked: &mut LockedTable, var: &Var, arg: &Arg) -> i64 {
    let mapping = match var.kind {
        data_kind::DEVICEPTR => None,
        _ => call.mapping(locked, first(var), var.bytes),
    };
    column_major::stride(mapping.map(|mapping| &*mapping), arg)
}

/// Refuses an address where one array on the device ends and another begins, and so has two places there: nothing is
/// read at this one that would tell.
fn one_meaning(call: &CallContext, var: &Var, table: &PresentTable) {
    let host = first(var);
    let (Some(before), Some(after)) = (table.ending_at(host), table.get(host)) else { return };
    let message = format!(
        "where {} lies on the device cannot be told: {} ends there on the host, and {} begins",
        name(var),
        Name(before.name),
        Name(after.name)
    );
    let help =
        "help: compare indices, or compute the pointer in the construct from the array that it belongs to";
    fatal(call.location, 0, &message, &[help.to_owned()])
}

/// True where the user gave no section.
fn is_bare(var: &Var) -> bool {
    // SAFETY: names are constants of the program.
    !var.name.is_null() && !unsafe { text(var.name) }.contains('[')
}

/// Where the device's part of a variable begins or ends, counted in elements from its base.
fn extent(call: &CallContext, locked: &mut LockedTable, var: &Var, arg: &Arg) -> i64 {
    let cpu = call.state.device.info().kind == Kind::Cpu;
    if cpu && arg.flags & arg_flags::ON_CPU == 0 {
        return 0;
    }
    let ArrayArgument { range, host_pitch, .. } = data(call, locked, var, 0, 0);
    if let Some(pitch) = host_pitch {
        return extent_on_host(call, locked, var, arg, pitch);
    }
    if !range.known {
        // SAFETY: a name of the program's.
        let name = if var.name.is_null() { "an array".into() } else { unsafe { text(var.name) } };
        let message =
            format!("how much of {name} is on the device is not known, and a window (fcw) of it is fetched");
        call.fatal(
            0,
            &message,
            &["help: give the array a section in a data clause: present(a[0:n])".to_owned()],
        );
    }
    let size = i64::from(arg.size.max(1));
    let at = if arg.flags & arg_flags::END != 0 { range.end } else { range.begin };
    (at as i64 - range.base as i64).div_euclid(size)
}

/// As [`extent`], of an encoded array, whose elements are counted on the host.
fn extent_on_host(call: &CallContext, table: &mut LockedTable, var: &Var, arg: &Arg, pitch: usize) -> i64 {
    let (begin, end) = if var.bytes > 0 {
        (first(var), first(var) + var.bytes)
    } else {
        let Presence::Inside(start) = call.find_in(table, first(var), 0) else { return 0 };
        let mapping = table.as_ref().and_then(|table| table.get(start));
        mapping.map_or((start, start), |mapping| (mapping.host, mapping.end()))
    };
    let at = if arg.flags & arg_flags::END != 0 { end } else { begin };
    (at as i64 - var.base as i64).div_euclid((arg.size as usize * pitch) as i64)
}

/// The argument for one variable.
fn data(call: &CallContext, locked: &mut LockedTable, var: &Var, flags: u32, plane: usize) -> ArrayArgument {
    let host = first(var);
    if var.kind == data_kind::PRESENT && var.bytes == 0 && is_bare(var) && !var.base.is_null() {
        // `present(p)`, extent unknown: absence shows only here, where a kernel would use it. Only an address may be the
        // end of an array: what is loaded there would be another array's, which is not present.
        let loads = var.flags & data_flags::ADDRESS == 0;
        if call.find_in(locked, host, usize::from(loads)) == Presence::Absent {
            absent(call, var, locked.get_or_insert_with(|| call.state.table()));
        }
        if var.flags & data_flags::ADDRESS != 0 && !call.state.shared() {
            one_meaning(call, var, locked.get_or_insert_with(|| call.state.table()));
        }
    }
    if var.kind == data_kind::DEVICEPTR || call.state.uses_host_memory() && !may_be_encoded(var) {
        if let Some(object) = object_on_host(call, var) {
            return ArrayArgument::plain(var.base as u64, host as u64, ArgumentRange { flags, ..object });
        }
        return match var.bytes > 0 || var.kind == data_kind::DEVICEPTR || flags == 0 || var.base.is_null() {
            true => on_host(var, flags),
            false => extent_in_table(call, locked, var, flags),
        };
    }
    if var.base.is_null() {
        return nowhere(var, flags);
    }
    if let Some(mapping) = call.mapping(locked, host, var.bytes) {
        check(call, var, flags, mapping);
        return argument(mapping, var, flags, plane);
    }
    let found = call.find_in(locked, host, var.bytes);
    let table = locked.get_or_insert_with(|| call.state.table());
    // What OpenMP lets a name stand for beside what is wholly present.
    let part = match found {
        Presence::Partial(start) if means_part(var) => Some(start),
        Presence::Absent if var.bytes == 0 && var.flags & data_flags::OPENMP != 0 => table.meant_by(host),
        _ => None,
    };
    if let Some(mapping) = part.and_then(|start| table.get(start)) {
        check(call, var, flags, mapping);
        return argument(mapping, var, flags, plane);
    }
    match found {
        Presence::Inside(_) => unreachable!("the lock is held"),
        Presence::Partial(start) => partial(call, var, table, start),
        // A local of the kernel's own constructs, or one that declares: the host's memory.
        Presence::Absent if call.state.shared() && var.format.is_null() => on_host(var, flags),
        Presence::Absent if var.bytes > 0 && var.kind != data_kind::NO_CREATE => absent(call, var, table),
        Presence::Absent if var.flags & data_flags::KEEPS_ADDRESS != 0 => on_host(var, flags),
        // A pointer keeps its value (OpenMP 5.2 §5.8.6), where a kernel can have one that leads nowhere.
        Presence::Absent
            if var.flags & data_flags::OPENMP != 0 && call.state.device.info().kind != Kind::OpenCl =>
        {
            let argument = on_host(var, flags);
            ArrayArgument { range: ArgumentRange { known: true, ..argument.range }, ..argument }
        }
        Presence::Absent => nowhere(var, flags),
    }
}

/// Of a resident array of which no section is known, in memory that the device shares: all of the object.
fn object_on_host(call: &CallContext, var: &Var) -> Option<ArgumentRange> {
    let is_resident = var.flags & data_flags::RESIDENT != 0 && var.bytes == 0 && !var.base.is_null();
    let object = (is_resident && call.state.uses_host_memory())
        .then(|| residency::object_around(var.base as usize))??;
    let (begin, end, base) = (object.start as u64, object.end as u64, var.base as u64);
    Some(ArgumentRange { begin, end, flags: 0, base, reach: end - base, known: true })
}

/// The host's memory, of which a section is not known: where a data clause has named the array, it ends with what that names.
fn extent_in_table(call: &CallContext, locked: &mut LockedTable, var: &Var, flags: u32) -> ArrayArgument {
    match call.mapping(locked, first(var), 0) {
        Some(mapping) if mapping.is_host_memory() => argument(mapping, var, flags, 0),
        _ => on_host(var, flags),
    }
}

/// An array that has no memory: the kernel does not use it.
fn nowhere(var: &Var, flags: u32) -> ArrayArgument {
    let reach = (var.offset + var.bytes) as u64;
    ArrayArgument::plain(0, 0, ArgumentRange { begin: 0, end: 0, flags, base: 0, reach, known: true })
}

/// A device address, or memory that the device shares.
fn on_host(var: &Var, flags: u32) -> ArrayArgument {
    let (base, begin) = (var.base as u64, first(var) as u64);
    let end = begin.saturating_add(var.bytes as u64);
    // A section may begin before the base.
    let reach = var.offset.wrapping_add(var.bytes).max(var.bytes) as u64;
    ArrayArgument::plain(base, begin, ArgumentRange { begin, end, flags, base, reach, known: var.bytes > 0 })
}

/// A reduction variable that is present is reduced into on the device (section 2.5.15).
pub fn target(call: &CallContext, variable: *mut c_void, bytes: usize) -> ReductionTarget {
    if call.state.uses_host_memory() {
        return ReductionTarget::Host(variable);
    }
    let (table, found) = call.find(variable as usize, bytes);
    match found {
        Presence::Inside(start) => match table.get(start) {
            Some(mapping) if call.state.shared() && mapping.is_host_memory() => {
                ReductionTarget::Host(variable)
            }
            Some(mapping) => ReductionTarget::Device(mapping.translate(variable as usize)),
            None => ReductionTarget::Host(variable),
        },
        Presence::Absent | Presence::Partial(_) => ReductionTarget::Host(variable),
    }
}
