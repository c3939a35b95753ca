//! Clauses in normal form: aliases are resolved, arguments are typed.

use super::expr::{CExpr, Ident};
use super::section::Section;
use crate::table::ClauseSpec;
use accl_source::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    pub kind: ClauseKind,
    /// Name and argument.
    pub span: Span,
    pub name_span: Span,
    /// The row of the clause table by which it was parsed.
    pub spec: &'static ClauseSpec,
    /// The device types it is restricted to by a `device_type` before it; empty: all.
    pub device_types: Vec<DeviceType>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ClauseKind {
    Async(Option<CExpr>),
    Wait(Option<WaitArgs>),
    If(CExpr),
    IfPresent,
    /// `self`, `self(condition)` on a compute construct.
    SelfCondition(Option<CExpr>),
    Default(DefaultKind),
    /// One to three numbers (OpenACC 3.3 §2.5.10).
    NumGangs(Vec<CExpr>),
    NumWorkers(CExpr),
    VectorLength(CExpr),
    /// On init, shutdown and set only; elsewhere it becomes [`Clause::device_types`].
    DeviceType(Vec<DeviceType>),
    DeviceNum(CExpr),
    DefaultAsync(CExpr),
    Private(Vec<Section>),
    Firstprivate(Vec<Section>),
    Reduction(Reduction),
    Data(DataClause),
    /// OpenMP's `map`, `to` and `from` with a mapper or an iterator.
    Mapped(MappedList),
    Finalize,
    UseDevice(Vec<Section>),
    /// `self` and `host` on update.
    UpdateSelf(Vec<Section>),
    UpdateDevice(Vec<Section>),
    Gang(GangArgs),
    Worker(Option<CExpr>),
    Vector(Option<CExpr>),
    Seq,
    Auto,
    Independent,
    Collapse(Collapse),
    Tile(Vec<TileSize>),
    Bind(BindName),
    Nohost,
    /// OpenMP's `lastprivate`: private, and the last iteration's value is the variable's afterwards.
    Lastprivate(Vec<Section>),
    /// OpenMP's `if` of a `parallel` construct: without the condition, one thread runs it.
    ParallelIf(CExpr),
    /// OpenMP's `shared`: it moves nothing, and names variables for `default(none)`.
    Shared(Vec<Section>),
    /// OpenMP's `defaultmap`: what variables of a category that no clause names are.
    Defaultmap(Defaultmap),
    /// OpenMP's `depend`: the construct follows tasks of the host.
    Depend,
    /// The host runs the construct (extension: OpenMP's `device(ancestor: …)`).
    Ancestor,
    /// OpenMP's `linear`: private, and greater by the step (1 if there is none) with each iteration.
    Linear(Vec<Section>, Option<CExpr>),
    /// Variables of OpenMP's reductions, and of others, that one thread changes in the loop's order: what they are.
    ReductionInOrder(&'static str, Vec<Section>),
    /// OpenMP's reduction by what the program has declared with this name.
    DeclaredReduction(String, Vec<Section>),
    /// OpenMP's `filter`: the number of the thread that runs a `masked` block.
    Filter(CExpr),
    /// OpenMP's `copyprivate`: all threads get the values of the one that ran the block.
    Copyprivate(Vec<Section>),
    /// OpenMP's `default(private)` and `default(firstprivate)`: these start with the value outside.
    DefaultCopies {
        start: bool,
    },
    /// OpenMP's `schedule(static)` and `dist_schedule(static)`, with a chunk or without.
    Schedule(StaticSchedule),
    /// Extension: these arrays are compressed on the device.
    Compression(CompressionArgs, Vec<Section>),
}

/// A list of OpenMP's whose variables are counted while the program runs (OpenMP 5.2 §5.8.2, §3.2.6).
#[derive(Clone, Debug, PartialEq)]
pub struct MappedList {
    pub motion: Motion,
    pub always: bool,
    pub present: bool,
    /// No clause of the program's: of an array, elements that are absent are left out where others are present.
    pub by_rule: bool,
    /// The mapper's name; without one the default mappers of types apply.
    pub mapper: Option<String>,
    pub iterators: Vec<IteratorVariable>,
    pub sections: Vec<Section>,
}

/// OpenMP 5.2 §5.8.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKind {
    To,
    From,
    ToFrom,
    Alloc,
    Release,
    Delete,
}

impl MapKind {
    pub const ALL: [MapKind; 6] =
        [MapKind::To, MapKind::From, MapKind::ToFrom, MapKind::Alloc, MapKind::Release, MapKind::Delete];

    pub fn name(self) -> &'static str {
        match self {
            MapKind::To => "to",
            MapKind::From => "from",
            MapKind::ToFrom => "tofrom",
            MapKind::Alloc => "alloc",
            MapKind::Release => "release",
            MapKind::Delete => "delete",
        }
    }

    pub fn from_name(name: &str) -> Option<MapKind> {
        Some(match name {
            "to" => MapKind::To,
            "from" => MapKind::From,
            "tofrom" => MapKind::ToFrom,
            "alloc" | "storage" => MapKind::Alloc,
            "release" => MapKind::Release,
            "delete" => MapKind::Delete,
            _ => return None,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    Map(MapKind),
    ToDevice,
    FromDevice,
}

/// `i = begin : end : step`
#[derive(Clone, Debug, PartialEq)]
pub struct IteratorVariable {
    pub name: String,
    pub begin: CExpr,
    pub end: CExpr,
    pub step: Option<CExpr>,
}

/// All clauses that say where data lives (OpenACC 3.3 §2.7).
#[derive(Clone, Debug, PartialEq)]
pub struct DataClause {
    pub kind: DataKind,
    pub modifiers: Vec<DataModifier>,
    /// Extension: the array is compressed on the device (`ccopyin` and its like).
    pub compressed: Option<CompressionArgs>,
    pub sections: Vec<Section>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataKind {
    Copy,
    Copyin,
    Copyout,
    Create,
    NoCreate,
    Present,
    Deviceptr,
    Attach,
    Detach,
    Delete,
    DeviceResident,
    Link,
}

impl DataKind {
    pub fn name(self) -> &'static str {
        match self {
            DataKind::Copy => "copy",
            DataKind::Copyin => "copyin",
            DataKind::Copyout => "copyout",
            DataKind::Create => "create",
            DataKind::NoCreate => "no_create",
            DataKind::Present => "present",
            DataKind::Deviceptr => "deviceptr",
            DataKind::Attach => "attach",
            DataKind::Detach => "detach",
            DataKind::Delete => "delete",
            DataKind::DeviceResident => "device_resident",
            DataKind::Link => "link",
        }
    }

    /// Whether values travel to the device when the region is entered.
    pub fn copies_in(self) -> bool {
        matches!(self, DataKind::Copy | DataKind::Copyin)
    }

    /// Whether values travel back when it is left.
    pub fn copies_out(self) -> bool {
        matches!(self, DataKind::Copy | DataKind::Copyout)
    }
}

/// How a loop's iterations are dealt (OpenMP 5.2 §11.5.3, §11.6.1): in turn, so many at a time, or in equal parts.
#[derive(Clone, Debug, PartialEq)]
pub struct StaticSchedule {
    /// Among teams, by `distribute`; otherwise among a team's threads.
    pub teams: bool,
    pub chunk: Option<CExpr>,
}

/// OpenMP 5.2 §5.8.7. No category: all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaultmap {
    pub behavior: MapBehavior,
    pub category: Option<VariableCategory>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapBehavior {
    To,
    From,
    ToFrom,
    Alloc,
    Firstprivate,
    Present,
    None,
    Default,
}

impl MapBehavior {
    pub const ALL: [MapBehavior; 8] = [
        MapBehavior::To,
        MapBehavior::From,
        MapBehavior::ToFrom,
        MapBehavior::Alloc,
        MapBehavior::Firstprivate,
        MapBehavior::Present,
        MapBehavior::None,
        MapBehavior::Default,
    ];

    pub fn name(self) -> &'static str {
        match self {
            MapBehavior::To => "to",
            MapBehavior::From => "from",
            MapBehavior::ToFrom => "tofrom",
            MapBehavior::Alloc => "alloc",
            MapBehavior::Firstprivate => "firstprivate",
            MapBehavior::Present => "present",
            MapBehavior::None => "none",
            MapBehavior::Default => "default",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableCategory {
    Scalar,
    Aggregate,
    Pointer,
}

impl VariableCategory {
    pub const ALL: [VariableCategory; 3] =
        [VariableCategory::Scalar, VariableCategory::Aggregate, VariableCategory::Pointer];

    pub fn name(self) -> &'static str {
        match self {
            VariableCategory::Scalar => "scalar",
            VariableCategory::Aggregate => "aggregate",
            VariableCategory::Pointer => "pointer",
        }
    }
}

/// Words before the colon of a data clause; the `always` family and `capture` are OpenACC 3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataModifier {
    Readonly,
    Zero,
    Always,
    AlwaysIn,
    AlwaysOut,
    Capture,
    /// OpenMP's `present` beside a map type.
    Present,
    /// OpenMP's map type `delete`: the reference count becomes 0.
    Finalize,
    /// OpenMP's `has_device_addr`: the variable itself lies on the device, not only what it points to.
    ObjectOnDevice,
}

impl DataModifier {
    pub const ALL: [DataModifier; 6] = [
        DataModifier::Readonly,
        DataModifier::Zero,
        DataModifier::Always,
        DataModifier::AlwaysIn,
        DataModifier::AlwaysOut,
        DataModifier::Capture,
    ];

    pub fn name(self) -> &'static str {
        match self {
            DataModifier::Readonly => "readonly",
            DataModifier::Zero => "zero",
            DataModifier::Always => "always",
            DataModifier::AlwaysIn => "alwaysin",
            DataModifier::AlwaysOut => "alwaysout",
            DataModifier::Capture => "capture",
            DataModifier::Present => "present",
            DataModifier::Finalize => "delete",
            DataModifier::ObjectOnDevice => "has_device_addr",
        }
    }

    /// OpenACC 3.3 §2.7.8–2.7.10, and 3.4's additions.
    pub fn applies_to(self, kind: DataKind) -> bool {
        match self {
            DataModifier::Readonly => kind == DataKind::Copyin,
            DataModifier::Zero => matches!(kind, DataKind::Copyout | DataKind::Create),
            DataModifier::Always => kind.copies_in() || kind.copies_out(),
            DataModifier::AlwaysIn => kind.copies_in(),
            DataModifier::AlwaysOut => kind.copies_out(),
            DataModifier::Capture => kind.copies_in() || kind.copies_out() || kind == DataKind::Create,
            // OpenMP has a table of its own.
            DataModifier::Present | DataModifier::Finalize | DataModifier::ObjectOnDevice => false,
        }
    }
}

/// How an array is compressed; the compiler chooses what is `None`. Extension.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompressionArgs {
    pub bits: Option<CExpr>,
    pub scheme: Option<Scheme>,
    pub error: Option<ErrorBound>,
    pub layout: Option<Layout>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    Range,
    Affine,
    Block,
    Half,
    Bfloat,
}

impl Scheme {
    pub const ALL: [Scheme; 5] = [Scheme::Range, Scheme::Affine, Scheme::Block, Scheme::Half, Scheme::Bfloat];

    pub fn name(self) -> &'static str {
        match self {
            Scheme::Range => "range",
            Scheme::Affine => "affine",
            Scheme::Block => "block",
            Scheme::Half => "half",
            Scheme::Bfloat => "bfloat",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ErrorBound {
    Relative(CExpr),
    Absolute(CExpr),
}

/// How an array of structures is laid out in memory while it is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    Soa,
    Aos,
}

impl Layout {
    pub const ALL: [Layout; 2] = [Layout::Soa, Layout::Aos];

    pub fn name(self) -> &'static str {
        match self {
            Layout::Soa => "soa",
            Layout::Aos => "aos",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    pub op: ReductionOp,
    pub vars: Vec<Section>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReductionOp {
    Add,
    Mul,
    Max,
    Min,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
}

impl ReductionOp {
    /// In the standard's order (OpenACC 3.3 §2.5.15).
    pub const ALL: [ReductionOp; 9] = [
        ReductionOp::Add,
        ReductionOp::Mul,
        ReductionOp::Max,
        ReductionOp::Min,
        ReductionOp::BitAnd,
        ReductionOp::BitOr,
        ReductionOp::BitXor,
        ReductionOp::And,
        ReductionOp::Or,
    ];

    pub fn symbol(self) -> &'static str {
        match self {
            ReductionOp::Add => "+",
            ReductionOp::Mul => "*",
            ReductionOp::Max => "max",
            ReductionOp::Min => "min",
            ReductionOp::BitAnd => "&",
            ReductionOp::BitOr => "|",
            ReductionOp::BitXor => "^",
            ReductionOp::And => "&&",
            ReductionOp::Or => "||",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultKind {
    None,
    Present,
}

/// `wait(devnum: d : queues: 1, 2)`.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitArgs {
    pub devnum: Option<CExpr>,
    pub queues: Vec<CExpr>,
}

/// `gang(num: n, static: s, dim: d)`, each at most once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GangArgs {
    pub num: Option<CExpr>,
    pub static_: Option<StaticSize>,
    pub dim: Option<CExpr>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StaticSize {
    /// `*`: the compiler chooses.
    Star,
    Expr(CExpr),
}

#[derive(Clone, Debug, PartialEq)]
pub enum TileSize {
    /// `*`: the compiler chooses.
    Star,
    Expr(CExpr),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Collapse {
    pub force: bool,
    /// [`CExpr::constant`] gives the number, unless the expression contains a name.
    pub count: CExpr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BindName {
    /// The name is mangled as if the function were called.
    Ident(Ident),
    /// The symbol itself, without quotes.
    Literal(String, Span),
}

/// OpenACC 3.3 §2.4; names are compared without regard to case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeviceType {
    /// `*`: every type not named elsewhere on the directive.
    Any,
    Default,
    Host,
    Multicore,
    Nvidia,
    Radeon,
    OpenCl,
    Other(String),
}

impl DeviceType {
    /// Also takes the `acc_device_` names of the runtime library, and this project's short names.
    pub fn from_name(name: &str) -> DeviceType {
        let lower = name.to_ascii_lowercase();
        match lower.strip_prefix("acc_device_").unwrap_or(&lower) {
            "default" => DeviceType::Default,
            "host" => DeviceType::Host,
            "multicore" | "cpu" => DeviceType::Multicore,
            "nvidia" | "cuda" => DeviceType::Nvidia,
            "radeon" | "amd" => DeviceType::Radeon,
            "opencl" => DeviceType::OpenCl,
            _ => DeviceType::Other(name.to_owned()),
        }
    }

    pub fn name(&self) -> &str {
        match self {
            DeviceType::Any => "*",
            DeviceType::Default => "default",
            DeviceType::Host => "host",
            DeviceType::Multicore => "multicore",
            DeviceType::Nvidia => "nvidia",
            DeviceType::Radeon => "radeon",
            DeviceType::OpenCl => "opencl",
            DeviceType::Other(name) => name,
        }
    }
}

/// The kinds of device that a compiled program runs on; clauses may differ between them (§2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeviceKind {
    Cuda,
    OpenCl,
    Cpu,
}

impl DeviceKind {
    pub const ALL: [DeviceKind; 3] = [DeviceKind::Cuda, DeviceKind::OpenCl, DeviceKind::Cpu];

    /// AMD's devices are used through OpenCL here.
    pub fn is_named_by(self, device_type: &DeviceType) -> bool {
        match device_type {
            DeviceType::Nvidia => self == DeviceKind::Cuda,
            DeviceType::OpenCl | DeviceType::Radeon => self == DeviceKind::OpenCl,
            DeviceType::Host | DeviceType::Multicore => self == DeviceKind::Cpu,
            DeviceType::Any | DeviceType::Default | DeviceType::Other(_) => false,
        }
    }
}
