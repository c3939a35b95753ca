//! Whether a kernel is a product that can be tiled.

use crate::map::indices::{self, counts_up_by_one};
use crate::map::straight_line::is_straight;
use crate::map::{grid_mapping, shape};
use accl_analysis::affine::{Atom, Polys};
use accl_analysis::section;
use accl_analysis::text::Scope;
use accl_ir::rewrite::mentions;
use accl_ir::{
    Block, Body, Compare, Expr, ExprKind, Handle, Kernel, Local, Loop, Module, ParamKind, Stmt, TypeKind,
    Types, visit,
};

type Value = Handle<Expr>;

/// What is known of the product.
pub struct TilePlan {
    /// The distributed loops: x, then y.
    pub loops: [Loop; 2],
    /// The sequential loop; its body is empty.
    pub k: Loop,
    /// The accumulator and its first value.
    pub sum: Handle<Local>,
    pub first: Value,
    /// The sequential loop's only statement.
    pub update: Block,
    /// What is done with the sum.
    pub after: Block,
    /// Fetched: by x and `k`, by y and `k`.
    pub operands: [Operand; 2],
    /// Of an element.
    pub bytes: u64,
}

/// An array element that many iterations of a tile use.
#[derive(Clone, Copy)]
pub struct Operand {
    pub place: Value,
    /// Neighbours in memory differ in `k`, not in the iteration.
    pub along_k: bool,
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
    let [(x, _), (y, _)] = loops.as_slice() else { return None };
    let inner = flat(inner);
    let at = inner.iter().position(|s| matches!(s, Stmt::For(_)))?;
    let Stmt::For(k) = inner[at] else { return None };
    let (sum, first) = accumulator(&inner[..at])?;
    let update = only_update(body, k, sum)?;
    let after: Block = inner[at + 1..].iter().map(|s| (*s).clone().into()).collect();
    let up = |l: &Loop| l.compare == Compare::Lt && counts_up_by_one(&module.types, body, l);
    let plain = up(x) && up(y) && up(k);
    let outer = [x.var, y.var];
    let free = [k.lower, k.bound].iter().all(|e| is_common(body, *e, &outer, sum));
    if !plain || !free || !is_straight(&after) || !is_free(body, first) || !is_common(body, first, &[], sum) {
        return None;
    }
    let (operands, bytes) =
        operands(module, kernel, inner_block(kernel), update, [x.var, y.var, k.var], sum)?;
    Some(TilePlan {
        loops: [indices::shell(x), indices::shell(y)],
        k: indices::shell(k),
        sum,
        first,
        update: vec![update.clone().into()],
        after,
        operands,
        bytes,
    })
}

fn inner_block(kernel: &Kernel) -> &Block {
    grid_mapping::nest(&kernel.body.block).1
}

/// The user said how large blocks are.
fn has_given_shape(kernel: &Kernel) -> bool {
    let mut given = kernel.vector_length.is_some() || kernel.num_workers.is_some();
    visit::for_each_stmt(&kernel.body.block, &mut |node| {
        if let Stmt::For(l) = &node.kind {
            given |= l.directive.as_ref().is_some_and(|d| !d.tile.is_empty());
        }
    });
    given
}

/// The statements with plain blocks taken off.
fn flat(block: &Block) -> Vec<&Stmt> {
    let mut found = vec![];
    for node in block {
        match &node.kind {
            Stmt::Block(inner) => found.extend(flat(inner)),
            other => found.push(other),
        }
    }
    found
}

/// Before the loop nothing is done but to set the accumulator.
fn accumulator(before: &[&Stmt]) -> Option<(Handle<Local>, Value)> {
    match before {
        [Stmt::Declare { local, init: Some(first) }] => Some((*local, *first)),
        _ => None,
    }
}

/// The one statement of the loop, which adds to the sum.
fn only_update<'a>(body: &Body, k: &'a Loop, sum: Handle<Local>) -> Option<&'a Stmt> {
    if k.levels.as_ref().is_some_and(|s| !s.is_seq()) {
        return None;
    }
    let [update] = flat(&k.body)[..] else { return None };
    match update {
        Stmt::Store { place, .. } if body.exprs[*place].kind == ExprKind::Local(sum) => Some(update),
        _ => None,
    }
}

/// The same for all iterations: of parameters alone.
fn is_common(body: &Body, e: Value, vars: &[Handle<Local>], sum: Handle<Local>) -> bool {
    is_free(body, e) && !mentions(body, e, sum) && vars.iter().all(|v| !mentions(body, e, *v))
}

/// Reads no memory and calls nothing.
fn is_free(body: &Body, e: Value) -> bool {
    let mut free = true;
    visit::for_each_operand(&body.exprs, e, &mut |e| {
        free &= !matches!(
            body.exprs[e].kind,
            ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Call { .. } | ExprKind::Global(_)
        );
    });
    free
}

/// The two arrays that the update reads.
fn operands(
    module: &Module,
    kernel: &Kernel,
    inner: &Block,
    update: &Stmt,
    [x, y, k]: [Handle<Local>; 3],
    sum: Handle<Local>,
) -> Option<([Operand; 2], u64)> {
    let body = &kernel.body;
    let Stmt::Store { value, .. } = update else { return None };
    let polys = Polys::new(Scope::new(module, body), section::definitions(body, inner));
    let (mut by_x, mut by_y, mut wrong) = (None, None, false);
    for place in loaded(body, *value) {
        if matches!(body.exprs[place].kind, ExprKind::Local(_)) {
            let ExprKind::Local(l) = body.exprs[place].kind else { continue };
            // Of single values the sum and parameters are the same throughout a thread; loop variables are not.
            let fixed = l == sum || kernel.params.iter().any(|p| p.local == l);
            wrong |= !fixed && l != x && l != y && l != k;
            continue;
        }
        let (has_x, has_y) = (mentions(body, place, x), mentions(body, place, y));
        let slot = match (has_x, has_y, mentions(body, place, k)) {
            (true, false, true) => &mut by_x,
            (false, true, true) => &mut by_y,
            _ => return None,
        };
        let same = slot.is_none_or(|o: Operand| visit::same_expr(body, o.place, place));
        wrong |= !same || !is_readable(kernel, place);
        slot.get_or_insert(Operand { place, along_k: is_along(&polys, body, place, k) });
    }
    // Outside the subscripts the update must not depend on the iteration, whose variables it no longer has.
    let found = [by_x?, by_y?];
    let size = |o: &Operand| numbers(&module.types, module.types.value_of(body.exprs[o.place].ty));
    let bytes = size(&found[0])?;
    let plain = size(&found[1]) == Some(bytes) && !names_variables(body, *value, &found, &[x, y, k]);
    (plain && !wrong).then_some((found, bytes))
}

/// The places that are read, not those in their subscripts.
fn loaded(body: &Body, e: Value) -> Vec<Value> {
    match body.exprs[e].kind {
        ExprKind::Load(place) => vec![place],
        ref kind => kind.operands().into_iter().flat_map(|o| loaded(body, o)).collect(),
    }
}

fn names_variables(body: &Body, e: Value, operands: &[Operand; 2], vars: &[Handle<Local>]) -> bool {
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

fn numbers(types: &Types, ty: Handle<accl_ir::Type>) -> Option<u64> {
    match types.kind(ty) {
        TypeKind::Float { bits } | TypeKind::Int { bits, .. } if *bits >= 32 => Some(u64::from(*bits) / 8),
        _ => None,
    }
}
