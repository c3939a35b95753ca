//! Compares two references, dimension by dimension, and all dimensions together where single ones do not decide.

use super::pairs::Overlap;
use super::quick::{Dimension, View};
use super::sets::Sets;
use super::strides::{self, Grain, Stride, Test};
use super::subscripts::{self, Subscript};
use super::system::Oracle;
use crate::access::{Access, LoopInfo};
use crate::affine::{Atom, Extremum, Poly, Polys};
use crate::data::Summary;
use crate::section;
use accl_ir::{Compare, Handle, Local};
use std::cell::RefCell;

/// A loop whose extent is not known is taken to have more iterations than this.
const NEAR: u128 = 8;

pub struct Comparison<'c, 'a> {
    summary: &'c Summary<'a>,
    polys: &'c Polys<'a>,
    view: View<'c>,
    index: usize,
    accesses: [&'c Access; 2],
    /// Subscripts that must be equal where the references touch the same element.
    equal: Vec<(Poly, Poly)>,
    /// What launches would test, where they may.
    tests: Option<&'c RefCell<Vec<Test>>>,
    distance: Option<i128>,
    open: bool,
    unknown: bool,
}

impl<'c, 'a> Comparison<'c, 'a> {
    pub fn new(
        summary: &'c Summary<'a>,
        polys: &'c Polys<'a>,
        view: View<'c>,
        index: usize,
        accesses: [&'c Access; 2],
        tests: Option<&'c RefCell<Vec<Test>>>,
    ) -> Self {
        let (equal, distance, open, unknown) = (vec![], None, false, false);
        Comparison { summary, polys, view, index, accesses, equal, tests, distance, open, unknown }
    }

    /// Without an oracle, a question that would have to be put to it counts as unanswered.
    pub fn of(&mut self, oracle: Option<&mut Oracle>, x: &[Subscript], y: &[Subscript]) -> Overlap {
        let tests = self.tests.map(|tests| tests.borrow().clone());
        let overlap = self.by_dimensions(oracle, x, y);
        let (Some(known), Some(before)) = (self.tests, tests) else { return overlap };
        if overlap == Overlap::Never {
            return overlap;
        }
        let without = known.replace(before);
        if self.are_apart(x, y) {
            return Overlap::Never;
        }
        known.replace(without);
        overlap
    }

    fn by_dimensions(
        &mut self,
        mut oracle: Option<&mut Oracle>,
        x: &[Subscript],
        y: &[Subscript],
    ) -> Overlap {
        // One place may be a part of the other, so the subscripts that both have decide.
        for (p, q) in x.iter().zip(y) {
            match (p, q) {
                (Subscript::Field(f), Subscript::Field(g)) if f != g => return Overlap::Never,
                (Subscript::Field(_), Subscript::Field(_)) => {}
                (Subscript::Poly(p), Subscript::Poly(q)) => {
                    if self.subscript(oracle.as_deref_mut(), p, q).is_none() {
                        return Overlap::Never;
                    }
                }
                (Subscript::Row(a), Subscript::Row(b)) if a == b && (self.view.is_fixed)(Atom::Local(*a)) => {
                }
                _ => {
                    self.unknown = true;
                    break;
                }
            }
        }
        match (self.open, self.unknown) {
            (false, false) if x.len() == y.len() && self.is_near() => Overlap::Certainly,
            (false, false) => Overlap::Sometimes,
            (false, true) => Overlap::Unknown,
            (true, unknown) => match oracle.and_then(|oracle| self.solve(oracle)) {
                Some(false) => Overlap::Never,
                Some(true) if !unknown => Overlap::Sometimes,
                _ => Overlap::Unknown,
            },
        }
    }

    /// `None` where they are never equal.
    fn subscript(&mut self, oracle: Option<&mut Oracle>, p: &Poly, q: &Poly) -> Option<()> {
        match self.dimensions_of(oracle, p, q).or_else(|| self.strides_of(p, q)) {
            Some(parts) => parts.iter().try_for_each(|(p, q)| self.dimension(p, q)),
            None => self.dimension(p, q),
        }
    }

    /// The dimensions of an array that the subscripts certainly stay inside of.
    fn dimensions_of(
        &self,
        mut oracle: Option<&mut Oracle>,
        p: &Poly,
        q: &Poly,
    ) -> Option<Vec<(Poly, Poly)>> {
        let split = subscripts::split(&self.view, p, q).filter(|split| !split.ratios.is_empty())?;
        let inside = split.parts.iter().zip(&split.ratios).all(|((p, q), ratio)| {
            self.stays_below(oracle.as_deref_mut(), 0, p, ratio)
                && self.stays_below(oracle.as_deref_mut(), 1, q, ratio)
        });
        inside.then_some(split.parts)
    }

    /// The parts of subscripts whose strides are far enough from each other: certainly, or where launches that test it find so.
    fn strides_of(&self, p: &Poly, q: &Poly) -> Option<Vec<(Poly, Poly)>> {
        [Grain::Fine, Grain::Coarse].into_iter().find_map(|grain| self.strides_with(p, q, grain))
    }

    fn strides_with(&self, p: &Poly, q: &Poly, grain: Grain) -> Option<Vec<(Poly, Poly)>> {
        let found = strides::of(&self.view, p, q, grain)?;
        let tests = strides::tests(&found, &|stride| self.reach(&stride.parts))?;
        if !tests.is_empty() {
            self.assume(tests)?;
        }
        Some(found.into_iter().map(|Stride { parts: [p, q], .. }| (p, q)).collect())
    }

    /// Whether launches may test that the subscripts differ by more than all that their loops count.
    fn are_apart(&self, x: &[Subscript], y: &[Subscript]) -> bool {
        x.iter().zip(y).any(|subscripts| {
            let (Subscript::Poly(p), Subscript::Poly(q)) = subscripts else { return false };
            let parts = self.strides_with(p, q, Grain::Apart).unwrap_or_default();
            parts.iter().any(|(p, q)| self.view.compare(p, q) == Dimension::Never)
        })
    }

    /// `None`: no launch could test it.
    fn assume(&self, tests: Vec<Test>) -> Option<()> {
        let mut known = self.tests?.borrow_mut();
        let is_known = |p: &Poly| p.atoms().all(|a| self.summary.is_fixed(a));
        if !tests.iter().flat_map(Test::polys).all(is_known) {
            return None;
        }
        for test in tests {
            if known.iter().all(|other| !other.implies(&test)) {
                known.retain(|other| !test.implies(other));
                known.push(test);
            }
        }
        Some(())
    }

    /// Values of which the largest is the largest difference of two parts.
    fn reach(&self, parts: &[Poly; 2]) -> Option<Vec<Poly>> {
        let ranges = [self.range(0, &parts[0], End::Near)?, self.range(1, &parts[1], End::Near)?];
        let fixed = |(low, high): &(Poly, Poly)| low.atoms().chain(high.atoms()).all(self.view.is_fixed);
        if !ranges.iter().all(fixed) {
            return None;
        }
        let [(low, high), (other_low, other_high)] = &ranges;
        let up = self.over_outer_loops(high.plus(other_low, -1))?;
        let down = self.over_outer_loops(other_high.plus(low, -1))?;
        Some(match up.plus(&down, -1).as_constant() {
            Some(n) if n >= 0 => vec![up],
            Some(_) => vec![down],
            None => vec![up, down],
        })
    }

    /// The largest value for all iterations of the loops around the one in question.
    fn over_outer_loops(&self, mut value: Poly) -> Option<Poly> {
        for l in self.around() {
            let info = &self.summary.accesses.loops[l];
            let (first, last) = self.ends(info, End::Fixed)?;
            value = at_end(&value, info.var, &last, &first)?;
        }
        Some(value)
    }

    /// The loops around the one in question, from the inside out.
    fn around(&self) -> impl Iterator<Item = usize> {
        let loops = &self.summary.accesses.loops;
        std::iter::successors(loops[self.index].parent, |l| loops[*l].parent)
    }

    /// The two iterations always have the same distance, and a loop with many iterations contains such a pair.
    fn is_near(&self) -> bool {
        let near = |d: i128| d.unsigned_abs() <= NEAR * self.view.step.unsigned_abs();
        self.view.extent.is_some() || self.distance.is_none_or(near)
    }

    fn dimension(&mut self, p: &Poly, q: &Poly) -> Option<()> {
        match self.view.compare(p, q) {
            Dimension::Never => return None,
            Dimension::Always => return Some(()),
            Dimension::Unknown => {
                self.unknown = true;
                return Some(());
            }
            Dimension::Distance(d) => {
                if self.distance.replace(d).is_some_and(|known| known != d) {
                    return None;
                }
            }
            Dimension::Open => self.open = true,
        }
        self.equal.push((p.clone(), q.clone()));
        Some(())
    }

    /// This part of a subscript is proven to lie in [0, ratio).
    fn stays_below(&self, oracle: Option<&mut Oracle>, side: usize, part: &Poly, ratio: &Poly) -> bool {
        let solve = |oracle| self.sets()?.stays_below(oracle, side, part, ratio);
        self.plainly_below(side, part, ratio) || oracle.and_then(solve) == Some(true)
    }

    /// The same proof from the first and last values of the loops, each substituted for the loop's variable.
    fn plainly_below(&self, side: usize, part: &Poly, ratio: &Poly) -> bool {
        let Some((low, high)) = self.range(side, part, End::Fixed) else { return false };
        let room = ratio.plus(&high, -1).as_constant();
        low.as_constant().is_some_and(|n| n >= 0) && room.is_some_and(|n| n >= 1)
    }

    fn range(&self, side: usize, part: &Poly, wanted: End) -> Option<(Poly, Poly)> {
        let (mut low, mut high) = (part.clone(), part.clone());
        let inside = self.accesses[side].loops.iter().rev();
        for l in inside.take_while(|l| **l != self.index).chain([&self.index]) {
            let info = &self.summary.accesses.loops[*l];
            let (first, last) = self.ends(info, wanted)?;
            (low, high) = (at_end(&low, info.var, &first, &last)?, at_end(&high, info.var, &last, &first)?);
        }
        Some((low, high))
    }

    /// What the loop's variable lies between. Of a last value that is the smaller of two, as loops over tiles have it, each is known
    /// to be no smaller.
    fn ends(&self, info: &LoopInfo, wanted: End) -> Option<(Poly, Poly)> {
        let (first, last) = section::loop_range(self.polys, info)?;
        let fixed = |p: &Poly| p.atoms().all(|a| self.summary.is_fixed(a));
        let bound = self.polys.poly(info.bound);
        let sides = (!fixed(&bound)).then(|| self.polys.sides(&bound, Extremum::Min)).flatten();
        let Some((a, b)) = sides else { return Some((first, last)) };
        let has_near = wanted == End::Near && first.atoms().all(self.view.is_fixed);
        let is_near = |end: &Poly| has_near && end.plus(&first, -1).as_constant().is_some();
        let near = [&a, &b].into_iter().find(|end| is_near(end)).cloned();
        let end = near.or_else(|| [a, b].into_iter().find(fixed))?;
        let inclusive = matches!(info.compare, Compare::Le);
        matches!(info.compare, Compare::Lt | Compare::Le)
            .then(|| (first, end.plus(&Poly::constant(1), if inclusive { 0 } else { -1 })))
    }

    fn sets(&self) -> Option<Sets<'_>> {
        Sets::new(self.summary, self.polys, self.view.is_fixed, self.index, self.accesses)
    }

    /// Whether all dimensions can be equal at once.
    fn solve(&self, oracle: &mut Oracle) -> Option<bool> {
        let mut sets = self.sets()?;
        for (p, q) in &self.equal {
            sets.equal(p, q)?;
        }
        let around: Vec<_> = self.around().map(|l| &self.summary.accesses.loops[l]).collect();
        sets.bound_outer(self.polys, &around);
        sets.can_meet(oracle, self.view.variable)
    }
}

/// Which of two values that a loop ends at the latest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The one that no loop changes: an array has so many elements.
    Fixed,
    /// One that is a known number of iterations from a first value that stays, if there is one: a tile has so many.
    Near,
}

/// The value where a loop's variable is at the end `rising` if it grows with the variable, else at the other one.
fn at_end(value: &Poly, var: Handle<Local>, rising: &Poly, falling: &Poly) -> Option<Poly> {
    let (coefficient, rest) = value.split(Atom::Local(var))?;
    let c = coefficient.as_constant()?;
    Some(if c == 0 { rest } else { rest.plus(if c > 0 { rising } else { falling }, c) })
}
