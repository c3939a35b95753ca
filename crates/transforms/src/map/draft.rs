//! A schedule applied: from a kernel and its steps to a variant.
//!
//! A [`Draft`] is what the steps work on, one after the other in the order of [`steps::STEPS`]. Some change the kernel
//! (`decode`), some choose sizes (`block`), some promise what a launch must then hold (`restrict`), and at most one writes
//! the program of a thread (`vectorize`). Where none does, the program is the usual one: one iteration a thread, or the
//! loops inside a gang spread over its threads.

use super::steps::{self, Refusal, StepKind};
use super::{alias, block_mapping, grid_mapping, joined_counts, scalar_replacement, shape, window};
use crate::options::Options;
use accl_ir::schedule::{Arg, Step};
use accl_ir::{Body, GivenSchedule, Kernel, Module, Requirements, Schedule, SharedDecl, Types, Variant};
use accl_source::Diagnostic;
use accl_source::codes::transforms as codes;
use std::borrow::Cow;

/// A kernel on its way to a variant.
pub struct Draft<'a> {
    pub kernel: Cow<'a, Kernel>,
    pub options: &'a Options<'a>,
    /// The steps applied so far, with the parameters that they chose.
    pub schedule: Schedule,
    /// What the variant's symbol has after the kernel's name.
    pub suffix: String,
    pub requires: Requirements,
    /// No array that is written overlaps another: by proof, or because the launch is refused otherwise.
    pub distinct: bool,
    /// Elements that loops accumulate into stay in registers, as far as they can.
    keeps_elements: bool,
    pub block: [u32; 3],
    /// The block that the schedule gives, and the step, if any, that decides about it.
    pub given_block: Option<[u32; 3]>,
    pub sets_block: Option<&'static str>,
    /// `vector_length` and `num_workers` of the launch may change the block.
    pub block_at_launch: bool,
    /// Iterations of a thread in a kernel whose threads stride over the grid, where a step says so.
    pub grid_stride: Option<u32>,
    /// How many times the bodies of innermost loops are repeated, where a step says so.
    pub unroll: Option<u32>,
    /// The elements of a block's table of atomic updates, where a step says so.
    pub aggregated: Option<u32>,
    /// A gang is a cluster of blocks.
    pub in_clusters: bool,
    /// What a kernel with windows knows of its launches.
    pub known: window::Known,
    pub program: Option<Program>,
}

/// What a thread runs.
pub struct Program {
    pub body: Body,
    /// Iterations of one thread in each dimension.
    pub per_thread: [u32; 3],
    pub shared: Vec<SharedDecl>,
}

/// Why a schedule cannot be applied.
#[derive(Debug)]
pub struct Refused {
    pub step: String,
    pub why: Refusal,
}

impl Refused {
    /// For a schedule that the user gave.
    pub fn diagnostic(self, given: &GivenSchedule) -> Diagnostic {
        let message = format!("the schedule cannot be followed: `{}`: {}", self.step, self.why.text());
        let error = Diagnostic::error(codes::BAD_SCHEDULE, message).label(given.span, given.place());
        error.with_help("`accl explain --schedules` lists the steps that each kernel can have")
    }

    /// For windows that a directive asks for.
    pub fn of_window(self, kernel: &Kernel) -> Diagnostic {
        match self.why {
            Refusal::Diagnostic(diagnostic) => *diagnostic,
            why => {
                let message =
                    format!("what the directive keeps cannot be kept: `{}`: {}", self.step, why.text());
                Diagnostic::error(codes::BAD_SCHEDULE, message).at(kernel.site.directive_span)
            }
        }
    }
}

impl<'a> Draft<'a> {
    pub fn new(module: &Module, kernel: &'a Kernel, options: &'a Options<'a>) -> Draft<'a> {
        let mut draft = Draft {
            kernel: Cow::Borrowed(kernel),
            options,
            schedule: Schedule::default(),
            suffix: String::new(),
            requires: Requirements::default(),
            distinct: kernel.distinct || alias::all_distinct(module, kernel),
            keeps_elements: false,
            block: shape::block(&module.types, kernel, options),
            given_block: None,
            sets_block: None,
            block_at_launch: true,
            grid_stride: None,
            unroll: None,
            aggregated: None,
            in_clusters: false,
            known: window::Known::default(),
            program: None,
        };
        draft.schedule.steps.extend(steps::grid::of(kernel));
        draft.schedule.steps.extend(steps::threads::of(kernel));
        draft
    }

    /// The same, to go on with other steps.
    pub fn fork(&self) -> Draft<'_> {
        Draft {
            kernel: Cow::Borrowed(&*self.kernel),
            schedule: self.schedule.clone(),
            suffix: self.suffix.clone(),
            program: None,
            ..*self
        }
    }

    /// Applies steps, which may be given in any order.
    pub fn apply(&mut self, module: &mut Module, schedule: &Schedule) -> Result<(), Refused> {
        for step in &schedule.steps {
            if steps::kind(&step.name).is_none() {
                return Err(Refused { step: step.to_string(), why: steps::unknown(&step.name) });
            }
        }
        self.sets_block = self.sets_block.or(steps::sets_block(schedule));
        for kind in steps::STEPS {
            let mut all = schedule.steps.iter().filter(|step| step.name == kind.name);
            let Some(step) = all.next() else { continue };
            let refused = |why| Refused { step: step.to_string(), why };
            if all.next().is_some() {
                return Err(refused(Refusal::because("a step is given once")));
            }
            self.step(module, kind, step).map_err(refused)?;
        }
        Ok(())
    }

    fn step(&mut self, module: &mut Module, kind: &StepKind, step: &Step) -> Result<(), Refusal> {
        if kind.writes_program
            && let Some(other) = self.writer()
            && (other, kind.name) != ("lanes", "aggregate_updates")
        {
            return Err(Refusal::because(format!("`{other}` says already what a thread runs")));
        }
        (kind.apply)(module, self, step)
    }

    /// The step that wrote the program.
    fn writer(&self) -> Option<&str> {
        self.program.as_ref()?;
        let written = |step: &&Step| steps::kind(&step.name).is_some_and(|kind| kind.writes_program);
        self.schedule.steps.iter().find(written).map(|step| step.name.as_str())
    }

    /// For steps whose programs give a gang one block, or a part of one: the blocks of a cluster would all do the same.
    pub fn has_no_clusters(&self) -> Result<(), Refusal> {
        match self.in_clusters {
            true => Err(Refusal::because("`cluster` gives each gang several blocks")),
            false => Ok(()),
        }
    }

    /// Notes a step with the parameters that were chosen.
    pub fn done(&mut self, name: &str, args: impl IntoIterator<Item = Arg>) {
        self.schedule.set(Step::new(name, args));
    }

    /// The launch must know that no array which is written overlaps another.
    pub fn assume_distinct(&mut self) -> Result<(), Refusal> {
        if !self.distinct && !self.options.noalias {
            return Err(Refusal::quiet("arrays may overlap, and no version is made for those that do not"));
        }
        self.requires.noalias = !self.distinct;
        Ok(())
    }

    /// Where the launch knows that arrays do not overlap: elements that loops accumulate into stay in registers.
    pub fn keep_elements(&mut self, module: &mut Module) {
        let first = !std::mem::replace(&mut self.keeps_elements, self.requires.noalias);
        if first
            && self.requires.noalias
            && let Some(body) = scalar_replacement::body(module, &self.kernel)
        {
            self.kernel = Cow::Owned(Kernel { body, ..(*self.kernel).clone() });
        }
    }

    /// Fills in what a thread runs in a kernel that no step wrote a program for.
    pub fn usual(&mut self, module: &mut Module, restrict: bool) -> Result<Program, Refusal> {
        let mut per_thread = shape::per_thread(&self.kernel);
        if let Some(d) = shape::reduction_dim(&self.kernel) {
            let n = self.grid_stride.unwrap_or(per_thread[usize::from(d)]);
            per_thread[usize::from(d)] = n;
            self.done("grid_stride", [Arg::from(n)]);
        }
        let kernel = &*self.kernel;
        if shape::gives_workers_rows(kernel) {
            per_thread[0] = self.block[1];
        }
        let (body, shared) = if window::has_windows(&kernel.body.block) {
            window::gpu_body(module, kernel, self.block, self.known, self.options.device.most_shared)?
        } else if block_mapping::is_needed(kernel) {
            let mapped = block_mapping::body(module, kernel, self.block, restrict, self.in_clusters);
            if self.in_clusters && !mapped.1.is_empty() {
                return Err(Refusal::quiet(
                    "the threads of a gang share variables, which lie in the memory of one block",
                ));
            }
            mapped
        } else {
            (grid_mapping::body(&mut module.types, kernel), vec![])
        };
        Ok(Program { body, per_thread, shared })
    }

    /// The block is the one that was given, and has no threads that would run iterations twice.
    fn check_block(&self) -> Result<(), Refused> {
        let refused = |block, why: String| {
            Err(Refused { step: steps::block::step(block).to_string(), why: Refusal::because(why) })
        };
        if let (Some(given), Some(name)) = (self.given_block, self.sets_block)
            && given != self.block
        {
            return refused(given, format!("`{name}` makes `{}`", steps::block::step(self.block)));
        }
        let spread = !block_mapping::is_needed(&self.kernel) && !self.requires.splits;
        if spread && (self.kernel.dims.len()..3).any(|d| self.block[d] > 1) {
            let why = "threads in more dimensions than the launch has would run iterations twice";
            return refused(self.block, why.to_owned());
        }
        Ok(())
    }

    /// The launch may give gangs more lanes: nobody said how many, and no step made the program for a block of that size.
    fn has_free_lanes(&self, types: &Types) -> bool {
        let usual = self.program.is_none() && self.given_block.is_none() && self.sets_block.is_none();
        usual && self.block_at_launch && shape::has_free_lanes(types, &self.kernel, self.options)
    }

    /// The variant, and the kernel that has the parameters which it needs.
    pub fn finish(mut self, module: &mut Module) -> Result<(Variant, Cow<'a, Kernel>), Refused> {
        let restrict = self.distinct || self.requires.noalias;
        self.requires.free_lanes = self.has_free_lanes(&module.types);
        let mut program = match self.program.take() {
            Some(program) => program,
            None => {
                self.usual(module, restrict).map_err(|why| Refused { step: "shared_tile".into(), why })?
            }
        };
        joined_counts::run(&mut module.types, &mut program.body);
        self.check_block()?;
        let kernel = &*self.kernel;
        let (vector_x, workers_y) = (shape::vector_x(kernel), shape::workers_y(kernel));
        self.schedule.set(steps::block::step(self.block));
        self.schedule.steps.sort_by_key(|step| steps::position(&step.name));
        let variant = Variant {
            symbol: format!("{}{}", kernel.name, self.suffix),
            schedule: self.schedule,
            requires: self.requires,
            block: self.block,
            per_thread: program.per_thread,
            // What one thread does is not made for several.
            vector_x: self.block_at_launch && vector_x && self.block != [1; 3],
            workers_y: self.block_at_launch && workers_y,
            restrict,
            unroll: self.unroll,
            aggregated: self.aggregated,
            shared: program.shared,
            femtoseconds: 0,
            body: program.body,
        };
        Ok((variant, self.kernel))
    }
}
