//! Subscripts as affine functions, dimension by dimension.
//!
//! `a[i * m + j]` is not affine, but with 0 ≤ j < m throughout it is the two-dimensional `a[i][j]`, whose subscripts
//! are equal only if both are. [`delinearise`] finds the strides (1 and m here) and splits the polynomial by
//! them; that each inner part stays below its stride's ratio is proven from the loop bounds, not assumed.

use super::sets::Sets;
use crate::access::Access;
use crate::affine::{Atom, Monomial, Poly, Polys};
use crate::data::Summary;
use crate::provenance::Root;
use crate::section::{self, Base};
use accl_ir::{Expr, ExprKind, Handle, TypeKind};

/// Whether the two accesses can touch one element in two different iterations of the loop; `None`: not known.
pub fn meet_in_two_iterations(summary: &Summary<'_>, index: usize, a: &Access, b: &Access) -> Option<bool> {
    if a.whole || b.whole {
        return None;
    }
    let polys = summary.polys();
    let (x, y) = (dimensions(summary, &polys, a)?, dimensions(summary, &polys, b)?);
    if x.len() != y.len() {
        return None;
    }
    let mut sets = Sets::new(summary, &polys, index, a, b)?;
    for (p, q) in x.iter().zip(&y) {
        match (p, q) {
            (Subscript::Field(f), Subscript::Field(g)) if f != g => return Some(false),
            (Subscript::Field(_), Subscript::Field(_)) => {}
            (Subscript::Poly(p), Subscript::Poly(q)) => equate(&mut sets, p, q)?,
            _ => return None,
        }
    }
    sets.can_meet()
}

/// Adds what it takes for two polynomials to be equal, in one dimension or after splitting.
fn equate(sets: &mut Sets<'_, '_>, p: &Poly, q: &Poly) -> Option<()> {
    let strides = strides(sets, p, q);
    if strides.len() <= 1 {
        return sets.equal(p, q);
    }
    let (x, y) = (delinearise(sets, p, &strides)?, delinearise(sets, q, &strides)?);
    for k in 0..strides.len() - 1 {
        let ratio = quotient(&strides[k + 1], &strides[k])?;
        sets.stays_below(&x[k], &y[k], &ratio)?;
    }
    for (p, q) in x.iter().zip(&y) {
        sets.equal(p, q)?;
    }
    Some(())
}

enum Subscript {
    Poly(Poly),
    Field(u32),
}

fn dimensions(summary: &Summary<'_>, polys: &Polys<'_>, access: &Access) -> Option<Vec<Subscript>> {
    let ty = crate::data::root_type(&summary.provenance, &access.root)?;
    let base = Base { root: &access.root, ty };
    let mut found = vec![];
    collect(summary, polys, &base, access.place, &mut found)?;
    Some(found)
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
                _ => {
                    let start = section::pointer_offset(summary, polys, base, *inner)?;
                    found.push(Subscript::Poly(start.plus(&index, 1)));
                }
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

/// The products of fixed values that stand at loop variables, 1 included, by rising degree.
fn strides(sets: &Sets<'_, '_>, p: &Poly, q: &Poly) -> Vec<Monomial> {
    let mut found: Vec<Monomial> = vec![vec![]];
    for m in p.terms.keys().chain(q.terms.keys()) {
        let fixed: Monomial = m.iter().filter(|a| !sets.varies(**a)).copied().collect();
        if fixed.len() < m.len() && !found.contains(&fixed) {
            found.push(fixed);
        }
    }
    found.sort_by_key(Vec::len);
    found
}

/// One affine part for each stride: `p = Σ part · stride`.
fn delinearise(sets: &Sets<'_, '_>, p: &Poly, strides: &[Monomial]) -> Option<Vec<Poly>> {
    let mut parts = vec![Poly::default(); strides.len()];
    for (m, c) in &p.terms {
        let varying: Monomial = m.iter().filter(|a| sets.varies(**a)).copied().collect();
        let fixed: Monomial = m.iter().filter(|a| !sets.varies(**a)).copied().collect();
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

fn quotient(m: &Monomial, by: &Monomial) -> Option<Monomial> {
    let mut rest = m.clone();
    for a in by {
        let at = rest.iter().position(|x: &Atom| x == a)?;
        rest.remove(at);
    }
    Some(rest)
}
