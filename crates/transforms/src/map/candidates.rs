//! Candidates: schedules of a file, several for a kernel, that become variants beside the usual ones.
//!
//! A launch takes such a variant only where it is named: while candidates are measured one beside the other in the running program,
//! by what that found, or by `ACCL_VARIANT`. Its name is `c` and its number among the file's candidates.
//!
//! A schedule that cannot be a variant beside the others is told in a warning, and left out.

use super::rules::{Proposals, take_parameters};
use super::space::{self, governing};
use crate::context::Context;
use crate::options::FileSchedule;
use accl_ir::{Kernel, KernelSite, Module, Schedule, Variant};
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Span};
use std::collections::BTreeMap;

/// The variants of the kernel's candidates. The kernel gets the parameters that they need.
pub fn make(module: &mut Module, kernel: &mut Kernel, cx: &mut Context<'_>) -> Vec<Variant> {
    let Some(files) = cx.options.files else { return vec![] };
    if cx.options.candidates.is_empty() || kernel.index64_of.is_some() || kernel.fallback_of.is_some() {
        return vec![];
    }
    let span = governing(kernel);
    let line = files.line(span);
    let part = space::part(kernel);
    let KernelSite { function, copy, .. } = &kernel.site;
    let is_own =
        |c: &FileSchedule| c.line == line && c.is_of_part(part) && c.is_of_copy(*copy) && c.is_of(function);
    let own = cx.options.candidates.iter().enumerate().filter(|(_, candidate)| is_own(candidate));
    let own: Vec<(usize, &Schedule)> = own.map(|(number, c)| (number, &c.schedule)).collect();
    if own.is_empty() || span.is_nowhere() {
        return vec![];
    }
    usual_parameters(module, kernel, cx);
    let mut proposals = Proposals { module, options: cx.options, refused: BTreeMap::new() };
    let (made, refused) = proposals.candidates(kernel, &own);
    for (number, refused) in refused {
        let message = format!(
            "{}: the candidate is left out: `{}`: {}",
            cx.options.candidates[number].origin,
            refused.step,
            refused.why.text()
        );
        cx.diagnostics.push(Diagnostic::warning(codes::BAD_SCHEDULE, message).at(span));
    }
    made
}

/// Gives the kernel the parameters that its usual variants need, before candidates have locals of their own behind them.
fn usual_parameters(module: &mut Module, kernel: &mut Kernel, cx: &mut Context<'_>) {
    let told = cx.diagnostics.len();
    let mut usual = kernel.clone();
    super::usual_or_given(module, &mut usual, None, cx);
    cx.diagnostics.truncate(told);
    take_parameters(kernel, usual);
}

/// Says which lines of the file are for no kernel, in a function that has some. `places`: function, line and part of each kernel's
/// directive.
pub fn unused(places: &[(String, Span, u32)], cx: &mut Context<'_>) {
    let Some(files) = cx.options.files else { return };
    for candidate in cx.options.candidates {
        let of_function = || places.iter().filter(|(function, ..)| candidate.is_of(function));
        let used = of_function()
            .any(|(_, span, part)| files.line(*span) == candidate.line && candidate.is_of_part(*part));
        if let (false, Some((_, span, _))) = (used, of_function().next()) {
            let message = format!(
                "{}: the candidate is left out: no kernel of {} has its directive on line {}",
                candidate.origin, candidate.function, candidate.line
            );
            let warning = Diagnostic::warning(codes::BAD_SCHEDULE, message);
            cx.diagnostics.push(warning.label(*span, "the function's first kernel is here"));
        }
    }
}

/// Puts them before the last variant, which needs nothing of a launch.
pub fn add(kernel: &mut Kernel, named: Vec<Variant>) {
    let last = kernel.variants.pop();
    kernel.variants.extend(named);
    kernel.variants.extend(last);
}
