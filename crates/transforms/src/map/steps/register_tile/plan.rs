//! Whether a kernel is a product that can be tiled.

use crate::map::indices::{self, counts_up_by_one};
use crate::map::straight_line::is_straight;
use crate::map::{grid_mapping, shape};
use accl_analysis::affine::{Atom, Polys};
use accl_analysis::definitions;
use accl_analysis::text::Scope;
use accl_ir::rewrite::mentions;
use accl_ir::{
    Access, BinaryOp, Block, Body, Compare, Expr, ExprKind, Handle, HostExpr, Kernel, Local, Loop, Module,
    ParamKind, Stmt, StmtNode, TypeKind, Types, visit,
};

type Value = Handle<Expr>;

/// What is known of the product.
pub struct TilePlan {
    /// The tiled loops: x, then y.
    pub loops: [Loop; 2],
    /// A distributed loop around these.
    pub around: Option<Loop>,
    /// The same for all iterations: without it there is nothing to do.
    pub cond: Option<Value>,
    /// What gives the accumulator its first value.
    pub before: Block,
    /// The sequential loop; its body is empty.
    pub k: Loop,
    pub sum: Handle<Local>,
    /// The sequential loop's statements.
    pub update: Block,
    /// What is done with the sum.
    pub after: Block,
    /// What is fetched.
    pub operands: Vec<Operand>,
    /// Of an element.
    pub bytes: u64,
    /// 32-bit registers of a sum.
    pub words: u32,
    /// Where the update adds one product of doubles: what changes with x, and with y.
    pub factors: Option<[Value; 2]>,
}

/// An array element that many iterations of a tile use.
#[derive(Clone, Copy)]
pub struct Operand {
    pub place: Value,
    /// The loop with which it changes: 0 for x, 1 for y.
    pub dim: usize,
    /// Neighbours in memory differ in `k`, not in the iteration.
    pub along_k: bool,
    /// Elements that differ in the one lie side by side, and those that differ in the other equally far apart.
    pub rows: bool,
}

impl TilePlan {
    /// What is known of a kernel that is a product; `None` where it is none.
    pub fn of(module: &Module, kernel: &Kernel) -> Option<TilePlan> {
        of(module, kernel)
    }
}

fn of(module: &Module, kernel: &Kernel) -> Option<TilePlan> {
    let body = &kernel.body;
    if !shape::one_iteration_a_thread(kernel) || shape::reduces(kernel) || has_given_shape(kernel) {
        return None;
    }
    let (loops, inner) = grid_mapping::nest(&body.block);
    let ((x, _), (y, _), around) = match loops.as_slice() {
        [x, y] => (x, y, None),
        [x, y, (z, _)] => (x, y, Some(*z)),
        _ => return None,
    };
    let tiles = around.map(|z| z.var);
    let mut inner = flat(inner);
    let mut cond = None;
    if let [StmtNode { kind: Stmt::If { cond: test, then, otherwise }, .. }] = inner[..]
        && otherwise.is_empty()
        && is_common(kernel, *test, tiles)
    {
        (cond, inner) = (Some(*test), flat(then));
    }
    let at = inner.iter().position(|s| matches!(s.kind, Stmt::For(_)))?;
    let Stmt::For(k) = &inner[at].kind else { return None };
    let copy = |part: &[&StmtNode]| part.iter().map(|s| (*s).clone()).collect::<Block>();
    let (before, update, after) = (copy(&inner[..at]), copy(&flat(&k.body)), copy(&inner[at + 1..]));
    let sum = accumulator(body, k, &update)?;
    let up = |l: &Loop| l.compare == Compare::Lt && counts_up_by_one(&module.types, body, l);
    let plain = up(x) && up(y) && up(k) && is_straight(&before) && is_straight(&after);
    let free = [k.lower, k.bound].iter().all(|e| is_common(kernel, *e, tiles));
    if !plain || !free || !only_passes(body, &before, &after, sum) {
        return None;
    }
    let (operands, bytes) = operands(module, kernel, &update, [x.var, y.var, k.var], tiles, sum)?;
    let words = numbers(&module.types, body.locals[sum].ty)?.max(bytes) / 4;
    let factors = factors(&module.types, body, &update, sum, &operands);
    Some(TilePlan {
        loops: [indices::shell(x), indices::shell(y)],
        around: around.map(indices::shell),
        cond,
        before,
        k: indices::shell(k),
        sum,
        update,
        after,
        operands,
        bytes,
        words: words as u32,
        factors,
    })
}

/// The user said how large tiles are, or the launch says how large blocks are. Lanes and workers that clauses count are those of loops
/// whose iterations are threads; here each thread has many.
fn has_given_shape(kernel: &Kernel) -> bool {
    let at_launch = |size: &Option<HostExpr>| size.as_ref().is_some_and(|size| size.value.is_none());
    let mut given = at_launch(&kernel.vector_length) || at_launch(&kernel.num_workers);
    visit::for_each_stmt(&kernel.body.block, &mut |node| {
        if let Stmt::For(l) = &node.kind {
            given |= l.directive.as_ref().is_some_and(|d| !d.tile.is_empty());
        }
    });
    given
}

/// The statements with plain blocks taken off.
fn flat(block: &Block) -> Vec<&StmtNode> {
    let mut found = vec![];
    for node in block {
        match &node.kind {
            Stmt::Block(inner) => found.extend(flat(inner)),
            _ => found.push(node),
        }
    }
    found
}

/// The one local that outlives an iteration of the loop, whose statements set locals and nothing else.
fn accumulator(body: &Body, k: &Loop, update: &Block) -> Option<Handle<Local>> {
    if k.levels.as_ref().is_some_and(|s| !s.is_seq()) {
        return None;
    }
    let inside = visit::declared_locals(update);
    let mut sum = None;
    for node in update {
        match &node.kind {
            Stmt::Declare { .. } => {}
            Stmt::Store { place, .. } => {
                let ExprKind::Local(local) = body.exprs[*place].kind else { return None };
                if !inside.contains(&local) && *sum.get_or_insert(local) != local {
                    return None;
                }
            }
            _ => return None,
        }
    }
    sum
}

/// The accumulator is declared before the loop, nothing else that is declared there is used after it, and no local changes
/// that an iteration does not declare.
fn only_passes(body: &Body, before: &Block, after: &Block, sum: Handle<Local>) -> bool {
    let mut declared = visit::declared_locals(before);
    let own = declared.remove(&sum) && declared.iter().all(|l| !visit::names_local(body, after, *l));
    declared.extend(visit::declared_locals(after));
    let mut written = visit::written_locals(body, before);
    written.extend(visit::written_locals(body, after));
    own && written.iter().all(|l| *l == sum || declared.contains(l))
}

/// The same for all iterations of a tile: made of parameters and of the variable around it.
fn is_common(kernel: &Kernel, e: Value, around: Option<Handle<Local>>) -> bool {
    is_free(&kernel.body, e) && names_only(kernel, e, around.as_slice())
}

/// All locals that the expression names are parameters or among these.
fn names_only(kernel: &Kernel, e: Value, vars: &[Handle<Local>]) -> bool {
    let mut only = true;
    visit::for_each_operand(&kernel.body.exprs, e, &mut |e| {
        if let ExprKind::Local(l) = kernel.body.exprs[e].kind {
            only &= vars.contains(&l) || kernel.params.iter().any(|p| p.local == l);
        }
    });
    only
}

/// Reads no memory and calls nothing.
pub fn is_free(body: &Body, e: Value) -> bool {
    let mut free = true;
    visit::for_each_operand(&body.exprs, e, &mut |e| {
        free &= !matches!(
            body.exprs[e].kind,
            ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Call { .. } | ExprKind::Global(_)
        );
    });
    free
}

/// The elements that the update reads, and their size.
fn operands(
    module: &Module,
    kernel: &Kernel,
    update: &Block,
    [x, y, k]: [Handle<Local>; 3],
    around: Option<Handle<Local>>,
    sum: Handle<Local>,
) -> Option<(Vec<Operand>, u64)> {
    let body = &kernel.body;
    let polys = Polys::new(Scope::new(module, body), definitions::of_block(body, update));
    let inside = visit::declared_locals(update);
    let values = || update.iter().flat_map(|node| node.kind.operands()).filter(|(_, a)| *a == Access::Value);
    let mut found: Vec<Operand> = vec![];
    for place in values().flat_map(|(value, _)| loaded(body, value)) {
        if let ExprKind::Local(l) = body.exprs[place].kind {
            // Of single values the sum and parameters are the same throughout a thread; loop variables are not.
            let fixed = l == sum || inside.contains(&l) || kernel.params.iter().any(|p| p.local == l);
            if !fixed && ![x, y, k].contains(&l) {
                return None;
            }
            continue;
        }
        let (by_x, by_y) = (mentions(body, place, x), mentions(body, place, y));
        let vars: Vec<_> = [x, y, k].into_iter().chain(around).collect();
        if by_x && by_y || !names_only(kernel, place, &vars) || !is_readable(kernel, place) {
            return None;
        }
        if !found.iter().any(|o| visit::same_expr(body, o.place, place)) {
            let along_k = is_along(&polys, body, place, k);
            let var = if by_x { x } else { y };
            let (fast, slow) = if along_k { (k, var) } else { (var, k) };
            // Elements of compressed arrays have no addresses.
            let plain = !matches!(module.types.kind(body.ty(place)), TypeKind::Compressed { .. });
            let rows =
                plain && is_along(&polys, body, place, fast) && is_linear(&polys, body, place, fast, slow);
            found.push(Operand { place, dim: usize::from(!by_x), along_k, rows });
        }
    }
    found.sort_by_key(|o| o.dim);
    // Outside the subscripts the update must not depend on the iteration, whose variables it no longer has.
    let named = values().any(|(value, _)| names_variables(body, value, &found, &[x, y, k]));
    let by = |dim: usize, var| {
        let used = |o: &Operand| o.dim == dim && mentions(body, o.place, var) && mentions(body, o.place, k);
        found.iter().any(used)
    };
    let size = |o: &Operand| numbers(&module.types, module.types.value_of(body.exprs[o.place].ty));
    let bytes = size(found.first()?)?;
    let alike = found.iter().all(|o| size(o) == Some(bytes));
    (alike && !named && by(0, x) && by(1, y)).then_some((found, bytes))
}

/// The places that are read, not those in their subscripts.
fn loaded(body: &Body, e: Value) -> Vec<Value> {
    match body.exprs[e].kind {
        ExprKind::Load(place) => vec![place],
        ref kind => kind.operands().into_iter().flat_map(|o| loaded(body, o)).collect(),
    }
}

fn names_variables(body: &Body, e: Value, operands: &[Operand], vars: &[Handle<Local>]) -> bool {
    match body.exprs[e].kind {
        ExprKind::Load(place) if operands.iter().any(|o| visit::same_expr(body, o.place, place)) => false,
        ExprKind::Local(l) => vars.contains(&l),
        ref kind => kind.operands().into_iter().any(|o| names_variables(body, o, operands, vars)),
    }
}

/// An element of an array that the kernel only reads, by subscripts made of loop variables and parameters.
fn is_readable(kernel: &Kernel, place: Value) -> bool {
    let body = &kernel.body;
    let mut plain = true;
    visit::for_each_operand(&body.exprs, place, &mut |e| {
        plain &= match body.exprs[e].kind {
            ExprKind::Call { .. } | ExprKind::Global(_) | ExprKind::Member { .. } => false,
            ExprKind::Load(from) => matches!(body.exprs[from].kind, ExprKind::Local(_)),
            _ => true,
        };
    });
    let root = match visit::root_of(body, place) {
        Some(visit::Root::Pointer(p)) => match body.exprs[p].kind {
            ExprKind::Load(of) => match body.exprs[of].kind {
                ExprKind::Local(l) => Some(l),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let is_read = |p: &accl_ir::Param| {
        Some(p.local) == root && matches!(p.kind, ParamKind::Data { written: false, .. })
    };
    plain && kernel.params.iter().any(is_read)
}

/// The last subscript goes up by one with `k`.
fn is_along(polys: &Polys<'_>, body: &Body, place: Value, k: Handle<Local>) -> bool {
    let ExprKind::Index { index, .. } = body.exprs[place].kind else { return false };
    polys.poly(index).split(Atom::Local(k)).is_some_and(|(c, _)| c.as_constant() == Some(1))
}

/// The address goes up evenly with `slow`, and only the last subscript has `fast`.
fn is_linear(polys: &Polys<'_>, body: &Body, place: Value, fast: Handle<Local>, slow: Handle<Local>) -> bool {
    let ExprKind::Index { base, index } = body.exprs[place].kind else { return true };
    let even = polys.poly(index).split(Atom::Local(slow)).is_some();
    even && !mentions(body, base, fast) && is_linear(polys, body, base, fast, slow)
}

/// The factors of `sum += f * g`, of which one has operands that change with x alone, the other with y alone.
fn factors(
    types: &Types,
    body: &Body,
    update: &Block,
    sum: Handle<Local>,
    operands: &[Operand],
) -> Option<[Value; 2]> {
    let [StmtNode { kind: Stmt::Store { op, value, .. }, .. }] = update.as_slice() else { return None };
    let is_double = |e: Value| matches!(types.kind(types.value_of(body.ty(e))), TypeKind::Float { bits: 64 });
    let is_sum = |e: Value| {
        let place = if let ExprKind::Load(place) = body.exprs[e].kind { place } else { e };
        matches!(body.exprs[place].kind, ExprKind::Local(l) if l == sum)
    };
    let added = match (op, &body.exprs[*value].kind) {
        (Some(BinaryOp::Add), _) => *value,
        (None, ExprKind::Binary { op: BinaryOp::Add, left, right }) if is_sum(*left) => *right,
        (None, ExprKind::Binary { op: BinaryOp::Add, left, right }) if is_sum(*right) => *left,
        _ => return None,
    };
    let ExprKind::Binary { op: BinaryOp::Mul, left, right } = body.exprs[added].kind else { return None };
    let changes_with = |e: Value, dim: usize| {
        let places = loaded(body, e);
        let of = |place: &Value| operands.iter().find(|o| visit::same_expr(body, o.place, *place));
        let mut dims = places.iter().filter_map(of).map(|o| o.dim).peekable();
        dims.peek().is_some() && dims.all(|d| d == dim) && !places.iter().any(|place| is_sum(*place))
    };
    let doubles =
        [*value, added, left, right].into_iter().all(is_double) && body.locals[sum].ty == body.ty(added);
    let pairs = [[left, right], [right, left]];
    let found = pairs.into_iter().find(|[x, y]| changes_with(*x, 0) && changes_with(*y, 1));
    found.filter(|_| doubles)
}

fn numbers(types: &Types, ty: Handle<accl_ir::Type>) -> Option<u64> {
    match types.kind(ty) {
        TypeKind::Float { bits } | TypeKind::Int { bits, .. } if *bits >= 32 => Some(u64::from(*bits) / 8),
        _ => None,
    }
}
