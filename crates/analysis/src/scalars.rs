//! Scalars that iterations do not share: written before they are read, in every iteration.
//!
//! [`flow`] is the classical "upward exposed use" over the statement tree. It is conservative: an exposed use
//! may be one that never happens, a definite write always happens.

use crate::data::{Form, Summary, Variable};
use crate::provenance::{Root, touched_places};
use crate::walk::{self, Use};
use accl_ir::{Block, Body, Expr, ExprKind, Handle, Local, Loop, Region, Stmt, StmtNode};
use accl_source::Span;
use std::collections::BTreeMap;

/// What a piece of code does with one local.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// A read that an earlier write here does not precede: the first such.
    pub exposed: Option<Span>,
    /// Written on every path through.
    pub written: bool,
    pub maybe_written: bool,
}

impl Flow {
    /// This, and behind it `next`.
    pub fn then(self, next: Flow) -> Flow {
        Flow {
            exposed: self.exposed.or(if self.written { None } else { next.exposed }),
            written: self.written || next.written,
            maybe_written: self.maybe_written || next.maybe_written,
        }
    }
    fn or(self, other: Flow) -> Flow {
        Flow {
            exposed: self.exposed.or(other.exposed),
            written: self.written && other.written,
            maybe_written: self.maybe_written || other.maybe_written,
        }
    }
    /// This, or nothing.
    pub fn perhaps(self) -> Flow {
        Flow { written: false, ..self }
    }
}

/// The flow of `local` through a block. An array counts as written only by a whole-array effect, which no
/// statement has, so its reads are always exposed.
pub fn flow(body: &Body, block: &[StmtNode], local: Handle<Local>) -> Flow {
    block.iter().fold(Flow::default(), |before, node| before.then(stmt_flow(body, node, local)))
}

fn stmt_flow(body: &Body, node: &StmtNode, local: Handle<Local>) -> Flow {
    let own = own_flow(body, node, local);
    match &node.kind {
        Stmt::Declare { local: l, .. } if *l == local => Flow { written: true, maybe_written: true, ..own },
        Stmt::If { then, otherwise, .. } => {
            own.then(flow(body, then, local).or(flow(body, otherwise, local)))
        }
        Stmt::For(l) => {
            let header = Flow { written: l.var == local, maybe_written: l.var == local, exposed: None };
            own.then(header).then(flow(body, &l.body, local).perhaps())
        }
        Stmt::While { body: inner, step, test_last, .. } => {
            let around = flow(body, inner, local).then(flow(body, step, local));
            if *test_last { around.then(own) } else { own.then(around.perhaps()) }
        }
        Stmt::Switch { cases, .. } => {
            cases.iter().fold(own, |sum, case| sum.then(flow(body, &case.body, local).perhaps()))
        }
        // Nothing here runs after them.
        Stmt::Break | Stmt::Continue | Stmt::Return(_) => Flow { written: true, ..own },
        other => other.blocks().into_iter().fold(own, |sum, b| sum.then(flow(body, b, local))),
    }
}

fn own_flow(body: &Body, node: &StmtNode, local: Handle<Local>) -> Flow {
    let mut result = Flow::default();
    for used in walk::uses(&node.kind) {
        for (place, read, _) in touched_places(body, used) {
            if read && mentions(body, place, local) && result.exposed.is_none() {
                result.exposed = Some(node.span);
            }
        }
        if address_taken(body, used.expr(), local) {
            result.exposed = result.exposed.or(Some(node.span));
            result.maybe_written = true;
        }
    }
    for used in walk::uses(&node.kind) {
        if let Use::Write { place, .. } = used
            && place_local(body, place) == Some(local)
        {
            result.maybe_written = true;
            result.written |= matches!(body.exprs[place].kind, ExprKind::Local(_));
        }
    }
    result
}

/// The local whose own storage a place lies in.
pub fn place_local(body: &Body, place: Handle<Expr>) -> Option<Handle<Local>> {
    match &body.exprs[place].kind {
        ExprKind::Local(l) => Some(*l),
        ExprKind::Member { base, .. } | ExprKind::Index { base, .. } => place_local(body, *base),
        _ => None,
    }
}

fn mentions(body: &Body, place: Handle<Expr>, local: Handle<Local>) -> bool {
    place_local(body, place) == Some(local)
}

fn address_taken(body: &Body, e: Handle<Expr>, local: Handle<Local>) -> bool {
    let mut taken = false;
    walk::expr_tree(&body.exprs, e, &mut |e| {
        if let ExprKind::AddrOf(place) | ExprKind::Decay(place) = body.exprs[e].kind {
            taken |= place_local(body, place) == Some(local);
        }
    });
    taken
}

/// Whether the value that `l`, a loop somewhere in `block`, leaves in `local` may be read later in the block. What
/// comes behind the block is for the caller to know.
pub fn is_live_after(body: &Body, block: &Block, l: &Loop, local: Handle<Local>) -> bool {
    matches!(after_in(body, block, l, local), Some(Flow { exposed: Some(_), .. }))
}

/// The flow of what runs behind `l`, if it is in the block.
fn after_in(body: &Body, block: &Block, l: &Loop, local: Handle<Local>) -> Option<Flow> {
    block.iter().enumerate().find_map(|(i, node)| {
        let inside = after_in_stmt(body, node, l, local)?;
        Some(inside.then(flow(body, &block[i + 1..], local)))
    })
}

fn after_in_stmt(body: &Body, node: &StmtNode, l: &Loop, local: Handle<Local>) -> Option<Flow> {
    if matches!(&node.kind, Stmt::For(this) if std::ptr::eq(&**this, l)) {
        return Some(Flow::default());
    }
    let inside = node.kind.blocks().into_iter().find_map(|b| after_in(body, b, l, local))?;
    Some(match &node.kind {
        // The next iteration starts from the top.
        Stmt::For(_) | Stmt::While { .. } => inside.then(stmt_flow(body, node, local)).perhaps(),
        _ => inside,
    })
}

/// Whether a scalar of a kernels construct can be private: every use is inside a loop, and in each
/// outermost loop each iteration writes it before it reads it. Its value must be dead afterwards, which is for
/// the caller to know.
pub fn is_private_in_loops(summary: &Summary<'_>, region: &Region, v: &Variable) -> bool {
    let (Root::Local(local), Form::Scalar) = (&v.root, v.form) else { return false };
    let body = summary.provenance.scope.body;
    let in_loops = v.accesses.iter().all(|i| !summary.accesses.list[*i].loops.is_empty());
    in_loops
        && walk::top_loops(&region.body).into_iter().all(|l| flow(body, &l.body, *local).exposed.is_none())
}

/// How many statements of the block may write each local, declarations with a value included. A local whose
/// address is taken counts twice.
pub fn written_locals(body: &Body, block: &Block) -> BTreeMap<Handle<Local>, usize> {
    let mut counts = BTreeMap::new();
    let mut add = |l: Handle<Local>, n: usize| *counts.entry(l).or_default() += n;
    walk::stmts(block, &mut |node| {
        match &node.kind {
            Stmt::Declare { local, init: Some(_) } => add(*local, 1),
            Stmt::For(l) => add(l.var, 1),
            Stmt::ReduceAcross { local, .. } => add(*local, 1),
            Stmt::VectorLoad { dst, .. } => add(*dst, 1),
            _ => {}
        }
        for used in walk::uses(&node.kind) {
            if let Use::Write { place, .. } = used {
                place_local(body, place).into_iter().for_each(|l| add(l, 1));
            }
            walk::expr_tree(&body.exprs, used.expr(), &mut |e| {
                if let ExprKind::AddrOf(place) | ExprKind::Decay(place) = body.exprs[e].kind {
                    place_local(body, place).into_iter().for_each(|l| add(l, 2));
                }
            });
        }
    });
    counts
}
