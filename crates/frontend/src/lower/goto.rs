//! `goto` in device code, which consists of loops and conditionals.
//!
//! A jump to a label that stands later in a list of statements skips those in between. Where a condition alone decides on it, as in
//! `if (c) goto next;`, they become the condition's other branch. Otherwise they stand in a loop of one iteration, which the jump
//! leaves by `break`; out of inner loops by a flag, which is looked at behind each of them. A jump back to a label is a loop around the
//! statements from there on, and continues it. What the user's own `break` and `continue` mean within such loops is kept by a flag, too.
//!
//! What has no such form stays refused: jumps into blocks and into loops, out of statements with directives, and those that cross.

use super::expr::unsupported;
use super::function::Fun;
use super::stmt::no_goto;
use super::{Lowered, Refused, walk};
use crate::ast::{DeclId, Stmt as Ast, StmtKind};
use accl_ir::{BinaryOp, Block, ExprKind as Ir, Handle, Local, Stmt};
use accl_source::Span;
use std::ops::Range;

/// A label that statements being lowered jump to.
pub struct Jump {
    label: String,
    /// How many loops are around the statements that jump there.
    depth: usize,
    /// The labelled statement, where it is the first of these.
    begins: Option<Span>,
    /// Set before an inner loop is left.
    taken: Option<Handle<Local>>,
}

/// What a `break` would leave.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Nest {
    Loop,
    Switch,
    /// A loop made here. The flag says how the user's loop around it goes on: [`BREAKS`], [`CONTINUES`].
    Made(Option<Handle<Local>>),
}

const BREAKS: i128 = 1;
const CONTINUES: i128 = 2;

impl Fun<'_, '_> {
    /// Statements of a list that has labels. False where their jumps have no form here: they are lowered one after the other.
    pub fn items_with_jumps(&mut self, items: &[Ast], range: Range<usize>) -> bool {
        let buffer = self.cx.source.buffer;
        let unbegun = range.clone().filter(|at| !self.has_begun(&items[*at]));
        let labels: Vec<(usize, Vec<&str>)> =
            unbegun.map(|at| (at, own_labels(&items[at], buffer))).filter(|(_, l)| !l.is_empty()).collect();
        let target = |name: &str| labels.iter().find(|(_, names)| names.contains(&name)).map(|(at, _)| *at);
        let jumps: Vec<(usize, usize)> = range
            .clone()
            .flat_map(|from| walk::gotos(&items[from], buffer).into_iter().map(move |name| (from, name)))
            .filter_map(|(from, name)| Some((from, target(name)?)))
            .collect();
        if jumps.is_empty() || range.clone().any(|at| jumps_from_directive(&items[at], buffer)) {
            return false;
        }
        let last = jumps.iter().filter(|(from, to)| from < to).map(|(_, to)| *to).max();
        let first = jumps.iter().filter(|(from, to)| from >= to).map(|(_, to)| *to).min();
        let forward =
            last.is_some_and(|to| self.forward(items, range.clone(), to, &jumps, &names_at(&labels, to)));
        forward || first.is_some_and(|to| self.backward(items, range, to, &jumps, &names_at(&labels, to)))
    }

    /// A loop around the labelled statement is being made.
    fn has_begun(&self, s: &Ast) -> bool {
        self.jumps.iter().any(|jump| jump.begins == Some(s.span))
    }

    fn forward(
        &mut self,
        items: &[Ast],
        range: Range<usize>,
        to: usize,
        jumps: &[(usize, usize)],
        names: &[String],
    ) -> bool {
        let from = skipped_from(to, jumps);
        let crosses = |(at, target): &(usize, usize)| *at >= to && (from..to).contains(target);
        if jumps.iter().any(crosses) {
            return false;
        }
        self.run_of_items(items, range.start..from);
        self.skippable(items, from..to, items.get(to..range.end).unwrap_or_default(), names);
        self.run_of_items(items, to..range.end);
        true
    }

    fn backward(
        &mut self,
        items: &[Ast],
        range: Range<usize>,
        to: usize,
        jumps: &[(usize, usize)],
        names: &[String],
    ) -> bool {
        let Some(last) = jumps.iter().filter(|(_, target)| *target == to).map(|(from, _)| *from).max() else {
            return false;
        };
        let enters =
            |(at, target): &(usize, usize)| !(to..=last).contains(at) && (to..=last).contains(target);
        if jumps.iter().any(enters) || self.cannot_be_looped(&items[to..=last]) {
            return false;
        }
        self.run_of_items(items, range.start..to);
        self.looped(items, to..last + 1, &items[last + 1..range.end], names, true);
        self.run_of_items(items, last + 1..range.end);
        true
    }

    /// Statements behind which a label stands that some of them jump to.
    fn skippable(&mut self, items: &[Ast], range: Range<usize>, behind: &[Ast], names: &[String]) {
        let buffer = self.cx.source.buffer;
        let jumps = |s: &Ast| walk::gotos(s, buffer).iter().any(|name| names.iter().any(|n| n == name));
        let Some(at) = range.clone().find(|at| jumps(&items[*at])) else {
            return self.run_of_items(items, range);
        };
        let StmtKind::If { init: None, cond, then, otherwise: None } = &unlabelled(&items[at]).kind else {
            return self.looped(items, range, behind, names, false);
        };
        let before = jumps_at_end(then).filter(|before| !before.iter().any(jumps));
        // Later statements may jump back to there.
        let labelled = (range.start..=at).any(|k| match self.has_begun(&items[k]) {
            true => walk::has_labels(unlabelled(&items[k])),
            false => walk::has_labels(&items[k]),
        });
        let Some(before) = before.filter(|_| !labelled) else {
            return self.looped(items, range, behind, names, false);
        };
        self.run_of_items(items, range.start..at);
        let lowered = self.attempt(|f| {
            let cond = f.cond(cond)?;
            let then = f.block(|f| f.run_of_items(before, 0..before.len()));
            let mut otherwise = f.block(|f| f.skippable(items, at + 1..range.end, behind, names));
            f.keep_declared(&items[at + 1..range.end], behind, &mut otherwise);
            f.emit(Stmt::If { cond, then, otherwise }, items[at].span);
            Ok(())
        });
        if let Err(refused) = lowered {
            self.report(refused);
        }
    }

    /// Statements in a loop that jumps to the label before them continue, or jumps to the one behind them leave.
    fn looped(&mut self, items: &[Ast], range: Range<usize>, behind: &[Ast], names: &[String], back: bool) {
        let (own, span) = (&items[range.clone()], items[range.start].span);
        if !back && self.cannot_be_looped(own) {
            return own.iter().for_each(|s| self.stmt(s));
        }
        let buffer = self.cx.source.buffer;
        let flag = |f: &mut Self, name: &str| {
            let int = f.i32();
            let local = f.temp(name, int, span);
            let init = Some(f.int(0, int, span));
            f.emit(Stmt::Declare { local, init }, span);
            local
        };
        let inner_labels = own.iter().skip(usize::from(back)).any(walk::has_labels);
        let taken = (inner_labels || own.iter().any(|s| jumps_from_loop(s, names, buffer)))
            .then(|| flag(self, "jumped"));
        let leaves = own.iter().any(|s| walk::breaks(s) || walk::continues(s)).then(|| flag(self, "leaves"));
        let depth = self.nest.len() + 1;
        self.nest.push(Nest::Made(leaves));
        let begins = back.then_some(span);
        let jump = |label: &String| Jump { label: label.clone(), depth, begins, taken };
        self.jumps.extend(names.iter().map(jump));
        let mut body = self.block(|f| {
            if let Some(taken) = taken.filter(|_| back) {
                f.set(taken, 0, span);
            }
            f.run_of_items(items, range.clone());
            f.emit(Stmt::Break, span);
        });
        self.jumps.truncate(self.jumps.len() - names.len());
        self.nest.pop();
        self.keep_declared(own, behind, &mut body);
        self.emit(Stmt::While { cond: None, body, step: vec![], test_last: false }, span);
        if let Some(leaves) = leaves {
            for (how, leaves_so) in [(BREAKS, walk::breaks as fn(&Ast) -> bool), (CONTINUES, walk::continues)]
            {
                if own.iter().any(leaves_so) {
                    let (then, left) = self.leaving(how, span);
                    self.if_equal(leaves, how, then, span);
                    left.into_iter().for_each(|refused| self.report(refused));
                }
            }
        }
        self.jump_on(own, span);
    }

    /// A `goto`.
    pub fn jump(&mut self, s: &Ast) -> Lowered<()> {
        let name = walk::jumps_to(s, self.cx.source.buffer);
        let Some(jump) = self.jumps.iter().rposition(|jump| jump.label == name) else {
            return Err(Box::new(no_goto(s.span)));
        };
        if let Some(taken) = self.jumps[jump].taken {
            self.set(taken, 1, s.span);
        } else if self.nest.len() != self.jumps[jump].depth {
            return Err(Box::new(no_goto(s.span)));
        }
        self.go(jump, s.span);
        Ok(())
    }

    /// Leaves the innermost loop, or continues it where it is the one that the label begins.
    fn go(&mut self, jump: usize, span: Span) {
        let Jump { depth, begins, .. } = self.jumps[jump];
        let kind = if begins.is_some() && self.nest.len() == depth { Stmt::Continue } else { Stmt::Break };
        self.emit(kind, span);
    }

    /// Behind a loop in which statements jump further.
    pub fn jump_on(&mut self, inside: &[Ast], span: Span) {
        let buffer = self.cx.source.buffer;
        let names: Vec<&str> = inside.iter().flat_map(|s| walk::gotos(s, buffer)).collect();
        for jump in (0..self.jumps.len()).rev() {
            let Some(taken) = self.jumps[jump].taken.filter(|_| names.contains(&&*self.jumps[jump].label))
            else {
                continue;
            };
            let then = self.block(|f| f.go(jump, span));
            let cond = self.load_local(taken, span);
            self.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
        }
    }

    /// The user's `break` or `continue`.
    fn leave(&mut self, how: i128, span: Span) -> Lowered<()> {
        let around = match how {
            BREAKS => self.nest.last().copied(),
            _ => self.nest.iter().rev().find(|nest| **nest != Nest::Switch).copied(),
        };
        match around {
            Some(Nest::Made(Some(leaves))) if self.nest.last() == around.as_ref() => {
                self.set(leaves, how, span);
                self.emit(Stmt::Break, span);
            }
            Some(Nest::Made(_)) => {
                return Err(unsupported("a `continue` in a `switch` that a `goto` skips", span));
            }
            Some(Nest::Loop | Nest::Switch) | None => {
                self.emit(if how == BREAKS { Stmt::Break } else { Stmt::Continue }, span)
            }
        }
        Ok(())
    }

    fn leaving(&mut self, how: i128, span: Span) -> (Block, Option<Refused>) {
        let mut refused = None;
        let block = self.block(|f| refused = f.leave(how, span).err());
        (block, refused)
    }

    pub fn leave_by_break(&mut self, span: Span) -> Lowered<()> {
        self.leave(BREAKS, span)
    }

    pub fn leave_by_continue(&mut self, span: Span) -> Lowered<()> {
        self.leave(CONTINUES, span)
    }

    fn set(&mut self, flag: Handle<Local>, value: i128, span: Span) {
        let (place, int) = (self.local_place(flag, span), self.i32());
        let value = self.int(value, int, span);
        self.store(place, value, span);
    }

    fn if_equal(&mut self, flag: Handle<Local>, value: i128, then: Block, span: Span) {
        let (int, left) = (self.i32(), self.load_local(flag, span));
        let right = self.int(value, int, span);
        let cond = self.expr(Ir::Binary { op: BinaryOp::Eq, left, right }, int, span);
        self.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
    }

    /// Variables that are declared in the block and used behind it live outside.
    fn keep_declared(&mut self, inside: &[Ast], behind: &[Ast], block: &mut Block) {
        let used = |id: DeclId| behind.iter().any(|s| walk::uses_within(s, id) > 0);
        let declares = |s: &Ast| matches!(&s.kind, StmtKind::Decl(vars) if vars.iter().any(|v| used(v.id)));
        if inside.iter().any(declares) {
            self.hoist_declarations(block);
        }
    }

    /// Loops that threads share do not stand in loops made here, and bodies that replace calls return by means of their own.
    fn cannot_be_looped(&self, items: &[Ast]) -> bool {
        items.iter().any(has_directive) || self.inlining.is_some() && items.iter().any(walk::returns)
    }
}

fn names_at(labels: &[(usize, Vec<&str>)], at: usize) -> Vec<String> {
    let of = labels.iter().find(|(place, _)| *place == at);
    of.map_or(vec![], |(_, names)| names.iter().map(|name| (*name).to_owned()).collect())
}

/// The labels that stand directly at a statement.
fn own_labels<'b>(s: &Ast, buffer: &'b str) -> Vec<&'b str> {
    let (mut names, mut s) = (vec![], s);
    while let StmtKind::Label(inner) = &s.kind {
        names.push(walk::label(s, buffer));
        s = inner;
    }
    names
}

fn unlabelled(s: &Ast) -> &Ast {
    match &s.kind {
        StmtKind::Label(inner) => unlabelled(inner),
        _ => s,
    }
}

/// Where the statements begin that jumps to a label behind them skip, with all that jump among them.
fn skipped_from(to: usize, jumps: &[(usize, usize)]) -> usize {
    let mut from =
        jumps.iter().filter(|(at, target)| *target == to && *at < to).map(|(at, _)| *at).min().unwrap_or(to);
    loop {
        let met = jumps.iter().filter(|(at, target)| {
            (from..to).contains(at) && *target < from || *at < from && (from..to).contains(target)
        });
        match met.map(|(at, target)| *at.min(target)).min() {
            Some(earlier) if earlier < from => from = earlier,
            _ => return from,
        }
    }
}

/// A branch that ends with a `goto`, and only there: what stands before it.
fn jumps_at_end(then: &Ast) -> Option<&[Ast]> {
    match &then.kind {
        StmtKind::Goto => Some(&[]),
        StmtKind::Compound(items) => {
            let (last, before) = items.split_last()?;
            matches!(last.kind, StmtKind::Goto).then_some(before)
        }
        _ => None,
    }
}

fn jumps_from_loop(s: &Ast, names: &[String], buffer: &str) -> bool {
    let is_nest = matches!(
        s.kind,
        StmtKind::For { .. }
            | StmtKind::RangeFor { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::Switch { .. }
    );
    match is_nest {
        true => walk::gotos(s, buffer).iter().any(|name| names.iter().any(|n| n == name)),
        false => walk::children(s).into_iter().any(|s| jumps_from_loop(s, names, buffer)),
    }
}

fn jumps_from_directive(s: &Ast, buffer: &str) -> bool {
    match &s.kind {
        StmtKind::Directed { .. } => {
            let mut inside = vec![];
            walk::labels(s, buffer, &mut inside);
            walk::gotos(s, buffer).iter().any(|name| !inside.contains(name))
        }
        _ => walk::children(s).into_iter().any(|s| jumps_from_directive(s, buffer)),
    }
}

fn has_directive(s: &Ast) -> bool {
    matches!(s.kind, StmtKind::Directed { .. }) || walk::children(s).into_iter().any(has_directive)
}
