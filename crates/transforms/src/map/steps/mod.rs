//! The steps of which schedules are made: each is one file, which says where the step applies and with which parameters,
//! what it costs, and how it rewrites.
//!
//! [`STEPS`] is their order of application, whatever the order in a text. `accl explain --schedules` lists for each kernel
//! those that apply, with their parameters.

pub mod aggregate_updates;
pub mod block;
pub mod chunk;
pub mod cluster;
pub mod coarsen;
pub mod decode;
pub mod encode_groups;
pub mod few_blocks;
pub mod full_blocks;
pub mod grid;
pub mod grid_stride;
pub mod index32;
pub mod lanes;
pub mod register_tile;
pub mod restrict;
pub mod shared_rows;
pub mod shared_tile;
pub mod split_block;
pub mod split_reduction;
pub mod stage_shared;
pub mod tall_block;
pub mod threads;
pub mod unroll;
pub mod unroll_and_jam;
pub mod vectorize;

use super::cost::Cost;
use super::draft::Draft;
use accl_ir::schedule::{Arg, Step, Value};
use accl_ir::{Block, LoopLevels, Module, Schedule, Stmt, visit};
use accl_source::Diagnostic;

/// One kind of step.
pub struct StepKind {
    pub name: &'static str,
    /// `vectorize(N)`: how it is written.
    pub usage: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// It says what a thread runs; a schedule has one such step at most, but for `aggregate_updates` after `lanes`.
    pub writes_program: bool,
    /// It says how large blocks are; a schedule that gives the block too must give the same one.
    pub sets_block: bool,
    /// The steps of this kind that a kernel may have, the one that is chosen by itself first, or why it may have none.
    pub space: fn(&mut Module, &Draft<'_>) -> Result<Vec<Step>, Refusal>,
    /// What it changes in the cost of an iteration.
    pub cost: fn(&Step, &mut Cost),
    pub apply: fn(&mut Module, &mut Draft<'_>, &Step) -> Result<(), Refusal>,
}

/// In the order of application.
pub const STEPS: &[&StepKind] = &[
    &grid::STEP,
    &threads::STEP,
    &decode::STEP,
    &shared_rows::STEP,
    &shared_tile::STEP,
    &block::STEP,
    &split_block::STEP,
    &tall_block::STEP,
    &few_blocks::STEP,
    &grid_stride::STEP,
    &cluster::STEP,
    &restrict::STEP,
    &index32::STEP,
    &full_blocks::STEP,
    &split_reduction::STEP,
    &lanes::STEP,
    &vectorize::STEP,
    &stage_shared::STEP,
    &encode_groups::STEP,
    &register_tile::TENSOR_STEP,
    &register_tile::STEP,
    &aggregate_updates::STEP,
    &unroll_and_jam::STEP,
    &chunk::STEP,
    &coarsen::STEP,
    &unroll::STEP,
];

/// Why a step does not apply to a kernel.
#[derive(Debug)]
pub enum Refusal {
    /// The question does not arise, so it is told only to a user who asked for the step.
    Quiet(String),
    /// A reader of the compiler's messages wants to know it.
    Because(String),
    /// It has a message of its own, with its place.
    Diagnostic(Box<Diagnostic>),
}

impl Refusal {
    pub fn quiet(why: impl Into<String>) -> Refusal {
        Refusal::Quiet(why.into())
    }

    pub fn because(why: impl Into<String>) -> Refusal {
        Refusal::Because(why.into())
    }

    pub fn text(&self) -> &str {
        match self {
            Refusal::Quiet(why) | Refusal::Because(why) => why,
            Refusal::Diagnostic(diagnostic) => &diagnostic.message,
        }
    }
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Refusal {
        Refusal::Diagnostic(Box::new(diagnostic))
    }
}

pub fn kind(name: &str) -> Option<&'static StepKind> {
    STEPS.iter().copied().find(|kind| kind.name == name)
}

/// Of a step in the order of application.
pub fn position(name: &str) -> usize {
    STEPS.iter().position(|kind| kind.name == name).unwrap_or(STEPS.len())
}

/// The step of a schedule that says how large blocks are, beside `block`.
pub fn sets_block(schedule: &Schedule) -> Option<&'static str> {
    STEPS.iter().find(|kind| kind.sets_block && schedule.has(kind.name)).map(|kind| kind.name)
}

/// There is no step of this name.
pub fn unknown(name: &str) -> Refusal {
    let names: Vec<&str> = STEPS.iter().map(|kind| kind.name).collect();
    Refusal::because(format!("there is no step `{name}`; there are {}", names.join(", ")))
}

/// The step to take: the one that is written, where it is one of `space`, or the first where it has no parameters.
fn chosen(step: &Step, space: &[Step]) -> Result<Step, Refusal> {
    match space.first() {
        Some(first) if step.args.is_empty() => Ok(first.clone()),
        Some(_) if space.contains(step) => Ok(step.clone()),
        _ => {
            let all: Vec<String> = space.iter().map(Step::to_string).collect();
            Err(Refusal::because(format!("here it can be {}", one_of(&all))))
        }
    }
}

fn one_of(all: &[String]) -> String {
    match all {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// `name(n)` for each of some numbers.
fn numbered(name: &str, all: impl IntoIterator<Item = u32>) -> Vec<Step> {
    all.into_iter().map(|n| Step::new(name, [Arg::from(n)])).collect()
}

/// The first number of a step, with or without a loop's name.
fn number(step: &Step) -> u32 {
    let number = |arg: &Arg| match arg.value {
        Value::Number(n) => Some(n),
        Value::Name(_) => None,
    };
    step.args.iter().find_map(number).unwrap_or(1)
}

/// Each thread runs the block's loops by itself.
fn run_by_each_thread(block: &mut Block) {
    visit::for_each_stmt_mut(block, &mut |node| {
        if let Stmt::For(l) = &mut node.kind {
            l.levels = Some(LoopLevels::default());
        }
    });
}

/// A step that says what the kernel is before mapping, which a schedule may repeat, in any order of its parameters.
fn as_it_is(draft: &Draft<'_>, step: &Step, other: &str, none: &str) -> Result<(), Refusal> {
    let Some(own) = draft.schedule.step(&step.name) else { return Err(Refusal::because(none)) };
    let same = own.args.len() == step.args.len() && own.args.iter().all(|arg| step.args.contains(arg));
    if same { Ok(()) } else { Err(Refusal::because(format!("{other} `{own}`"))) }
}

/// The cost of a step that leaves the estimate as it is.
fn unchanged(_: &Step, _: &mut Cost) {}

/// A step without parameters.
fn bare(step: &Step) -> Result<(), Refusal> {
    match step.args.is_empty() {
        true => Ok(()),
        false => Err(Refusal::because("it has no parameters")),
    }
}
