//! Typed access to a directive's clauses, as one kind of device sees them.
//!
//! [`Clauses`] has a field for each variant of [`ClauseKind`], in groups. Code that reads clauses destructures the
//! group without `..`, so that a clause which nothing reads does not compile.

use super::*;
use crate::table::ClauseSpec;
use accl_source::Span;

/// The clauses that apply to one kind of device; each group has those that are read together.
#[derive(Debug, Default)]
pub struct Clauses<'d> {
    pub conditions: Conditions<'d>,
    pub queues: QueueClauses<'d>,
    pub sizes: SizeClauses<'d>,
    pub data: DataClauses<'d>,
    pub privates: PrivateClauses<'d>,
    pub levels: LevelClauses<'d>,
    pub device: DeviceClauses<'d>,
    pub routine: RoutineClauses<'d>,
}

#[derive(Debug, Default)]
pub struct Conditions<'d> {
    pub if_: Option<&'d CExpr>,
    /// `self` on a compute construct; `Some(None)`: without condition.
    pub self_: Option<Option<&'d CExpr>>,
    pub if_present: bool,
    pub finalize: bool,
    /// Which thread runs a `masked` block.
    pub parallel_if: Option<&'d CExpr>,
    pub filter: Option<&'d CExpr>,
    /// The host runs the construct, also where a device meets it.
    pub ancestor: bool,
}

#[derive(Debug, Default)]
pub struct QueueClauses<'d> {
    /// `Some(None)`: `async` without argument.
    pub async_: Option<Option<&'d CExpr>>,
    /// `None`: a `wait` without argument.
    pub waits: Vec<Option<&'d WaitArgs>>,
    /// The construct follows tasks of the host.
    pub depends: bool,
}

#[derive(Debug, Default)]
pub struct SizeClauses<'d> {
    pub num_gangs: &'d [CExpr],
    pub num_workers: Option<&'d CExpr>,
    pub vector_length: Option<&'d CExpr>,
}

#[derive(Debug, Default)]
pub struct DataClauses<'d> {
    pub default: Option<DefaultKind>,
    pub defaultmaps: Vec<Defaultmap>,
    pub items: Vec<&'d DataClause>,
    pub use_device: Vec<&'d Section>,
    /// What `update` copies to the host.
    pub update_self: Vec<&'d Section>,
    /// What `update` copies to the device.
    pub update_device: Vec<&'d Section>,
    /// Arrays of the `compression` clause (extension).
    pub mapped: Vec<&'d MappedList>,
    pub compression: Vec<(&'d CompressionArgs, &'d Section)>,
}

#[derive(Debug, Default)]
pub struct PrivateClauses<'d> {
    pub private: Vec<&'d Section>,
    pub firstprivate: Vec<&'d Section>,
    pub lastprivate: Vec<&'d Section>,
    pub linear: Vec<(&'d [Section], Option<&'d CExpr>)>,
    pub in_order: Vec<(&'static str, &'d [Section])>,
    pub copyprivate: Vec<&'d Section>,
    /// Whether copies of variables that no clause names start with the values outside.
    pub default_copies: Option<bool>,
    pub shared: Vec<&'d Section>,
    pub reductions: Vec<&'d Reduction>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelClauses<'d> {
    pub gang: Option<&'d GangArgs>,
    /// `Some(None)`: `worker` without argument.
    pub worker: Option<Option<&'d CExpr>>,
    /// `Some(None)`: `vector` without argument.
    pub vector: Option<Option<&'d CExpr>>,
    pub seq: bool,
    pub auto: bool,
    pub independent: bool,
    pub collapse: Option<&'d Collapse>,
    pub tile: &'d [TileSize],
    pub schedules: Vec<&'d StaticSchedule>,
}

/// Of init, shutdown and set.
#[derive(Debug, Default)]
pub struct DeviceClauses<'d> {
    pub types: &'d [DeviceType],
    pub number: Option<&'d CExpr>,
    pub default_async: Option<&'d CExpr>,
}

#[derive(Debug, Default)]
pub struct RoutineClauses<'d> {
    pub bind: Option<&'d BindName>,
    pub nohost: bool,
}

impl<'d> Clauses<'d> {
    fn add(&mut self, kind: &'d ClauseKind) {
        let Clauses { conditions, queues, sizes, data, privates, levels, device, routine } = self;
        match kind {
            ClauseKind::If(condition) => conditions.if_ = Some(condition),
            ClauseKind::SelfCondition(condition) => conditions.self_ = Some(condition.as_ref()),
            ClauseKind::IfPresent => conditions.if_present = true,
            ClauseKind::Finalize => conditions.finalize = true,
            ClauseKind::Async(queue) => queues.async_ = Some(queue.as_ref()),
            ClauseKind::Wait(args) => queues.waits.push(args.as_ref()),
            ClauseKind::NumGangs(list) => sizes.num_gangs = list,
            ClauseKind::NumWorkers(number) => sizes.num_workers = Some(number),
            ClauseKind::VectorLength(length) => sizes.vector_length = Some(length),
            ClauseKind::Default(default) => data.default = Some(*default),
            ClauseKind::Data(clause) => data.items.push(clause),
            ClauseKind::Mapped(list) => data.mapped.push(list),
            ClauseKind::UseDevice(list) => data.use_device.extend(list),
            ClauseKind::UpdateSelf(list) => data.update_self.extend(list),
            ClauseKind::UpdateDevice(list) => data.update_device.extend(list),
            ClauseKind::Compression(args, list) => data.compression.extend(list.iter().map(|s| (args, s))),
            ClauseKind::Private(list) => privates.private.extend(list),
            ClauseKind::Firstprivate(list) => privates.firstprivate.extend(list),
            ClauseKind::Lastprivate(list) => privates.lastprivate.extend(list),
            ClauseKind::Shared(list) => privates.shared.extend(list),
            ClauseKind::Defaultmap(defaultmap) => data.defaultmaps.push(*defaultmap),
            ClauseKind::Depend => queues.depends = true,
            ClauseKind::Ancestor => conditions.ancestor = true,
            ClauseKind::Linear(list, step) => privates.linear.push((list, step.as_ref())),
            ClauseKind::ReductionInOrder(what, list) => privates.in_order.push((what, list)),
            ClauseKind::DeclaredReduction(_, list) => {
                privates.in_order.push(("this form of a reduction that the program declares", list));
            }
            ClauseKind::ParallelIf(condition) => conditions.parallel_if = Some(condition),
            ClauseKind::Filter(number) => conditions.filter = Some(number),
            ClauseKind::Copyprivate(list) => privates.copyprivate.extend(list),
            ClauseKind::DefaultCopies { start } => privates.default_copies = Some(*start),
            ClauseKind::Schedule(schedule) => levels.schedules.push(schedule),
            ClauseKind::Reduction(reduction) => privates.reductions.push(reduction),
            ClauseKind::Gang(args) => levels.gang = Some(args),
            ClauseKind::Worker(number) => levels.worker = Some(number.as_ref()),
            ClauseKind::Vector(length) => levels.vector = Some(length.as_ref()),
            ClauseKind::Seq => levels.seq = true,
            ClauseKind::Auto => levels.auto = true,
            ClauseKind::Independent => levels.independent = true,
            ClauseKind::Collapse(collapse) => levels.collapse = Some(collapse),
            ClauseKind::Tile(sizes) => levels.tile = sizes,
            ClauseKind::DeviceType(types) => device.types = types,
            ClauseKind::DeviceNum(number) => device.number = Some(number),
            ClauseKind::DefaultAsync(queue) => device.default_async = Some(queue),
            ClauseKind::Bind(name) => routine.bind = Some(name),
            ClauseKind::Nohost => routine.nohost = true,
        }
    }
}

/// How exactly a clause matches a kind of device.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Aim {
    All,
    /// `device_type(*)`
    Others,
    Named,
}

impl Directive {
    /// The clauses as a device of this kind sees them (§2.4): a clause for its type replaces the one for `*`, which
    /// replaces the one for all devices, and a `seq` replaces the clauses that contradict it.
    pub fn clauses_for(&self, device: DeviceKind) -> Clauses<'_> {
        let aims: Vec<Option<Aim>> = self.clauses.iter().map(|c| self.aim(c, device)).collect();
        let aimed = || self.clauses.iter().zip(&aims).filter_map(|(c, aim)| aim.map(|aim| (c, aim)));
        let beaten = |clause: &Clause, aim: Aim| {
            aimed().any(|(other, better)| better > aim && replaces(other.spec, clause.spec))
        };
        let mut clauses = Clauses::default();
        aimed()
            .filter(|(clause, aim)| !beaten(clause, *aim))
            .for_each(|(clause, _)| clauses.add(&clause.kind));
        clauses
    }

    fn aim(&self, clause: &Clause, device: DeviceKind) -> Option<Aim> {
        let names = |c: &Clause| c.device_types.iter().any(|t| device.is_named_by(t));
        match &clause.device_types {
            types if types.is_empty() => Some(Aim::All),
            _ if names(clause) => Some(Aim::Named),
            types if types.contains(&DeviceType::Any) => {
                (!self.clauses.iter().any(names)).then_some(Aim::Others)
            }
            _ => None,
        }
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
        matches!(
            self.kind,
            DirectiveKind::Loop
                | DirectiveKind::Compute { loop_: true, .. }
                | DirectiveKind::Teams { loop_: true }
        )
    }

    /// Whether it puts code or data on a device: a construct of the host program, or a declaration.
    pub fn is_for_devices(&self) -> bool {
        match self.kind {
            DirectiveKind::Compute { .. }
            | DirectiveKind::Threads(ThreadsKind::TargetParallel)
            | DirectiveKind::Data
            | DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::HostData
            | DirectiveKind::Declare
            | DirectiveKind::DeclareTarget { .. }
            | DirectiveKind::EndDeclareTarget
            | DirectiveKind::DeclareMapper(_)
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set
            | DirectiveKind::Update
            | DirectiveKind::Wait(_) => true,
            DirectiveKind::Loop
            | DirectiveKind::Teams { .. }
            | DirectiveKind::Threads(_)
            | DirectiveKind::Atomic(_)
            | DirectiveKind::Cache { .. }
            | DirectiveKind::Routine(_)
            | DirectiveKind::Fcw(_)
            | DirectiveKind::FcwBarrier
            | DirectiveKind::Other { .. } => false,
        }
    }

    /// Whether a statement belongs to the directive: the structured block, loop or expression statement.
    pub fn takes_statement(&self) -> bool {
        match self.kind {
            DirectiveKind::Compute { .. }
            | DirectiveKind::Teams { .. }
            | DirectiveKind::Data
            | DirectiveKind::HostData
            | DirectiveKind::Loop
            | DirectiveKind::Atomic(_)
            | DirectiveKind::Fcw(_) => true,
            DirectiveKind::Threads(kind) => {
                !matches!(kind, ThreadsKind::Barrier | ThreadsKind::Flush | ThreadsKind::NoEffect)
            }
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
            | DirectiveKind::DeclareTarget { .. }
            | DirectiveKind::EndDeclareTarget
            | DirectiveKind::DeclareMapper(_)
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
}

/// Whether a clause for some devices replaces one that applies to more of them.
fn replaces(particular: &ClauseSpec, general: &ClauseSpec) -> bool {
    const CHOICES: [&str; 3] = ["seq", "auto", "independent"];
    const LEVELS: [&str; 3] = ["gang", "worker", "vector"];
    let (particular, general) = (particular.name, general.name);
    let choose = CHOICES.contains(&particular) && CHOICES.contains(&general);
    let levels_beside_seq =
        particular == "seq" && LEVELS.contains(&general) || LEVELS.contains(&particular) && general == "seq";
    particular == general || choose || levels_beside_seq
}
