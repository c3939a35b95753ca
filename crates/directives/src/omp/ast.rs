//! A directive of OpenMP as it is written: its constructs, outermost first, and its clauses.

pub use crate::ast::MapKind;
use crate::ast::{
    AtomicKind, CExpr, Defaultmap, IteratorVariable, Mapper, ReductionOp, Section, StaticSchedule,
};
use accl_source::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct OmpDirective {
    pub name: OmpName,
    /// Everything after the sentinel.
    pub span: Span,
    /// The words of the directive's name.
    pub name_span: Span,
    pub clauses: Vec<OmpClause>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OmpName {
    /// A construct, or a combined one: `target teams distribute parallel for`.
    Constructs(Vec<Leaf>),
    TargetData,
    TargetEnterData,
    TargetExitData,
    TargetUpdate,
    /// `declare target`, with a list or without; `begin`: functions and variables up to `end declare target`.
    DeclareTarget {
        begin: bool,
    },
    EndDeclareTarget,
    DeclareMapper(Box<Mapper>),
    Requires,
    Atomic(AtomicKind),
    Barrier,
    Flush,
    /// Tasks are run where they are made, so nobody waits for them.
    Taskwait,
    /// `scan`, `cancel`, and `ordered` with a dependence: they stand between statements.
    Separator(&'static str),
    /// `nothing`, `assume`: what they say changes no result.
    Nothing,
}

impl OmpName {
    /// Whether it puts code or data on a device by itself.
    pub fn is_for_devices(&self) -> bool {
        match self {
            OmpName::Constructs(leaves) => leaves.contains(&Leaf::Target),
            OmpName::TargetData
            | OmpName::TargetEnterData
            | OmpName::TargetExitData
            | OmpName::TargetUpdate
            | OmpName::DeclareTarget { .. }
            | OmpName::EndDeclareTarget
            | OmpName::DeclareMapper(_)
            | OmpName::Requires => true,
            OmpName::Atomic(_)
            | OmpName::Barrier
            | OmpName::Flush
            | OmpName::Taskwait
            | OmpName::Separator(_)
            | OmpName::Nothing => false,
        }
    }
}

/// A construct that others may be combined with (OpenMP 5.2 §17.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    Target,
    Teams,
    Distribute,
    Parallel,
    For,
    Loop,
    Simd,
    Sections,
    Section,
    Single,
    Masked,
    Critical,
    Ordered,
    Scope,
    Task,
    Taskloop,
    Taskgroup,
    Unroll,
    Tile,
}

impl Leaf {
    pub fn name(self) -> &'static str {
        match self {
            Leaf::Target => "target",
            Leaf::Teams => "teams",
            Leaf::Distribute => "distribute",
            Leaf::Parallel => "parallel",
            Leaf::For => "for",
            Leaf::Loop => "loop",
            Leaf::Simd => "simd",
            Leaf::Sections => "sections",
            Leaf::Section => "section",
            Leaf::Single => "single",
            Leaf::Masked => "masked",
            Leaf::Critical => "critical",
            Leaf::Ordered => "ordered",
            Leaf::Scope => "scope",
            Leaf::Task => "task",
            Leaf::Taskloop => "taskloop",
            Leaf::Taskgroup => "taskgroup",
            Leaf::Unroll => "unroll",
            Leaf::Tile => "tile",
        }
    }

    /// Whether it governs loops.
    pub fn is_loop(self) -> bool {
        matches!(
            self,
            Leaf::Distribute
                | Leaf::For
                | Leaf::Loop
                | Leaf::Simd
                | Leaf::Taskloop
                | Leaf::Unroll
                | Leaf::Tile
        )
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct OmpClause {
    pub name: &'static str,
    pub kind: OmpClauseKind,
    /// Name and argument.
    pub span: Span,
    pub name_span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OmpClauseKind {
    /// The directive's name modifier, such as `target` in `if(target: n > 100)`.
    If(Option<String>, CExpr),
    Device(CExpr),
    Map(Map),
    /// `to` and `from` of `target update`.
    Motion {
        to_device: bool,
        present: bool,
        mapper: Option<String>,
        iterators: Vec<IteratorVariable>,
        sections: Vec<Section>,
    },
    Private(Vec<Section>),
    Firstprivate(Vec<Section>),
    Lastprivate(Vec<Section>),
    Shared(Vec<Section>),
    Linear(Vec<Section>, Option<CExpr>),
    /// Variables whose values follow from the loop's order only, such as those of a scan: `what` they are.
    ReductionInOrder {
        what: &'static str,
        sections: Vec<Section>,
    },
    /// By an identifier that the program declares.
    DeclaredReduction {
        name: String,
        sections: Vec<Section>,
    },
    /// `filter` of `masked`.
    Filter(CExpr),
    Copyprivate(Vec<Section>),
    Reduction {
        op: ReductionOp,
        sections: Vec<Section>,
    },
    IsDevicePtr(Vec<Section>),
    HasDeviceAddr(Vec<Section>),
    /// `use_device_ptr` and `use_device_addr`.
    UseDevice(Vec<Section>),
    /// `none`, `shared`, `firstprivate`, `private`.
    Default(String),
    Defaultmap(Defaultmap),
    NumTeams {
        lower: Option<CExpr>,
        upper: CExpr,
    },
    ThreadLimit(CExpr),
    NumThreads(CExpr),
    Collapse(CExpr),
    /// With a number or without.
    Ordered(Option<CExpr>),
    /// `enter`, `to`, `link` of `declare target`.
    Enter(Vec<Section>),
    Link(Vec<Section>),
    /// `schedule` and `dist_schedule`, where they are static.
    Schedule(StaticSchedule),
    /// `sizes` of `tile`.
    Sizes(Vec<CExpr>),
    /// Dependences on tasks, whichever.
    Depend,
    /// `device(ancestor: …)`
    Ancestor,
    /// It changes no result on a device. The table's row of the clause says why.
    NoEffect,
}

/// OpenMP 5.2 §5.8.3.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    pub kind: MapKind,
    pub always: bool,
    pub present: bool,
    pub mapper: Option<String>,
    pub iterators: Vec<IteratorVariable>,
    pub sections: Vec<Section>,
}
