//! The integer set of conflicting iteration pairs.
//!
//! Variables: the loop's iteration twice, and for each reference the loops inside it. Everything fixed
//! during the loop is a parameter: invariants, products of invariants, and the variables of the loops around.

use super::system::{Column, Oracle, Row};
use crate::access::{Access, LoopInfo};
use crate::affine::{Atom, Extremum, Monomial, Poly, Polys};
use crate::data::Summary;
use crate::section;
use accl_ir::{Compare, Expr, Handle};
use std::collections::BTreeMap;

pub struct Sets<'s> {
    is_fixed: &'s dyn Fn(Atom) -> bool,
    /// Which variable each atom is at the two references.
    names: [BTreeMap<Atom, usize>; 2],
    parameters: BTreeMap<Monomial, usize>,
    variables: usize,
    /// The bounds of the loops.
    domain: Vec<Row>,
    /// Equal subscripts.
    equalities: Vec<Row>,
}

impl<'s> Sets<'s> {
    /// The iteration domain of both references. `None` where a bound is not affine.
    pub fn new(
        summary: &Summary<'_>,
        polys: &Polys<'_>,
        is_fixed: &'s dyn Fn(Atom) -> bool,
        index: usize,
        accesses: [&Access; 2],
    ) -> Option<Self> {
        let mut sets = Sets {
            is_fixed,
            names: [BTreeMap::new(), BTreeMap::new()],
            parameters: BTreeMap::new(),
            variables: 0,
            domain: vec![],
            equalities: vec![],
        };
        for (side, access) in accesses.into_iter().enumerate() {
            let at = access.loops.iter().position(|l| *l == index)?;
            // All variables get their names first: a bound may use an outer variable only, but an outer variable
            // must not be taken for a parameter.
            for l in &access.loops[at..] {
                sets.names[side].insert(Atom::Local(summary.accesses.loops[*l].var), sets.variables);
                sets.variables += 1;
            }
            for l in &access.loops[at..] {
                sets.bounds(polys, side, &summary.accesses.loops[*l])?;
            }
        }
        Some(sets)
    }

    fn bounds(&mut self, polys: &Polys<'_>, side: usize, info: &LoopInfo) -> Option<()> {
        let var = Column::Variable(*self.names[side].get(&Atom::Local(info.var))?);
        let known = polys.poly(info.step).as_constant();
        let down = matches!(info.compare, Compare::Gt | Compare::Ge);
        let step = known.unwrap_or(if down { -1 } else { 1 });
        let beside = match (info.compare, step > 0) {
            (Compare::Lt | Compare::Ne, true) | (Compare::Gt | Compare::Ne, false) => -1,
            (Compare::Le, true) | (Compare::Ge, false) => 0,
            _ => return None,
        };
        // Upwards: var - lower >= 0 and bound - var - (0 or 1) >= 0; downwards with the signs turned.
        let sign = if step > 0 { 1 } else { -1 };
        let (first, last) =
            if step > 0 { (Extremum::Max, Extremum::Min) } else { (Extremum::Min, Extremum::Max) };
        let lowers = self.rows_of(polys, side, info.lower, first);
        let bounds = self.rows_of(polys, side, info.bound, last);
        let mut here = Row::default();
        here.add(var, 1);
        for lower in &lowers {
            self.domain.push(Row::default().plus(&here, sign).plus(lower, -sign));
        }
        for bound in &bounds {
            self.domain.push(Row::default().plus(bound, sign).plus(&here, -sign).plus_constant(beside));
        }
        if step.abs() != 1 {
            let [lower] = &lowers[..] else { return None };
            let mut turns = Row::default();
            turns.add(Column::Variable(self.variables), step);
            self.variables += 1;
            self.domain.push(here.plus(lower, -1).plus(&turns, -1).equality());
        }
        Some(())
    }

    /// What a loop's end lies within: itself, or both sides of `a < b ? a : b` where it is the last. None of what is not affine,
    /// which leaves iterations in the domain that there may not be.
    fn rows_of(&mut self, polys: &Polys<'_>, side: usize, end: Handle<Expr>, extremum: Extremum) -> Vec<Row> {
        let poly = polys.poly(end);
        if let Some((a, b)) = polys.sides(&poly, extremum) {
            return [a, b].iter().filter_map(|p| self.row(side, p)).collect();
        }
        self.row(side, &poly).into_iter().collect()
    }

    pub fn equal(&mut self, p: &Poly, q: &Poly) -> Option<()> {
        let (p, q) = (self.row(0, p)?, self.row(1, q)?);
        self.equalities.push(p.plus(&q, -1).equality());
        Some(())
    }

    /// Adds what is known of the variables of the loops around that were mentioned so far: where these loops begin and end.
    pub fn bound_outer(&mut self, polys: &Polys<'_>, around: &[&LoopInfo]) {
        for info in around {
            let variable = Atom::Local(info.var);
            let Some((first, last)) = section::loop_range(polys, info) else { continue };
            if !self.parameters.contains_key(&vec![variable]) {
                continue;
            }
            let value = Poly::atom(variable);
            for distance in [value.plus(&first, -1), last.plus(&value, -1)] {
                let row = self.row(0, &distance);
                self.domain.extend(row);
            }
        }
    }

    /// Whether this part of a subscript of one reference is proven to lie in [0, ratio).
    pub fn stays_below(&mut self, oracle: &mut Oracle, side: usize, p: &Poly, ratio: &Poly) -> Option<bool> {
        let part = self.row(side, p)?;
        let ratio = self.row(side, ratio)?;
        let below = Row::default().plus(&part, -1).plus_constant(-1);
        let above = part.plus(&ratio, -1);
        for outside in [below, above] {
            let mut rows = self.domain.clone();
            rows.push(outside);
            if !oracle.is_empty(rows)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// A polynomial as an affine function.
    fn row(&mut self, side: usize, p: &Poly) -> Option<Row> {
        let mut row = Row::default();
        for (m, c) in &p.terms {
            let varying = m.iter().filter(|a| self.names.iter().any(|n| n.contains_key(a))).count();
            match (m.as_slice(), varying) {
                ([], _) => row.constant = *c,
                ([a], 1) => row.add(Column::Variable(*self.names[side].get(a)?), *c),
                (_, 0) => row.add(Column::Parameter(self.parameter(m)?), *c),
                _ => return None,
            }
        }
        Some(row)
    }

    fn parameter(&mut self, m: &Monomial) -> Option<usize> {
        if !m.iter().all(|a| (self.is_fixed)(*a)) {
            return None;
        }
        let next = self.parameters.len();
        Some(*self.parameters.entry(m.clone()).or_insert(next))
    }

    /// Whether the references touch the same element in some pair of different iterations; `None`: not known.
    pub fn can_meet(&self, oracle: &mut Oracle, variable: Atom) -> Option<bool> {
        let [x, y] = [0, 1].map(|side| self.names[side].get(&variable).copied());
        let (x, y) = (Column::Variable(x?), Column::Variable(y?));
        for (early, late) in [(x, y), (y, x)] {
            let mut rows = self.domain.clone();
            rows.extend(self.equalities.iter().cloned());
            let mut apart = Row { constant: -1, ..Row::default() };
            apart.add(late, 1);
            apart.add(early, -1);
            rows.push(apart);
            if !oracle.is_empty(rows)? {
                return Some(true);
            }
        }
        Some(false)
    }
}
