//! Scalars that iterations do not share: written before they are read, in every iteration.
//!
//! [`flow`] is the classical "upward exposed use" over the statement tree. It is conservative: an exposed use
//! may be one that never happens, a definite write always happens.

use crate::data::{Summary, Variable, VariableForm};
use crate::provenance::{Root, touched_places};
use accl_ir::{Block, Body, Expr, ExprKind, Handle, Local, Loop, Stmt, StmtNode, visit};
use accl_source::Span;
use std::collections::BTreeMap;

/// What a piece of code does with one local.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// The first read here that is not preceded by a write.
    pub exposed: Option<Span>,
    /// Written on every path through.
    pub written: bool,
    pub maybe_written: bool,
}

impl Effect for Flow {
    fn then(self, next: Flow) -> Flow {
        Flow {
            exposed: self.exposed.or(if self.written { None } else { next.exposed }),
            written: self.written || next.written,
            maybe_written: self.maybe_written || next.maybe_written,
        }
    }

    fn perhaps(self) -> Flow {
        Flow { written: false, ..self }
    }
}

impl Flow {
    fn or(self, other: Flow) -> Flow {
        Flow {
            exposed: self.exposed.or(other.exposed),
            written: self.written && other.written,
            maybe_written: self.maybe_written || other.maybe_written,
        }
    }
}

/// What a piece of code does with locals.
pub trait Effect: Sized {
    /// The effect of this code followed by `next`.
    fn then(self, next: Self) -> Self;
    /// The effect of this code if it may not run at all.
    fn perhaps(self) -> Self;
}

/// What a piece of code does with each local. One walk finds it for all of them.
#[derive(Clone, Debug, Default)]
pub struct Flows {
    of: BTreeMap<Handle<Local>, Flow>,
    /// The effect on locals that are not mentioned.
    rest: Flow,
}

impl Flows {
    pub fn of(&self, local: Handle<Local>) -> Flow {
        self.of.get(&local).copied().unwrap_or(self.rest)
    }

    /// The effects on those that the code mentions.
    pub fn iter(&self) -> impl Iterator<Item = (Handle<Local>, Flow)> {
        self.of.iter().map(|(l, f)| (*l, *f))
    }

    fn or(mut self, other: Flows) -> Flows {
        let rest = self.rest;
        for (l, f) in &mut self.of {
            *f = f.or(other.of(*l));
        }
        for (l, f) in other.of {
            self.of.entry(l).or_insert_with(|| rest.or(f));
        }
        self.rest = rest.or(other.rest);
        self
    }
}

impl Effect for Flows {
    /// The time it takes depends only on what `next` mentions.
    fn then(mut self, next: Flows) -> Flows {
        let rest = self.rest;
        if next.rest != Flow::default() {
            for (l, f) in &mut self.of {
                if !next.of.contains_key(l) {
                    *f = f.then(next.rest);
                }
            }
        }
        for (l, f) in next.of {
            let before = self.of.entry(l).or_insert(rest);
            *before = before.then(f);
        }
        self.rest = rest.then(next.rest);
        self
    }

    fn perhaps(mut self) -> Flows {
        self.of.values_mut().for_each(|f| *f = f.perhaps());
        self.rest = self.rest.perhaps();
        self
    }
}

/// The flow of `local` through a block. An array counts as written only by a whole-array effect, which no
/// statement has, so its reads are always exposed.
pub fn flow(body: &Body, block: &[StmtNode], local: Handle<Local>) -> Flow {
    Walk { body, only: Some(local) }.block(block).of(local)
}

/// The same for all locals.
pub fn flows(body: &Body, block: &[StmtNode]) -> Flows {
    Walk { body, only: None }.block(block)
}

#[derive(Clone, Copy)]
struct Walk<'b> {
    body: &'b Body,
    only: Option<Handle<Local>>,
}

impl Walk<'_> {
    fn block(self, block: &[StmtNode]) -> Flows {
        block.iter().fold(Flows::default(), |before, node| before.then(self.stmt(node)))
    }

    fn sets(self, local: Handle<Local>) -> Flows {
        let wanted = self.only.is_none_or(|only| only == local);
        let flow = Flow { written: true, maybe_written: true, exposed: None };
        Flows { of: wanted.then_some((local, flow)).into_iter().collect(), rest: Flow::default() }
    }

    fn stmt(self, node: &StmtNode) -> Flows {
        let own = self.own(node);
        match &node.kind {
            Stmt::Declare { local, .. } => {
                let mut own = own;
                for (l, _) in self.sets(*local).of {
                    let flow = own.of.entry(l).or_default();
                    *flow = Flow { written: true, maybe_written: true, ..*flow };
                }
                own
            }
            Stmt::If { then, otherwise, .. } => own.then(self.block(then).or(self.block(otherwise))),
            Stmt::For(l) => own.then(self.sets(l.var)).then(self.block(&l.body).perhaps()),
            Stmt::While { body: inner, step, test_last, .. } => {
                let around = self.block(inner).then(self.block(step));
                if *test_last { around.then(own) } else { own.then(around.perhaps()) }
            }
            Stmt::Switch { cases, .. } => {
                cases.iter().fold(own, |sum, case| sum.then(self.block(&case.body).perhaps()))
            }
            // Nothing in this block runs after them.
            Stmt::Break | Stmt::Continue | Stmt::Return(_) => {
                let mut own = own;
                own.of.values_mut().for_each(|f| f.written = true);
                own.rest.written = true;
                own
            }
            other => other.blocks().into_iter().fold(own, |sum, b| sum.then(self.block(b))),
        }
    }

    /// The effect of the statement itself, without the statements inside it.
    fn own(self, node: &StmtNode) -> Flows {
        let mut found = Flows::default();
        for used in node.kind.operands() {
            for (place, read, _) in touched_places(self.body, used) {
                if read && let Some(flow) = self.entry(&mut found, place) {
                    flow.exposed = flow.exposed.or(Some(node.span));
                }
            }
            visit::for_each_operand(&self.body.exprs, used.0, &mut |e| {
                if let ExprKind::AddrOf(place) | ExprKind::Decay(place) = self.body.exprs[e].kind
                    && let Some(flow) = self.entry(&mut found, place)
                {
                    flow.exposed = flow.exposed.or(Some(node.span));
                    flow.maybe_written = true;
                }
            });
        }
        for (place, access) in node.kind.operands() {
            if access.writes()
                && let Some(flow) = self.entry(&mut found, place)
            {
                flow.maybe_written = true;
                flow.written |= matches!(self.body.exprs[place].kind, ExprKind::Local(_));
            }
        }
        found
    }

    fn entry(self, flows: &mut Flows, place: Handle<Expr>) -> Option<&mut Flow> {
        let local = visit::root_local(self.body, place)?;
        self.only.is_none_or(|only| only == local).then(|| flows.of.entry(local).or_default())
    }
}

/// The first reads of locals that nothing before them in the block writes. With a loop around the block, such a
/// read sees what an earlier iteration left.
pub fn first_reads(body: &Body, block: &[StmtNode]) -> BTreeMap<Handle<Local>, Span> {
    let mut first: BTreeMap<Handle<Local>, Option<Span>> = BTreeMap::new();
    let walk = Walk { body, only: None };
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Declare { local, .. } = node.kind {
            first.entry(local).or_insert(None);
        }
        for (local, flow) in walk.own(node).of {
            first.entry(local).or_insert(flow.exposed);
        }
        if let Stmt::For(l) = &node.kind {
            first.entry(l.var).or_insert(None);
        }
    });
    first.into_iter().filter_map(|(local, read)| Some((local, read?))).collect()
}

/// What is done with each local after `l`, a loop somewhere in `block`. An exposed local is read there, and may
/// read what the loop leaves. What comes after the block is for the caller to know.
pub fn flows_after(body: &Body, block: &Block, l: &Loop) -> Flows {
    after_in(Walk { body, only: None }, block, l).unwrap_or_default()
}

/// The flow of what runs after `l`, if it is in the block.
fn after_in(walk: Walk<'_>, block: &Block, l: &Loop) -> Option<Flows> {
    block.iter().enumerate().find_map(|(i, node)| {
        let inside = after_in_stmt(walk, node, l)?;
        Some(inside.then(walk.block(&block[i + 1..])))
    })
}

fn after_in_stmt(walk: Walk<'_>, node: &StmtNode, l: &Loop) -> Option<Flows> {
    if matches!(&node.kind, Stmt::For(this) if std::ptr::eq(&**this, l)) {
        return Some(Flows::default());
    }
    let inside = node.kind.blocks().into_iter().find_map(|b| after_in(walk, b, l))?;
    Some(repeated(node, inside, |b| walk.block(b), || walk.own(node), || walk.stmt(node)))
}

/// The effect of code in a statement, where the statement is a loop: it may be followed by the step and the test of a `while` loop,
/// and by the next turn. `block`, `own` and `whole`: the effects of a block, of the statement without those inside it, and of all of it.
pub fn repeated<E: Effect>(
    node: &StmtNode,
    inside: E,
    block: impl FnOnce(&Block) -> E,
    own: impl FnOnce() -> E,
    whole: impl FnOnce() -> E,
) -> E {
    let (Stmt::For(_) | Stmt::While { .. }) = node.kind else { return inside };
    // After `continue` a turn begins before all statements of the one before it have run.
    let mut continues = false;
    visit::for_each_stmt(std::slice::from_ref(node), &mut |inner| {
        continues |= matches!(inner.kind, Stmt::Continue);
    });
    let inside = if continues { inside.perhaps() } else { inside };
    let inside = match &node.kind {
        Stmt::While { step, .. } => inside.then(block(step)).then(own()),
        _ => inside,
    };
    inside.then(whole()).perhaps()
}

/// The flow of `local` through the statement itself, without the statements inside it.
pub fn own_flow(body: &Body, node: &StmtNode, local: Handle<Local>) -> Flow {
    Walk { body, only: Some(local) }.own(node).of(local)
}

/// Whether a scalar of a kernels construct can be private: every use is inside a loop, and in each
/// outermost loop (whose flows these are) each iteration writes it before it reads it. Its value must be dead
/// afterwards, which is for the caller to know.
pub fn is_private_in_loops(summary: &Summary<'_>, of_loops: &[Flows], v: &Variable) -> bool {
    let (Root::Local(local), VariableForm::Scalar) = (&v.root, v.form) else { return false };
    let in_loops = v.accesses.iter().all(|i| !summary.accesses.list[*i].loops.is_empty());
    in_loops && of_loops.iter().all(|flows| flows.of(*local).exposed.is_none())
}

/// How many statements of the block may write each local, declarations with a value included. A local whose
/// address is taken counts twice.
pub fn written_locals(body: &Body, block: &[StmtNode]) -> BTreeMap<Handle<Local>, usize> {
    let mut counts = BTreeMap::new();
    let mut add = |l: Handle<Local>, n: usize| *counts.entry(l).or_default() += n;
    visit::for_each_stmt(block, &mut |node| {
        match &node.kind {
            Stmt::Declare { local, init: Some(_) } => add(*local, 1),
            Stmt::For(l) => add(l.var, 1),
            Stmt::ReduceAcross { local, .. } => add(*local, 1),
            Stmt::VectorLoad { dst, .. } => add(*dst, 1),
            _ => {}
        }
        for used in node.kind.operands() {
            if used.1.writes() {
                visit::root_local(body, used.0).into_iter().for_each(|l| add(l, 1));
            }
            visit::for_each_operand(&body.exprs, used.0, &mut |e| {
                if let ExprKind::AddrOf(place) | ExprKind::Decay(place) = body.exprs[e].kind {
                    visit::root_local(body, place).into_iter().for_each(|l| add(l, 2));
                }
            });
        }
    });
    counts
}
