//! OpenMP's directives in the normal form that the front end lowers.
//!
//! | OpenMP | normal form |
//! |---|---|
//! | `target teams` | `parallel`: the first thread of each team runs the block, as gangs do |
//! | `target` | `target`: one thread, unless a `teams` construct or one parallel loop is all it holds |
//! | `distribute` | a loop over gangs |
//! | `parallel for` | a loop over vector lanes |
//! | `distribute parallel for` | a loop over gangs and vector lanes |
//! | `loop`, `simd` | an independent loop, whose levels the compiler chooses |
//! | `map` and its like | the data clause that moves the same values |

use super::ast::{Leaf, Map, MapKind, OmpClause, OmpClauseKind, OmpDirective, OmpName};
use crate::ast::*;
use crate::table::{CLAUSES, ClauseSpec, DirectiveName, lookup_clause};
use accl_source::Span;

pub fn directive(d: &OmpDirective) -> Directive {
    let leaves: &[Leaf] = match &d.name {
        OmpName::Constructs(leaves) => leaves,
        _ => &[],
    };
    let kind = match &d.name {
        OmpName::Constructs(_) => construct(leaves),
        OmpName::TargetData => DirectiveKind::Data,
        OmpName::TargetEnterData => DirectiveKind::EnterData,
        OmpName::TargetExitData => DirectiveKind::ExitData,
        OmpName::TargetUpdate => DirectiveKind::Update,
        OmpName::DeclareTarget { begin } => DirectiveKind::DeclareTarget { begin: *begin },
        OmpName::EndDeclareTarget => DirectiveKind::EndDeclareTarget,
        OmpName::DeclareMapper(mapper) => {
            let maps = d.clauses.iter().filter_map(|c| match &c.kind {
                OmpClauseKind::Map(map) => Some((map.kind, map.mapper.clone(), map.sections.clone())),
                _ => None,
            });
            let mapper = Mapper { maps: maps.collect(), ..(**mapper).clone() };
            let kind = DirectiveKind::DeclareMapper(Box::new(mapper));
            let (span, name_span) = (d.span, d.name_span);
            return Directive { kind, span, name_span, clauses: vec![], origin: Sentinel::Omp };
        }
        OmpName::Requires | OmpName::Nothing | OmpName::Taskwait | OmpName::Separator(_) => {
            DirectiveKind::Threads(ThreadsKind::NoEffect)
        }
        OmpName::Barrier => DirectiveKind::Threads(ThreadsKind::Barrier),
        OmpName::Flush => DirectiveKind::Threads(ThreadsKind::Flush),
        OmpName::Atomic(kind) => DirectiveKind::Atomic(*kind),
    };
    let mut normal = Normal { d, leaves, kind: &kind, clauses: vec![] };
    normal.levels();
    d.clauses.iter().for_each(|clause| normal.clause(clause));
    normal.sizes();
    let Normal { clauses, .. } = normal;
    Directive { kind, span: d.span, name_span: d.name_span, clauses, origin: Sentinel::Omp }
}

fn construct(leaves: &[Leaf]) -> DirectiveKind {
    let has = |leaf| leaves.contains(&leaf);
    let loop_ = leaves.last().is_some_and(|leaf| leaf.is_loop());
    match leaves {
        [Leaf::Target, Leaf::Teams, ..] => DirectiveKind::Compute { construct: Construct::Parallel, loop_ },
        [Leaf::Target, Leaf::Parallel] => DirectiveKind::Threads(ThreadsKind::TargetParallel),
        [Leaf::Target, ..] => DirectiveKind::Compute { construct: Construct::Target, loop_ },
        [Leaf::Teams, ..] => DirectiveKind::Teams { loop_ },
        [Leaf::Task] | [Leaf::Taskgroup] => DirectiveKind::Threads(ThreadsKind::Task),
        // The first thread makes the tasks, and runs them.
        [Leaf::Masked, Leaf::Taskloop, ..] => DirectiveKind::Threads(ThreadsKind::Masked),
        [Leaf::Unroll | Leaf::Tile] => DirectiveKind::Threads(ThreadsKind::NoEffectOnLoop),
        _ if loop_ => DirectiveKind::Loop,
        _ if has(Leaf::Sections) => DirectiveKind::Threads(ThreadsKind::Sections),
        [Leaf::Section] => DirectiveKind::Threads(ThreadsKind::Section),
        [Leaf::Single] => DirectiveKind::Threads(ThreadsKind::Single),
        [Leaf::Critical] => DirectiveKind::Threads(ThreadsKind::Critical),
        [Leaf::Ordered] => DirectiveKind::Threads(ThreadsKind::Ordered),
        [Leaf::Scope] => DirectiveKind::Threads(ThreadsKind::Scope),
        [Leaf::Masked] => DirectiveKind::Threads(ThreadsKind::Masked),
        _ => DirectiveKind::Threads(ThreadsKind::Parallel),
    }
}

struct Normal<'a> {
    d: &'a OmpDirective,
    leaves: &'a [Leaf],
    kind: &'a DirectiveKind,
    clauses: Vec<Clause>,
}

impl Normal<'_> {
    fn has(&self, leaf: Leaf) -> bool {
        self.leaves.contains(&leaf)
    }

    fn is_loop(&self) -> bool {
        self.leaves.last().is_some_and(|leaf| leaf.is_loop())
    }

    /// A clause of the normal form, with the place of the one that it comes from.
    fn add(&mut self, name: &str, kind: ClauseKind, at: (Span, Span)) {
        let (span, name_span) = at;
        let on = match self.kind {
            DirectiveKind::Update => DirectiveName::Update,
            _ => DirectiveName::ParallelLoop,
        };
        let spec: &'static ClauseSpec = lookup_clause(name, on).unwrap_or(&CLAUSES[0]);
        self.clauses.push(Clause { kind, span, name_span, spec, device_types: vec![] });
    }

    /// Which threads run the iterations, where the directive says so.
    fn levels(&mut self) {
        if !self.is_loop() {
            return;
        }
        let at = (self.d.name_span, self.d.name_span);
        let ordered = |c: &OmpClause| matches!(c.kind, OmpClauseKind::Ordered(_));
        let by_its_thread = self.leaves.first() == Some(&Leaf::Taskloop);
        if self.d.clauses.iter().any(ordered) || by_its_thread {
            return self.add("seq", ClauseKind::Seq, at);
        }
        let (distributed, divided) =
            (self.has(Leaf::Distribute), self.has(Leaf::For) || self.has(Leaf::Taskloop));
        // Iterations of a loop that is only `simd` may depend on those `safelen` before.
        let may_depend = !distributed && !divided && self.d.clauses.iter().any(|c| c.name == "safelen");
        match may_depend {
            true => self.add("auto", ClauseKind::Auto, at),
            false => self.add("independent", ClauseKind::Independent, at),
        }
        if distributed {
            self.add("gang", ClauseKind::Gang(GangArgs::default()), at);
        }
        if divided || distributed && self.has(Leaf::Simd) {
            self.add("vector", ClauseKind::Vector(None), at);
        }
    }

    /// How many teams and threads there are.
    fn sizes(&mut self) {
        let of = |find: fn(&OmpClauseKind) -> Option<&CExpr>| {
            self.d.clauses.iter().find_map(|c| Some((find(&c.kind)?.clone(), (c.span, c.name_span))))
        };
        let limit = of(|kind| match kind {
            OmpClauseKind::ThreadLimit(limit) => Some(limit),
            _ => None,
        });
        let threads = of(|kind| match kind {
            OmpClauseKind::NumThreads(threads) => Some(threads),
            _ => None,
        });
        let number = |e: &CExpr| match e.kind {
            CExprKind::Int { value, .. } => value,
            _ => None,
        };
        let is_less = limit.iter().zip(&threads).any(|((limit, _), (threads, _))| {
            number(limit).zip(number(threads)).is_some_and(|(limit, threads)| limit < threads)
        });
        if let Some((size, at)) = threads.filter(|_| !is_less).or(limit) {
            self.add("vector_length", ClauseKind::VectorLength(size), at);
        }
    }

    fn clause(&mut self, clause: &OmpClause) {
        use OmpClauseKind as Omp;
        let at = (clause.span, clause.name_span);
        match &clause.kind {
            Omp::If(of, condition) => {
                if of.as_deref().is_none_or(|of| of.starts_with("target")) && self.d.name.is_for_devices() {
                    self.add("if", ClauseKind::If(condition.clone()), at);
                } else if of.as_deref().is_none_or(|of| of == "parallel") && self.has(Leaf::Parallel) {
                    self.add("if", ClauseKind::ParallelIf(condition.clone()), at);
                }
            }
            Omp::Device(number) => self.add("device_num", ClauseKind::DeviceNum(number.clone()), at),
            Omp::Map(map) => self.map(clause, map),
            Omp::Motion { to_device, present, mapper, iterators, sections }
                if mapper.is_some() || !iterators.is_empty() =>
            {
                let motion = if *to_device { Motion::ToDevice } else { Motion::FromDevice };
                let list = MappedList {
                    motion,
                    always: false,
                    present: *present,
                    by_rule: false,
                    mapper: mapper.clone(),
                    iterators: iterators.clone(),
                    sections: sections.clone(),
                };
                self.add("device", ClauseKind::Mapped(list), at);
            }
            Omp::Motion { to_device, present, sections, .. } => {
                match to_device {
                    true => self.add("device", ClauseKind::UpdateDevice(sections.clone()), at),
                    false => self.add("self", ClauseKind::UpdateSelf(sections.clone()), at),
                }
                let said = |c: &Clause| matches!(c.kind, ClauseKind::IfPresent);
                if !present && !self.clauses.iter().any(said) {
                    self.add("if_present", ClauseKind::IfPresent, at);
                }
            }
            Omp::Private(list) => self.add("private", ClauseKind::Private(list.clone()), at),
            Omp::Firstprivate(list) => self.add("firstprivate", ClauseKind::Firstprivate(list.clone()), at),
            Omp::Lastprivate(list) => self.add("private", ClauseKind::Lastprivate(list.clone()), at),
            Omp::Linear(list, step) => {
                self.add("private", ClauseKind::Linear(list.clone(), step.clone()), at);
            }
            Omp::ReductionInOrder { what, sections } => {
                self.add("reduction", ClauseKind::ReductionInOrder(what, sections.clone()), at);
            }
            Omp::DeclaredReduction { name, sections } => {
                self.add("reduction", ClauseKind::DeclaredReduction(name.clone(), sections.clone()), at);
            }
            Omp::Filter(number) => self.add("self", ClauseKind::Filter(number.clone()), at),
            Omp::Copyprivate(list) => self.add("private", ClauseKind::Copyprivate(list.clone()), at),
            Omp::Reduction { op, sections } => {
                let reduction = Reduction { op: *op, vars: sections.clone() };
                self.add("reduction", ClauseKind::Reduction(reduction), at);
            }
            Omp::IsDevicePtr(list) => self.data("deviceptr", DataKind::Deviceptr, vec![], list, at),
            Omp::HasDeviceAddr(list) => {
                self.data("deviceptr", DataKind::Deviceptr, vec![DataModifier::ObjectOnDevice], list, at)
            }
            Omp::UseDevice(list) => self.add("use_device", ClauseKind::UseDevice(list.clone()), at),
            Omp::Default(word) if word == "private" || word == "firstprivate" => {
                self.add("default", ClauseKind::DefaultCopies { start: word == "firstprivate" }, at);
            }
            Omp::Default(word) if word == "none" => {
                self.add("default", ClauseKind::Default(DefaultKind::None), at);
            }
            // What is shared is mapped or private by rule.
            Omp::Default(_) => {}
            Omp::Shared(list) => self.add("copy", ClauseKind::Shared(list.clone()), at),
            Omp::Defaultmap(defaultmap) => {
                self.add("default", ClauseKind::Defaultmap(*defaultmap), at);
            }
            Omp::NumTeams { lower: _, upper } => {
                self.add("num_gangs", ClauseKind::NumGangs(vec![upper.clone()]), at)
            }
            // See `sizes` and `levels`.
            Omp::ThreadLimit(_) | Omp::NumThreads(_) | Omp::Ordered(_) => {}
            // One loop is joined with no other.
            Omp::Collapse(count) if count.constant() == Some(1) => {}
            Omp::Collapse(count) => {
                let collapse = Collapse { force: false, count: count.clone() };
                self.add("collapse", ClauseKind::Collapse(collapse), at);
            }
            Omp::Enter(list) => self.data("copyin", DataKind::Copyin, vec![], list, at),
            Omp::Link(list) => self.data("link", DataKind::Link, vec![], list, at),
            Omp::Schedule(schedule) => self.add("tile", ClauseKind::Schedule(schedule.clone()), at),
            // How a nest is tiled is a matter of speed.
            Omp::Sizes(_) | Omp::NoEffect => {}
            Omp::Depend => self.add("wait", ClauseKind::Depend, at),
            Omp::Ancestor => self.add("if", ClauseKind::Ancestor, at),
        }
    }

    fn data(
        &mut self,
        name: &str,
        kind: DataKind,
        modifiers: Vec<DataModifier>,
        list: &[Section],
        at: (Span, Span),
    ) {
        let clause = DataClause { kind, modifiers, compressed: None, sections: list.to_vec() };
        self.add(name, ClauseKind::Data(clause), at);
    }

    fn map(&mut self, clause: &OmpClause, map: &Map) {
        if map.mapper.is_some() || !map.iterators.is_empty() {
            let list = MappedList {
                motion: Motion::Map(map.kind),
                always: map.always,
                present: map.present,
                by_rule: false,
                mapper: map.mapper.clone(),
                iterators: map.iterators.clone(),
                sections: map.sections.clone(),
            };
            return self.add("copy", ClauseKind::Mapped(list), (clause.span, clause.name_span));
        }
        let entering = *self.kind == DirectiveKind::EnterData;
        let leaving = *self.kind == DirectiveKind::ExitData;
        let (name, kind) = match map.kind {
            MapKind::To | MapKind::ToFrom if entering => ("copyin", DataKind::Copyin),
            MapKind::From | MapKind::ToFrom if leaving => ("copyout", DataKind::Copyout),
            MapKind::Release | MapKind::Delete if leaving => ("delete", DataKind::Delete),
            MapKind::To => ("copyin", DataKind::Copyin),
            MapKind::From => ("copyout", DataKind::Copyout),
            MapKind::ToFrom => ("copy", DataKind::Copy),
            MapKind::Alloc | MapKind::Release | MapKind::Delete => ("create", DataKind::Create),
        };
        let said = [
            (map.always && kind != DataKind::Create, DataModifier::Always),
            (map.present, DataModifier::Present),
            (map.kind == MapKind::Delete, DataModifier::Finalize),
        ];
        let modifiers = said.into_iter().filter(|(said, _)| *said).map(|(_, modifier)| modifier).collect();
        self.data(name, kind, modifiers, &map.sections, (clause.span, clause.name_span));
    }
}
