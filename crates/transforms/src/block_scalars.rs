//! Before the analyses: scalars that an iteration sets before it reads them are declared where it sets them.
//!
//! Older C declares all of a function's variables at its top:
//!
//! ```text
//! for (i = 0; i < n; i++) { k = i + n * j; a[k] = b[k]; }   →   for (…) { int k_2 = i + n * j; a[k_2] = b[k_2]; }
//! ```
//!
//! The analyses follow such a value only from its declaration: what `a[k]` accesses, and that iterations share no `k`. So a
//! variable becomes one of the block that sets it, where every block of the construct that uses it begins with setting it, and an
//! integer that the block sets once more becomes another one there. Small structures are such variables, too; they may be set member by
//! member, and all may be set in both branches of a condition. A
//! kernels construct writes such a variable back (OpenACC 3.3 §2.6.2), so there nothing may read it afterwards.
//!
//! Invariant: what a thread reads from the variable is what the same iteration has stored there.

use crate::context::Context;
use crate::pass::Pass;
use crate::regions::{self, Asks, Site};
use accl_ir::rewrite::{mentions, rewrite_expr};
use accl_ir::{
    Access, Block, Body, DataVar, Expr, ExprKind, Handle, Local, LocalKind, Module, Region, RegionKind, Stmt,
    StmtNode, Type, TypeKind, Types, visit,
};
use std::collections::{BTreeMap, BTreeSet};

pub const PASS: Pass = Pass {
    name: "block_scalars",
    promise: "Scalars that each iteration sets before it reads them are declared by the block that sets them.",
    run,
};

type Locals = BTreeSet<Handle<Local>>;
type Renamed = BTreeMap<Handle<Local>, Handle<Local>>;

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Reads(cx.options.files), &mut |module, body, region, site| {
        if !matches!(region.kind, RegionKind::Parallel | RegionKind::Kernels) {
            return;
        }
        let found = set_first(module, body, region, site);
        if !found.is_empty() {
            cx.analyses.forget(site.construct);
            region.clauses.private.retain(|l| !found.contains(l));
            let mut block = std::mem::take(&mut region.body);
            declare(&module.types, body, &mut block, &found, false, Renamed::new());
            region.body = block;
        }
    });
}

/// The scalars that each block which uses them sets first, and whose last value nobody else sees.
fn set_first(module: &Module, body: &Body, region: &Region, site: &Site) -> Locals {
    let mut uses = Uses::new();
    add_uses(&module.types, body, &region.body, false, &mut uses);
    let mut found: Locals = uses.iter().filter(|(_, u)| **u == Use::SetFirst).map(|(l, _)| *l).collect();
    if found.is_empty() {
        return found;
    }
    let elsewhere = used_elsewhere(body, region, site);
    let is_plain = |l: Handle<Local>| {
        let local = &body.locals[l];
        let few = fields(&module.types, local.ty).is_some_and(|fields| fields <= MOST_FIELDS);
        (module.types.is_scalar(local.ty) || few) && !local.reference && !elsewhere.contains(&l)
    };
    found.retain(|l| is_plain(*l));
    if region.kind == RegionKind::Kernels {
        let own = visit::declared_locals(&region.body);
        found.retain(|l| own.contains(l) || !site.is_read_after(*l) && !site.may_be_entered(body, *l));
    }
    found
}

/// Members of a structure that blocks declare.
const MOST_FIELDS: usize = 4;

/// How many members a structure has that has scalar members alone.
fn fields(types: &Types, ty: Handle<Type>) -> Option<usize> {
    let TypeKind::Struct(s) = types.kind(ty) else { return None };
    let fields = &types.structs[*s].fields;
    fields.iter().all(|field| types.is_scalar(field.ty)).then_some(fields.len())
}

/// How the blocks of a construct use a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Each block that uses it sets it first, in a loop.
    SetFirst,
    Otherwise,
}

type Uses = BTreeMap<Handle<Local>, Use>;

/// Adds how a block uses its variables. `may_declare`: it stands in a loop, and may have declarations.
fn add_uses(types: &Types, body: &Body, block: &[StmtNode], may_declare: bool, uses: &mut Uses) {
    let (mut here, mut own) = (Uses::new(), Locals::new());
    for (at, node) in block.iter().enumerate() {
        let set = begun_by(types, body, &block[at..]).into_iter();
        own.extend(set.filter(|l| may_declare && !here.contains_key(l)));
        named_by(body, &node.kind, &mut |l| add(&mut here, &own, l, Use::Otherwise));
        for (inner, may_declare) in
            node.kind.blocks().into_iter().zip(may_declare_in(&node.kind, may_declare))
        {
            let mut inside = Uses::new();
            add_uses(types, body, inner, may_declare, &mut inside);
            inside.into_iter().for_each(|(l, u)| add(&mut here, &own, l, u));
        }
    }
    own.into_iter().for_each(|l| add(uses, &Locals::new(), l, Use::SetFirst));
    here.into_iter().for_each(|(l, u)| add(uses, &Locals::new(), l, u));
}

/// Adds a use, unless the block itself has set the variable before.
fn add(uses: &mut Uses, own: &Locals, local: Handle<Local>, new: Use) {
    if !own.contains(&local) {
        let known = uses.entry(local).or_insert(new);
        if new == Use::Otherwise {
            *known = new;
        }
    }
}

/// The variables that the first of these statements begins to set, whatever they were before: at once, or member by member with those
/// that follow, or in both branches of a condition.
fn begun_by(types: &Types, body: &Body, block: &[StmtNode]) -> Locals {
    let Some(first) = block.first() else { return Locals::new() };
    let mut candidates = Locals::new();
    let stored = |node: &StmtNode| match node.kind {
        Stmt::Store { place, .. } => member_or_whole(body, place).map(|(local, _)| local),
        _ => None,
    };
    match &first.kind {
        Stmt::If { then, .. } => candidates.extend(then.iter().take(TOGETHER).filter_map(stored)),
        _ => candidates.extend(stored(first)),
    }
    candidates.retain(|l| sets(types, body, block, *l, DEPTH));
    candidates
}

/// So many statements of a block may set a variable together, in so many conditions one in the other.
const TOGETHER: usize = 12;
const DEPTH: usize = 4;

/// Whether the statements set all of the variable before they read it.
fn sets(types: &Types, body: &Body, block: &[StmtNode], local: Handle<Local>, depth: usize) -> bool {
    let all = fields(types, body.locals[local].ty);
    let mut set = BTreeSet::new();
    for node in block.iter().take(TOGETHER) {
        let reads =
            |(e, access): &(Handle<Expr>, Access)| *access != Access::Write && mentions(body, *e, local);
        if node.kind.operands().iter().any(reads) {
            return false;
        }
        match &node.kind {
            Stmt::Store { place, op: None, .. } => match member_or_whole(body, *place) {
                Some((l, None)) if l == local => return true,
                Some((l, Some(field))) if l == local => {
                    set.insert(field);
                    if all == Some(set.len()) {
                        return true;
                    }
                }
                _ if mentions(body, *place, local) => return false,
                _ => {}
            },
            Stmt::If { then, otherwise, .. } => {
                let branches = [then, otherwise];
                if depth > 0 && branches.iter().all(|branch| sets(types, body, branch, local, depth - 1)) {
                    return true;
                }
                if visit::names_local(body, then, local) || visit::names_local(body, otherwise, local) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    false
}

/// The variable that the place is, or that it is a member of.
fn member_or_whole(body: &Body, place: Handle<Expr>) -> Option<(Handle<Local>, Option<u32>)> {
    match body.exprs[place].kind {
        ExprKind::Local(local) => Some((local, None)),
        ExprKind::Member { base, field } => match body.exprs[base].kind {
            ExprKind::Local(local) => Some((local, Some(field))),
            _ => None,
        },
        _ => None,
    }
}

/// The variable that the statement stores to, and whether what it was before has no part in it.
fn stored_to(body: &Body, stmt: &Stmt) -> Option<(Handle<Local>, bool)> {
    match stmt {
        Stmt::Store { place, op, .. } => match body.exprs[*place].kind {
            ExprKind::Local(local) => Some((local, op.is_none())),
            _ => None,
        },
        _ => None,
    }
}

/// Calls `f` on the variables that the statement itself names, but for those that it declares without a value and those of
/// private clauses.
fn named_by(body: &Body, stmt: &Stmt, f: &mut impl FnMut(Handle<Local>)) {
    for (root, access) in stmt.operands() {
        visit::walk_expr(body, root, access, &mut |e, _| {
            if let ExprKind::Local(local) = body.exprs[e].kind {
                f(local);
            }
        });
    }
    match stmt {
        Stmt::Declare { init: None, .. } => {}
        Stmt::For(l) => f(l.var),
        other => other.locals().into_iter().for_each(|(local, _)| f(local)),
    }
}

/// Of each block of a statement, whether it stands in a loop and may have declarations: no steps of loops, no cases.
fn may_declare_in(stmt: &Stmt, around: bool) -> Vec<bool> {
    match stmt {
        Stmt::For(_) => vec![true],
        Stmt::While { .. } => vec![true, false],
        Stmt::Switch { cases, .. } => vec![false; cases.len()],
        other => vec![around; other.blocks().len()],
    }
}

/// The variables that clauses give a meaning beyond an iteration, that count loops, whose address is taken, or that are changed
/// atomically.
fn used_elsewhere(body: &Body, region: &Region, site: &Site) -> Locals {
    let clauses = &region.clauses;
    let mut found: Locals = clauses.reductions.iter().map(|r| r.local).collect();
    found.extend(&clauses.firstprivate);
    found.extend(clauses.data.iter().chain(&site.around.visible).filter_map(|item| match item.var {
        DataVar::Local(local) => Some(local),
        DataVar::Global(_) | DataVar::Member(_) => None,
    }));
    visit::for_each_expr(body, &region.body, &mut |e, access| {
        if let (ExprKind::Local(local), Access::Address) = (&body.exprs[e].kind, access) {
            found.insert(*local);
        }
    });
    visit::for_each_stmt(&region.body, &mut |node| match &node.kind {
        Stmt::Atomic(a) => visit::walk_expr(body, a.place, Access::ReadWrite, &mut |e, _| {
            if let ExprKind::Local(local) = body.exprs[e].kind {
                found.insert(local);
            }
        }),
        Stmt::For(l) => {
            found.insert(l.var);
            found.extend(l.directive.iter().flat_map(|d| &d.reductions).map(|r| r.local));
        }
        _ => {}
    });
    found
}

/// Lets the blocks that set variables of `found` first declare them. `renamed`: the blocks around have.
fn declare(
    types: &Types,
    body: &mut Body,
    block: &mut Block,
    found: &Locals,
    may_declare: bool,
    mut renamed: Renamed,
) {
    let mut own = Locals::new();
    let nodes = std::mem::take(block);
    let begun: Vec<Locals> = (0..nodes.len()).map(|at| begun_by(types, body, &nodes[at..])).collect();
    for (mut node, begun) in nodes.into_iter().zip(begun) {
        if matches!(&node.kind, Stmt::Declare { local, init: None } if found.contains(local)) {
            continue;
        }
        if let Stmt::For(l) = &mut node.kind
            && let Some(directive) = &mut l.directive
        {
            directive.private.retain(|l| !found.contains(l));
        }
        let again = |l: &Handle<Local>| own.contains(l) && types.is_integer(body.locals[*l].ty);
        let set = stored_to(body, &node.kind).filter(|(l, whole)| {
            may_declare && found.contains(l) && (*whole && !renamed.contains_key(l) || again(l))
        });
        for local in begun {
            let is_set_below = set.is_some_and(|(l, _)| l == local);
            if may_declare && found.contains(&local) && !renamed.contains_key(&local) && !is_set_below {
                let copy = copy_of(body, local);
                renamed.insert(local, copy);
                block.push(StmtNode { kind: Stmt::Declare { local: copy, init: None }, span: node.span });
            }
        }
        match (set, &mut node.kind) {
            (Some((local, _)), Stmt::Store { place, op, value }) => {
                let value = match *op {
                    None => *value,
                    Some(op) => {
                        let ty = body.locals[local].ty;
                        let before = body.expr(ExprKind::Load(*place), ty, node.span);
                        body.expr(ExprKind::Binary { op, left: before, right: *value }, ty, node.span)
                    }
                };
                let init = Some(renamed_in(body, value, &renamed));
                let copy = copy_of(body, local);
                own.insert(local);
                renamed.insert(local, copy);
                node.kind = Stmt::Declare { local: copy, init };
            }
            (_, kind) => kind.operands_mut(|e| *e = renamed_in(body, *e, &renamed)),
        }
        let flags = may_declare_in(&node.kind, may_declare);
        for (inner, may_declare) in node.kind.blocks_mut().into_iter().zip(flags) {
            declare(types, body, inner, found, may_declare, renamed.clone());
        }
        block.push(node);
    }
}

/// Another local like this one, for a block to declare.
pub(crate) fn copy_of(body: &mut Body, local: Handle<Local>) -> Handle<Local> {
    let mut copy = body.locals[local].clone();
    copy.name = body.unique_name(&copy.name);
    if copy.kind == LocalKind::Param {
        copy.kind = LocalKind::Auto;
    }
    body.locals.append(copy)
}

fn renamed_in(body: &mut Body, e: Handle<Expr>, renamed: &Renamed) -> Handle<Expr> {
    if renamed.is_empty() {
        return e;
    }
    rewrite_expr(body, e, &mut |body, e| match body.exprs[e].kind {
        ExprKind::Local(local) => match renamed.get(&local) {
            Some(own) => {
                let mut copy = body.exprs[e].clone();
                copy.kind = ExprKind::Local(*own);
                body.exprs.append(copy)
            }
            None => e,
        },
        _ => e,
    })
}
