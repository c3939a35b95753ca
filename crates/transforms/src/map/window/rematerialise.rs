//! Rematerialisation for loops over a block's threads on the cpu, in a form that compilers vectorise.
//!
//! What depends only on a thread's place (its row and column, whether it has an iteration) is computed again in
//! each phase and not kept in an array ([`pure`]). Blocks begin at multiples of their size, so `i >> 5` is the same
//! in all threads of a block of 32, and `i & 31` is the thread's number ([`aligned`]). Then subscripts increase
//! with the thread, and conditions compare the thread with values that the loop does not change.
//! [`index_set_splitting`](super::super::index_set_splitting) separates the first and last threads, for which they
//! may not hold.

use super::super::straight_line::is_straight;
use super::super::{index_set_splitting, indices};
use super::nest::Nest;
use super::phases::Phase;
use crate::build::{Builder, declare};
use accl_analysis::scalars;
use accl_ir::rewrite::{Cloner, rewrite_exprs};
use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, Loop, LoopLevels, Stmt, StmtNode, Type, TypeKind,
    visit,
};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

pub type Values = Vec<(Handle<Local>, Handle<Expr>)>;

/// The locals that need not be kept across phases, with their values, in the order of their declarations.
#[derive(Default)]
pub struct Again {
    /// The value is a function of the thread's place.
    pub computed: Values,
    /// The value is read from an array that the kernel does not write: `if (active) heat = inside ? power[r * n +
    /// c] : 0;`
    pub read: Values,
}

/// `inputs`: pointers to arrays that the kernel does not write.
pub fn pure(
    b: &Builder<'_>,
    nest: &Nest,
    active: Handle<Local>,
    inputs: BTreeSet<Handle<Local>>,
    phases: &[Phase],
) -> Again {
    let place = nest.loops.iter().map(|n| n.l.var).chain([active]).collect();
    let mut set = Set::default();
    set.look(b.body, phases);
    let mut finder = Finder { b, place, inputs, set, again: Again::default() };
    finder.look(phases);
    finder.again
}

/// The number of statements that set a local, in single threads and for all of them.
#[derive(Default)]
struct Set {
    each: BTreeMap<Handle<Local>, usize>,
    same: BTreeSet<Handle<Local>>,
}

impl Set {
    fn look(&mut self, body: &Body, phases: &[Phase]) {
        for phase in phases {
            match phase {
                Phase::Each(block) => self.add(body, block),
                Phase::Write(w) => self.add(body, &vec![w.statement()]),
                Phase::Same(node) => {
                    self.same.extend(scalars::written_locals(body, std::slice::from_ref(node)).keys())
                }
                Phase::For(l, _, inner) => {
                    self.same.insert(l.var);
                    self.look(body, inner);
                }
                Phase::While { body: inner, step, .. } => {
                    self.look(body, inner);
                    self.look(body, step);
                }
                Phase::If { then, otherwise, .. } => {
                    self.look(body, then);
                    self.look(body, otherwise);
                }
                Phase::Barrier | Phase::Fetch(_) | Phase::Clear(_) | Phase::Drain(_) => {}
            }
        }
    }

    fn add(&mut self, body: &Body, block: &Block) {
        for (local, count) in scalars::written_locals(body, block) {
            *self.each.entry(local).or_default() += count;
        }
    }
}

struct Finder<'a, 'b> {
    b: &'a Builder<'b>,
    place: BTreeSet<Handle<Local>>,
    inputs: BTreeSet<Handle<Local>>,
    set: Set,
    again: Again,
}

impl Finder<'_, '_> {
    fn look(&mut self, phases: &[Phase]) {
        for (at, phase) in phases.iter().enumerate() {
            match phase {
                Phase::Each(block) => self.declared(block, &phases[at + 1..]),
                Phase::For(_, _, inner) => self.look(inner),
                Phase::While { body, step, .. } => {
                    self.look(body);
                    self.look(step);
                }
                Phase::If { then, otherwise, .. } => {
                    self.look(then);
                    self.look(otherwise);
                }
                Phase::Write(_) | Phase::Same(_) | Phase::Barrier => {}
                Phase::Fetch(_) | Phase::Clear(_) | Phase::Drain(_) => {}
            }
        }
    }

    /// What a phase declares is named in it and in later phases; its value must not change in those.
    fn declared(&mut self, block: &Block, after: &[Phase]) {
        let mut later = Set::default();
        later.look(self.b.body, after);
        for node in block {
            let Stmt::Declare { local, init } = node.kind else { continue };
            if self.set.each.get(&local) != Some(&1) {
                continue;
            }
            let known = |l: Handle<Local>| {
                let computed = self.place.contains(&l) || self.again.computed.iter().any(|(p, _)| *p == l);
                computed || !self.set.each.contains_key(&l) && !later.same.contains(&l)
            };
            let ty = self.b.types.kind(self.b.body.locals[local].ty);
            let number = matches!(ty, TypeKind::Int { .. } | TypeKind::Bool);
            if let (Some(value), true) = (init, number)
                && depends_on(self.b.body, value, &known)
            {
                self.again.computed.push((local, value));
            } else if let Some(value) = init.or_else(|| only_value(self.b.body, block, local))
                && self.reads(value, &known) == Some(1)
            {
                self.again.read.push((local, value));
            }
        }
    }

    /// The number of elements of inputs that the value reads, if it depends only on inputs and known locals.
    fn reads(&self, e: Handle<Expr>, known: &dyn Fn(Handle<Local>) -> bool) -> Option<usize> {
        let body = &*self.b.body;
        match body.exprs[e].kind {
            ExprKind::Load(place) => match body.exprs[place].kind {
                ExprKind::Index { base, index } => {
                    let ExprKind::Load(pointer) = body.exprs[base].kind else { return None };
                    let input =
                        matches!(body.exprs[pointer].kind, ExprKind::Local(l) if self.inputs.contains(&l));
                    let plain = body.exprs[place].ty == body.exprs[e].ty;
                    (input && plain && depends_on(body, index, known)).then_some(1)
                }
                _ => depends_on(body, e, known).then_some(0),
            },
            ExprKind::Select { cond, yes, no } => {
                let all = [cond, yes, no].into_iter().map(|e| self.reads(e, known));
                all.sum()
            }
            ExprKind::Float(_) => Some(0),
            ExprKind::Cast(inner) => self.reads(inner, known),
            _ => depends_on(body, e, known).then_some(0),
        }
    }
}

/// The value that a statement of the block, under conditions or not, gives the local.
fn only_value(body: &Body, block: &Block, local: Handle<Local>) -> Option<Handle<Expr>> {
    let mut found = None;
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Store { place, op: None, value } = node.kind
            && body.exprs[place].kind == ExprKind::Local(local)
        {
            found = Some(value);
        }
    });
    found
}

/// Turns `int test; test = a < b;` of one phase into a declaration with the value.
pub fn declared_where_set(body: &Body, phases: &mut [Phase]) {
    for phase in phases {
        if let Phase::Each(block) = phase {
            with_values(body, block);
        }
        for inner in phase.inner_mut() {
            declared_where_set(body, inner);
        }
    }
}

fn with_values(body: &Body, block: &mut Block) {
    let mut at = 0;
    while at < block.len() {
        if let Stmt::Declare { local, init: None } = block[at].kind
            && let Some((first, value)) = first_set(body, &block[at + 1..], local)
        {
            block[at + 1 + first].kind = Stmt::Declare { local, init: Some(value) };
            block.remove(at);
        } else {
            at += 1;
        }
    }
}

/// The statement that sets the local before anything else names it.
fn first_set(body: &Body, block: &[StmtNode], local: Handle<Local>) -> Option<(usize, Handle<Expr>)> {
    let first = block.iter().position(|n| visit::names_local(body, std::slice::from_ref(n), local))?;
    match block[first].kind {
        Stmt::Store { place, op: None, value }
            if body.exprs[place].kind == ExprKind::Local(local)
                && !accl_ir::rewrite::mentions(body, value, local) =>
        {
            Some((first, value))
        }
        _ => None,
    }
}

/// The value is made of such locals and numbers, by arithmetic that cannot fail.
pub fn depends_on(body: &Body, e: Handle<Expr>, known: &dyn Fn(Handle<Local>) -> bool) -> bool {
    match &body.exprs[e].kind {
        ExprKind::Int(_) => true,
        ExprKind::Load(place) => matches!(body.exprs[*place].kind, ExprKind::Local(l) if known(l)),
        ExprKind::Cast(inner) | ExprKind::Unary { operand: inner, .. } => depends_on(body, *inner, known),
        ExprKind::Binary { op, left, right } => {
            !matches!(op, BinaryOp::Div | BinaryOp::Rem)
                && depends_on(body, *left, known)
                && depends_on(body, *right, known)
        }
        _ => false,
    }
}

/// Declares the locals that the phase names and does not declare itself, and what their values need.
pub fn again(b: &Builder<'_>, pure: &[(Handle<Local>, Handle<Expr>)], phase: &Block) -> Block {
    let mut needed = BTreeSet::new();
    visit::for_each_local(b.body, phase, &mut |l, _| {
        needed.insert(l);
    });
    let own = visit::declared_locals(phase);
    let mut out = vec![];
    for (local, value) in pure.iter().rev() {
        if needed.contains(local) {
            visit::walk_expr(b.body, *value, accl_ir::Access::Value, &mut |e, _| {
                if let ExprKind::Local(l) = b.body.exprs[e].kind {
                    needed.insert(l);
                }
            });
            if !own.contains(local) {
                out.push(declare(*local, Some(*value)));
            }
        }
    }
    out.reverse();
    out
}

/// `var >> k` and `var & (2^k - 1)` of a loop's variable that begins at a multiple of 2^k.
pub fn aligned(b: &mut Builder<'_>, nest: &Nest, lanes: &[Handle<Local>], block: &mut Block) {
    for (d, n) in nest.loops.iter().enumerate() {
        let one = b.as_int(n.l.step) == Some(1) && b.as_int(n.l.lower) == Some(0);
        if !one || !n.threads.is_power_of_two() {
            continue;
        }
        let (threads, var) = (i128::from(n.threads), n.l.var);
        let (base, lane) = (b.load(n.base), b.load(lanes[d]));
        let lane = b.cast(lane, b.body.locals[var].ty);
        let types = &*b.types;
        rewrite_exprs(b.body, block, &mut |body, e| {
            let ExprKind::Binary { op, left, right } = body.exprs[e].kind else { return e };
            let is_var = matches!(body.exprs[left].kind, ExprKind::Load(place) if body.exprs[place].kind == ExprKind::Local(var));
            let Some(number) = body.const_int(types, right) else { return e };
            match op {
                BinaryOp::Shr if is_var && (0..31).contains(&number) && 1 << number >= threads => {
                    let ty = body.exprs[e].ty;
                    body.expr(ExprKind::Binary { op, left: base, right }, ty, Default::default())
                }
                BinaryOp::BitAnd if is_var && number == threads - 1 => lane,
                _ => e,
            }
        });
    }
}

/// The first element of shared tiles, where the phases do not change it: locals with their values.
pub fn begins(b: &Builder<'_>, phases: &[Phase]) -> Values {
    let mut set = Set::default();
    set.look(b.body, phases);
    let fixed = |l: Handle<Local>| !set.each.contains_key(&l) && !set.same.contains(&l);
    let declared = phases.iter().filter_map(|phase| match phase {
        Phase::Same(StmtNode { kind: Stmt::Declare { local, init: Some(value) }, .. }) => {
            Some((*local, *value))
        }
        _ => None,
    });
    declared.filter(|(_, value)| depends_on(b.body, *value, &fixed)).collect()
}

/// `n - 1 - begin` becomes `thread - 1`: compilers do not recognise that neighbouring threads use neighbouring
/// elements where the terms of an int sum are in another order.
pub fn placed(b: &mut Builder<'_>, known: &BTreeMap<Handle<Local>, Handle<Expr>>, phase: &mut Block) {
    let types = &*b.types;
    let is_signed = |ty| matches!(types.kind(ty), TypeKind::Int { bits: 32 | 64, signed: true });
    rewrite_exprs(b.body, phase, &mut |body, e| {
        let Expr { kind: ExprKind::Binary { op: BinaryOp::Sub, .. }, ty, span } = body.exprs[e].clone()
        else {
            return e;
        };
        let mut sum = Sum::default();
        sum.add(body, &is_signed, known, e, true);
        let [(thread, true)] = sum.terms[..] else { return e };
        let ExprKind::Load(place) = body.exprs[thread].kind else { return e };
        if !is_signed(ty) || !matches!(body.exprs[place].kind, ExprKind::Local(_)) {
            return e;
        }
        let same = body.exprs[thread].ty == ty;
        let thread = if same { thread } else { body.expr(ExprKind::Cast(thread), ty, span) };
        if sum.number == 0 {
            return thread;
        }
        let op = if sum.number < 0 { BinaryOp::Sub } else { BinaryOp::Add };
        let right = body.expr(ExprKind::Int(sum.number.abs()), ty, span);
        body.expr(ExprKind::Binary { op, left: thread, right }, ty, span)
    });
}

/// Terms that are added (or else subtracted), and a number.
#[derive(Default)]
struct Sum {
    terms: Vec<(Handle<Expr>, bool)>,
    number: i128,
}

impl Sum {
    fn add(
        &mut self,
        body: &Body,
        is_signed: &dyn Fn(Handle<Type>) -> bool,
        known: &BTreeMap<Handle<Local>, Handle<Expr>>,
        e: Handle<Expr>,
        added: bool,
    ) {
        let signed = is_signed(body.exprs[e].ty);
        match body.exprs[e].kind {
            ExprKind::Int(n) => return self.number += if added { n } else { -n },
            ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right } if signed => {
                self.add(body, is_signed, known, left, added);
                return self.add(body, is_signed, known, right, added == (op == BinaryOp::Add));
            }
            ExprKind::Cast(inner) if signed && is_signed(body.exprs[inner].ty) => {
                return self.add(body, is_signed, known, inner, added);
            }
            ExprKind::Load(place) => {
                if let ExprKind::Local(l) = body.exprs[place].kind
                    && let Some(value) = known.get(&l)
                {
                    return self.add(body, is_signed, known, *value, added);
                }
            }
            _ => {}
        }
        let opposite = |(t, a): &(Handle<Expr>, bool)| *a != added && visit::same_expr(body, *t, e);
        match self.terms.iter().position(opposite) {
            Some(at) => drop(self.terms.remove(at)),
            None => self.terms.push((e, added)),
        }
    }
}

/// The innermost loops of a copy.
pub fn copying(b: &mut Builder<'_>, block: Block) -> Block {
    let mut out = vec![];
    for node in block {
        match node.kind {
            Stmt::For(l) if is_straight(&l.body) && indices::counts_up_by_one(b.types, b.body, &l) => {
                out.extend(middle_apart(b, *l, node.span, &[]));
            }
            Stmt::For(mut l) => {
                l.body = copying(b, l.body);
                out.push(StmtNode { kind: Stmt::For(l), span: node.span });
            }
            Stmt::Block(inner) => {
                out.push(StmtNode { kind: Stmt::Block(copying(b, inner)), span: node.span });
            }
            kind => out.push(StmtNode { kind, span: node.span }),
        }
    }
    out
}

/// The loop split in three, with no condition left in the middle part where all `rows` hold.
pub fn middle_apart(b: &mut Builder<'_>, mut l: Loop, span: Span, rows: &[Handle<Local>]) -> Block {
    l.levels = Some(LoopLevels { vector: true, ..LoopLevels::default() });
    let Some(mut parts) = index_set_splitting::split(b, &l, span) else {
        return with_rows(b, StmtNode { kind: Stmt::For(Box::new(l)), span }, rows);
    };
    let loops: Vec<usize> = (0..parts.len()).filter(|at| matches!(parts[*at].kind, Stmt::For(_))).collect();
    let [first, middle, last] = loops[..] else { return parts };
    // The first and last parts are a few iterations, for which vectors do not pay.
    for at in [first, last] {
        if let Stmt::For(l) = &mut parts[at].kind {
            l.levels = None;
        }
    }
    let node = parts[middle].clone();
    parts.splice(middle..=middle, with_rows(b, node, rows));
    parts
}

/// `if (all rows hold) loop, its conditions true; else loop`
fn with_rows(b: &mut Builder<'_>, node: StmtNode, rows: &[Handle<Local>]) -> Block {
    let (Some(all), Stmt::For(l)) = (all_hold(b, rows), &node.kind) else { return vec![node] };
    let mut free = l.clone();
    let is_row = |body: &Body, e: Handle<Expr>| {
        matches!(body.exprs[e].kind, ExprKind::Load(place)
            if matches!(body.exprs[place].kind, ExprKind::Local(local) if rows.contains(&local)))
    };
    index_set_splitting::assume(b, &mut free.body, &is_row);
    let block = vec![StmtNode { kind: Stmt::For(free), span: node.span }];
    let then = Cloner::new().block_within(b.body, &block);
    vec![StmtNode { span: node.span, kind: Stmt::If { cond: all, then, otherwise: vec![node] } }]
}

fn all_hold(b: &mut Builder<'_>, rows: &[Handle<Local>]) -> Option<Handle<Expr>> {
    let all: Vec<_> = rows.iter().map(|row| b.load(*row)).collect();
    all.into_iter().reduce(|left, right| b.binary(BinaryOp::LogicalAnd, left, right))
}
