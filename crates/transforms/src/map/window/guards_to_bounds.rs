//! Guards to bounds: the loop over the innermost dimension of a block's threads, around one phase, for the cpu.
//!
//! Most statements of a phase stand under conditions: the thread has an iteration, its column is not at the border,
//! it is one of the first `w`. A condition that all statements of a phase share is not tested in each thread. It
//! becomes a bound of the loop where it compares the thread's number, and is tested before the loop where the row
//! alone decides it:
//!
//! ```text
//! if (r > 0 && y > s) {
//!     long from = max(0, s + 1), until = min(32, n - base);
//!     for (int thread = from; thread < until; thread++) phase
//! }
//! ```
//!
//! Statements under different conditions become loops of their own ([`GuardedPart`]), since threads exchange
//! nothing within a phase. The loops that use values which are live across phases load and store them.

use super::super::straight_line::is_straight;
use super::super::{index_set_splitting, indices};
use super::phases::conjuncts;
use super::rematerialise::{Values, again, depends_on, middle_apart, placed};
use crate::build::{Builder, declare, if_then, node};
use accl_ir::rewrite::{Cloner, Subst, rewrite_exprs, substitute};
use accl_ir::{BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, Loop, Stmt, StmtNode, visit};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

type Locals = BTreeSet<Handle<Local>>;

/// Puts loads before a block, and stores after it, for the values that are live across phases.
pub type Keep<'a> = &'a dyn Fn(&mut Builder<'_>, Block) -> Block;

/// `block` declares the names of the thread's `places`, and contains the phase. Shared tiles begin at `begins`;
/// each thread has `own` values from other phases.
pub fn around(
    b: &mut Builder<'_>,
    (lane, threads): (Handle<Local>, u32),
    mut block: Block,
    places: &Locals,
    begins: &Values,
    own: Locals,
    keep: Keep<'_>,
) -> Block {
    conditions_in_place(b, &mut block, places);
    let (mut names, mut phase) = (vec![], vec![]);
    for node in block {
        match node.kind {
            Stmt::Declare { local, init: Some(value) } if places.contains(&local) => {
                names.push((local, value))
            }
            _ => phase.push(node),
        }
    }
    let known = names.iter().chain(begins).copied().collect();
    placed(b, &known, &mut phase);
    if !is_straight(&phase) {
        let mut body = again(b, &names, &phase);
        body.extend(keep(b, phase));
        return vec![b.counted(lane, threads, body)];
    }
    let mut changing = own;
    changing.extend(set_in(b.body, &phase));
    changing.insert(lane);
    let (mut out, mut moving) = (vec![], vec![]);
    for name in again(b, &names, &phase) {
        let Stmt::Declare { local, init: Some(value) } = name.kind else { continue };
        if depends_on(b.body, value, &|l| !changing.contains(&l)) {
            out.push(name);
        } else {
            changing.insert(local);
            moving.push((local, value));
        }
    }
    let row = Row { lane, threads, moving, changing };
    for piece in pieces(b, phase) {
        out.extend(row.run(b, piece, keep));
    }
    // Other phases declare locals of the same names.
    vec![node(Stmt::Block(out))]
}

/// The threads of a row.
struct Row {
    lane: Handle<Local>,
    threads: u32,
    /// Locals that name what differs between the threads, with their values.
    moving: Vec<(Handle<Local>, Handle<Expr>)>,
    /// All locals that differ between the threads.
    changing: Locals,
}

impl Row {
    fn is_fixed(&self, b: &Builder<'_>, e: Handle<Expr>) -> bool {
        depends_on(b.body, e, &|l| !self.changing.contains(&l))
    }

    /// The thread's place determines the value.
    fn is_placed(&self, b: &Builder<'_>, e: Handle<Expr>) -> bool {
        let of_place = |l| l == self.lane || self.moving.iter().any(|(moving, _)| *moving == l);
        depends_on(b.body, e, &|l| of_place(l) || !self.changing.contains(&l))
    }

    fn run(&self, b: &mut Builder<'_>, piece: GuardedPart, keep: Keep<'_>) -> Block {
        let tests = piece.tests.unwrap_or_default();
        let (fixed, tests): (Vec<_>, Vec<_>) = tests.into_iter().partition(|e| self.is_fixed(b, *e));
        let (placed, others): (Vec<_>, Vec<_>) = tests.into_iter().partition(|e| self.is_placed(b, *e));
        let names: Block = self.moving.iter().map(|(local, value)| declare(*local, Some(*value))).collect();
        let StmtNode { kind: Stmt::For(l), span } = b.counted(self.lane, self.threads, names) else {
            return vec![];
        };
        let (mut out, l, mut tests) = index_set_splitting::part(b, *l, &placed);
        tests.extend(others);
        let phase = piece.block;
        let tested = |b: &mut Builder<'_>, phase: Block| match all(b, &tests) {
            Some(cond) => vec![if_then(cond, phase)],
            None => phase,
        };
        match self.agreed(b, &l, &tests, &phase, keep, &mut out) {
            Some(cond) => {
                let free = self.loops(b, &l, span, phase.clone(), keep);
                let then = Cloner::new().block_within(b.body, &free);
                let phase = tested(b, phase);
                let otherwise = self.loops(b, &l, span, phase, keep);
                out.push(node(Stmt::If { cond, then, otherwise }));
            }
            None => {
                let phase = tested(b, phase);
                out.extend(self.loops(b, &l, span, phase, keep));
            }
        }
        match all(b, &fixed) {
            Some(cond) => vec![if_then(cond, out)],
            None => vec![node(Stmt::Block(out))],
        }
    }

    fn loops(&self, b: &mut Builder<'_>, l: &Loop, span: Span, phase: Block, keep: Keep<'_>) -> Block {
        let mut out = vec![];
        let mut phase = keep(b, phase);
        let rows = self.rows_named(b, &mut phase, &mut out);
        let mut body = again(b, &self.moving, &phase);
        body.extend(phase);
        out.extend(middle_apart(b, Loop { body, ..indices::shell(l) }, span, &rows));
        out
    }

    /// Usually all threads pass the tests of their own values. Where they then store to memory, that case is tested
    /// first, because processors store vectors as a whole.
    fn agreed(
        &self,
        b: &mut Builder<'_>,
        l: &Loop,
        tests: &[Handle<Expr>],
        phase: &Block,
        keep: Keep<'_>,
        out: &mut Block,
    ) -> Option<Handle<Expr>> {
        let all = all(b, tests)?;
        if !tests.iter().all(|e| depends_on(b.body, *e, &|_| true)) || !stores(b.body, phase) {
            return None;
        }
        let int = b.types.i32();
        let agree = b.body.temp("agree", int);
        let (zero, one) = (b.int(0, int), b.int(1, int));
        let (place, value) = (b.place(agree), b.binary(BinaryOp::Ne, all, zero));
        let test = node(Stmt::Store { place, op: Some(BinaryOp::BitAnd), value });
        let test = keep(b, vec![test]);
        let mut body = again(b, &self.moving, &test);
        body.extend(test);
        out.push(declare(agree, Some(one)));
        out.push(node(Stmt::For(Box::new(Loop { body, ..indices::shell(l) }))));
        Some(b.load(agree))
    }

    /// Moves the parts of conditions that the row decides into variables before the loop.
    fn rows_named(&self, b: &mut Builder<'_>, phase: &mut Block, out: &mut Block) -> Vec<Handle<Local>> {
        let mut named: Vec<(Vec<Handle<Expr>>, Handle<Local>)> = vec![];
        let mut replaced = BTreeMap::new();
        for root in conditions(b.body, phase) {
            let parts = conjuncts(b.body, root).into_iter();
            let (fixed, moving): (Vec<_>, Vec<_>) = parts.partition(|e| self.is_fixed(b, *e));
            if fixed.is_empty() {
                continue;
            }
            let known = named.iter().find(|(parts, _)| same_tests(b.body, parts, &fixed));
            let local = known.map(|(_, local)| *local).unwrap_or_else(|| {
                let int = b.types.i32();
                let local = b.body.temp("row_holds", int);
                out.push(declare(local, all(b, &fixed)));
                named.push((fixed, local));
                local
            });
            let holds = b.load(local);
            let cond = moving.into_iter().fold(holds, |l, r| b.binary(BinaryOp::LogicalAnd, l, r));
            replaced.insert(root, cond);
        }
        rewrite_exprs(b.body, phase, &mut |_, e| *replaced.get(&e).unwrap_or(&e));
        named.into_iter().map(|(_, local)| local).collect()
    }
}

/// Writes memory.
fn stores(body: &Body, block: &Block) -> bool {
    let mut found = false;
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Store { place, .. } = node.kind {
            found |= !matches!(body.exprs[place].kind, ExprKind::Local(_));
        }
    });
    found
}

/// Statements of a phase that stand under the same conditions.
#[derive(Default)]
struct GuardedPart {
    /// All of these hold where a statement runs; `None`: there are only declarations.
    tests: Option<Vec<Handle<Expr>>>,
    block: Block,
}

/// The phase's statements, grouped by their conditions, which are removed from them.
fn pieces(b: &mut Builder<'_>, mut phase: Block) -> Vec<GuardedPart> {
    declared_inside(b.body, &mut phase);
    let mut out: Vec<GuardedPart> = vec![];
    for node in phase {
        let piece = GuardedPart { tests: tests_of(b.body, &node), block: vec![node] };
        // A declaration must be visible where its local is named.
        let first = out.iter().position(|earlier| declares_for(b.body, earlier, &piece.block));
        let same = |last: &GuardedPart| match (&last.tests, &piece.tests) {
            (Some(a), Some(c)) => same_tests(b.body, a, c) && c.iter().all(|e| last.keeps(b.body, *e)),
            _ => false,
        };
        let from = first.unwrap_or(out.len() - usize::from(out.last().is_some_and(same)));
        let rest = out.split_off(from);
        out.push(rest.into_iter().chain([piece]).reduce(|a, c| joined(b.body, a, c)).unwrap_or_default());
    }
    for piece in &mut out {
        let tests = piece.tests.clone().unwrap_or_default();
        piece.block =
            std::mem::take(&mut piece.block).into_iter().flat_map(|n| freed(b, n, &tests)).collect();
        let stable: Vec<_> = tests.into_iter().filter(|e| piece.keeps(b.body, *e)).collect();
        index_set_splitting::assume(b, &mut piece.block, &|body, e| is_among(body, e, &stable));
    }
    out
}

fn joined(body: &Body, mut a: GuardedPart, mut b: GuardedPart) -> GuardedPart {
    if let Some(tests) = &mut b.tests {
        tests.retain(|e| a.keeps(body, *e));
    }
    a.tests = match (a.tests, b.tests) {
        (Some(a), Some(b)) => Some(a.into_iter().filter(|e| is_among(body, *e, &b)).collect()),
        (a, b) => a.or(b),
    };
    a.block.extend(b.block);
    a
}

impl GuardedPart {
    /// A test after this part has the same value before it.
    fn keeps(&self, body: &Body, test: Handle<Expr>) -> bool {
        let set = set_in(body, &self.block);
        let mut same = true;
        visit::for_each_operand(&body.exprs, test, &mut |e| {
            same &= match body.exprs[e].kind {
                ExprKind::Local(l) => !set.contains(&l),
                ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Global(_) => self.tests.is_none(),
                _ => true,
            };
        });
        same
    }
}

fn set_in(body: &Body, block: &Block) -> Locals {
    let mut set = visit::written_locals(body, block);
    set.extend(visit::declared_locals(block));
    set
}

/// The earlier piece declares what the block names.
fn declares_for(body: &Body, earlier: &GuardedPart, block: &Block) -> bool {
    let declared = earlier.block.iter().filter_map(|n| match n.kind {
        Stmt::Declare { local, .. } => Some(local),
        _ => None,
    });
    let declared: Locals = declared.collect();
    let mut named = false;
    visit::for_each_local(body, block, &mut |l, _| named |= declared.contains(&l));
    named
}

/// The conditions of the statement; `None` for a declaration, which only affects the statements that name it.
fn tests_of(body: &Body, node: &StmtNode) -> Option<Vec<Handle<Expr>>> {
    let mut tests = vec![];
    match &node.kind {
        Stmt::Declare { .. } => return None,
        Stmt::If { cond, then, otherwise } if otherwise.is_empty() => {
            tests = conjuncts(body, *cond);
            if let [inner] = &then[..] {
                tests.extend(tests_of(body, inner).unwrap_or_default());
            }
        }
        Stmt::Block(inner) => {
            if let [inner] = &inner[..] {
                return tests_of(body, inner);
            }
        }
        _ => {}
    }
    Some(tests)
}

/// The statement as it is where the tests hold.
fn freed(b: &mut Builder<'_>, statement: StmtNode, tests: &[Handle<Expr>]) -> Block {
    match statement.kind {
        Stmt::If { cond, then, otherwise } if otherwise.is_empty() => {
            let mut left = conjuncts(b.body, cond);
            left.retain(|e| !is_among(b.body, *e, tests));
            let then: Block = match then.len() {
                1 => then.into_iter().flat_map(|n| freed(b, n, tests)).collect(),
                _ => then,
            };
            match all(b, &left) {
                Some(cond) => vec![StmtNode { kind: Stmt::If { cond, then, otherwise }, ..statement }],
                None => then,
            }
        }
        Stmt::Block(inner) if inner.len() == 1 => {
            inner.into_iter().flat_map(|n| freed(b, n, tests)).collect()
        }
        _ => vec![statement],
    }
}

/// A local that only one conditional statement names is declared in it.
fn declared_inside(body: &Body, phase: &mut Block) {
    let mut at = 0;
    while at < phase.len() {
        let Stmt::Declare { local, init: None } = phase[at].kind else {
            at += 1;
            continue;
        };
        let names = |n: &usize| visit::names_local(body, &phase[*n..=*n], local);
        let users: Vec<usize> = (at + 1..phase.len()).filter(names).collect();
        match users[..] {
            [user] if matches!(&phase[user].kind, Stmt::If { otherwise, .. } if otherwise.is_empty()) => {
                let declaration = phase.remove(at);
                if let Stmt::If { then, .. } = &mut phase[user - 1].kind {
                    then.insert(0, declaration);
                }
            }
            _ => at += 1,
        }
    }
}

/// The conditions of statements and selections.
fn conditions(body: &Body, block: &Block) -> BTreeSet<Handle<Expr>> {
    let mut roots = BTreeSet::new();
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::If { cond, .. } = node.kind {
            roots.insert(cond);
        }
    });
    visit::all_exprs(&body.exprs, block, &mut |e| {
        if let ExprKind::Select { cond, .. } = body.exprs[e].kind {
            roots.insert(cond);
        }
    });
    roots
}

fn all(b: &mut Builder<'_>, tests: &[Handle<Expr>]) -> Option<Handle<Expr>> {
    tests.iter().copied().reduce(|left, right| b.binary(BinaryOp::LogicalAnd, left, right))
}

fn same_tests(body: &Body, a: &[Handle<Expr>], b: &[Handle<Expr>]) -> bool {
    a.len() == b.len() && a.iter().all(|e| is_among(body, *e, b))
}

fn is_among(body: &Body, e: Handle<Expr>, tests: &[Handle<Expr>]) -> bool {
    tests.iter().any(|t| visit::same_expr(body, *t, e))
}

/// Replaces the names of conditions by the conditions.
fn conditions_in_place(b: &mut Builder<'_>, block: &mut Block, places: &Locals) {
    let mut at = 0;
    while at < block.len() {
        let Stmt::Declare { local, init: Some(value) } = block[at].kind else {
            at += 1;
            continue;
        };
        let compares = matches!(&b.body.exprs[value].kind, ExprKind::Binary { op, .. } if is_condition(*op));
        if !places.contains(&local) || !compares {
            at += 1;
            continue;
        }
        block.remove(at);
        let mut rest = block.split_off(at);
        substitute(b.body, &mut rest, local, Subst::Value(value));
        block.extend(rest);
    }
}

fn is_condition(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, LogicalAnd, LogicalOr, Lt, Ne};
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge | LogicalAnd | LogicalOr)
}
