//! Schedules that the user gives: which loop they are for, and their step `grid`.
//!
//! A schedule stands on a loop's directive, from `#pragma accl schedule`, or comes from the file of `-gpu=schedule:FILE`,
//! which names functions and lines of directives ([`from_file`]). What `grid` says of a distributed nest is followed
//! here ([`grid`]); the pass `map` follows the other steps.

use crate::context::Context;
use crate::map::steps::grid::AXES;
use crate::options::FileSchedule;
use crate::regions::Site;
use accl_analysis::text::source_name;
use accl_ir::schedule::{Arg, Step, Value};
use accl_ir::{Block, Body, GivenSchedule, Loop, LoopDirective, LoopLevels, Region, Stmt, visit};
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Span};

/// Gives loops the schedules that a file has for their directives, or for the directive of their construct.
pub fn from_file(region: &mut Region, site: &Site, cx: &Context<'_>) {
    let Some(files) = cx.options.files else { return };
    let copy = region.copy;
    let of = |span: Span, part: u32| {
        let is_for = |s: &&FileSchedule| s.is_of(&site.name) && s.names(files.line(span), part, copy);
        cx.options.schedules.iter().find(is_for).filter(|_| !span.is_nowhere())
    };
    let construct = region.directive_span;
    for node in &mut region.body {
        let Stmt::For(l) = &mut node.kind else { continue };
        let part = l.directive.as_ref().map_or(0, |d| d.part);
        let own = l.directive.as_ref().and_then(|d| of(d.span, part).map(|s| (s, d.span)));
        if let Some((given, span)) = own.or_else(|| of(construct, part).map(|s| (s, construct))) {
            let directive =
                l.directive.get_or_insert_with(|| LoopDirective { collapse: 1, ..LoopDirective::default() });
            let (schedule, origin) = (given.schedule.clone(), Some(given.origin.clone()));
            directive.schedule = Some(GivenSchedule { schedule, span, origin });
        }
    }
}

/// Follows the step `grid` of the loops' schedules; `levels` are those of all loops of the block in the order of their headers.
/// A schedule whose step cannot be followed is an error, and gone.
pub fn grid(body: &Body, block: &mut Block, levels: &mut [LoopLevels], cx: &mut Context<'_>) {
    let mut index = 0;
    visit::for_each_stmt_mut(block, &mut |node| {
        let Stmt::For(l) = &mut node.kind else { return };
        let here = index;
        index += 1;
        let Some(given) = l.directive.as_ref().and_then(|d| d.schedule.clone()) else { return };
        let Some(step) = given.schedule.step("grid") else { return };
        if let Err(why) = spread(body, l, step, &mut levels[here..]) {
            let message = format!("the schedule cannot be followed: `{step}`: {why}");
            let error = Diagnostic::error(codes::BAD_SCHEDULE, message);
            cx.diagnostics.push(error.label(given.span, given.place()));
            l.directive.iter_mut().for_each(|d| d.schedule = None);
        }
    });
}

/// Gives the loops of the nest around `l` the dimensions that the step names. `levels` begins with those of `l`.
fn spread(body: &Body, l: &Loop, step: &Step, levels: &mut [LoopLevels]) -> Result<(), String> {
    let nest = nest(l, levels);
    let names: Vec<String> = nest.iter().map(|l| source_name(body, l.var)).collect();
    if nest.is_empty() {
        return Err("no loop here is spread over the launch with a dimension of its own".to_owned());
    }
    let mut dims: Vec<Option<u8>> = vec![None; nest.len()];
    for arg in &step.args {
        let (name, axis) = named(arg).ok_or("each parameter is a loop and a dimension, as in `i:y`")?;
        let loops = || names.join(", ");
        let at = names.iter().position(|n| n == name);
        let at = at.ok_or_else(|| format!("the nest here has the loops {}", loops()))?;
        let dim = AXES.iter().position(|a| *a == axis).ok_or("dimensions are x, y and z")?;
        if dims[at].replace(dim as u8).is_some() {
            return Err(format!("{name} has two dimensions"));
        }
    }
    let count = dims.iter().flatten().count();
    let mut used: Vec<u8> = dims.iter().flatten().copied().collect();
    used.sort_unstable();
    if count == 0 || used.iter().enumerate().any(|(at, dim)| *dim != at as u8) {
        return Err("one loop has x, two have x and y, three have x, y and z".to_owned());
    }
    if dims[..count].iter().any(Option::is_none) {
        return Err("the loops that are spread are the outermost of the nest".to_owned());
    }
    for (at, dim) in dims.iter().enumerate() {
        match dim {
            Some(_) => levels[at].dim = *dim,
            // The thread runs it from end to end.
            None => levels[at] = LoopLevels::default(),
        }
    }
    Ok(())
}

fn named(arg: &Arg) -> Option<(&str, &str)> {
    match (&arg.of, &arg.value) {
        (Some(of), Value::Name(axis)) => Some((of, axis)),
        _ => None,
    }
}

/// The distributed loops of the nest, the outermost first. Each is the next in the order of headers.
fn nest<'a>(l: &'a Loop, levels: &[LoopLevels]) -> Vec<&'a Loop> {
    let mut all = vec![];
    let mut next = Some(l);
    while let Some(l) = next.filter(|_| levels.get(all.len()).is_some_and(|s| s.dim.is_some())) {
        all.push(l);
        next = visit::only_loop(&l.body);
    }
    all
}
