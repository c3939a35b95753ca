//! What statements and expressions name. Small walkers that the emitter's questions are built of.

use accl_ir::{Block, Body, Expr, ExprKind, Handle, Local, Stmt};

/// The expressions directly below.
pub fn children(kind: &ExprKind) -> Vec<Handle<Expr>> {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::Builtin(_) => Vec::new(),
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

/// `f` on `root` and all below it.
pub fn each_expr(body: &Body, root: Handle<Expr>, f: &mut impl FnMut(Handle<Expr>)) {
    f(root);
    for child in children(&body.exprs[root].kind) {
        each_expr(body, child, f);
    }
}

/// How a statement uses one of its own expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A value.
    Read,
    /// A place that is overwritten.
    Write,
    /// A place that is read and written.
    Update,
}

/// The expressions of one statement, not those of the statements in it.
pub fn own_exprs(stmt: &Stmt) -> Vec<(Handle<Expr>, Role)> {
    let read = |e: &Handle<Expr>| (*e, Role::Read);
    match stmt {
        Stmt::Declare { init, .. } => init.iter().map(read).collect(),
        Stmt::Store { place, op, value } => {
            let role = if op.is_some() { Role::Update } else { Role::Write };
            vec![(*place, role), (*value, Role::Read)]
        }
        Stmt::Call { dest, args, .. } => {
            dest.iter().map(|d| (*d, Role::Write)).chain(args.iter().map(read)).collect()
        }
        Stmt::Print { args, .. } => args.iter().map(read).collect(),
        Stmt::If { cond, .. } => vec![(*cond, Role::Read)],
        Stmt::For(l) => [&l.lower, &l.bound, &l.step].map(read).to_vec(),
        Stmt::While { cond, .. } => cond.iter().map(read).collect(),
        Stmt::Switch { value, .. } => vec![(*value, Role::Read)],
        Stmt::Return(value) => value.iter().map(read).collect(),
        Stmt::Atomic(a) => std::iter::once((a.place, Role::Update))
            .chain(a.value.iter().map(read))
            .chain(a.capture.iter().map(|(place, _)| (*place, Role::Write)))
            .collect(),
        Stmt::VectorLoad { src, .. } => vec![(*src, Role::Read)],
        Stmt::VectorStore { dst, .. } => vec![(*dst, Role::Write)],
        Stmt::Break
        | Stmt::Continue
        | Stmt::Stop { .. }
        | Stmt::Block(_)
        | Stmt::Window(_)
        | Stmt::Region(_)
        | Stmt::Directive(_)
        | Stmt::Host
        | Stmt::Barrier(_)
        | Stmt::ReduceAcross { .. }
        | Stmt::ReduceGrid { .. } => Vec::new(),
    }
}

/// `f` on each statement of the block and of those below, in source order.
pub fn each_stmt<'b>(block: &'b Block, f: &mut impl FnMut(&'b Stmt)) {
    for node in block {
        f(&node.kind);
        for inner in node.kind.blocks() {
            each_stmt(inner, f);
        }
    }
}

/// The variable that holds a place: `a` of `a[i].x`; `None` behind a pointer.
pub fn root_local(body: &Body, place: Handle<Expr>) -> Option<Handle<Local>> {
    match &body.exprs[place].kind {
        ExprKind::Local(local) => Some(*local),
        ExprKind::Member { base, .. } => root_local(body, *base),
        ExprKind::Index { base, .. } => match &body.exprs[*base].kind {
            ExprKind::Decay(array) => root_local(body, *array),
            _ => root_local(body, *base),
        },
        _ => None,
    }
}

/// Equal in structure: two texts of the same place or value.
pub fn same(body: &Body, a: Handle<Expr>, b: Handle<Expr>) -> bool {
    if a == b {
        return true;
    }
    let (a, b) = (&body.exprs[a], &body.exprs[b]);
    if a.ty != b.ty {
        return false;
    }
    let (below_a, below_b) = (children(&a.kind), children(&b.kind));
    same_head(&a.kind, &b.kind)
        && below_a.len() == below_b.len()
        && below_a.iter().zip(&below_b).all(|(x, y)| same(body, *x, *y))
}

fn same_head(a: &ExprKind, b: &ExprKind) -> bool {
    match (a, b) {
        (ExprKind::Member { field: x, .. }, ExprKind::Member { field: y, .. }) => x == y,
        (ExprKind::Unary { op: x, .. }, ExprKind::Unary { op: y, .. }) => x == y,
        (ExprKind::Binary { op: x, .. }, ExprKind::Binary { op: y, .. }) => x == y,
        (ExprKind::Math { fun: x, .. }, ExprKind::Math { fun: y, .. }) => x == y,
        (ExprKind::Call { function: x, .. }, ExprKind::Call { function: y, .. }) => x == y,
        (ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Local(_), _)
        | (ExprKind::Global(_) | ExprKind::Builtin(_), _) => a == b,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}
