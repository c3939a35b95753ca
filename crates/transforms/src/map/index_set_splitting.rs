//! Index-set splitting, for the cpu: the first and last iterations of a loop are separated from its middle.
//!
//! `if (j > 0 && from[j - 1] < least)` prevents compilers from vectorising a loop over j, because `from[j - 1]`
//! must not be read in the first iteration. Where conditions compare the loop's variable with values that the loop
//! does not change, the iterations for which all of them hold become a loop of their own, without the conditions:
//!
//! ```text
//! long middle = min(max(first, 0 + 1), end), ends = max(min(end, n - 1), middle);
//! for (int j = first; j < middle; j++) body
//! for (int j = middle; j < ends; j++) body, its conditions true
//! for (int j = ends; j < end; j++) body
//! ```

use super::indices::{self, for_at};
use super::straight_line::is_straight;
use crate::build::{Builder, declare};
use accl_ir::rewrite::{Cloner, rewrite_exprs};
use accl_ir::{
    BinaryOp, Block, Body, Compare, Expr, ExprKind, Handle, Local, Loop, MathFn, Stmt, TypeKind, visit,
};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The three loops; `None` where there is nothing to gain. `l` counts up by one.
pub fn split(b: &mut Builder<'_>, l: &Loop, span: Span) -> Option<Block> {
    if !is_signed(b, b.body.locals[l.var].ty) || l.compare != Compare::Lt || !is_straight(&l.body) {
        return None;
    }
    let conditions = conditions(b, l);
    if conditions.is_empty() {
        return None;
    }
    let mut out = vec![];
    let [middle, ends] = limits(b, l, &conditions, ["middle", "ends"], &mut out);
    let middle_value = b.load(middle);
    let places: BTreeSet<Handle<Expr>> = conditions.iter().map(|c| c.place).collect();
    let known = |_: &Body, e: Handle<Expr>| places.contains(&e);
    let edges = [l.lower, middle_value, b.load(ends), l.bound];
    for (part, edge) in edges.windows(2).enumerate() {
        let ty = b.body.locals[l.var].ty;
        let (from, to) = (b.cast(edge[0], ty), b.cast(edge[1], ty));
        let mut body = l.body.clone();
        if part == 1 {
            assume(b, &mut body, &known);
        }
        let copy = Loop { lower: from, bound: to, body, ..indices::shell(l) };
        let block = vec![for_at(copy, span)];
        out.extend(Cloner::new().block_within(b.body, &block));
    }
    Some(out)
}

/// Restricts the loop to the iterations in which those of the tests hold that compare its variable; returns the
/// other tests too. `l` counts up by one; its body declares what the tests name.
pub fn part(b: &mut Builder<'_>, mut l: Loop, tests: &[Handle<Expr>]) -> (Block, Loop, Vec<Handle<Expr>>) {
    let (scope, mut found, mut others) = (Scope::of(b, &l), vec![], vec![]);
    for test in tests {
        let mut conditions = condition(b, &scope, *test);
        conditions.extend(equality(b, &scope, *test).into_iter().flatten());
        match conditions.is_empty() {
            true => others.push(*test),
            false => found.append(&mut conditions),
        }
    }
    if found.is_empty() {
        return (vec![], l, others);
    }
    let mut out = vec![];
    let limits = limits(b, &l, &found, ["from", "until"], &mut out);
    let ty = b.body.locals[l.var].ty;
    [l.lower, l.bound] = limits.map(|limit| {
        let value = b.load(limit);
        b.cast(value, ty)
    });
    (out, l, others)
}

/// Declares locals for the range in which all conditions hold: from the first value to before the second, both
/// within the loop's bounds.
fn limits(
    b: &mut Builder<'_>,
    l: &Loop,
    conditions: &[Condition],
    [first, after]: [&str; 2],
    out: &mut Block,
) -> [Handle<Local>; 2] {
    let long = b.types.int(64, true);
    let bound = b.cast(l.bound, long);
    let (mut low, mut high) = (b.cast(l.lower, long), bound);
    for c in conditions {
        let value = b.cast(c.value, long);
        let limit = b.int(i128::from(c.beyond), long);
        let mut limit = b.add(value, limit);
        for (term, negative) in &c.ahead {
            let term = b.cast(*term, long);
            let op = if *negative { BinaryOp::Add } else { BinaryOp::Sub };
            limit = b.binary(op, limit, term);
        }
        match c.side {
            Side::From => low = extreme(b, MathFn::Max, low, limit),
            Side::Until => high = extreme(b, MathFn::Min, high, limit),
        }
    }
    let low = extreme(b, MathFn::Min, low, bound);
    let first = name(b, first, low, out);
    let from = b.load(first);
    let high = extreme(b, MathFn::Max, high, from);
    [first, name(b, after, high, out)]
}

/// The smaller or the larger of two values.
fn extreme(b: &mut Builder<'_>, fun: MathFn, one: Handle<Expr>, other: Handle<Expr>) -> Handle<Expr> {
    match (b.as_int(one), b.as_int(other)) {
        (Some(x), Some(y)) if (x < y) == (fun == MathFn::Min) => one,
        (Some(_), Some(_)) => other,
        _ => b.body.math(fun, vec![one, other]),
    }
}

fn name(b: &mut Builder<'_>, stem: &str, value: Handle<Expr>, out: &mut Block) -> Handle<Local> {
    let ty = b.ty(value);
    let local = b.body.temp(stem, ty);
    out.push(declare(local, Some(value)));
    local
}

pub fn is_signed(b: &Builder<'_>, ty: Handle<accl_ir::Type>) -> bool {
    matches!(b.types.kind(ty), TypeKind::Int { bits: 32 | 64, signed: true })
}

enum Side {
    /// It holds from `value + beyond` on.
    From,
    /// It holds up to `value + beyond`, which is excluded.
    Until,
}

struct Condition {
    place: Handle<Expr>,
    side: Side,
    value: Handle<Expr>,
    beyond: i8,
    /// The difference between the compared number and the variable: terms, and whether they are subtracted.
    ahead: Vec<(Handle<Expr>, bool)>,
}

/// Comparisons of the loop's variable in the conditions of the body.
fn conditions(b: &mut Builder<'_>, l: &Loop) -> Vec<Condition> {
    let mut roots = vec![];
    visit::for_each_stmt(&l.body, &mut |node| {
        if let Stmt::If { cond, .. } = node.kind {
            roots.push(cond);
        }
    });
    visit::all_exprs(&b.body.exprs, &l.body, &mut |e| {
        if let ExprKind::Select { cond, .. } = b.body.exprs[e].kind {
            roots.push(cond);
        }
    });
    let scope = Scope::of(b, l);
    let mut found: Vec<Condition> = vec![];
    let mut parts = vec![];
    for root in roots {
        visit::for_each_operand(&b.body.exprs, root, &mut |e| parts.push(e));
    }
    for e in parts {
        if found.iter().all(|c| c.place != e) {
            found.extend(condition(b, &scope, e));
        }
    }
    found
}

/// The definitions that expressions of the body depend on.
struct Scope<'a> {
    l: &'a Loop,
    /// Locals at the head of the body that name values.
    named: BTreeMap<Handle<Local>, Handle<Expr>>,
    changing: BTreeSet<Handle<Local>>,
}

/// Locals that are declared with a value and set by nothing else.
fn named(b: &Builder<'_>, l: &Loop) -> BTreeMap<Handle<Local>, Handle<Expr>> {
    let writes = accl_analysis::scalars::written_locals(b.body, &l.body);
    let value = |node: &accl_ir::StmtNode| match node.kind {
        Stmt::Declare { local, init: Some(value) } => Some((local, value)),
        _ => None,
    };
    l.body.iter().filter_map(value).filter(|(local, _)| writes.get(local) == Some(&1)).collect()
}

impl Scope<'_> {
    fn of<'l>(b: &Builder<'_>, l: &'l Loop) -> Scope<'l> {
        let mut changing = visit::written_locals(b.body, &l.body);
        changing.extend(visit::declared_locals(&l.body));
        changing.insert(l.var);
        Scope { l, named: named(b, l), changing }
    }

    /// The terms that are added to the loop's variable, if the number is the variable plus such terms.
    fn ahead(&self, b: &Builder<'_>, e: Handle<Expr>) -> Option<Vec<(Handle<Expr>, bool)>> {
        if is_var(b, self.l.var, e) {
            return Some(vec![]);
        }
        match b.body.exprs[e].kind {
            ExprKind::Load(place) => match b.body.exprs[place].kind {
                ExprKind::Local(local) => self.ahead(b, *self.named.get(&local)?),
                _ => None,
            },
            ExprKind::Cast(inner) if is_signed(b, b.ty(e)) && is_signed(b, b.ty(inner)) => {
                self.ahead(b, inner)
            }
            ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right } => {
                let (mut terms, term) = match self.ahead(b, left) {
                    Some(terms) => (terms, right),
                    None if op == BinaryOp::Add => (self.ahead(b, right)?, left),
                    None => return None,
                };
                let fixed = is_signed(b, b.ty(term)) && is_fixed(b, &self.changing, term);
                terms.push((term, op == BinaryOp::Sub));
                fixed.then_some(terms)
            }
            _ => None,
        }
    }
}

fn condition(b: &mut Builder<'_>, scope: &Scope<'_>, e: Handle<Expr>) -> Vec<Condition> {
    match signed_condition(b, scope, e) {
        Some(condition) => vec![condition],
        None => unsigned_condition(b, scope, e).unwrap_or_default(),
    }
}

/// `(unsigned)(i + k) < n` also compares with 0.
fn unsigned_condition(b: &mut Builder<'_>, scope: &Scope<'_>, e: Handle<Expr>) -> Option<Vec<Condition>> {
    let ExprKind::Binary { op: BinaryOp::Lt, left, right } = b.body.exprs[e].kind else { return None };
    let ExprKind::Cast(number) = b.body.exprs[left].kind else { return None };
    let (from, to) = (b.ty(number), b.ty(left));
    let same_width = b.types.size_of(from) == b.types.size_of(to);
    if is_signed(b, to) || !is_signed(b, from) || !same_width || !is_fixed(b, &scope.changing, bare(b, right))
    {
        return None;
    }
    let ahead = scope.ahead(b, number)?;
    let zero = b.int(0, from);
    let at = |side, value| Condition { place: e, side, value, beyond: 0, ahead: ahead.clone() };
    Some(vec![at(Side::From, zero), at(Side::Until, right)])
}

/// The expression without a conversion to an unsigned type of the same width.
fn bare(b: &Builder<'_>, e: Handle<Expr>) -> Handle<Expr> {
    match b.body.exprs[e].kind {
        ExprKind::Cast(inner) if b.types.size_of(b.ty(inner)) == b.types.size_of(b.ty(e)) => inner,
        _ => e,
    }
}

fn signed_condition(b: &Builder<'_>, scope: &Scope<'_>, e: Handle<Expr>) -> Option<Condition> {
    use BinaryOp::{Ge, Gt, Le, Lt};
    let ExprKind::Binary { op, left, right } = b.body.exprs[e].kind else { return None };
    if !is_signed(b, b.ty(left)) || !matches!(op, Gt | Ge | Lt | Le) {
        return None;
    }
    let (op, value, ahead) = match (scope.ahead(b, left), scope.ahead(b, right)) {
        (Some(ahead), None) => (op, right, ahead),
        (None, Some(ahead)) => (mirrored(op)?, left, ahead),
        _ => return None,
    };
    let (side, beyond) = match op {
        Gt => (Side::From, 1),
        Ge => (Side::From, 0),
        Lt => (Side::Until, 0),
        Le => (Side::Until, 1),
        _ => return None,
    };
    is_fixed(b, &scope.changing, value).then_some(Condition { place: e, side, value, beyond, ahead })
}

/// `i == n` holds in one iteration.
fn equality(b: &Builder<'_>, scope: &Scope<'_>, e: Handle<Expr>) -> Option<[Condition; 2]> {
    let ExprKind::Binary { op: BinaryOp::Eq, left, right } = b.body.exprs[e].kind else { return None };
    let (value, ahead) = match (scope.ahead(b, left), scope.ahead(b, right)) {
        (Some(ahead), None) => (right, ahead),
        (None, Some(ahead)) => (left, ahead),
        _ => return None,
    };
    let at = |side, beyond| Condition { place: e, side, value, beyond, ahead: ahead.clone() };
    let fixed = is_signed(b, b.ty(left)) && is_fixed(b, &scope.changing, value);
    fixed.then(|| [at(Side::From, 0), at(Side::Until, 1)])
}

fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    use BinaryOp::{Ge, Gt, Le, Lt};
    Some(match op {
        Gt => Lt,
        Ge => Le,
        Lt => Gt,
        Le => Ge,
        _ => return None,
    })
}

/// The variable itself.
pub fn is_var(b: &Builder<'_>, var: Handle<Local>, e: Handle<Expr>) -> bool {
    match b.body.exprs[e].kind {
        ExprKind::Load(place) => b.body.exprs[place].kind == ExprKind::Local(var),
        ExprKind::Cast(inner) => is_signed(b, b.ty(e)) && is_var(b, var, inner),
        _ => false,
    }
}

/// Locals and literals that the loop does not change, added and subtracted.
pub fn is_fixed(b: &Builder<'_>, changing: &BTreeSet<Handle<Local>>, e: Handle<Expr>) -> bool {
    match b.body.exprs[e].kind {
        ExprKind::Int(_) => true,
        ExprKind::Load(place) => {
            matches!(b.body.exprs[place].kind, ExprKind::Local(local) if !changing.contains(&local))
        }
        ExprKind::Binary {
            op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shr | BinaryOp::BitAnd,
            left,
            right,
        } => is_fixed(b, changing, left) && is_fixed(b, changing, right),
        ExprKind::Cast(inner) => {
            is_signed(b, b.ty(e)) && is_signed(b, b.ty(inner)) && is_fixed(b, changing, inner)
        }
        _ => false,
    }
}

/// Simplifies the block under the assumption that the conditions hold: they, and what they decide, are removed.
pub fn assume(b: &mut Builder<'_>, block: &mut Block, known: &dyn Fn(&Body, Handle<Expr>) -> bool) {
    let int = b.types.i32();
    let yes = b.int(1, int);
    rewrite_exprs(b.body, block, &mut |body, e| {
        let is_yes = |e: Handle<Expr>| e == yes;
        match body.exprs[e].kind {
            _ if known(body, e) => yes,
            ExprKind::Binary { op: BinaryOp::LogicalAnd, left, right } if is_yes(left) => right,
            ExprKind::Binary { op: BinaryOp::LogicalAnd, left, right } if is_yes(right) => left,
            ExprKind::Select { cond, yes, .. } if is_yes(cond) => yes,
            _ => e,
        }
    });
    decided(block, yes);
}

fn decided(block: &mut Block, yes: Handle<Expr>) {
    for node in block {
        if let Stmt::If { cond, then, .. } = &mut node.kind
            && *cond == yes
        {
            node.kind = Stmt::Block(std::mem::take(then));
        }
        for inner in node.kind.blocks_mut() {
            decided(inner, yes);
        }
    }
}
