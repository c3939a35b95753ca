//! Index overflow guards: loops that end near the largest value of their type.
//!
//! Threads beyond the last iteration, and loops that stride over a grid, count past the bound. An int then
//! overflows if the bound is near its largest value. The host tests that before the launch, and in that case
//! launches a kernel that counts in 64 bits ([`index64`](crate::index64)). Numbers of 64 bits can be so near only where the loop
//! does not begin near 0 or has a large step; that kernel counts such a loop's iterations.

use super::trips::{is_far, is_up};
use accl_analysis::data::Summary;
use accl_ir::{Block, Expr, ExprKind, Handle, HostExpr, Loop, Region, Stmt, TypeKind, visit};
use accl_source::Span;

/// More than the number of threads that run beyond the bound where each has one iteration (or a few, side by side).
const SINGLE: i128 = 1 << 24;
/// More than the iterations that a grid strides over at once, even with as many gangs as a user may ask for.
const STRIDE: i128 = 1 << 27;
const STRIDE_OF_GANGS: i128 = 1 << 29;
/// More than twice the threads of a block, or of a cluster of blocks.
const BLOCK: i128 = 2048 * accl_ir::CLUSTER as i128;

/// A condition of the host that is true where some loop of the kernel ends too near the largest value; `None`: no
/// loop ever does.
pub fn guard(summary: &Summary<'_>, region: &Region, piece: &Block) -> Option<HostExpr> {
    let mut tests = vec![];
    let gangs = super::kernel::gangs_given(region, piece).is_some();
    let most = if gangs {
        STRIDE_OF_GANGS
    } else if is_single(piece) {
        SINGLE
    } else {
        STRIDE
    };
    visit::for_each_stmt(piece, &mut |node| {
        if let Stmt::For(l) = &node.kind
            && l.levels.as_ref().is_some_and(|s| !s.is_seq())
        {
            tests.extend(test(summary, gangs, l, most).filter(|t| !tests.contains(t)));
        }
    });
    let text = tests.join(" || ");
    let value = (text == "1").then_some(1);
    (!tests.is_empty()).then_some(HostExpr { text, span: Span::default(), value })
}

/// A loop whose iterations are spread over threads, without a reduction.
fn is_single(piece: &Block) -> bool {
    visit::only_loop(piece).is_some_and(|l| {
        let spread = |l: &Loop| l.levels.as_ref().is_some_and(|s| s.dim.is_some() && s.vector);
        let reduces = l.directive.as_ref().is_some_and(|d| !d.reductions.is_empty());
        spread(l) && !reduces && visit::only_loop(&l.body).is_none_or(|inner| !spread(inner))
    })
}

fn test(summary: &Summary<'_>, gangs: bool, l: &Loop, stride: i128) -> Option<String> {
    let scope = summary.provenance.scope;
    let TypeKind::Int { bits, signed } = *scope.module.types.kind(scope.body.locals[l.var].ty) else {
        return None;
    };
    let (least, most) = match (bits, signed) {
        (32, true) => (i128::from(i32::MIN), i128::from(i32::MAX)),
        (32, false) => (0, i128::from(u32::MAX)),
        (64, true) => (i128::from(i64::MIN), i128::from(i64::MAX)),
        (64, false) => (0, i128::from(u64::MAX)),
        _ => return None,
    };
    if bits == 64 && !is_far(&scope.module.types, scope.body, l) {
        return None;
    }
    let constant = |e| scope.body.const_int(&scope.module.types, e);
    let step = constant(l.step);
    let up = is_up(l.compare, step);
    let by = step.map_or(1, i128::abs);
    // The bound is far from the largest value whatever the grid is, or threads run no further past it than the loop
    // is long.
    let reach = |lower: i128, bound: i128| (stride * by).min((bound - lower).abs().max(0) + BLOCK * by);
    if let (Some(lower), Some(bound)) = (constant(l.lower), constant(l.bound)) {
        let end = if up { bound + reach(lower, bound) } else { bound - reach(lower, bound) };
        return (end > most || end < least).then(|| "1".to_owned());
    }
    let polys = summary.polys();
    let fixed = |e| polys.poly(e).atoms().all(|a| summary.is_fixed(a));
    if !fixed(l.bound) || !fixed(l.step) {
        return None;
    }
    if bits == 64 {
        return far_test(summary, l, [least, most], stride);
    }
    if let Some(bound) = constant(l.bound).filter(|_| !up) {
        // The loop counts down to a constant, usually 0, which is far from the least value.
        let end = bound - stride * by;
        if end >= least {
            return None;
        }
    }
    let bound = format!("(long long)({})", text(summary, l.bound)?);
    let far = match up {
        true => format!("{bound} > {}LL", most - stride * by),
        false => format!("{bound} < {}LL", least + stride * by),
    };
    if by == 1 && step.is_some() || gangs || !fixed(l.lower) {
        return Some(format!("({far})"));
    }
    let lower = format!("(long long)({})", text(summary, l.lower)?);
    let slack = match step {
        Some(_) => (BLOCK * by).to_string(),
        None if up => format!("{BLOCK} * (long long)({})", text(summary, l.step)?),
        None => format!("{BLOCK} * -(long long)({})", text(summary, l.step)?),
    };
    let beyond = match up {
        true => format!("2 * {bound} - {lower} + {slack} > {most}LL"),
        false => format!("2 * {bound} - {lower} - {slack} < {least}LL"),
    };
    Some(if step.is_some() { format!("({far} && {beyond})") } else { format!("({beyond})") })
}

/// The same of 64 bits: so many steps do not fit between the bound and the type's end.
fn far_test(summary: &Summary<'_>, l: &Loop, [least, most]: [i128; 2], stride: i128) -> Option<String> {
    let scope = summary.provenance.scope;
    let step = scope.body.const_int(&scope.module.types, l.step);
    let wide = |n: i128| format!("{}ULL", n.rem_euclid(1 << 64));
    let bound = format!("(unsigned long long)({})", text(summary, l.bound)?);
    let (left, sign) = match is_up(l.compare, step) {
        true => (format!("{} - {bound}", wide(most)), ""),
        false if least == 0 => (bound, "-"),
        false => (format!("{bound} - {}", wide(least)), "-"),
    };
    let steps = match step {
        Some(1 | -1) => left,
        Some(step) => format!("({left}) / {}", wide(step.abs())),
        None => format!("({left}) / (unsigned long long){sign}({})", text(summary, l.step)?),
    };
    Some(format!("({steps} < {stride})"))
}

/// The expression in the host's terms: a variable that the construct declares is replaced by its initialiser.
pub fn text(summary: &Summary<'_>, e: Handle<Expr>) -> Option<String> {
    let scope = summary.provenance.scope;
    if let ExprKind::Load(place) = scope.body.exprs[e].kind
        && let ExprKind::Local(l) = scope.body.exprs[place].kind
        && let Some(value) = summary.definitions.get(&l)
    {
        return text(summary, *value);
    }
    let mut inner = false;
    visit::for_each_operand(&scope.body.exprs, e, &mut |e| {
        inner |= matches!(scope.body.exprs[e].kind, ExprKind::Local(l) if summary.provenance.is_inner(l));
    });
    if inner { None } else { scope.text(e) }
}
