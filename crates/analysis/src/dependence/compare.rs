//! Compares two references, dimension by dimension, and all dimensions together where single ones do not decide.

use super::pairs::Overlap;
use super::quick::{Dimension, View};
use super::sets::Sets;
use super::subscripts::{self, Subscript};
use super::system::Oracle;
use crate::access::Access;
use crate::affine::{Atom, Poly, Polys};
use crate::data::Summary;
use crate::section;

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
    ) -> Self {
        let (equal, distance) = (vec![], None);
        Comparison { summary, polys, view, index, accesses, equal, distance, open: false, unknown: false }
    }

    /// Without an oracle, a question that would have to be put to it counts as unanswered.
    pub fn of(&mut self, mut oracle: Option<&mut Oracle>, x: &[Subscript], y: &[Subscript]) -> Overlap {
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
    fn subscript(&mut self, mut oracle: Option<&mut Oracle>, p: &Poly, q: &Poly) -> Option<()> {
        let Some(split) = subscripts::split(&self.view, p, q) else { return self.dimension(p, q) };
        if split.ratios.is_empty() {
            return self.dimension(p, q);
        }
        let inside = split.parts.iter().zip(&split.ratios).all(|((p, q), ratio)| {
            self.stays_below(oracle.as_deref_mut(), 0, p, ratio)
                && self.stays_below(oracle.as_deref_mut(), 1, q, ratio)
        });
        if !inside {
            return self.dimension(p, q);
        }
        split.parts.iter().try_for_each(|(p, q)| self.dimension(p, q))
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
        let Some((low, high)) = self.range(side, part) else { return false };
        let room = ratio.plus(&high, -1).as_constant();
        low.as_constant().is_some_and(|n| n >= 0) && room.is_some_and(|n| n >= 1)
    }

    fn range(&self, side: usize, part: &Poly) -> Option<(Poly, Poly)> {
        let (mut low, mut high) = (part.clone(), part.clone());
        let inside = self.accesses[side].loops.iter().rev();
        for l in inside.take_while(|l| **l != self.index).chain([&self.index]) {
            let info = &self.summary.accesses.loops[*l];
            let (first, last) = section::loop_range(self.polys, info)?;
            let end = |p: &Poly, small: &Poly, large: &Poly| {
                let (coefficient, rest) = p.split(Atom::Local(info.var))?;
                let c = coefficient.as_constant()?;
                Some(rest.plus(if c > 0 { small } else { large }, c))
            };
            (low, high) = (end(&low, &first, &last)?, end(&high, &last, &first)?);
        }
        Some((low, high))
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
        sets.can_meet(oracle, self.view.variable)
    }
}
