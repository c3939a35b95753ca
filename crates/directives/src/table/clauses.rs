//! The clause table: OpenACC 3.3, then the extensions.

use super::DirectiveName::{self, *};
use super::{Args, ClauseSpec};
use crate::ast::{ClauseKind, DataKind, GangArgs};
use crate::parse::custom;

const COMPUTE: &[DirectiveName] = &[Parallel, Kernels, Serial];
/// Constructs that open a data region.
const REGIONS: &[DirectiveName] = &[Parallel, Kernels, Serial, Data];
const SIZED: &[DirectiveName] = &[Parallel, Kernels];
const ENTERING: &[DirectiveName] = &[Parallel, Kernels, Serial, Data, EnterData, Declare];
const ENTERING_NOT_DECLARE: &[DirectiveName] = &[Parallel, Kernels, Serial, Data, EnterData];
const LEAVING: &[DirectiveName] = &[Parallel, Kernels, Serial, Data, ExitData, Declare];
const LEAVING_NOT_DECLARE: &[DirectiveName] = &[Parallel, Kernels, Serial, Data, ExitData];
const BOTH: &[DirectiveName] = &[Parallel, Kernels, Serial, Data, Declare];
const ASYNC: &[DirectiveName] = &[Parallel, Kernels, Serial, Data, EnterData, ExitData, Update, Wait];
const WAITING: &[DirectiveName] = &[Parallel, Kernels, Serial, Data, EnterData, ExitData, Update];
const LEVELS: &[DirectiveName] = &[Loop, Routine];
const DEVICE: &[DirectiveName] = &[Init, Shutdown, Set];
const CONDITIONAL: &[DirectiveName] = &[
    Parallel, Kernels, Serial, Data, EnterData, ExitData, HostData, Atomic, Init, Shutdown, Set, Update, Wait,
];
const DEVICE_TYPED: &[DirectiveName] =
    &[Parallel, Kernels, Serial, Data, Loop, Routine, Update, Init, Shutdown, Set];

/// The row for a name on a directive. Two rows may share a name where the directives differ; if neither accepts the
/// directive, the first is returned.
pub fn lookup_clause(name: &str, directive: DirectiveName) -> Option<&'static ClauseSpec> {
    let named = || CLAUSES.iter().filter(|c| c.is_named(name));
    named().find(|c| c.accepted_on(directive)).or_else(|| named().next())
}

macro_rules! rows {
    ($($name:literal $(| $alias:literal)* on $on:expr, $count:ident, $args:expr, $spec:literal, $doc:literal;)*) => {
        &[$(ClauseSpec {
            name: $name,
            aliases: &[$($alias),*],
            on: $on,
            once: rows!(@$count),
            args: $args,
            spec: $spec,
            doc: $doc,
            extension: !starts_with_openacc($spec),
        }),*]
    };
    (@once) => { true };
    (@many) => { false };
}

/// The extension flag follows from the place of specification, so that it cannot be forgotten.
const fn starts_with_openacc(spec: &str) -> bool {
    matches!(spec.as_bytes(), [b'O', b'p', b'e', b'n', b'A', b'C', b'C', ..])
}

pub static CLAUSES: &[ClauseSpec] = rows! {
    // Execution
    "async" on ASYNC, once, Args::OptExpr(ClauseKind::Async), "OpenACC 3.3 §2.16.1",
        "The host goes on at once; the work joins the queue of this number.";
    "wait" on WAITING, many, Args::OptCustom(|| ClauseKind::Wait(None), "[devnum: expr:] [queues:] expr, …", custom::wait), "OpenACC 3.3 §2.16.2",
        "The work starts after these queues are done.";
    "if" on CONDITIONAL, once, Args::Expr(ClauseKind::If), "OpenACC 3.3 §2.5.6",
        "The device is used only if the condition holds.";
    "if_present" on &[HostData, Update], once, Args::None(|| ClauseKind::IfPresent), "OpenACC 3.3 §2.14.4",
        "Variables that are not on the device are passed over.";
    "self" on COMPUTE, once, Args::OptExpr(ClauseKind::SelfCondition), "OpenACC 3.3 §2.5.7",
        "The region runs on the host's own threads if the condition holds.";
    "default" on REGIONS, once, Args::Custom("none | present", custom::default), "OpenACC 3.3 §2.5.16",
        "What holds for variables that no clause names: none (an error) or present.";
    "num_gangs" on SIZED, once, Args::Exprs(3, ClauseKind::NumGangs), "OpenACC 3.3 §2.5.10",
        "How many gangs run the region, in up to three dimensions.";
    "num_workers" on SIZED, once, Args::Expr(ClauseKind::NumWorkers), "OpenACC 3.3 §2.5.11",
        "How many workers are in each gang.";
    "vector_length" on SIZED, once, Args::Expr(ClauseKind::VectorLength), "OpenACC 3.3 §2.5.12",
        "How many vector lanes are in each worker.";
    "device_type" | "dtype" on DEVICE_TYPED, many, Args::Custom("* | name, …", custom::device_type), "OpenACC 3.3 §2.4",
        "The clauses behind it hold for these types of device only.";
    "device_num" on DEVICE, once, Args::Expr(ClauseKind::DeviceNum), "OpenACC 3.3 §2.14",
        "The number of the device.";
    "default_async" on &[Set], once, Args::Expr(ClauseKind::DefaultAsync), "OpenACC 3.3 §2.14.3",
        "The queue of an async without argument.";

    // Variables
    "private" on &[Parallel, Serial, Loop], many, Args::Vars(ClauseKind::Private), "OpenACC 3.3 §2.5.13",
        "Each gang, or each iteration's thread on a loop, has a variable of its own, not initialised.";
    "firstprivate" on &[Parallel, Serial], many, Args::Vars(ClauseKind::Firstprivate), "OpenACC 3.3 §2.5.14",
        "Each gang has a variable of its own that starts with the host's value.";
    "reduction" on &[Parallel, Serial, Loop], many, Args::Custom("operator: list", custom::reduction), "OpenACC 3.3 §2.5.15",
        "Private copies are combined with the operator at the end.";

    // Data
    "copy" | "pcopy" | "present_or_copy" on BOTH, many, Args::Data(DataKind::Copy), "OpenACC 3.3 §2.7.7",
        "Copied to the device at entry and back at exit, unless present.";
    "copyin" | "pcopyin" | "present_or_copyin" on ENTERING, many, Args::Data(DataKind::Copyin),
        "OpenACC 3.3 §2.7.8", "Copied to the device at entry, unless present.";
    "copyout" | "pcopyout" | "present_or_copyout" on LEAVING, many, Args::Data(DataKind::Copyout),
        "OpenACC 3.3 §2.7.9", "Allocated at entry and copied back at exit, unless present.";
    "create" | "pcreate" | "present_or_create" on ENTERING, many, Args::Data(DataKind::Create),
        "OpenACC 3.3 §2.7.10", "Allocated on the device, unless present; nothing is copied.";
    "no_create" on REGIONS, many, Args::Data(DataKind::NoCreate), "OpenACC 3.3 §2.7.11",
        "Used on the device if present, else where it is.";
    "delete" on &[ExitData], many, Args::Data(DataKind::Delete), "OpenACC 3.3 §2.7.12",
        "Freed on the device; nothing is copied.";
    "attach" on ENTERING_NOT_DECLARE, many, Args::Data(DataKind::Attach), "OpenACC 3.3 §2.7.13",
        "The device's copy of the pointer points to the device's copy of its target.";
    "detach" on &[ExitData], many, Args::Data(DataKind::Detach), "OpenACC 3.3 §2.7.14",
        "Undoes attach.";
    "present" on BOTH, many, Args::Data(DataKind::Present), "OpenACC 3.3 §2.7.6",
        "It is an error if the data is not on the device.";
    "deviceptr" on BOTH, many, Args::Data(DataKind::Deviceptr), "OpenACC 3.3 §2.7.5",
        "The pointer holds a device address already.";
    "device_resident" on &[Declare], many, Args::Data(DataKind::DeviceResident), "OpenACC 3.3 §2.13.1",
        "The variable lives on the device alone.";
    "link" on &[Declare], many, Args::Data(DataKind::Link), "OpenACC 3.3 §2.13.3",
        "The device has a pointer to the variable, set when a data clause allocates it.";
    "finalize" on &[ExitData], once, Args::None(|| ClauseKind::Finalize), "OpenACC 3.3 §2.6.6",
        "The reference counts are set to zero, whatever they were.";
    "use_device" on &[HostData], many, Args::Vars(ClauseKind::UseDevice), "OpenACC 3.3 §2.8.1",
        "In the block, the name means the device's address.";
    "self" | "host" on &[Update], many, Args::Vars(ClauseKind::UpdateSelf), "OpenACC 3.3 §2.14.4",
        "Copied from the device to the host.";
    "device" on &[Update], many, Args::Vars(ClauseKind::UpdateDevice), "OpenACC 3.3 §2.14.4",
        "Copied from the host to the device.";

    // Loops and routines
    "gang" on LEVELS, once,
        Args::OptCustom(|| ClauseKind::Gang(GangArgs::default()), "[num:] expr | dim: expr | static: expr, …", custom::gang), "OpenACC 3.3 §2.9.2",
        "Iterations are spread over gangs (thread blocks).";
    "worker" on LEVELS, once, Args::OptKeyed("num", ClauseKind::Worker), "OpenACC 3.3 §2.9.3",
        "Iterations are spread over the workers of a gang.";
    "vector" on LEVELS, once, Args::OptKeyed("length", ClauseKind::Vector), "OpenACC 3.3 §2.9.4",
        "Iterations are spread over vector lanes (threads).";
    "seq" on LEVELS, once, Args::None(|| ClauseKind::Seq), "OpenACC 3.3 §2.9.5",
        "Iterations run one after the other.";
    "independent" on &[Loop], once, Args::None(|| ClauseKind::Independent), "OpenACC 3.3 §2.9.6",
        "The programmer's word that no iteration depends on another.";
    "auto" on &[Loop], once, Args::None(|| ClauseKind::Auto), "OpenACC 3.3 §2.9.7",
        "The compiler finds out whether the iterations are independent.";
    "tile" on &[Loop], once, Args::Custom("expr | *, …", custom::tile), "OpenACC 3.3 §2.9.8",
        "The nest is split into tiles of these sizes, innermost loop first.";
    "collapse" on &[Loop], once, Args::Custom("[force:] expr", custom::collapse), "OpenACC 3.3 §2.9.1",
        "So many nested loops become one.";
    "bind" on &[Routine], once, Args::Custom("name | \"name\"", custom::bind), "OpenACC 3.3 §2.15.1",
        "Device code calls this name instead.";
    "nohost" on &[Routine], once, Args::None(|| ClauseKind::Nohost), "OpenACC 3.3 §2.15.1",
        "No host version is compiled.";

    // Extensions: compression
    "ccopy" | "compression_copy" | "pccopy" | "present_or_compression_copy" on REGIONS, many,
        Args::Compressed(DataKind::Copy), "extension: compression", "copy, compressed on the device.";
    "ccopyin" | "compression_copyin" | "pccopyin" | "present_or_compression_copyin" on ENTERING_NOT_DECLARE,
        many, Args::Compressed(DataKind::Copyin), "extension: compression",
        "copyin, compressed on the device.";
    "ccopyout" | "compression_copyout" | "pccopyout" | "present_or_compression_copyout"
        on LEAVING_NOT_DECLARE, many, Args::Compressed(DataKind::Copyout), "extension: compression",
        "copyout, compressed on the device.";
    "ccreate" | "compression_create" | "pccreate" | "present_or_compression_create"
        on ENTERING_NOT_DECLARE, many, Args::Compressed(DataKind::Create), "extension: compression",
        "create, compressed on the device.";
    "compression" on COMPUTE, many, Args::Custom("[bits(n), scheme(s), layout(l), error(e):] list", custom::compression), "extension: compression",
        "These arrays are compressed on the device already.";
};
