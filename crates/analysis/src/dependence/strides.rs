//! Rows that subscripts count by hand, as in `a[k * w + j]`.
//!
//! Such a subscript is a sum of parts, each times its stride: k times w and j times 1. Two of them are equal only where all of
//! their parts are, if each stride is larger than the differences that the parts of the smaller ones can have, each times its
//! stride, together: here if w > m - 1, with j from 0 to m - 1. What cannot be proven of that a launch can test. Which of two
//! strides is the smaller one may be unknown, too: then the test is that they are apart in one order or the other.

use super::quick::View;
use crate::affine::{Atom, Monomial, Poly};
use crate::data::Summary;
use crate::section;
use accl_ir::{HostExpr, LaunchTest};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The parts of two subscripts that have this stride as a factor.
pub struct Stride {
    /// Its factors; of a sum, those of its first product.
    monomial: Monomial,
    coefficient: i128,
    value: Poly,
    pub parts: [Poly; 2],
}

/// The first value must be larger than the second one.
#[derive(Clone, Debug, PartialEq)]
pub struct Larger(Poly, Poly);

impl Larger {
    fn implies(&self, other: &Larger) -> bool {
        self.0 == other.0 && self.1.plus(&other.1, -1).as_constant().is_some_and(|n| n >= 0)
    }

    fn host(&self, summary: &Summary<'_>) -> Option<String> {
        Some(format!(
            "{} > {}",
            section::host_value(summary, &self.0)?,
            section::host_value(summary, &self.1)?
        ))
    }

    fn shown(&self, summary: &Summary<'_>) -> Option<String> {
        let Larger(large, small) = self;
        let shared = small.terms.keys().any(|m| !m.is_empty() && large.terms.contains_key(m));
        let zero = Poly::default();
        let (large, small) = if shared { (&large.plus(small, -1), &zero) } else { (large, small) };
        Some(format!("{} > {}", section::shown_value(summary, large)?, section::shown_value(summary, small)?))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    One(Larger),
    /// All of one of these orders of strides.
    Orders(Vec<Vec<Larger>>),
}

impl Test {
    pub fn polys(&self) -> Vec<&Poly> {
        let all = match self {
            Test::One(one) => vec![one],
            Test::Orders(orders) => orders.iter().flatten().collect(),
        };
        all.into_iter().flat_map(|Larger(large, small)| [large, small]).collect()
    }

    /// Where this one holds, the other one does.
    pub fn implies(&self, other: &Test) -> bool {
        match (self, other) {
            (Test::One(one), Test::One(other)) => one.implies(other),
            _ => self == other,
        }
    }

    /// As the host evaluates it. `None`: it cannot.
    pub fn of_launch(&self, summary: &Summary<'_>) -> Option<LaunchTest> {
        let (text, shown) = match self {
            Test::One(one) => (one.host(summary)?, one.shown(summary)?),
            Test::Orders(orders) => {
                let all = |order: &Vec<Larger>| {
                    let each: Option<Vec<String>> = order.iter().map(|one| one.host(summary)).collect();
                    Some(format!("({})", each?.join(" && ")))
                };
                let steps = orders.iter().flatten().map(|one| section::shown_value(summary, &one.0));
                let steps: Vec<String> = steps.collect::<Option<BTreeSet<_>>>()?.into_iter().collect();
                let orders: Option<Vec<String>> = orders.iter().map(all).collect();
                (orders?.join(" || "), format!("rows in steps of {} do not meet", steps.join(", ")))
            }
        };
        Some(LaunchTest { host: HostExpr { text, span: Span::default(), value: None }, shown })
    }
}

/// What a launch would have to test, at most: orders of strides, and comparisons in each.
const MOST: usize = 8;

/// A stride that is at least so many times another one is a row of it, though nothing is known of what lies in the row.
const LEAST_ROW: i128 = 8;

/// How strides with the same factors that only the launch knows, such as 2w and w, are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    /// Each has parts of its own.
    Fine,
    /// They share the parts of their greatest common divisor.
    Coarse,
    /// So do they. What is fixed, but not the same in both, has a stride of its own even where it is a multiple of another one: so
    /// `a[(k + n) * w + j]` and `a[k * w + j]` differ where k is below n. So has what many rows of a known length are apart by.
    Apart,
}

/// The strides of two subscripts, those that are products of fewer values first. `None`: a part is not affine, or a stride
/// changes while the loop runs.
pub fn of(view: &View<'_>, p: &Poly, q: &Poly, grain: Grain) -> Option<Vec<Stride>> {
    let (sums, sides) = Sums::in_strides(view, [p.clone(), q.clone()]);
    let [p, q] = &sides;
    let sides = [p, q];
    let mut coefficients: BTreeMap<(usize, Monomial), BTreeSet<i128>> = BTreeMap::new();
    for (side, poly) in sides.into_iter().enumerate() {
        for (m, c) in &poly.terms {
            let (varying, fixed) = divide(view, side, m);
            if varying.len() > 1 || !varying.is_empty() && !fixed.iter().all(|a| (view.is_fixed)(*a)) {
                return None;
            }
            if !varying.is_empty() {
                coefficients.entry((fixed.len(), fixed)).or_default().insert(c.abs());
            }
        }
    }
    // What is fixed, but not the same in both, is the number of a component as in `a[2 * planes + j]`. What a loop around counts is a column.
    let apart = p.plus(q, -1);
    for m in apart.terms.keys() {
        let is_fixed = (0..2).all(|side| divide(view, side, m).0.is_empty());
        let known = coefficients.keys().any(|(degree, s)| *degree > 0 && quotient(m, s).is_some());
        let open = !known || grain == Grain::Apart && !coefficients.contains_key(&(m.len(), m.clone()));
        let is_value = |a: &Atom| (view.is_fixed)(*a) && !view.outer.contains(a);
        if is_fixed && !m.is_empty() && open && m.iter().all(is_value) {
            let of = |poly: &Poly| poly.terms.get(m).map_or(0, |c| c.abs());
            coefficients.entry((m.len(), m.clone())).or_default().insert(gcd(of(p), of(q)));
        }
    }
    let component = if grain == Grain::Apart { component(p, &apart) } else { None };
    let mut strides: Vec<Stride> = vec![];
    for ((_, monomial), coefficients) in coefficients {
        let chosen: Vec<i128> = match grain {
            Grain::Fine => coefficients.into_iter().collect(),
            Grain::Coarse | Grain::Apart => {
                let component = component.filter(|_| monomial.is_empty());
                std::iter::once(coefficients.into_iter().fold(0, gcd)).chain(component).collect()
            }
        };
        let stride = |coefficient| Stride::new(monomial.clone(), coefficient);
        strides.extend(chosen.into_iter().map(stride));
    }
    for (side, poly) in sides.into_iter().enumerate() {
        for (m, c) in &poly.terms {
            let (varying, fixed) = divide(view, side, m);
            match varying.is_empty() {
                true => place_fixed(&mut strides, side, m, *c),
                false => {
                    let mut all = strides.iter_mut().filter(|s| s.monomial == fixed);
                    let stride = match grain {
                        Grain::Fine => all.find(|s| s.coefficient == c.abs())?,
                        Grain::Coarse | Grain::Apart => all.next()?,
                    };
                    stride.parts[side].add_term(varying, c / stride.coefficient);
                }
            }
        }
    }
    strides.sort_by(|a, b| {
        (a.degree(), &a.monomial, a.coefficient).cmp(&(b.degree(), &b.monomial, b.coefficient))
    });
    for stride in &mut strides {
        stride.value = sums.written_out(&stride.value);
        stride.parts = stride.parts.each_ref().map(|part| sums.written_out(part));
    }
    Some(strides)
}

/// Strides that are sums, as in `i * (n + 2) + j`. While subscripts are taken apart one value of each stands for the sum, here n
/// for n + 2, so that all strides are products.
struct Sums(Vec<(Atom, Poly)>);

impl Sums {
    fn in_strides(view: &View<'_>, mut sides: [Poly; 2]) -> (Sums, [Poly; 2]) {
        let mut found: Vec<(Atom, Poly)> = vec![];
        let products = |sides: &[Poly; 2]| {
            let of = |side: usize| {
                sides[side].terms.keys().filter(|m| !divide(view, side, m).0.is_empty()).count()
            };
            [of(0), of(1)]
        };
        'next: loop {
            for (atom, rest) in (0..2).flat_map(|side| sums(view, side, &sides[side])).collect::<Vec<_>>() {
                let value = Poly::atom(atom).plus(&rest, -1);
                let simpler = sides.each_ref().map(|side| side.replace(atom, &value));
                let (before, after) = (products(&sides), products(&simpler));
                // A diagonal has such a stride, too, `i * w + i`, but what it is compared with has not.
                let are_simpler = before != after && (0..2).all(|side| after[side] <= before[side]);
                if are_simpler && found.iter().all(|(other, _)| *other != atom) {
                    found.push((atom, rest));
                    sides = simpler;
                    continue 'next;
                }
            }
            return (Sums(found), sides);
        }
    }

    fn written_out(&self, value: &Poly) -> Poly {
        let sum =
            |value: Poly, (atom, rest): &(Atom, Poly)| value.replace(*atom, &Poly::atom(*atom).plus(rest, 1));
        self.0.iter().rev().fold(value.clone(), sum)
    }
}

/// The sums that what varies in a subscript is multiplied by, each as a value and what is added to it.
fn sums(view: &View<'_>, side: usize, subscript: &Poly) -> Vec<(Atom, Poly)> {
    let mut factors: BTreeMap<Monomial, Poly> = BTreeMap::new();
    for (m, c) in &subscript.terms {
        let (varying, fixed) = divide(view, side, m);
        if !varying.is_empty() && fixed.iter().all(|a| (view.is_fixed)(*a)) {
            factors.entry(varying).or_default().add_term(fixed, *c);
        }
    }
    factors.into_values().filter_map(|factor| sum(&factor)).collect()
}

/// `n` and `m + 2` of `k * (n + m + 2)`.
fn sum(factor: &Poly) -> Option<(Atom, Poly)> {
    let first = factor.terms.keys().next().filter(|_| factor.terms.len() > 1)?;
    let common = factor.terms.keys().fold(first.clone(), |common, m| {
        let mut left = m.clone();
        let mut is_in_both = |a: &Atom| left.iter().position(|x| x == a).map(|at| left.remove(at)).is_some();
        common.into_iter().filter(|a| is_in_both(a)).collect()
    });
    let terms: Option<BTreeMap<Monomial, i128>> =
        factor.terms.iter().map(|(m, c)| Some((quotient(m, &common)?, *c))).collect();
    let terms = terms.filter(|terms| terms.keys().all(|m| m.len() <= 1))?;
    let divides = |c: &i128| terms.values().all(|other| other % c == 0);
    let (value, c) = terms.iter().find(|(m, c)| !m.is_empty() && divides(c))?;
    let mut rest = Poly::default();
    terms.iter().filter(|(m, _)| *m != value).for_each(|(m, other)| rest.add_term(m.clone(), other / c));
    Some((value[0], rest))
}

/// The stride of components that are apart by a number: `a[1728 + k * 144 + j * 12 + i]` and `a[k * 144 + j * 12 + i]`, by many rows of an
/// array that has rows of rows.
fn component(p: &Poly, apart: &Poly) -> Option<i128> {
    let distance = apart.terms.get(&vec![])?.abs();
    let counted = p.terms.iter().filter(|(m, _)| m.len() == 1);
    let coefficients: BTreeSet<i128> = counted.map(|(_, c)| c.abs()).collect();
    let row = coefficients.last().filter(|_| coefficients.len() > 1)?;
    Some((distance + row / 2) / row).filter(|rows| *rows >= LEAST_ROW).map(|rows| rows * row)
}

/// Adds a value that is no multiple of a varying one to the parts: to those of the largest strides that divide it, as far as they
/// do, the rest to those of 1.
fn place_fixed(strides: &mut Vec<Stride>, side: usize, m: &Monomial, c: i128) {
    let mut left = c;
    for stride in strides.iter_mut().rev() {
        if let Some(rest) = quotient(m, &stride.monomial) {
            // The nearest multiple: a[64 * i - 1] is column -1 of row i.
            let times = (left + left.signum() * stride.coefficient / 2) / stride.coefficient;
            stride.parts[side].add_term(rest, times);
            left -= times * stride.coefficient;
        }
    }
    if left != 0 {
        strides.insert(0, Stride::new(vec![], 1));
        strides[0].parts[side].add_term(m.clone(), left);
    }
}

fn divide(view: &View<'_>, side: usize, m: &Monomial) -> (Monomial, Monomial) {
    m.iter().copied().partition(|a| view.varies(side, *a))
}

/// What remains of a product without the factors of another one.
pub fn quotient(m: &Monomial, by: &Monomial) -> Option<Monomial> {
    let mut rest = m.clone();
    for a in by {
        let at = rest.iter().position(|x| x == a)?;
        rest.remove(at);
    }
    Some(rest)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Stride {
    fn new(monomial: Monomial, coefficient: i128) -> Stride {
        let value = Poly { terms: [(monomial.clone(), coefficient)].into() };
        Stride { monomial, coefficient, value, parts: Default::default() }
    }

    fn degree(&self) -> usize {
        self.monomial.len()
    }
}

/// What has to hold so that two subscripts with these strides are equal only where all their parts are. No tests: it holds.
/// `None`: nothing that could hold, or too much to test. `reach`: values of which the largest is the largest difference that
/// the parts of a stride can have.
pub fn tests(strides: &[Stride], reach: &dyn Fn(&Stride) -> Option<Vec<Poly>>) -> Option<Vec<Test>> {
    let reaches: Vec<Option<Vec<Poly>>> = strides.iter().map(reach).collect();
    let mut alternatives: Vec<Vec<Larger>> = vec![];
    for order in orders(strides)? {
        let Some(needed) = needed(strides, &reaches, &order) else { continue };
        if needed.is_empty() {
            return Some(vec![]);
        }
        alternatives.push(needed);
    }
    match &alternatives[..] {
        [] => None,
        [all] => Some(all.iter().cloned().map(Test::One).collect()),
        _ => Some(vec![Test::Orders(alternatives)]),
    }
}

/// The comparisons that are not certain. `None` where one is false, or where nothing is known of a part.
fn needed(strides: &[Stride], reaches: &[Option<Vec<Poly>>], order: &[usize]) -> Option<Vec<Larger>> {
    if order.len() > MOST {
        return None;
    }
    let mut needed = vec![];
    let mut sums = vec![Poly::default()];
    for (at, k) in order.iter().enumerate() {
        let value = &strides[*k].value;
        for sum in &sums {
            let room = value.plus(sum, -1);
            match room.as_constant() {
                Some(n) if n > 0 => {}
                _ if is_unlikely(&room, &strides[*k]) || is_close(strides, &order[..at], *k) => return None,
                _ => needed.push(Larger(value.clone(), sum.clone())),
            }
        }
        if at + 1 < order.len() {
            let reach = reaches[*k].as_ref()?;
            let plus = |sum: &Poly| reach.iter().map(|d| sum.plus(&d.times(value), 1)).collect::<Vec<_>>();
            sums = sums.iter().flat_map(plus).collect();
        }
        if needed.len() > MOST || sums.len() > MOST {
            return None;
        }
    }
    Some(needed)
}

/// What would have to be above 0 is not where the stride is large, or where no value in it is negative.
fn is_unlikely(room: &Poly, stride: &Stride) -> bool {
    room.terms.get(&stride.monomial).is_some_and(|c| *c < 0) || room.terms.values().all(|c| *c <= 0)
}

/// The stride is a small multiple of a smaller one: nobody counts rows so.
fn is_close(strides: &[Stride], smaller: &[usize], k: usize) -> bool {
    let of = &strides[k];
    let close = |s: &Stride| s.monomial == of.monomial && of.coefficient < LEAST_ROW * s.coefficient;
    smaller.iter().any(|s| close(&strides[*s]))
}

/// The orders that strides of the same degree can have by their size. Those of fewer factors are smaller.
fn orders(strides: &[Stride]) -> Option<Vec<Vec<usize>>> {
    let mut found: Vec<Vec<usize>> = vec![vec![]];
    for at in 0..strides.len() {
        let mut longer = vec![];
        for order in &found {
            // It may stand before those of its degree, but for its own multiples and divisors.
            let alike = |k: &usize| {
                strides[*k].degree() == strides[at].degree() && strides[*k].monomial != strides[at].monomial
            };
            let first = order.iter().rposition(|k| !alike(k)).map_or(0, |last| last + 1);
            for place in first..=order.len() {
                let mut new = order.clone();
                new.insert(place, at);
                longer.push(new);
            }
        }
        found = longer;
        if found.len() > MOST {
            return None;
        }
    }
    Some(found)
}
