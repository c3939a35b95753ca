//! How long the loops are that lanes run inside a gang loop, as the host computes it for each launch.

use crate::map::lines::recurs;
use crate::map::steps::split_reduction;
use accl_analysis::affine::Poly;
use accl_analysis::data::Summary;
use accl_analysis::section::value_before;
use accl_ir::{Block, Body, Compare, Expr, Handle, HostExpr, Loop, Stmt, Types, visit};
use accl_source::Span;
use std::collections::BTreeSet;

/// Of loops that no directive names: a launch chooses how many lanes they have (`map::steps::lanes`). `None` where only the device knows,
/// or where they differ.
pub fn of_kernel(summary: &Summary<'_>, piece: &Block) -> Option<HostExpr> {
    let rows = visit::only_loop(piece)?;
    rows.levels.as_ref().filter(|s| s.gang && !s.vector && !s.worker)?;
    let mut lengths = BTreeSet::new();
    visit::for_each_stmt(&rows.body, &mut |node| {
        if let Stmt::For(l) = &node.kind
            && l.levels.as_ref().is_some_and(|s| s.vector)
        {
            lengths.insert(length(summary, l));
        }
    });
    let [length] = lengths.into_iter().collect::<Vec<_>>().try_into().ok()?;
    Some(HostExpr { text: length?, span: Span::default(), value: None })
}

/// Of a kernel whose gang loops lanes do not share: how long the first sequential loop is whose turns wait for each other, and so the
/// lines along which threads may go (`map::lines`).
pub fn of_lines(summary: &Summary<'_>, body: &Body, piece: &Block) -> Option<HostExpr> {
    let mut found = None;
    visit::for_each_stmt(piece, &mut |node| {
        if let Stmt::For(l) = &node.kind
            && found.is_none()
            && l.is_innermost_of_thread(body)
            && recurs(body, l)
        {
            found = steps_up_to(summary, l);
        }
    });
    Some(HostExpr { text: found?, span: Span::default(), value: None })
}

/// Of a kernel of one parallel loop: about how many turns the only loop in an iteration has that is not short (`map::steps::split_reduction`).
pub fn of_reduction(types: &Types, summary: &Summary<'_>, body: &Body, piece: &Block) -> Option<HostExpr> {
    let long = |l: &&Loop| split_reduction::is_long(types, body, l);
    let all: Vec<&Loop> = visit::top_loops(&visit::only_loop(piece)?.body).into_iter().filter(long).collect();
    let [l] = all[..] else { return None };
    let step = summary.polys().poly(l.step).as_constant().filter(|step| *step != 0)?;
    let (from, to) = if step > 0 { (l.lower, l.bound) } else { (l.bound, l.lower) };
    let text = distance(summary, from, to, l.compare)?;
    let text = if step.abs() == 1 { text } else { format!("({text}) / {}", step.abs()) };
    Some(HostExpr { text, span: Span::default(), value: None })
}

fn length(summary: &Summary<'_>, l: &Loop) -> Option<String> {
    let found = l.directive.as_ref().is_some_and(|d| d.found);
    found.then(|| steps_up_to(summary, l)).flatten()
}

/// The turns of a loop that counts up by one, where the host knows them.
fn steps_up_to(summary: &Summary<'_>, l: &Loop) -> Option<String> {
    let up = matches!(l.compare, Compare::Lt | Compare::Le);
    let one_by_one = summary.polys().poly(l.step).as_constant() == Some(1) && up;
    one_by_one.then(|| distance(summary, l.lower, l.bound, l.compare)).flatten()
}

/// From the lower to the upper end of a loop, where the host knows both.
fn distance(summary: &Summary<'_>, from: Handle<Expr>, to: Handle<Expr>, compare: Compare) -> Option<String> {
    let polys = summary.polys();
    let last = match compare {
        Compare::Lt | Compare::Gt | Compare::Ne => 0,
        Compare::Le | Compare::Ge => 1,
    };
    let length = polys.poly(to).plus(&polys.poly(from), -1).plus(&Poly::constant(last), 1);
    let fixed = length.atoms().all(|atom| summary.is_fixed(atom));
    fixed.then(|| value_before(summary, &length)).flatten()
}
