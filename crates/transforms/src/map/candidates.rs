//! Candidates: schedules of a file, several for a kernel, that become variants beside the usual ones.
//!
//! A launch takes such a variant only where it is named: while candidates are measured one beside the other in the running program,
//! by what that found, or by `ACCL_VARIANT`. Its name is `c` and its number among the file's candidates.
//!
//! A schedule that cannot be a variant beside the others is told in a warning, and left out.

use super::rules::Proposals;
use super::space::governing;
use crate::context::Context;
use accl_ir::{Kernel, Module, Schedule, Variant};
use accl_source::Diagnostic;
use accl_source::codes::transforms as codes;
use std::collections::BTreeMap;

/// The variants of the kernel's candidates. The kernel gets the parameters that they need.
pub fn make(module: &mut Module, kernel: &mut Kernel, cx: &mut Context<'_>) -> Vec<Variant> {
    let Some(files) = cx.options.files else { return vec![] };
    if cx.options.candidates.is_empty() || kernel.index64_of.is_some() || kernel.fallback_of.is_some() {
        return vec![];
    }
    let span = governing(kernel);
    let line = files.line(span);
    let is_own =
        |function: &str, at: u32| at == line && (function == "*" || function == kernel.site.function);
    let own = cx.options.candidates.iter().enumerate().filter(|(_, c)| is_own(&c.function, c.line));
    let own: Vec<(usize, &Schedule)> = own.map(|(number, c)| (number, &c.schedule)).collect();
    if own.is_empty() || span.is_nowhere() {
        return vec![];
    }
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

/// Puts them before the last variant, which needs nothing of a launch.
pub fn add(kernel: &mut Kernel, named: Vec<Variant>) {
    let last = kernel.variants.pop();
    kernel.variants.extend(named);
    kernel.variants.extend(last);
}
