//! Typed access to a directive's clauses.
//!
//! Accessors see the clauses that hold for every device. Where `device_type` matters, ask
//! [`Directive::for_device`] first: in its result every clause that applies holds for every device.

use super::*;
use accl_source::Span;

/// Accessors of clauses that stand at most once.
macro_rules! once {
    ($($(#[$doc:meta])* $name:ident -> $variant:ident($inner:ty);)*) => {
        $($(#[$doc])* pub fn $name(&self) -> Option<&$inner> {
            self.default_clauses().find_map(|c| match &c.kind {
                ClauseKind::$variant(inner) => Some(inner),
                _ => None,
            })
        })*
    };
}

/// Accessors of clauses without an argument.
macro_rules! flags {
    ($($name:ident -> $variant:ident;)*) => {
        $(pub fn $name(&self) -> bool {
            self.default_clauses().any(|c| matches!(c.kind, ClauseKind::$variant))
        })*
    };
}

/// Accessors of clauses that may stand several times.
macro_rules! many {
    ($($name:ident -> $variant:ident => $item:ty;)*) => {
        $(pub fn $name(&self) -> impl Iterator<Item = &$item> {
            self.default_clauses().filter_map(|c| match &c.kind {
                ClauseKind::$variant(inner) => Some(inner),
                _ => None,
            })
        })*
    };
}

impl Directive {
    once! {
        /// `Some(None)`: `async` without argument.
        async_ -> Async(Option<CExpr>);
        if_ -> If(CExpr);
        /// `self` on a compute construct; `Some(None)`: without condition.
        self_ -> SelfCondition(Option<CExpr>);
        default_ -> Default(DefaultKind);
        num_gangs -> NumGangs(Vec<CExpr>);
        num_workers -> NumWorkers(CExpr);
        vector_length -> VectorLength(CExpr);
        gang -> Gang(GangArgs);
        /// `Some(None)`: `worker` without argument.
        worker -> Worker(Option<CExpr>);
        /// `Some(None)`: `vector` without argument.
        vector -> Vector(Option<CExpr>);
        collapse -> Collapse(Collapse);
        tile -> Tile(Vec<TileSize>);
        bind -> Bind(BindName);
        device_num -> DeviceNum(CExpr);
        default_async -> DefaultAsync(CExpr);
        /// On init, shutdown and set.
        device_type -> DeviceType(Vec<DeviceType>);
    }

    flags! {
        seq -> Seq;
        auto -> Auto;
        independent -> Independent;
        if_present -> IfPresent;
        finalize -> Finalize;
        nohost -> Nohost;
    }

    many! {
        reductions -> Reduction => Reduction;
        data_clauses -> Data => DataClause;
        waits -> Wait => Option<WaitArgs>;
    }

    pub fn private(&self) -> impl Iterator<Item = &Section> {
        self.default_clauses().flat_map(|c| match &c.kind {
            ClauseKind::Private(sections) => sections.as_slice(),
            _ => &[],
        })
    }

    pub fn firstprivate(&self) -> impl Iterator<Item = &Section> {
        self.default_clauses().flat_map(|c| match &c.kind {
            ClauseKind::Firstprivate(sections) => sections.as_slice(),
            _ => &[],
        })
    }

    /// Variables of `use_device` (host_data).
    pub fn use_device(&self) -> impl Iterator<Item = &Section> {
        self.default_clauses().flat_map(|c| match &c.kind {
            ClauseKind::UseDevice(sections) => sections.as_slice(),
            _ => &[],
        })
    }

    /// What `update` copies to the host.
    pub fn update_self(&self) -> impl Iterator<Item = &Section> {
        self.default_clauses().flat_map(|c| match &c.kind {
            ClauseKind::UpdateSelf(sections) => sections.as_slice(),
            _ => &[],
        })
    }

    /// What `update` copies to the device.
    pub fn update_device(&self) -> impl Iterator<Item = &Section> {
        self.default_clauses().flat_map(|c| match &c.kind {
            ClauseKind::UpdateDevice(sections) => sections.as_slice(),
            _ => &[],
        })
    }

    /// Arrays of the `compression` clause (extension).
    pub fn compression(&self) -> impl Iterator<Item = (&CompressionArgs, &Section)> {
        self.default_clauses()
            .filter_map(|c| match &c.kind {
                ClauseKind::Compression(args, sections) => Some(sections.iter().map(move |s| (args, s))),
                _ => None,
            })
            .flatten()
    }

    /// The level of a `routine`; seq where none is written, which is an error reported already.
    pub fn routine_level(&self) -> RoutineLevel {
        let level = |c: &Clause| match c.kind {
            ClauseKind::Gang(_) => Some(RoutineLevel::Gang),
            ClauseKind::Worker(_) => Some(RoutineLevel::Worker),
            ClauseKind::Vector(_) => Some(RoutineLevel::Vector),
            _ => None,
        };
        self.default_clauses().find_map(level).unwrap_or(RoutineLevel::Seq)
    }

    /// The construct of a compute construct, combined or not.
    pub fn compute(&self) -> Option<Construct> {
        match self.kind {
            DirectiveKind::Compute { construct, .. } => Some(construct),
            _ => None,
        }
    }

    /// Whether a loop must follow: `loop` and the combined constructs.
    pub fn is_loop(&self) -> bool {
        matches!(self.kind, DirectiveKind::Loop | DirectiveKind::Compute { loop_: true, .. })
    }

    /// Whether a statement belongs to it: the structured block, loop or expression statement.
    pub fn takes_statement(&self) -> bool {
        match self.kind {
            DirectiveKind::Compute { .. }
            | DirectiveKind::Data
            | DirectiveKind::HostData
            | DirectiveKind::Loop
            | DirectiveKind::Atomic(_)
            | DirectiveKind::Fcw(_) => true,
            DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::Cache { .. }
            | DirectiveKind::Declare
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set
            | DirectiveKind::Update
            | DirectiveKind::Routine(_)
            | DirectiveKind::Wait(_)
            | DirectiveKind::FcwBarrier
            | DirectiveKind::Other { .. } => false,
        }
    }

    /// The extensions it uses, each with its place, for a front end that lacks them.
    pub fn extensions(&self) -> Vec<(&'static str, Span)> {
        let head = match self.kind {
            DirectiveKind::Fcw(_) => Some(("fcw", self.name_span)),
            DirectiveKind::FcwBarrier => Some(("fcw_barrier", self.name_span)),
            _ => None,
        };
        let clauses = self.clauses.iter().filter(|c| c.spec.extension);
        head.into_iter().chain(clauses.map(|c| (c.spec.name, c.name_span))).collect()
    }

    fn default_clauses(&self) -> impl Iterator<Item = &Clause> {
        self.clauses.iter().filter(|c| c.device_types.is_empty())
    }

    /// The directive as a device of this type sees it (§2.4): a clause for the type replaces the one
    /// for `*`, which replaces the one for all.
    pub fn for_device(&self, device: &DeviceType) -> Directive {
        let named = self.clauses.iter().any(|c| c.device_types.contains(device));
        let rank = |c: &Clause| match &c.device_types {
            types if types.is_empty() => Some(0),
            types if types.contains(device) => Some(2),
            types if types.contains(&DeviceType::Any) && !named => Some(1),
            _ => None,
        };
        let best = |spec: &str| self.clauses.iter().filter(|c| c.spec.name == spec).filter_map(rank).max();
        let wins = |c: &&Clause| rank(c).is_some() && rank(c) == best(c.spec.name);
        let flatten = |c: &Clause| Clause { device_types: vec![], ..c.clone() };
        Directive { clauses: self.clauses.iter().filter(wins).map(flatten).collect(), ..self.clone() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoutineLevel {
    Gang,
    Worker,
    Vector,
    Seq,
}
