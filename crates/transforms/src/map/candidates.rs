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
use accl_ir::{Kernel, Module, Schedule, Variant};
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Files};
use std::collections::BTreeMap;

/// The variants of the kernel's candidates. The kernel gets the parameters that they need.
pub fn make(module: &mut Module, kernel: &mut Kernel, cx: &mut Context<'_>) -> Vec<Variant> {
    let Some(files) = cx.options.files else { return vec![] };
    if cx.options.candidates.is_empty() || kernel.index64_of.is_some() || kernel.fallback_of.is_some() {
        return vec![];
    }
    let span = governing(kernel);
    let own = cx.options.candidates.iter().enumerate().filter(|(_, c)| is_for(c, kernel, files));
    let own: Vec<(usize, &Schedule)> = own.map(|(number, c)| (number, &c.schedule)).collect();
    if own.is_empty() {
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

/// The candidate is for this kernel.
fn is_for(candidate: &FileSchedule, kernel: &Kernel, files: &Files) -> bool {
    let span = governing(kernel);
    !span.is_nowhere()
        && candidate.is_of(&kernel.site.function)
        && candidate.names(files.line(span), space::part(kernel), kernel.site.copy)
}

/// Says which lines of the file are for no kernel, in a function that has some.
pub fn unused(module: &Module, cx: &mut Context<'_>) {
    let Some(files) = cx.options.files else { return };
    for candidate in cx.options.candidates {
        let kernels = || module.kernels.iter().map(|(_, kernel)| kernel);
        let used = kernels().any(|kernel| is_for(candidate, kernel, files));
        let first = kernels().find(|kernel| candidate.is_of(&kernel.site.function));
        if let (false, Some(kernel)) = (used, first) {
            let message = format!(
                "{}: the candidate is left out: no kernel of {} has its directive on line {}",
                candidate.origin,
                candidate.function,
                candidate.numbers()
            );
            let warning = Diagnostic::warning(codes::BAD_SCHEDULE, message);
            cx.diagnostics.push(warning.label(governing(kernel), "the function's first kernel is here"));
        }
    }
}

/// Puts them before the last variant, which needs nothing of a launch.
pub fn add(kernel: &mut Kernel, named: Vec<Variant>) {
    let last = kernel.variants.pop();
    kernel.variants.extend(named);
    kernel.variants.extend(last);
}
