//! Walking statements and expressions.
//!
//! One place knows the children of every node, so that an analysis says only what it looks for. Order
//! is the source's order.

use accl_ir::{Arena, Block, Expr, ExprKind, Handle, Local, Loop, Staged, Stmt, StmtNode, WindowDim};
use std::collections::BTreeSet;

/// The operands of an expression.
pub fn operands(kind: &ExprKind) -> Vec<Handle<Expr>> {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::Builtin(_) => vec![],
        ExprKind::Deref(e)
        | ExprKind::Load(e)
        | ExprKind::AddrOf(e)
        | ExprKind::Decay(e)
        | ExprKind::Cast(e)
        | ExprKind::Member { base: e, .. }
        | ExprKind::Unary { operand: e, .. } => vec![*e],
        ExprKind::Index { base, index } => vec![*base, *index],
        ExprKind::Binary { left, right, .. } => vec![*left, *right],
        ExprKind::Select { cond, yes, no } => vec![*cond, *yes, *no],
        ExprKind::Checked { index, first, behind, .. } => vec![*index, *first, *behind],
        ExprKind::Math { args, .. } | ExprKind::Call { args, .. } => args.clone(),
    }
}

/// Calls `f` on `root` and every expression below it.
pub fn expr_tree(exprs: &Arena<Expr>, root: Handle<Expr>, f: &mut dyn FnMut(Handle<Expr>)) {
    f(root);
    for operand in operands(&exprs[root].kind) {
        expr_tree(exprs, operand, f);
    }
}

/// An expression that a statement itself evaluates, and what it does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A value.
    Value(Handle<Expr>),
    /// A place that is written; `and_read` where its old value is read too (`+=`, atomics).
    Write { place: Handle<Expr>, and_read: bool },
    /// A place that is only read (an atomic read).
    Read(Handle<Expr>),
}

impl Use {
    pub fn expr(self) -> Handle<Expr> {
        match self {
            Use::Value(e) | Use::Read(e) | Use::Write { place: e, .. } => e,
        }
    }
}

/// The expressions a statement evaluates itself (not those of statements inside it).
pub fn uses(stmt: &Stmt) -> Vec<Use> {
    use accl_ir::AtomicKind;
    match stmt {
        Stmt::Declare { init, .. } => init.iter().map(|e| Use::Value(*e)).collect(),
        Stmt::Store { place, op, value } => {
            vec![Use::Value(*value), Use::Write { place: *place, and_read: op.is_some() }]
        }
        Stmt::Call { dest, args, .. } => {
            let mut all: Vec<Use> = args.iter().map(|e| Use::Value(*e)).collect();
            all.extend(dest.iter().map(|d| Use::Write { place: *d, and_read: false }));
            all
        }
        Stmt::Print { args, .. } => args.iter().map(|e| Use::Value(*e)).collect(),
        Stmt::If { cond, .. } => vec![Use::Value(*cond)],
        Stmt::For(l) => vec![Use::Value(l.lower), Use::Value(l.bound), Use::Value(l.step)],
        Stmt::While { cond, .. } => cond.iter().map(|e| Use::Value(*e)).collect(),
        Stmt::Switch { value, .. } => vec![Use::Value(*value)],
        Stmt::Return(value) => value.iter().map(|e| Use::Value(*e)).collect(),
        Stmt::Atomic(a) => {
            let mut all: Vec<Use> = a.value.iter().map(|e| Use::Value(*e)).collect();
            all.push(match a.kind {
                AtomicKind::Read => Use::Read(a.place),
                AtomicKind::Write => Use::Write { place: a.place, and_read: false },
                AtomicKind::Update(_) | AtomicKind::ReverseUpdate(_) | AtomicKind::Extremum(_) => {
                    Use::Write { place: a.place, and_read: true }
                }
            });
            all.extend(a.capture.iter().map(|(e, _)| Use::Write { place: *e, and_read: false }));
            all
        }
        Stmt::Window(w) => w.arrays.iter().flat_map(staged_uses).collect(),
        Stmt::VectorLoad { src, .. } => vec![Use::Read(*src)],
        Stmt::VectorStore { dst, .. } => vec![Use::Write { place: *dst, and_read: false }],
        Stmt::Break
        | Stmt::Continue
        | Stmt::Stop { .. }
        | Stmt::Block(_)
        | Stmt::Region(_)
        | Stmt::Directive(_)
        | Stmt::Host
        | Stmt::Barrier(_)
        | Stmt::ReduceAcross { .. }
        | Stmt::ReduceGrid { .. } => vec![],
    }
}

/// A window evaluates its pivots, and moves elements between the array and the block's copy.
fn staged_uses(staged: &Staged) -> Vec<Use> {
    let reaches = |d: &WindowDim| [d.before.value(), d.after.value()].into_iter().flatten().map(Use::Value);
    let mut all: Vec<Use> =
        staged.dims.iter().flat_map(|d| std::iter::once(Use::Value(d.pivot)).chain(reaches(d))).collect();
    let place = staged.element;
    match (staged.kind.fetches(), staged.kind.writes_back()) {
        (true, true) => all.push(Use::Write { place, and_read: true }),
        (false, true) => all.push(Use::Write { place, and_read: false }),
        (true, false) => all.push(Use::Read(place)),
        (false, false) => {}
    }
    all
}

/// Calls `f` on every statement of the block, outer before inner.
pub fn stmts<'a>(block: &'a [StmtNode], f: &mut dyn FnMut(&'a StmtNode)) {
    for node in block {
        f(node);
        for inner in node.kind.blocks() {
            stmts(inner, f);
        }
    }
}

/// Calls `f` on every statement of the block, outer before inner.
pub fn stmts_mut(block: &mut Block, f: &mut dyn FnMut(&mut StmtNode)) {
    for node in block {
        f(node);
        for inner in node.kind.blocks_mut() {
            stmts_mut(inner, f);
        }
    }
}

/// Calls `f` on every expression of the block, with repetition where handles are shared.
pub fn all_exprs(exprs: &Arena<Expr>, block: &Block, f: &mut dyn FnMut(Handle<Expr>)) {
    stmts(block, &mut |node| {
        for used in uses(&node.kind) {
            expr_tree(exprs, used.expr(), f);
        }
    });
}

/// The `for` loops directly in a block, not those inside other loops; plain blocks and `if`s are looked
/// through.
pub fn top_loops(block: &Block) -> Vec<&Loop> {
    let mut found = vec![];
    for node in block {
        match &node.kind {
            Stmt::For(l) => found.push(&**l),
            other => other.blocks().into_iter().for_each(|b| found.extend(top_loops(b))),
        }
    }
    found
}

/// The variables of all `for` loops.
pub fn loop_variables(block: &Block) -> BTreeSet<Handle<Local>> {
    let mut found = BTreeSet::new();
    stmts(block, &mut |node| {
        if let Stmt::For(l) = &node.kind {
            found.insert(l.var);
        }
    });
    found
}

/// The only statement of a block, plain blocks around it and empty ones beside it taken off.
pub fn only_stmt(block: &Block) -> Option<&StmtNode> {
    match block.as_slice() {
        [one] => match &one.kind {
            Stmt::Block(inner) => only_stmt(inner),
            _ => Some(one),
        },
        _ => None,
    }
}

/// The loop that is all of a block.
pub fn only_loop(block: &Block) -> Option<&Loop> {
    match &only_stmt(block)?.kind {
        Stmt::For(l) => Some(l),
        _ => None,
    }
}
