//! Windows that nobody asked for: all pairs.
//!
//! ```text
//! for (i…) { …; for (j = 0; j < m; j++) sum += f(own, x[j], y[j]); … }
//! ```
//!
//! All that the sequential loop reads is the same for all iterations of a block, so the block keeps a stretch of it at a
//! time: a FETCH_ONLY window that moves with the loop. Threads run several iterations each ([`thread_coarsening`](super::thread_coarsening)),
//! which is where the time is won; so the version is for launches that fill the device even so, and the plain one stays.
//!
//! The loop must read nothing else: where each iteration reads elements of its own the memory they come from sets the
//! pace, and barriers only cost.

use super::super::steps::Refusal;
use super::super::{grid_mapping, indices, shape};
use crate::build::{Builder, counting, node};
use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, HaloExtent, Handle, Kernel, Local, Loop, Module, ParamKind,
    Staged, Stmt, StmtNode, TypeKind, Types, Window, WindowDim, WindowKind, rewrite, visit,
};
use std::collections::BTreeSet;

/// Elements that a block keeps at a time; the first is what is taken where nobody says.
pub const STRETCHES: [u32; 3] = [256, 128, 512];
/// Arrays that are kept, so that a block takes a small part of a multiprocessor's shared memory.
const MOST_ARRAYS: usize = 8;

/// The kernel with windows of `stretch` elements around its loops over all pairs.
pub fn stream(module: &mut Module, kernel: &Kernel, stretch: u32) -> Result<Kernel, Refusal> {
    let given = kernel.vector_length.is_some() || kernel.num_gangs.is_some() || kernel.num_workers.is_some();
    if kernel.dims.len() != 1 || given || !shape::one_iteration_a_thread(kernel) || shape::reduces(kernel) {
        return Err(Refusal::quiet(
            "it is for one-dimensional launches whose clauses say nothing of gangs and lanes",
        ));
    }
    let inner = grid_mapping::nest(&kernel.body.block).1;
    let none =
        || Refusal::quiet("no loop inside reads the same elements in all iterations, and nothing else");
    if visit::top_loops(inner).is_empty() {
        return Err(none());
    }
    let (mut with, mut inner) = (kernel.clone(), inner.clone());
    let own = own_locals(kernel, &inner);
    let mut b = Builder { types: &mut module.types, body: &mut with.body };
    if !with_windows(&mut b, kernel, &own, &mut inner, stretch) {
        return Err(none());
    }
    super::replace_inner(&mut with.body.block, 1, inner);
    Ok(with)
}

/// What differs between iterations.
fn own_locals(kernel: &Kernel, inner: &Block) -> BTreeSet<Handle<Local>> {
    let mut own = visit::declared_locals(inner);
    own.extend(visit::written_locals(&kernel.body, inner));
    own.extend(grid_mapping::nest(&kernel.body.block).0.iter().map(|(l, _)| l.var));
    own
}

/// Puts the iteration's loops over all pairs into windows; whether there is one.
fn with_windows(
    b: &mut Builder<'_>,
    kernel: &Kernel,
    own: &BTreeSet<Handle<Local>>,
    block: &mut Block,
    stretch: u32,
) -> bool {
    let mut found = false;
    for node in block {
        match &mut node.kind {
            Stmt::Block(inner) => found |= with_windows(b, kernel, own, inner, stretch),
            Stmt::For(l) => {
                if let Some(places) = pairs(b, kernel, own, l, stretch) {
                    let stretched = in_stretches(b, l, &places, node.span, stretch);
                    *node = stretched;
                    found = true;
                }
            }
            _ => {}
        }
    }
    found
}

/// What a loop reads, where it is a loop over all pairs: elements that the iterations share.
fn pairs(
    b: &Builder<'_>,
    kernel: &Kernel,
    own: &BTreeSet<Handle<Local>>,
    l: &Loop,
    stretch: u32,
) -> Option<Vec<Handle<Expr>>> {
    let body = &*b.body;
    let shared =
        |e: Handle<Expr>| !own.iter().any(|local| rewrite::mentions(body, e, *local)) && is_free(body, e);
    let plain = l.declared_here
        && l.directive.as_ref().is_none_or(|d| d.reductions.is_empty())
        && l.levels.as_ref().is_none_or(|s| s.is_seq())
        && l.compare == accl_ir::Compare::Lt
        && indices::counts_up_by_one(b.types, body, l);
    if !plain || !shared(l.lower) || !shared(l.bound) {
        return None;
    }
    let mut places: Vec<Handle<Expr>> = vec![];
    let mut other = false;
    visit::for_each_stmt(&l.body, &mut |node| {
        other |= !matches!(
            node.kind,
            Stmt::Declare { .. } | Stmt::Store { .. } | Stmt::If { .. } | Stmt::Block(_)
        );
    });
    visit::for_each_place(body, &l.body, &mut |place, access| {
        if matches!(visit::root_of(body, place), Some(visit::Root::Local(_))) {
            return;
        }
        match element(b, kernel, l.var, place) {
            Some(e) if access == accl_ir::Access::Read => {
                if !places.iter().any(|p| visit::same_expr(body, *p, e)) {
                    places.push(e);
                }
            }
            _ => other = true,
        }
    });
    let short = trips(b, l).is_some_and(|n| n < i128::from(stretch));
    // An element that every iteration of the loop reads keeps its bound well below the largest int.
    let all = l.body.iter().any(|node| reads_always(b.body, &node.kind, &places));
    let fits = !other && !short && all && (1..=MOST_ARRAYS).contains(&places.len());
    fits.then_some(places)
}

fn trips(b: &Builder<'_>, l: &Loop) -> Option<i128> {
    Some(b.as_int(l.bound)? - b.as_int(l.lower)?)
}

/// A statement that reads one of the places whatever holds.
fn reads_always(body: &Body, stmt: &Stmt, places: &[Handle<Expr>]) -> bool {
    fn reads(body: &Body, e: Handle<Expr>, places: &[Handle<Expr>]) -> bool {
        match &body.exprs[e].kind {
            ExprKind::Load(at) if places.iter().any(|p| visit::same_expr(body, *p, whole(body, *at))) => true,
            ExprKind::Select { cond, .. } => reads(body, *cond, places),
            ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, .. } => {
                reads(body, *left, places)
            }
            kind => kind.operands().into_iter().any(|o| reads(body, o, places)),
        }
    }
    stmt.operands().into_iter().any(|(e, _)| reads(body, e, places))
}

fn is_free(body: &Body, e: Handle<Expr>) -> bool {
    let mut free = true;
    visit::for_each_operand(&body.exprs, e, &mut |e| {
        free &= match body.exprs[e].kind {
            ExprKind::Load(place) => matches!(body.exprs[place].kind, ExprKind::Local(_)),
            ExprKind::Call { .. } => false,
            _ => true,
        };
    });
    free
}

/// `x[j]` of a place `x[j]` or `x[j].m`, where the kernel only reads `x`.
fn element(
    b: &Builder<'_>,
    kernel: &Kernel,
    var: Handle<Local>,
    place: Handle<Expr>,
) -> Option<Handle<Expr>> {
    let at = whole(b.body, place);
    let ExprKind::Index { mut index, .. } = b.body.exprs[at].kind else { return None };
    while let ExprKind::Cast(inner) = b.body.exprs[index].kind {
        index = inner;
    }
    let ExprKind::Load(of) = b.body.exprs[index].kind else { return None };
    let array = super::sync::root(b.body, at)?;
    let read =
        |p: &accl_ir::Param| p.local == array && matches!(p.kind, ParamKind::Data { written: false, .. });
    let pointer = b.types.element(b.body.locals[array].ty) == Some(b.body.exprs[at].ty);
    let fits =
        b.body.exprs[of].kind == ExprKind::Local(var) && pointer && is_plain(b.types, b.body.exprs[at].ty);
    (fits && kernel.params.iter().any(read)).then_some(at)
}

/// `x[j]` of `x[j].m`.
fn whole(body: &Body, mut place: Handle<Expr>) -> Handle<Expr> {
    while let ExprKind::Member { base, .. } = body.exprs[place].kind {
        place = base;
    }
    place
}

/// Numbers of 4 or 8 bytes, or structures of a few.
fn is_plain(types: &Types, ty: Handle<accl_ir::Type>) -> bool {
    match types.kind(ty) {
        TypeKind::Int { bits, .. } | TypeKind::Float { bits } => *bits >= 32,
        TypeKind::Struct(_) => types.size_of(ty).is_some_and(|n| n <= 32),
        _ => false,
    }
}

/// `for (first = lower; first < bound; first += 256)` around a window from `first` and the loop over it.
fn in_stretches(
    b: &mut Builder<'_>,
    l: &Loop,
    places: &[Handle<Expr>],
    span: accl_source::Span,
    stretch: u32,
) -> StmtNode {
    let ty = b.body.locals[l.var].ty;
    let first = b.body.temp("first", ty);
    let (at, length) = (b.load(first), b.int(stretch.into(), ty));
    let end = b.add(at, length);
    let cond = b.binary(BinaryOp::Lt, end, l.bound);
    let bound = b.expr(ExprKind::Select { cond, yes: end, no: l.bound }, ty);
    let arrays = places.iter().map(|place| staged(b, *place, at, span, stretch)).collect();
    let inner = Stmt::For(Box::new(Loop { lower: at, bound, ..l.clone() }));
    let window = Window { arrays, body: vec![StmtNode { kind: inner, span }] };
    let window = StmtNode { kind: Stmt::Window(Box::new(window)), span };
    let around = counting(first, l.lower, l.bound, length, vec![window]);
    StmtNode { span, ..node(around.kind) }
}

fn staged(
    b: &mut Builder<'_>,
    place: Handle<Expr>,
    first: Handle<Expr>,
    span: accl_source::Span,
    stretch: u32,
) -> Staged {
    let (base, ty) = match b.body.exprs[place].kind {
        ExprKind::Index { base, .. } => (base, b.ty(place)),
        _ => (place, b.ty(place)),
    };
    let element = b.expr(ExprKind::Index { base, index: first }, ty);
    let name = super::sync::root(b.body, place).map(|l| b.body.locals[l].name.clone()).unwrap_or_default();
    let dims = vec![WindowDim {
        pivot: first,
        before: HaloExtent::Known(0),
        after: HaloExtent::Known(i64::from(stretch) - 1),
    }];
    Staged { kind: WindowKind::FetchOnly, name, element, dims, span }
}
