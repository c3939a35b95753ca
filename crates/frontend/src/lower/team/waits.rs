//! Loops in which a thread waits for another one of its team.
//!
//! Nothing that such a loop does ends it: what its condition reads only another thread changes, and `atomic read` looks at it again. The
//! cpu runs the threads of a team one after the other from barrier to barrier, so that a wait for a later one has no end; and on a
//! device nothing orders what a thread wrote before it. The host's threads run the construct.
//!
//! The host runs several teams one after the other. The cpu then has a thread for each team; and where threads do their
//! work in such a loop, those of a team take a turn each, and meet before the next (`divergent`).

use super::Runners;
use crate::ast::{DeclId, Expr, ExprKind, Stmt as Ast, StmtKind};
use crate::lower::Lowered;
use crate::lower::expr::unsupported;
use crate::lower::function::Fun;
use crate::lower::walk;
use accl_directives::{AtomicKind, DirectiveKind};
use accl_source::Span;
use std::collections::BTreeSet;

impl Fun<'_, '_> {
    /// Refuses a construct of one team with such a loop. Several teams a cpu runs one after the other, whoever starts them.
    pub fn waits_for_no_thread(&mut self, body: &Ast) -> Lowered<()> {
        let one_team = match self.team.clone() {
            Runners::One => true,
            Runners::Numbered(_, count) => self.is_one(&count),
            Runners::Together(_) | Runners::Unknown => false,
        };
        match self.wait_in(body).filter(|_| one_team) {
            Some(span) => Err(unsupported("a loop in which a thread waits for another one", span)),
            None => Ok(()),
        }
    }

    /// A loop of one of several teams that counts nothing, looks in each turn at what others may write, and writes what others may look
    /// at. Where a thread only looks, others may need what it does behind the loop.
    pub(super) fn may_wait_for_others(&self, s: &Ast) -> bool {
        let (cond, body, again) = match &s.kind {
            StmtKind::While { cond, body } => (cond, body, true),
            StmtKind::For { cond: Some(cond), step: None, body, .. } => (cond, body, true),
            StmtKind::DoWhile { cond, body } => (cond, body, !walk::continues(body)),
            _ => return false,
        };
        let several = matches!(&self.team, Runners::Numbered(..));
        several
            && again
            && !walk::breaks(body)
            && self.looks_at_memory(body)
            && !counts(cond, body)
            && !walk::writes(body, &mut |_| false).memory.is_empty()
    }

    fn looks_at_memory(&self, s: &Ast) -> bool {
        match &s.kind {
            StmtKind::Directed { directive, .. } => {
                self.cx.pragmas[*directive].directive.kind == DirectiveKind::Atomic(AtomicKind::Read)
            }
            _ => walk::children(s).into_iter().any(|inner| self.looks_at_memory(inner)),
        }
    }

    fn wait_in(&self, s: &Ast) -> Option<Span> {
        let (cond, body) = match &s.kind {
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => (Some(cond), body),
            StmtKind::For { cond, step: None, body, .. } => (cond.as_ref(), body),
            // The cpu runs iterations in their order.
            StmtKind::Directed { directive, .. } if self.is_loop(*directive) => return None,
            _ => return walk::children(s).into_iter().find_map(|inner| self.wait_in(inner)),
        };
        let mut exits: Vec<&Expr> = cond.into_iter().collect();
        let all_known = exits_in(body, &mut exits).is_some();
        match all_known && self.only_others_end(&exits, body) {
            true => Some(s.span),
            false => self.wait_in(body),
        }
    }

    fn is_loop(&self, directive: usize) -> bool {
        self.cx.pragmas[directive].directive.kind == DirectiveKind::Loop
    }

    /// The loop itself changes nothing on which these conditions depend.
    fn only_others_end(&self, exits: &[&Expr], body: &Ast) -> bool {
        let (mut read, mut memory) = (BTreeSet::new(), false);
        let mut is_plain = walk::gotos(body, self.cx.source.buffer).is_empty() && !walk::returns(body);
        for exit in exits {
            walk::within(exit, &mut |e| match &e.kind {
                ExprKind::Var(id, _) => {
                    read.insert(*id);
                }
                ExprKind::Call { callee, .. } if walk::library_name(callee) == Some("__atomic_load_n") => {}
                ExprKind::Call { .. } | ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } => {
                    is_plain = false
                }
                ExprKind::Step { .. } | ExprKind::Unsupported(..) => is_plain = false,
                ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Member { .. } => memory = true,
                _ => {}
            });
        }
        if !is_plain || read.is_empty() {
            return false;
        }
        let (mut looks, mut seen) = (vec![], BTreeSet::new());
        self.atomic_reads(body, &mut looks, &mut seen);
        let writes = walk::writes(body, &mut |_| false);
        let mut changes = false;
        walk::each_change(body, &mut |id: DeclId, span| {
            let looked_at = looks.iter().any(|look: &Span| look.contains(span));
            changes |= !looked_at && (read.contains(&id) || seen.contains(&id));
        });
        !changes && !writes.calls && (!memory || writes.memory.is_empty())
    }

    /// The statements under `atomic read`, and the variables that these read.
    fn atomic_reads(&self, s: &Ast, looks: &mut Vec<Span>, seen: &mut BTreeSet<DeclId>) {
        if let StmtKind::Directed { directive, body: Some(body) } = &s.kind
            && self.cx.pragmas[*directive].directive.kind == DirectiveKind::Atomic(AtomicKind::Read)
        {
            looks.push(body.span);
            walk::exprs(body, &mut |e| {
                if let ExprKind::Assign { value, .. } = &e.kind {
                    seen.extend(walk::root(walk::bare(value)));
                }
            });
        }
        for inner in walk::children(s) {
            self.atomic_reads(inner, looks, seen);
        }
    }
}

/// The body steps a variable of the condition.
fn counts(cond: &Expr, body: &Ast) -> bool {
    let mut stepped = BTreeSet::new();
    walk::exprs(body, &mut |e| {
        if let ExprKind::Step { operand: place, .. } | ExprKind::CompoundAssign { place, .. } = &e.kind {
            stepped.extend(walk::root(place));
        }
    });
    stepped.into_iter().any(|id| walk::uses(cond, id) > 0)
}

/// The conditions on which statements leave the loop. `None`: one that is left out.
fn exits_in<'e>(s: &'e Ast, exits: &mut Vec<&'e Expr>) -> Option<()> {
    match &s.kind {
        _ if !walk::breaks(s) => Some(()),
        StmtKind::Break => Some(()),
        StmtKind::If { init: None, cond, then, otherwise } => {
            exits.push(cond);
            exits_in(then, exits)?;
            otherwise.as_ref().map_or(Some(()), |otherwise| exits_in(otherwise, exits))
        }
        StmtKind::Compound(items) => items.iter().try_for_each(|inner| exits_in(inner, exits)),
        _ => None,
    }
}
