//! What `LIBOMPTARGET_INFO` prints, in the words of LLVM's libomptarget, which users' eyes and scripts know.
//!
//! The value is a sum of bits: what a construct or directive names at its beginning and end, what is found mapped, the table of
//! mappings at the end, what enters and leaves the table, launches, copies. Where nothing is asked for each place costs a test.

use crate::call::CallContext;
use crate::config::config;
use crate::device::Launch;
use crate::location::{Name, SourceLocation};
use crate::present::Mapping;
use crate::profiling::{Data, is_compute};
use crate::variable::first;
use accl_abi::{Var, data_flags, data_kind};
use std::ffi::c_char;

/// Bits of `LIBOMPTARGET_INFO`.
mod bits {
    pub const ARGUMENTS: u32 = 0x01;
    pub const EXISTING: u32 = 0x02;
    pub const TABLE: u32 = 0x04;
    pub const CHANGES: u32 = 0x08;
    pub const LAUNCHES: u32 = 0x10;
    pub const COPIES: u32 = 0x20;
}

#[inline]
fn wants(bit: u32) -> bool {
    config().target_info & bit != 0
}

fn say(call: &CallContext, text: &str) {
    eprintln!("omptarget device {} info: {text}", call.state.device.info().number);
}

/// `file.c:12:1`; the column is that of the directive's line.
fn place(location: SourceLocation) -> String {
    match location.file() {
        file if file.is_empty() => "unknown:0:0".to_owned(),
        file => format!("{file}:{}:1", location.0.line),
    }
}

/// The name as a clause has it, with its section.
fn whole_name(name: *const c_char) -> String {
    // SAFETY: null, or a constant of the program.
    match unsafe { accl_abi::text(name) } {
        name if name.is_empty() => "unknown".to_owned(),
        name => name.replace(" : ", ":"),
    }
}

/// What a directive does first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Enter,
    Exit,
    Update,
}

/// The directive's variables, at its beginning or before its end.
#[inline]
pub fn arguments(call: &CallContext, vars: &[Var], step: Step) {
    if wants(bits::ARGUMENTS) {
        print_arguments(call, vars, step);
    }
}

#[cold]
fn print_arguments(call: &CallContext, vars: &[Var], step: Step) {
    let what = match step {
        Step::Enter if is_compute(call.location) => "Entering OpenMP kernel",
        // libomptarget says so at the end of data regions alone.
        Step::Exit if is_compute(call.location) => return,
        Step::Enter => "Entering OpenMP data region with being_mapper",
        Step::Exit => "Exiting OpenMP data region with end_mapper",
        Step::Update => "Updating OpenMP data",
    };
    let shown = |var: &&Var| !matches!(var.kind, data_kind::ATTACH | data_kind::DETACH);
    let vars: Vec<&Var> = vars.iter().filter(shown).collect();
    say(call, &format!("{what} at {} with {} arguments:", place(call.location), vars.len()));
    for var in vars {
        let implicit = if var.flags & data_flags::IMPLICIT != 0 { " (implicit)" } else { "" };
        say(call, &format!("{}({})[{}]{implicit}", map_type(var), whole_name(var.name), var.bytes));
    }
}

fn map_type(var: &Var) -> &'static str {
    match var.kind {
        _ if var.flags & data_flags::PRIVATE != 0 && var.kind == data_kind::CREATE => "private",
        _ if var.flags & data_flags::PRIVATE != 0 => "firstprivate",
        data_kind::COPY => "tofrom",
        data_kind::COPYIN | data_kind::UPDATE_DEVICE => "to",
        data_kind::COPYOUT | data_kind::UPDATE_SELF => "from",
        data_kind::DEVICEPTR | data_kind::USE_DEVICE | data_kind::NO_CREATE => "use_address",
        data_kind::DELETE if var.flags & data_flags::FINALIZE != 0 => "delete",
        data_kind::DELETE => "release",
        _ if var.bytes == 0 => "use_address",
        _ => "alloc",
    }
}

/// libomptarget's count; what is declared stays.
fn count(mapping: &Mapping) -> String {
    match mapping.is_permanent() {
        true => "INF".to_owned(),
        false => (u64::from(mapping.structured) + u64::from(mapping.dynamic)).to_string(),
    }
}

/// A variable was found mapped, and is counted.
#[inline]
pub fn exists(call: &CallContext, var: &Var, mapping: &Mapping) {
    if wants(bits::EXISTING) {
        let implicit = if var.flags & data_flags::IMPLICIT != 0 { " (implicit)" } else { "" };
        let host = first(var);
        let text = format!(
            "Mapping exists{implicit} with HstPtrBegin={host:#018x}, TgtPtrBegin={:#018x}, Size={}, DynRefCount={} (incremented), \
             HoldRefCount=0, Name={}",
            mapping.translate(host),
            var.bytes,
            count(mapping),
            whole_name(var.name)
        );
        say(call, &text);
    }
}

#[inline]
pub fn created(call: &CallContext, var: &Var, mapping: &Mapping) {
    if wants(bits::CHANGES) {
        let text = format!(
            "Creating new map entry with HstPtrBase={:#018x}, HstPtrBegin={:#018x}, TgtAllocBegin={device:#018x}, \
             TgtPtrBegin={device:#018x}, Size={}, DynRefCount={}, HoldRefCount=0, Name={}",
            mapping.base,
            mapping.host,
            mapping.bytes,
            count(mapping),
            whole_name(var.name),
            device = mapping.device,
        );
        say(call, &text);
    }
}

#[inline]
pub fn removed(call: &CallContext, mapping: &Mapping) {
    if wants(bits::CHANGES) {
        let text = format!(
            "Removing map entry with HstPtrBegin={:#018x}, TgtPtrBegin={:#018x}, Size={}, Name={}",
            mapping.host,
            mapping.device,
            mapping.bytes,
            whole_name(mapping.name)
        );
        say(call, &text);
    }
}

#[inline]
pub fn copied(call: &CallContext, to_device: bool, data: Data) {
    if wants(bits::COPIES) {
        let Data { name: Name(name), bytes, host, device } = data;
        let (host, device) = (format!("HstPtr={host:#018x}"), format!("TgtPtr={device:#018x}"));
        let (way, from, to) = match to_device {
            true => ("from host to device", host, device),
            false => ("from device to host", device, host),
        };
        say(call, &format!("Copying data {way}, {from}, {to}, Size={bytes}, Name={}", whole_name(name)));
    }
}

#[inline]
pub fn launched(call: &CallContext, launch: &Launch) {
    if wants(bits::LAUNCHES) {
        let product = |extents: [u32; 3]| extents.iter().map(|extent| u64::from(*extent)).product::<u64>();
        let text = format!(
            "Launching kernel __omp_offloading_{}_l{} with {} blocks and {} threads in SPMD mode",
            call.location.function(),
            call.location.0.line,
            product(launch.grid),
            product(launch.block)
        );
        say(call, &text);
    }
}

/// The table of mappings, where a construct or a directive for data has ended.
#[inline]
pub fn table(call: &CallContext) {
    if wants(bits::TABLE) {
        print_table(call);
    }
}

#[cold]
fn print_table(call: &CallContext) {
    let mut rows = vec![];
    for mapping in call.state.table().mappings() {
        rows.push(format!(
            "{:#018x} {:#018x} {:<8} {:<11} {:<12} {} at {}",
            mapping.host,
            mapping.device,
            mapping.bytes,
            count(mapping),
            0,
            whole_name(mapping.name),
            // Tables do not keep where a variable was declared.
            "unknown:0:0"
        ));
    }
    say(call, &format!("OpenMP Host-Device pointer mappings after block at {}:", place(call.location)));
    let [host, target] = ["Host Ptr", "Target Ptr"];
    say(call, &format!("{host:<18} {target:<18} Size (B) DynRefCount HoldRefCount Declaration"));
    rows.into_iter().for_each(|row| say(call, &row));
}
