//! The rules: which schedules are tried for a kernel, best first.
//!
//! A schedule that does not apply is left out; its refusal is kept, for those who want to know. The last that applies needs
//! nothing of a launch, so each launch has a variant.

use super::cost::SECTOR;
use super::draft::{Draft, Refused};
use super::grid_mapping;
use super::lines::Lines;
use super::steps::{Refusal, register_tile, sets_block};
use super::window;
use crate::options::Options;
use accl_ir::schedule::Step;
use accl_ir::{ExprKind, Kernel, Module, Requirements, Schedule, Variant, visit};
use std::collections::BTreeMap;

/// The variants of one kernel, as they are made.
pub struct Proposals<'a> {
    pub module: &'a mut Module,
    pub options: &'a Options<'a>,
    /// Of each step's name, why it did not apply.
    pub refused: BTreeMap<String, Refusal>,
}

impl Proposals<'_> {
    /// A kernel without windows. `kernel` gets the parameters that variants need. `written`: the kernel whose block arrays are
    /// written, where `kernel` has plain ones in their place.
    pub fn usual(&mut self, kernel: &mut Kernel, written: Option<&Kernel>) -> Vec<Variant> {
        let mut all = vec![];
        all.extend(self.attempt_on(written.unwrap_or(kernel), "encode_groups"));
        // Kernels that have variants already, or plain arrays for block ones, get no other parameters.
        if written.is_none() && kernel.variants.is_empty() {
            let mut tiles = vec!["shared_tile(stream:256) coarsen"];
            if window::are_usual(self.module, kernel) {
                tiles.push("shared_tile(stencil) coarsen");
            }
            all.extend(tiles.into_iter().find_map(|tile| {
                let made = self.with_parameters(kernel, None, &steps(tile));
                made.map_err(|refused| self.refuse(refused)).ok()
            }));
        }
        let plain = Draft::new(self.module, kernel, self.options);
        let wide = self.first(&plain, &["stage_shared", "vectorize"]);
        let separate = self.separate(&plain);
        if wide.is_none() {
            all.extend(self.attempt(&separate, "tensor_tile"));
            all.extend(self.tiles(&separate));
        }
        let mut decoded = plain.fork();
        if decoded.apply(self.module, &steps("decode(copy)")).is_ok() {
            let wide = self.first(&decoded, &["stage_shared", "vectorize"]);
            let separate = self.separate(&decoded);
            all.extend(self.rest(&decoded, &separate, wide));
        }
        all.extend(self.attempt(&plain, "split_reduction"));
        all.extend(self.rows(&plain));
        all.extend(self.attempt(&plain, "shared_rows"));
        all.extend(self.attempt(&plain, "cluster"));
        all.extend(self.attempt(&separate, "tall_block unroll_and_jam"));
        all.extend(self.attempt(&plain, "tall_block"));
        if let Some(unroll) = self.unroll_of_lines(&plain) {
            all.extend(self.attempt(&plain, &format!("few_blocks {unroll}")));
        }
        all.extend(self.rest(&plain, &separate, wide));
        all
    }

    /// A draft for launches whose arrays do not overlap, where variants may require that.
    fn separate<'d>(&mut self, draft: &'d Draft<'_>) -> Draft<'d> {
        let mut separate = draft.fork();
        if separate.assume_distinct().is_ok() {
            separate.keep_elements(self.module);
        }
        separate
    }

    /// Of gang loops around loops whose lengths differ.
    fn rows(&mut self, draft: &Draft<'_>) -> Vec<Variant> {
        let texts: &[&str] =
            if draft.distinct { &["lanes(1)", "lanes"] } else { &["lanes(1) restrict", "lanes", "lanes(1)"] };
        let mut all = vec![];
        for text in texts {
            let aggregated = self.attempt(draft, &format!("{text} aggregate_updates"));
            // OpenCL has one lane at most, and aggregates nothing.
            let plain = (aggregated.is_none() || text.starts_with("lanes(1)"))
                .then(|| self.attempt(draft, text))
                .flatten();
            all.extend(aggregated.into_iter().chain(plain));
        }
        // `lanes` without a number is `lanes(1)` where no other is worth it.
        all.dedup_by(|second, first| second.schedule == first.schedule);
        all
    }

    /// Several iterations a thread where possible, then one. `separate`: the draft for arrays that do not overlap.
    fn rest(&mut self, draft: &Draft<'_>, separate: &Draft<'_>, wide: Option<Variant>) -> Vec<Variant> {
        let mut all = vec![];
        all.extend(self.attempt(draft, "aggregate_updates"));
        match wide {
            Some(wide) => all.push(wide),
            None if is_of_records(&separate.kernel) => {}
            None => all.extend(self.attempt(separate, "unroll_and_jam")),
        }
        if !draft.distinct {
            all.extend(self.attempt(separate, "restrict"));
        }
        all.extend(self.plain(draft));
        all
    }

    /// A thread for each iteration. A sector of the lines along which threads go is used up before another is read: left to itself the
    /// device's compiler has sixteen turns of such a loop under way, and more sectors than the cache keeps. Loops of another kind may want
    /// more turns, and the step is for all loops.
    fn plain(&mut self, draft: &Draft<'_>) -> Option<Variant> {
        let unrolled = self.unroll_of_lines(draft).and_then(|unroll| self.attempt(draft, &unroll));
        let symbol = draft.kernel.name.clone();
        unrolled.map(|variant| Variant { symbol, ..variant }).or_else(|| self.attempt(draft, ""))
    }

    fn unroll_of_lines(&self, draft: &Draft<'_>) -> Option<String> {
        let lines = Lines::of(&self.module.types, &draft.kernel);
        let turns = (SECTOR / lines.bytes).clamp(1.0, 8.0) as u32;
        (lines.arrays > 0 && !lines.beside_others).then(|| format!("unroll({turns})"))
    }

    /// A kernel with windows that a directive asks for, `tile` being the step that keeps them: the variants, or why there
    /// can be none.
    pub fn windowed(&mut self, kernel: &Kernel, tile: &str) -> Result<Vec<Variant>, Refused> {
        let mut start = Draft::new(self.module, kernel, self.options);
        start.apply(self.module, &steps(tile))?;
        let mut all = vec![];
        all.extend(self.attempt(&start, "split_block"));
        all.extend(self.attempt(&start, "coarsen"));
        for launches in ["full_blocks", "index32", ""] {
            if !start.distinct && self.options.noalias {
                all.push(self.must(&start, &format!("restrict {launches}"))?);
            }
            if launches.is_empty() || start.distinct {
                all.push(self.must(&start, launches)?);
            }
        }
        Ok(all)
    }

    /// What the user wrote, then one that needs nothing of a launch. `written` as in [`Proposals::usual`].
    pub fn given(
        &mut self,
        kernel: &mut Kernel,
        written: Option<&Kernel>,
        schedule: &Schedule,
    ) -> Result<Vec<Variant>, Refused> {
        let written = written.filter(|_| schedule.has("encode_groups"));
        let mut variant = self.with_parameters(kernel, written, schedule)?;
        // What is only good for speed the user has decided.
        let requires = &mut variant.requires;
        requires.reused = requires.decoded;
        (requires.high_occupancy, requires.low_occupancy, requires.ilp) = (false, false, false);
        (requires.one_lane, requires.few_in_x, requires.long_lines) = (false, false, false);
        if (Requirements { few_blocks: false, ..variant.requires }).bits() == 0 {
            // As the last of several, it has the kernel's name.
            variant.symbol = kernel.name.clone();
            return Ok(vec![variant]);
        }
        // A block that follows from another step is that step's alone.
        let of_its_own = sets_block(schedule).is_none();
        let sizes = |step: &&Step| step.name == "grid_stride" || of_its_own && step.name == "block";
        let sizes = Schedule { steps: schedule.steps.iter().filter(sizes).cloned().collect() };
        let plain = Draft::new(self.module, kernel, self.options);
        let plain = self.must(&plain, &sizes.to_string())?;
        if variant.symbol == plain.symbol {
            // Some steps ask something of a launch and have no name for it.
            variant.symbol.push_str("_given");
        }
        Ok(vec![variant, plain])
    }

    /// A variant for each candidate that applies, and why others do not. The first of those whose blocks keep arrays gives the
    /// kernel the parameters that it needs; the others have to do with these.
    pub fn candidates(
        &mut self,
        kernel: &mut Kernel,
        all: &[(usize, &Schedule)],
    ) -> (Vec<Variant>, Vec<(usize, Refused)>) {
        let (mut made, mut refused) = (vec![], vec![]);
        let (first, others): (Vec<_>, Vec<_>) = all.iter().partition(|(_, s)| s.has("shared_tile"));
        for (number, schedule) in first.into_iter().chain(others) {
            let before = kernel.params.len();
            let mut attempt = kernel.clone();
            let variant = match self.with_parameters(&mut attempt, None, schedule) {
                Ok(variant) => variant,
                Err(why) => {
                    refused.push((number, why));
                    continue;
                }
            };
            let obstacle = if variant.requires.decoded || variant.requires.whole_groups {
                Some("it is for compressed arrays in another form")
            } else if attempt.params.len() > before && !made.is_empty() {
                Some("it needs other arguments than the variants beside it")
            } else {
                None
            };
            if let Some(why) = obstacle {
                refused.push((number, Refused { step: schedule.to_string(), why: Refusal::because(why) }));
                continue;
            }
            *kernel = attempt;
            made.push(candidate(kernel, variant, number));
        }
        (made, refused)
    }

    /// The variant of a schedule for a kernel, which gets the parameters that the variant needs.
    fn with_parameters(
        &mut self,
        kernel: &mut Kernel,
        written: Option<&Kernel>,
        schedule: &Schedule,
    ) -> Result<Variant, Refused> {
        let mut draft = Draft::new(self.module, written.unwrap_or(kernel), self.options);
        draft.apply(self.module, schedule)?;
        let (variant, with) = draft.finish(self.module)?;
        let parameters = (with.params.len() > kernel.params.len()).then(|| with.into_owned());
        if let Some(with) = parameters {
            take_parameters(kernel, with);
        }
        Ok(variant)
    }

    fn attempt(&mut self, draft: &Draft<'_>, text: &str) -> Option<Variant> {
        self.must(draft, text).map_err(|refused| self.refuse(refused)).ok()
    }

    fn refuse(&mut self, refused: Refused) {
        let name = refused.step.split('(').next().unwrap_or_default();
        self.refused.entry(name.to_owned()).or_insert(refused.why);
    }

    fn must(&mut self, draft: &Draft<'_>, text: &str) -> Result<Variant, Refused> {
        let mut draft = draft.fork();
        draft.apply(self.module, &steps(text))?;
        draft.finish(self.module).map(|(variant, _)| variant)
    }

    fn attempt_on(&mut self, kernel: &Kernel, text: &str) -> Option<Variant> {
        let draft = Draft::new(self.module, kernel, self.options);
        self.attempt(&draft, text)
    }

    fn first(&mut self, draft: &Draft<'_>, texts: &[&str]) -> Option<Variant> {
        texts.iter().find_map(|text| self.attempt(draft, text))
    }

    /// A product's tiles, for large launches and for smaller ones.
    fn tiles(&mut self, draft: &Draft<'_>) -> Vec<Variant> {
        match register_tile::proposed(self.module, draft) {
            Ok(steps) => steps.iter().filter_map(|step| self.attempt(draft, &step.to_string())).collect(),
            Err(why) => {
                self.refused.entry("register_tile".to_owned()).or_insert(why);
                vec![]
            }
        }
    }
}

/// The variant as one that is taken where it is named, whatever is good for speed.
fn candidate(kernel: &Kernel, variant: Variant, number: usize) -> Variant {
    let speed = Requirements {
        named: true,
        high_occupancy: false,
        low_occupancy: false,
        ilp: false,
        one_lane: false,
        few_in_x: false,
        long_lines: false,
        free_lanes: false,
        ..variant.requires
    };
    Variant {
        symbol: format!("{}_c{number}", kernel.name),
        requires: speed,
        vector_x: false,
        workers_y: false,
        ..variant
    }
}

/// Gives the kernel the parameters, and the locals, that another has more which was made of it. Those that it has stay as they
/// are: to a version with decoded copies the same arrays are plain ones.
pub fn take_parameters(kernel: &mut Kernel, with: Kernel) {
    for (_, local) in with.body.locals.iter().skip(kernel.body.locals.len()) {
        kernel.body.locals.append(local.clone());
    }
    kernel.params.extend(with.params.into_iter().skip(kernel.params.len()));
}

/// A schedule of the rules' own.
fn steps(text: &str) -> Schedule {
    text.parse().expect("the rules' schedules can be read")
}

/// The iterations of one loop access members of array elements. Several of a thread, one statement at a time, would access the members
/// of an element long after one another, when caches have written it to memory: such kernels took 1.04 to 1.7 times as long on an H200.
fn is_of_records(kernel: &Kernel) -> bool {
    let body = &kernel.body;
    let mut members = false;
    visit::for_each_place(body, &body.block, &mut |place, _| {
        let (mut of, mut is_member) = (place, false);
        while let ExprKind::Member { base, .. } = body.exprs[of].kind {
            (of, is_member) = (base, true);
        }
        members |= is_member && matches!(body.exprs[of].kind, ExprKind::Index { .. });
    });
    members && grid_mapping::nest(&body.block).0.len() == 1
}
