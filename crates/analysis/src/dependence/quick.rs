//! What one dimension of two references proves by itself, without isl.
//!
//! The classical tests: two constants (ZIV), the greatest common divisor of all coefficients, and one subscript in the
//! loop's variable with the same coefficient on both sides (strong SIV), whose distance is compared with the loop's step
//! and extent. Only what they prove counts; everything else stays open.

use crate::affine::{Atom, Monomial, Poly};
use std::collections::{BTreeMap, BTreeSet};

/// The loop in question, as two references inside it see it.
pub struct View<'v> {
    /// Its variable.
    pub variable: Atom,
    /// Variables of loops inside it, around the first and around the second reference.
    pub inner: [&'v BTreeSet<Atom>; 2],
    /// Variables of the loops around it.
    pub outer: &'v BTreeSet<Atom>,
    /// Keeps its value while the loop runs.
    pub is_fixed: &'v dyn Fn(Atom) -> bool,
    /// The last value minus the first, where that is a constant.
    pub extent: Option<i128>,
    /// 1 where it is not known.
    pub step: i128,
}

/// When the two references are equal in a dimension, in two different iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    Never,
    Always,
    /// Exactly where the second iteration's variable is the first one's plus this distance.
    Distance(i128),
    /// One dimension does not decide: the system of all dimensions has to be solved.
    Open,
    /// No affine function.
    Unknown,
}

/// The coefficients, grouped by the variable they belong to.
#[derive(Default)]
struct Terms {
    constant: i128,
    variable: i128,
    /// Whether the variable of another loop occurs.
    inner: bool,
    fixed: BTreeMap<Monomial, i128>,
    /// The coefficients of everything that the two sides do not share.
    divisor: u128,
    unknown: bool,
}

impl View<'_> {
    pub fn varies(&self, side: usize, atom: Atom) -> bool {
        atom == self.variable || self.inner[side].contains(&atom)
    }

    fn terms(&self, side: usize, p: &Poly) -> Terms {
        let mut terms = Terms::default();
        for (m, c) in &p.terms {
            if m.is_empty() {
                terms.constant = *c;
                continue;
            }
            if m.iter().all(|a| !self.varies(side, *a) && (self.is_fixed)(*a)) {
                terms.fixed.insert(m.clone(), *c);
                continue;
            }
            terms.divisor = gcd(terms.divisor, c.unsigned_abs());
            match m.as_slice() {
                [a] if *a == self.variable => terms.variable = *c,
                [a] if self.varies(side, *a) => terms.inner = true,
                _ => terms.unknown = true,
            }
        }
        terms
    }

    pub fn compare(&self, p: &Poly, q: &Poly) -> Dimension {
        let (x, y) = (self.terms(0, p), self.terms(1, q));
        let mut fixed = x.fixed;
        for (m, c) in y.fixed {
            *fixed.entry(m).or_default() -= c;
        }
        fixed.retain(|_, c| *c != 0);
        // p = q only if this number is an integer combination of the coefficients.
        let difference = y.constant - x.constant;
        let divisor = fixed.values().fold(gcd(x.divisor, y.divisor), |g, c| gcd(g, c.unsigned_abs()));
        if divisor == 0 && difference != 0 || divisor != 0 && difference.unsigned_abs() % divisor != 0 {
            return Dimension::Never;
        }
        if x.unknown || y.unknown {
            return Dimension::Unknown;
        }
        if x.inner || y.inner || !fixed.is_empty() || x.variable != y.variable {
            return Dimension::Open;
        }
        match x.variable {
            0 => Dimension::Always,
            // c·x + d = c·y + e, so y = x + (d - e) / c; the division is exact.
            c => self.distance(-difference / c),
        }
    }

    fn distance(&self, distance: i128) -> Dimension {
        let too_far = self.extent.is_some_and(|e| distance.abs() > e);
        if distance == 0 || too_far || self.step != 0 && distance % self.step != 0 {
            return Dimension::Never;
        }
        Dimension::Distance(distance)
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Numbers that must be equal for two references that touch the same element: for each dimension the field, or the
/// constant modulo the divisor of all coefficients in that dimension. References whose numbers differ need no
/// comparison.
pub fn keys(all: &[&[super::subscripts::Subscript]]) -> Vec<Vec<i128>> {
    use super::subscripts::Subscript;
    let shared = all.iter().map(|dims| dims.len()).min().unwrap_or(0);
    let mut keys = vec![vec![]; all.len()];
    for d in 0..shared {
        let mut divisor = 0;
        for dims in all {
            // A field next to a subscript, or rows that may overlap: from here on references are not told apart.
            let differs = std::mem::discriminant(&dims[d]) != std::mem::discriminant(&all[0][d]);
            if differs || matches!(dims[d], Subscript::Row(_)) {
                return keys;
            }
            if let Subscript::Poly(p) = &dims[d] {
                let varying = p.terms.iter().filter(|(m, _)| !m.is_empty());
                divisor = varying.fold(divisor, |g, (_, c)| gcd(g, c.unsigned_abs()));
            }
        }
        for (key, dims) in keys.iter_mut().zip(all) {
            key.push(match &dims[d] {
                Subscript::Field(f) => i128::from(*f),
                Subscript::Poly(p) => residue(p.terms.get(&vec![]).copied().unwrap_or(0), divisor),
                Subscript::Row(_) => unreachable!("no key is made of rows"),
            });
        }
    }
    keys
}

fn residue(constant: i128, divisor: u128) -> i128 {
    match i128::try_from(divisor) {
        Ok(0) => constant,
        Ok(d) => constant.rem_euclid(d),
        Err(_) => 0,
    }
}
