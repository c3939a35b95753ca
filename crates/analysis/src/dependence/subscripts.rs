//! Subscripts as affine functions, dimension by dimension.
//!
//! `a[i * m + j]` is not affine, but with 0 ≤ j < m throughout it is the two-dimensional `a[i][j]`, whose subscripts
//! are equal only if both are. [`delinearise`] finds the strides (1 and m here) and splits the polynomial by
//! them; that each inner part stays below its stride's ratio is proven from the loop bounds, not assumed.

use super::quick::View;
use super::strides::quotient;
use crate::access::Access;
use crate::affine::{Atom, Monomial, Poly, Polys};
use crate::data::Summary;
use crate::provenance::Root;
use crate::section::{self, Base};
use accl_ir::{BinaryOp, Body, Expr, ExprKind, Handle, Local, TypeKind};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subscript {
    Poly(Poly),
    Field(u32),
    /// The subscripts that follow begin at the row that this variable of the construct points to: `T (*row)[8] = rows[i];`. They may
    /// lead beyond its end, so they say nothing beside those that begin elsewhere.
    Row(Handle<Local>),
}

impl Subscript {
    /// It is made of values of which all satisfy `f`.
    pub fn is_made_of(&self, f: &dyn Fn(Atom) -> bool) -> bool {
        match self {
            Subscript::Poly(p) => p.atoms().all(f),
            Subscript::Field(_) => true,
            Subscript::Row(pointer) => f(Atom::Local(*pointer)),
        }
    }
}

/// The subscripts that lead from the access's root to its place; `None` where they are not known.
pub fn dimensions(summary: &Summary<'_>, polys: &Polys<'_>, access: &Access) -> Option<Vec<Subscript>> {
    if access.whole {
        return None;
    }
    let ty = crate::data::root_type(&summary.provenance, &access.root)?;
    let base = Base { root: &access.root, ty };
    let mut found = vec![];
    collect(summary, polys, &base, access.place, &mut found)?;
    Some(found)
}

/// Of `a[i][j]` and `a[i].rows[j]`, where the first array comes from outside the construct: that array, and the subscripts, of which the
/// last one is that of what the pointer leads to.
pub fn behind_pointers(
    summary: &Summary<'_>,
    polys: &Polys<'_>,
    access: &Access,
) -> Option<(Root, Vec<Subscript>)> {
    if access.whole || access.root != Root::Unknown {
        return None;
    }
    let (pointer, last) = match polys.scope.body.exprs[access.place].kind {
        ExprKind::Index { base, index } => {
            let (pointer, begin) = loaded_pointer(summary, polys, base)?;
            (pointer, begin.plus(&polys.poly(index), 1))
        }
        ExprKind::Deref(base) => loaded_pointer(summary, polys, base)?,
        _ => return None,
    };
    let roots = summary.provenance.place_roots(pointer);
    let array = roots.first().filter(|_| roots.len() == 1)?.clone();
    let is_outside = !matches!(array, Root::Local(l) if summary.provenance.is_inner(l));
    let ty = crate::data::root_type(&summary.provenance, &array).filter(|_| is_outside)?;
    let mut found = vec![];
    collect(summary, polys, &Base { root: &array, ty }, pointer, &mut found)?;
    found.push(Subscript::Poly(last));
    Some((array, found))
}

/// Where in memory the pointer lies that this one begins at, and how many elements it is away from there.
fn loaded_pointer(
    summary: &Summary<'_>,
    polys: &Polys<'_>,
    value: Handle<Expr>,
) -> Option<(Handle<Expr>, Poly)> {
    let (exprs, types) = (&polys.scope.body.exprs, &polys.scope.module.types);
    match exprs[value].kind {
        ExprKind::Load(place) => match exprs[place].kind {
            ExprKind::Local(l) => loaded_pointer(summary, polys, *summary.definitions.get(&l)?),
            ExprKind::Index { .. } | ExprKind::Member { .. } => Some((place, Poly::default())),
            _ => None,
        },
        ExprKind::Cast(inner) if types.element(exprs[inner].ty) == types.element(exprs[value].ty) => {
            loaded_pointer(summary, polys, inner)
        }
        ExprKind::AddrOf(place) => match exprs[place].kind {
            ExprKind::Index { base, index } => {
                let (pointer, begin) = loaded_pointer(summary, polys, base)?;
                Some((pointer, begin.plus(&polys.poly(index), 1)))
            }
            _ => None,
        },
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right } => {
            let (pointer, begin) = loaded_pointer(summary, polys, left)?;
            let sign = if op == BinaryOp::Add { 1 } else { -1 };
            Some((pointer, begin.plus(&polys.poly(right), sign)))
        }
        _ => None,
    }
}

fn collect(
    summary: &Summary<'_>,
    polys: &Polys<'_>,
    base: &Base<'_>,
    place: Handle<Expr>,
    found: &mut Vec<Subscript>,
) -> Option<()> {
    let body = polys.scope.body;
    match &body.exprs[place].kind {
        ExprKind::Local(l) => (*base.root == Root::Local(*l)).then_some(()),
        ExprKind::Global(g) => (*base.root == Root::Global(*g)).then_some(()),
        ExprKind::Deref(pointer) => {
            found.push(Subscript::Poly(section::pointer_offset(summary, polys, base, *pointer)?));
            Some(())
        }
        ExprKind::Index { base: inner, index } => {
            let index = polys.poly(*index);
            match polys.scope.module.types.kind(body.exprs[*inner].ty) {
                TypeKind::Array { .. } => {
                    collect(summary, polys, base, *inner, found)?;
                    found.push(Subscript::Poly(index));
                }
                _ => match section::pointer_offset(summary, polys, base, *inner) {
                    Some(start) => found.push(Subscript::Poly(start.plus(&index, 1))),
                    None => {
                        found.push(Subscript::Row(row(summary, body, *inner)?));
                        found.push(Subscript::Poly(index));
                    }
                },
            }
            Some(())
        }
        ExprKind::Member { base: inner, field } => {
            if let Root::Member(text) = base.root
                && summary.provenance.member_text(place).as_ref() == Some(text)
            {
                return Some(());
            }
            collect(summary, polys, base, *inner, found)?;
            found.push(Subscript::Field(*field));
            Some(())
        }
        _ => None,
    }
}

/// The variable of the construct that the pointer is a copy of, if that points to a row from its declaration on.
fn row(summary: &Summary<'_>, body: &Body, pointer: Handle<Expr>) -> Option<Handle<Local>> {
    let ExprKind::Load(place) = body.exprs[pointer].kind else { return None };
    let ExprKind::Local(l) = body.exprs[place].kind else { return None };
    let value = *summary.definitions.get(&l)?;
    match body.exprs[value].kind {
        ExprKind::Decay(_) => Some(l),
        _ => row(summary, body, value),
    }
}

/// The parts of two polynomials, such that the polynomials are equal exactly if all parts are. Each part comes with
/// the ratio that the parts of both must stay below for that.
pub struct Split {
    pub parts: Vec<(Poly, Poly)>,
    /// There is one less than there are parts.
    pub ratios: Vec<Poly>,
}

/// Takes two polynomials apart by dimensions. One part where they have one stride; `None`: not of this form, or a stride has
/// another value in another iteration.
pub fn split(view: &View<'_>, p: &Poly, q: &Poly) -> Option<Split> {
    let strides = strides(view, p, q);
    if !strides.iter().flatten().all(|a| (view.is_fixed)(*a)) {
        return None;
    }
    if strides.len() <= 1 {
        return Some(Split { parts: vec![(p.clone(), q.clone())], ratios: vec![] });
    }
    let (x, y) = (delinearise(view, 0, p, &strides)?, delinearise(view, 1, q, &strides)?);
    let ratio = |k: usize| Some(Poly { terms: [(quotient(&strides[k + 1], &strides[k])?, 1)].into() });
    let ratios = (0..strides.len() - 1).map(ratio).collect::<Option<_>>()?;
    Some(Split { parts: x.into_iter().zip(y).collect(), ratios })
}

/// The products of fixed values that are factors of loop variables, 1 included, by rising degree.
fn strides(view: &View<'_>, p: &Poly, q: &Poly) -> Vec<Monomial> {
    let mut found: Vec<Monomial> = vec![vec![]];
    for (side, poly) in [p, q].into_iter().enumerate() {
        for m in poly.terms.keys() {
            let fixed: Monomial = m.iter().filter(|a| !view.varies(side, **a)).copied().collect();
            if fixed.len() < m.len() && !found.contains(&fixed) {
                found.push(fixed);
            }
        }
    }
    found.sort_by_key(Vec::len);
    found
}

/// One affine part for each stride: `p = Σ part · stride`.
fn delinearise(view: &View<'_>, side: usize, p: &Poly, strides: &[Monomial]) -> Option<Vec<Poly>> {
    let mut parts = vec![Poly::default(); strides.len()];
    for (m, c) in &p.terms {
        let (varying, fixed): (Monomial, Monomial) = m.iter().copied().partition(|a| view.varies(side, *a));
        match varying.len() {
            0 => {
                let (k, rest) = largest_divisor(&fixed, strides);
                parts[k].add_term(rest, *c);
            }
            1 => {
                let k = strides.iter().position(|s| *s == fixed)?;
                parts[k].add_term(varying, *c);
            }
            _ => return None,
        }
    }
    Some(parts)
}

fn largest_divisor(m: &Monomial, strides: &[Monomial]) -> (usize, Monomial) {
    for (k, s) in strides.iter().enumerate().rev() {
        if let Some(rest) = quotient(m, s) {
            return (k, rest);
        }
    }
    (0, m.clone())
}
