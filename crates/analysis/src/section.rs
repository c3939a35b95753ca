//! The section of a pointer's elements that a construct touches, from its subscripts and loop bounds.
//!
//! `for (i = 0; i < n; i++) y[i] = x[i + 1]` touches `y[0:n]` and `x[1:n]`. Each subscript is a polynomial in loop
//! variables and values that do not change; replacing each loop variable by its first and last value, innermost
//! loop first, gives the ends. Values that stand as factors are taken to be positive (they are extents). No
//! answer where a subscript is not of this form, or a called function touches the elements.

use crate::access::{Access, LoopInfo};
use crate::affine::{Atom, Poly, Polys};
use crate::data::{Summary, Variable};
use crate::guards;
use crate::provenance::Root;
use accl_ir::{
    ArrayLen, BinaryOp, Body, Compare, Expr, ExprKind, Handle, HostExpr, SectionDim, Type, TypeKind,
};
use accl_source::Span;

pub struct AccessedSection {
    pub dim: SectionDim,
    /// "[:n]", for messages.
    pub shown: String,
    /// Every element of the section is written, whatever the data are.
    pub fully_written: bool,
    /// Nothing was taken for granted: all accesses are in the section, whatever the values in it.
    pub proven: bool,
}

/// The section of pointer `v`, or of array `v`, whose first subscript counts.
pub fn of_pointer(summary: &Summary<'_>, v: &Variable) -> Option<AccessedSection> {
    if v.accesses.is_empty() {
        return None;
    }
    let ranges: Vec<Range> =
        v.accesses.iter().map(|i| range(summary, v, &summary.accesses.list[*i])).collect::<Option<_>>()?;
    let (low, comparable) = lowest(&ranges);
    let highs = highest(&ranges);
    let lengths: Vec<Poly> = highs.iter().map(|h| h.plus(&low, -1).plus(&Poly::constant(1), 1)).collect();
    let fully_written = v.accesses.iter().zip(&ranges).any(|(i, r)| {
        covers(summary, v, &summary.accesses.list[*i], r) && r.low == low && highs == [r.high.clone()]
    });
    let lower = Printer(summary).host(&low)?;
    let length = host_length(summary, &lengths)?;
    let shown_low =
        if low.as_constant() == Some(0) { String::new() } else { Printer(summary).shown(&low)? };
    let shown_length: Vec<String> =
        lengths.iter().map(|l| Printer(summary).shown(l)).collect::<Option<_>>()?;
    Some(AccessedSection {
        shown: format!("[{shown_low}:{}]", join_max(&shown_length)),
        dim: SectionDim { lower: Some(lower), length: Some(length) },
        fully_written,
        proven: comparable && ranges.iter().all(|r| r.proven),
    })
}

/// The section is the whole extent that an array parameter was declared with.
pub fn as_declared(summary: &Summary<'_>, v: &Variable) -> Option<AccessedSection> {
    let Root::Local(l) = v.root else { return None };
    let count = summary.polys().poly(*summary.provenance.scope.body.extents.get(&l)?);
    if !count.atoms().all(|a| summary.is_fixed(a)) {
        return None;
    }
    let length = host_length(summary, std::slice::from_ref(&count))?;
    Some(AccessedSection {
        shown: format!("[:{}]", Printer(summary).shown(&count)?),
        dim: SectionDim { lower: None, length: Some(length) },
        fully_written: false,
        proven: false,
    })
}

/// First and last element of one access, in terms of values that do not change.
struct Range {
    offset: Poly,
    low: Poly,
    high: Poly,
    /// See [`AccessedSection`].
    proven: bool,
}

fn range(summary: &Summary<'_>, v: &Variable, access: &Access) -> Option<Range> {
    if access.whole {
        return None;
    }
    let polys = summary.polys();
    let offset = offset(summary, &polys, &Base { root: &v.root, ty: v.ty }, access.place)?;
    let (mut low, mut high) = (offset.clone(), offset.clone());
    let positive = positive_atoms(summary, &polys, access);
    let mut proven = true;
    for l in access.loops.iter().rev() {
        let info = &summary.accesses.loops[*l];
        let known = |p: &Poly| {
            p.split(Atom::Local(info.var)).is_some_and(|(c, _)| c.atoms().all(|a| positive.contains(&a)))
        };
        proven &= known(&low) && known(&high);
        let (mut first, mut last) = loop_range(&polys, info)?;
        for (cond, holds) in &access.guards {
            guards::tighten(&polys, *cond, *holds, info.var, &mut first, &mut last);
        }
        low = replace(&low, info, &first, &last)?;
        high = replace(&high, info, &last, &first)?;
    }
    let fixed = |p: &Poly| p.atoms().all(|a| summary.is_fixed(a));
    proven &= low.as_constant().is_none_or(|n| n >= 0);
    (fixed(&low) && fixed(&high)).then_some(Range { offset, low: not_below_zero(low), high, proven })
}

/// The values that are above 0 wherever the access is executed, since loops around it run from 0 or more up to less than them.
fn positive_atoms(summary: &Summary<'_>, polys: &Polys<'_>, access: &Access) -> Vec<Atom> {
    let bound = |l: &usize| {
        let (first, last) = loop_range(polys, &summary.accesses.loops[*l])?;
        let mut atoms = last.atoms();
        let atom = atoms.next().filter(|_| first.as_constant().is_some_and(|n| n >= 0))?;
        let (coefficient, rest) = last.split(atom)?;
        let below = coefficient.as_constant() == Some(1) && rest.as_constant().is_some_and(|n| n < 0);
        (below && atoms.next().is_none()).then_some(atom)
    };
    access.loops.iter().filter_map(bound).collect()
}

/// The values that a subscript of the access takes, as a section: `[0:n]`.
pub fn of_subscript(summary: &Summary<'_>, access: &Access, subscript: Handle<Expr>) -> Option<String> {
    let polys = summary.polys();
    let mut low = polys.poly(subscript);
    let mut high = low.clone();
    for l in access.loops.iter().rev() {
        let info = &summary.accesses.loops[*l];
        let (first, last) = loop_range(&polys, info)?;
        low = replace(&low, info, &first, &last)?;
        high = replace(&high, info, &last, &first)?;
    }
    let fixed = |p: &Poly| p.atoms().all(|a| summary.is_fixed(a));
    let length = high.plus(&low, -1).plus(&Poly::constant(1), 1);
    let printer = Printer(summary);
    (fixed(&low) && fixed(&high)).then_some(())?;
    Some(format!("[{}:{}]", printer.shown(&low)?, printer.shown(&length)?))
}

/// A guarded `a[i - 1]` never accesses elements before the pointer.
fn not_below_zero(low: Poly) -> Poly {
    match low.as_constant() {
        Some(n) if n < 0 => Poly::constant(0),
        _ => low,
    }
}

fn replace(p: &Poly, info: &LoopInfo, small: &Poly, large: &Poly) -> Option<Poly> {
    let var = Atom::Local(info.var);
    let (coefficient, rest) = p.split(var)?;
    let end = match sign(&coefficient)? {
        0 => return Some(rest),
        1 => small,
        _ => large,
    };
    Some(rest.plus(&coefficient.times(end), 1))
}

/// The sign of a polynomial whose atoms are positive.
fn sign(p: &Poly) -> Option<i32> {
    if p.terms.is_empty() {
        Some(0)
    } else if p.terms.values().all(|c| *c > 0) {
        Some(1)
    } else if p.terms.values().all(|c| *c < 0) {
        Some(-1)
    } else {
        None
    }
}

/// Smallest and largest value of the loop variable.
pub fn loop_range(polys: &Polys<'_>, info: &LoopInfo) -> Option<(Poly, Poly)> {
    let (lower, bound) = (polys.poly(info.lower), polys.poly(info.bound));
    let step = match polys.poly(info.step).as_constant() {
        Some(step) => step,
        None => {
            if matches!(info.compare, Compare::Gt | Compare::Ge) {
                -1
            } else {
                1
            }
        }
    };
    let one = Poly::constant(1);
    let inclusive = match info.compare {
        Compare::Le | Compare::Ge => bound,
        Compare::Lt => bound.plus(&one, -1),
        Compare::Gt => bound.plus(&one, 1),
        Compare::Ne => bound.plus(&one, if step > 0 { -1 } else { 1 }),
    };
    match (info.compare, step > 0) {
        (Compare::Lt | Compare::Le | Compare::Ne, true) => Some((lower, inclusive)),
        (Compare::Gt | Compare::Ge | Compare::Ne, false) => Some((inclusive, lower)),
        _ => None,
    }
}

/// The pointer variable that offsets are counted from.
pub struct Base<'r> {
    pub root: &'r Root,
    pub ty: Handle<Type>,
}

/// The distance of a place from what pointer `v` points to, in elements of `v`'s type.
pub fn offset(summary: &Summary<'_>, polys: &Polys<'_>, v: &Base<'_>, place: Handle<Expr>) -> Option<Poly> {
    let body = polys.scope.body;
    match &body.exprs[place].kind {
        ExprKind::Index { base, index } => match polys.scope.module.types.kind(body.exprs[*base].ty) {
            TypeKind::Array { .. } if is_variable(body, v, *base) => Some(polys.poly(*index)),
            TypeKind::Array { .. } => offset(summary, polys, v, *base),
            _ => Some(pointer_offset(summary, polys, v, *base)?.plus(&polys.poly(*index), 1)),
        },
        ExprKind::Deref(pointer) => pointer_offset(summary, polys, v, *pointer),
        ExprKind::Member { base, .. } => offset(summary, polys, v, *base),
        _ => None,
    }
}

fn is_variable(body: &Body, v: &Base<'_>, place: Handle<Expr>) -> bool {
    match body.exprs[place].kind {
        ExprKind::Local(l) => *v.root == Root::Local(l),
        ExprKind::Global(g) => *v.root == Root::Global(g),
        _ => false,
    }
}

/// The same for a pointer's value.
pub fn pointer_offset(
    summary: &Summary<'_>,
    polys: &Polys<'_>,
    v: &Base<'_>,
    value: Handle<Expr>,
) -> Option<Poly> {
    let (body, types) = (polys.scope.body, &polys.scope.module.types);
    let expr = &body.exprs[value];
    if types.element(expr.ty) != types.element(v.ty) {
        return None;
    }
    match &expr.kind {
        ExprKind::Load(place) => match body.exprs[*place].kind {
            ExprKind::Local(l) if *v.root == Root::Local(l) => Some(Poly::default()),
            ExprKind::Local(l) => pointer_offset(summary, polys, v, *summary.definitions.get(&l)?),
            ExprKind::Global(g) if *v.root == Root::Global(g) => Some(Poly::default()),
            ExprKind::Member { .. } => {
                let text = summary.provenance.member_text(*place)?;
                (*v.root == Root::Member(text)).then(Poly::default)
            }
            _ => None,
        },
        ExprKind::Cast(inner) => pointer_offset(summary, polys, v, *inner),
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right } => {
            let sign = if *op == BinaryOp::Add { 1 } else { -1 };
            Some(pointer_offset(summary, polys, v, *left)?.plus(&polys.poly(*right), sign))
        }
        _ => None,
    }
}

/// The unconditional write visits each element from its first to its last, if the section has any.
fn covers(summary: &Summary<'_>, v: &Variable, access: &Access, range: &Range) -> bool {
    if access.conditional || !access.written || access.read {
        return false;
    }
    let polys = summary.polys();
    let element = polys.scope.module.types.element(v.ty);
    if !element.is_some_and(|element| fills(summary, &polys, access, range, access.place, element)) {
        return false;
    }
    let mut left: Vec<(Poly, Poly)> = vec![];
    for l in &access.loops {
        let info = &summary.accesses.loops[*l];
        let Some((first, last)) = loop_range(&polys, info) else { return false };
        let Some((coefficient, _)) = range.offset.split(Atom::Local(info.var)) else { return false };
        let unit = polys.poly(info.step).as_constant().is_some_and(|s| s.abs() == 1);
        if !unit || !first.atoms().chain(last.atoms()).all(|a| summary.is_fixed(a)) {
            return false;
        }
        let extent = last.plus(&first, -1).plus(&Poly::constant(1), 1);
        if !coefficient.terms.is_empty() {
            left.push((coefficient, extent));
        } else if extent.as_constant().is_none_or(|n| n < 1) {
            // The loop may have no iterations, and then it writes nothing.
            return false;
        }
    }
    let mut run = Poly::constant(1);
    while let Some(i) = left.iter().position(|(c, _)| *c == run) {
        let (c, extent) = left.remove(i);
        run = c.times(&extent);
    }
    left.is_empty()
}

/// The place is a whole element of what the pointer points to, or all parts of an element that is an array, one for each
/// iteration of a loop of its own.
fn fills(
    summary: &Summary<'_>,
    polys: &Polys<'_>,
    access: &Access,
    range: &Range,
    place: Handle<Expr>,
    element: Handle<Type>,
) -> bool {
    let (body, types) = (polys.scope.body, &polys.scope.module.types);
    if body.exprs[place].ty == element {
        return true;
    }
    let ExprKind::Index { base, index } = body.exprs[place].kind else { return false };
    let TypeKind::Array { len: ArrayLen::Const(len), .. } = types.kind(body.exprs[base].ty) else {
        return false;
    };
    let index = polys.poly(index);
    let is_own = |l: &usize| {
        let info = &summary.accesses.loops[*l];
        let var = Atom::Local(info.var);
        let ends = loop_range(polys, info).map(|(first, last)| (first.as_constant(), last.as_constant()));
        index == Poly::atom(var)
            && range.offset.split(var).is_some_and(|(coefficient, _)| coefficient.terms.is_empty())
            && polys.poly(info.step).as_constant().is_some_and(|s| s.abs() == 1)
            && ends == Some((Some(0), Some(i128::from(*len) - 1)))
    };
    let parts = &summary.accesses.loops;
    let used_once = |l: &usize| {
        base_subscripts(polys, base).iter().all(|p| !p.atoms().any(|a| a == Atom::Local(parts[*l].var)))
    };
    access.loops.iter().any(|l| is_own(l) && used_once(l))
        && fills(summary, polys, access, range, base, element)
}

/// The subscripts of the arrays that a place is an element of.
fn base_subscripts(polys: &Polys<'_>, place: Handle<Expr>) -> Vec<Poly> {
    let exprs = &polys.scope.body.exprs;
    let (mut found, mut at) = (vec![], place);
    while let ExprKind::Index { base, index } = exprs[at].kind {
        found.push(polys.poly(index));
        at = base;
    }
    found
}

/// The first element; false where that is only taken for it.
fn lowest(ranges: &[Range]) -> (Poly, bool) {
    let mut low = ranges[0].low.clone();
    for r in &ranges[1..] {
        match r.low.plus(&low, -1).as_constant() {
            Some(d) if d < 0 => low = r.low.clone(),
            Some(_) => {}
            None => return (Poly::default(), false),
        }
    }
    (low, true)
}

/// The candidates for the last element: those that cannot be shown to lie before another one.
fn highest(ranges: &[Range]) -> Vec<Poly> {
    let mut highs: Vec<Poly> = vec![];
    for r in ranges {
        let mut larger = true;
        highs.retain(|h| match r.high.plus(h, -1).as_constant() {
            Some(d) if d > 0 => false,
            Some(_) => {
                larger = false;
                true
            }
            None => true,
        });
        if larger {
            highs.push(r.high.clone());
        }
    }
    highs
}

fn host_length(summary: &Summary<'_>, lengths: &[Poly]) -> Option<HostExpr> {
    if let [one] = lengths
        && let Some(n) = one.as_constant()
    {
        return Some(constant(n.max(0)));
    }
    let texts: Vec<String> = lengths.iter().map(|l| Printer(summary).text(l, true)).collect::<Option<_>>()?;
    let text = match &texts[..] {
        [one] => format!("(({one}) > (0) ? ({one}) : (0))"),
        // A function, so that each length is written once.
        several => several.iter().fold("0".to_owned(), |most, one| format!("accl_larger({most}, {one})")),
    };
    Some(HostExpr { text, span: Span::default(), value: None })
}

fn join_max(all: &[String]) -> String {
    match all {
        [one] => one.clone(),
        many => format!("max({})", many.join(",")),
    }
}

fn constant(n: i128) -> HostExpr {
    HostExpr { text: n.to_string(), span: Span::default(), value: i64::try_from(n).ok() }
}

/// A value that does not change in the construct, as the host computes it in 64 bits wherever in the construct it launches a
/// kernel. `None`: another variable hides one of those in it there.
pub fn host_value(summary: &Summary<'_>, p: &Poly) -> Option<String> {
    value_before(summary, p).filter(|text| !summary.provenance.hides_name_in(text))
}

/// The same where the construct begins: none of the variables that it declares are there.
pub fn value_before(summary: &Summary<'_>, p: &Poly) -> Option<String> {
    let printer = Printer(summary);
    let mut terms = vec![];
    for (monomial, c) in &p.terms {
        let mut factors = vec![];
        if *c != 1 || monomial.is_empty() {
            factors.push(format!("{c}LL"));
        }
        for atom in monomial {
            factors.push(format!("(long long){}", printer.atom(*atom, true)?));
        }
        terms.push(factors.join(" * "));
    }
    Some(if terms.is_empty() { "0".into() } else { terms.join(" + ") })
}

/// The same for messages.
pub fn shown_value(summary: &Summary<'_>, p: &Poly) -> Option<String> {
    Printer(summary).shown(p)
}

struct Printer<'s, 'a>(&'s Summary<'a>);

impl Printer<'_, '_> {
    fn host(&self, p: &Poly) -> Option<HostExpr> {
        match p.as_constant() {
            Some(n) => Some(constant(n)),
            None => Some(HostExpr { text: self.text(p, true)?, span: Span::default(), value: None }),
        }
    }

    fn shown(&self, p: &Poly) -> Option<String> {
        self.text(p, false)
    }

    /// `wide`: computed in 64 bits.
    fn text(&self, p: &Poly, wide: bool) -> Option<String> {
        let mut text = String::new();
        // The constant term comes last, as a person would write it.
        let (constants, others): (Vec<_>, Vec<_>) = p.terms.iter().partition(|(m, _)| m.is_empty());
        for (monomial, c) in others.into_iter().chain(constants) {
            let mut factors: Vec<String> =
                monomial.iter().map(|a| self.atom(*a, wide)).collect::<Option<_>>()?;
            if c.abs() != 1 || factors.is_empty() {
                factors.insert(0, c.abs().to_string());
            }
            if wide {
                factors[0] = format!("(long long){}", factors[0]);
            }
            let product = factors.join(if wide { " * " } else { "*" });
            text = match (text.is_empty(), *c < 0, wide) {
                (true, false, _) => product,
                (true, true, _) => format!("-{product}"),
                (false, minus, true) => format!("{text} {} {product}", if minus { '-' } else { '+' }),
                (false, minus, false) => format!("{text}{}{product}", if minus { '-' } else { '+' }),
            };
        }
        Some(if text.is_empty() { "0".into() } else { text })
    }

    fn atom(&self, a: Atom, host: bool) -> Option<String> {
        let scope = self.0.provenance.scope;
        match a {
            Atom::Local(l) => scope.local(l),
            Atom::Global(g) if host => Some(scope.module.globals[g].host_text().to_owned()),
            Atom::Global(g) => Some(scope.module.globals[g].name.clone()),
            Atom::Opaque(e) => {
                let text = if host { scope.text(e)? } else { scope.message_text(e)? };
                let simple = text.chars().all(|c| c.is_alphanumeric() || "_->.".contains(c));
                Some(if simple { text } else { format!("({text})") })
            }
        }
    }
}
