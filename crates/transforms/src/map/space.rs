//! The space of a kernel: every schedule that its steps allow, for tuners.
//!
//! Nothing is listed here: each step says which parameters it can have ([`StepKind::space`]), and whether a combination is
//! right is known by making it. So each schedule of a space can be given by `-gpu=schedule:FILE`.
//!
//! Invariant: no more than [`MOST`] combinations are made, so that the time is bounded.

use super::cost::Cost;
use super::draft::Draft;
use super::steps::{self, Refusal, STEPS, StepKind};
use crate::context::Context;
use accl_ir::schedule::Step;
use accl_ir::{Kernel, Module, Schedule, Variant, visit};
use accl_source::Span;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Combinations that are made for a kernel.
const MOST: usize = 1024;

/// What the name of a parameter is that says what a thread runs; its values are steps.
pub const PROGRAM: &str = "program";

/// The schedules of one kernel.
#[derive(Clone)]
pub struct KernelSpace {
    /// The kernel's name among the device's.
    pub name: String,
    pub function: String,
    /// The directive whose line names the kernel in a file of schedules; nowhere where a schedule cannot be given.
    pub directive: Span,
    /// Which one of the kernels of that directive's loop; 0: the only one.
    pub part: u32,
    /// Which one of the constructs that come of the directive.
    pub copy: u32,
    /// The directive whose line launches of the kernel have.
    pub construct: Span,
    /// Each kind of step with what it can be here, or why it cannot.
    pub steps: Vec<(&'static StepKind, Result<Vec<Step>, String>)>,
    pub schedules: Vec<LegalSchedule>,
    /// There are more combinations than were made.
    pub cut: bool,
}

/// A schedule that the kernel can have.
#[derive(Clone, Debug)]
pub struct LegalSchedule {
    pub schedule: Schedule,
    /// The variant's name in `ACCL_VARIANT`, messages and profiles.
    pub variant: String,
    /// What a launch must hold to take it.
    pub needs: Vec<&'static str>,
    pub cost: Cost,
    pub occupancy: f64,
    pub bytes_under_way: f64,
}

/// Adds the kernel's space to those of the module. `written`: the kernel whose block arrays are written, where `kernel` has plain
/// ones in their place.
pub fn list(module: &mut Module, kernel: &Kernel, written: Option<&Kernel>, cx: &mut Context<'_>) {
    // Versions of a kernel follow the kernel's own schedule, and a user who wrote one has chosen. How its loops are distributed was
    // followed before this pass.
    let chosen =
        kernel.schedule.as_ref().is_some_and(|given| given.schedule.steps.iter().any(|s| s.name != "grid"));
    if kernel.index64_of.is_some() || kernel.fallback_of.is_some() || chosen {
        return;
    }
    let base = Draft::new(module, kernel, cx.options);
    let mut search =
        SpaceSearch { candidates: vec![], texts: BTreeSet::new(), programs: BTreeSet::new(), left: MOST };
    search.explore(module, &base, STEPS);
    if let Some(written) = written {
        search.programs(module, &Draft::new(module, written, cx.options), &[&steps::encode_groups::STEP]);
    }
    let spaces = STEPS.iter().map(|kind| {
        let space = (kind.space)(module, &base);
        (*kind, space.map_err(|why| why.text().to_owned()))
    });
    let space = KernelSpace {
        name: kernel.name.clone(),
        function: kernel.site.function.clone(),
        directive: governing(kernel),
        part: part(kernel),
        copy: kernel.site.copy,
        construct: kernel.site.directive_span,
        steps: spaces.collect(),
        cut: search.left == 0,
        schedules: search.candidates,
    };
    cx.spaces.push(space);
}

/// The directive of the kernel's outermost loop, or of the construct.
pub fn governing(kernel: &Kernel) -> Span {
    match visit::only_loop(&kernel.body.block) {
        Some(l) => {
            let own = l.directive.as_ref().map(|d| d.span).filter(|span| !span.is_nowhere());
            own.unwrap_or(kernel.site.directive_span)
        }
        None => Span::NOWHERE,
    }
}

/// Which of the loops that were made of the directive's one is the kernel's outermost.
pub fn part(kernel: &Kernel) -> u32 {
    let directive = visit::only_loop(&kernel.body.block).and_then(|l| l.directive.as_ref());
    directive.map_or(0, |directive| directive.part)
}

struct SpaceSearch {
    candidates: Vec<LegalSchedule>,
    texts: BTreeSet<String>,
    /// What is emitted for each, to find schedules that come to the same.
    programs: BTreeSet<u64>,
    left: usize,
}

impl SpaceSearch {
    /// Every combination of the steps that are left, without those that write what a thread runs; then these.
    fn explore(&mut self, module: &mut Module, draft: &Draft<'_>, rest: &[&'static StepKind]) {
        let Some((kind, rest)) = rest.split_first() else {
            return self.programs(module, draft, STEPS);
        };
        self.explore(module, draft, rest);
        if kind.writes_program {
            return;
        }
        // The first block is the one that is taken where none is given; the loops' dimensions are the kernel's own.
        let skipped = match kind.name {
            "grid" | "threads" => usize::MAX,
            "block" => 1,
            _ => 0,
        };
        for step in space(module, draft, kind).into_iter().skip(skipped) {
            if kind.sets_block && draft.given_block.is_some() {
                continue;
            }
            let mut with = draft.fork();
            if self.left > 0 && with.apply(module, &only(step)).is_ok() {
                self.explore(module, &with, rest);
            }
        }
    }

    /// The draft as it is, and with each step of these kinds that writes what a thread runs.
    fn programs(&mut self, module: &mut Module, draft: &Draft<'_>, kinds: &[&'static StepKind]) {
        self.finish(module, draft, Schedule::default());
        for kind in kinds.iter().filter(|kind| kind.writes_program) {
            if kind.sets_block && (draft.given_block.is_some() || draft.sets_block.is_some()) {
                continue;
            }
            for step in space(module, draft, kind) {
                self.finish(module, draft, only(step));
            }
        }
    }

    fn finish(&mut self, module: &mut Module, draft: &Draft<'_>, steps: Schedule) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let mut draft = draft.fork();
        if draft.apply(module, &steps).is_err() {
            return;
        }
        let device = draft.options.device;
        let Ok((variant, kernel)) = draft.finish(module) else { return };
        if !self.programs.insert(program(&variant)) || !self.texts.insert(variant.schedule.to_string()) {
            return;
        }
        let mut cost = Cost::of(&module.types, &kernel, variant.block).under(&variant.schedule);
        cost.shared = variant.known_shared(&module.types);
        cost.threads = variant.block.iter().product();
        let requires = variant.requires;
        self.candidates.push(LegalSchedule {
            variant: name(&kernel, &variant).to_owned(),
            needs: requires.rows().filter_map(|row| row.told).collect(),
            occupancy: cost.occupancy(device),
            bytes_under_way: cost.bytes_under_way(device),
            cost,
            schedule: variant.schedule,
        });
    }
}

fn only(step: Step) -> Schedule {
    Schedule { steps: vec![step] }
}

fn space(module: &mut Module, draft: &Draft<'_>, kind: &StepKind) -> Vec<Step> {
    (kind.space)(module, draft).unwrap_or_else(|_: Refusal| vec![])
}

/// A number that is the same for variants whose device code is the same.
fn program(variant: &Variant) -> u64 {
    let mut hasher = DefaultHasher::new();
    let Variant { body, block, per_thread, restrict, unroll, shared, requires, .. } = variant;
    format!("{body:?} {shared:?}").hash(&mut hasher);
    (block, per_thread, restrict, unroll, requires).hash(&mut hasher);
    hasher.finish()
}

/// How messages call a variant.
pub fn name<'v>(kernel: &Kernel, variant: &'v Variant) -> &'v str {
    let name = variant.symbol.strip_prefix(&kernel.name).unwrap_or(&variant.symbol).trim_matches('_');
    if name.is_empty() { "plain" } else { name }
}
