//! Proves that an access lies in its iteration's window.
//!
//! The subscript minus the pivot must be a constant, after variables of inner loops are replaced by the limits of
//! their ranges: `a[j]` with `j` from `first` to `first + 256 < n ? first + 256 : n` lies in `a[first:256]`.

use super::affine;
use super::facts::Facts;
use super::nest::Nest;
use super::sizes::Count;
use accl_ir::{
    BinaryOp, Block, Body, Compare, Expr, ExprKind, Handle, Local, MathFn, Stmt, Types, UnaryOp, visit,
};
use std::collections::BTreeMap;

type Value = Handle<Expr>;

/// `constant + Σ n * local`
#[derive(Clone, Debug, Default, PartialEq)]
struct Linear {
    terms: BTreeMap<Handle<Local>, i128>,
    constant: i128,
}

impl Linear {
    fn plus(mut self, other: &Linear, times: i128) -> Linear {
        for (local, n) in &other.terms {
            *self.terms.entry(*local).or_default() += n * times;
        }
        self.terms.retain(|_, n| *n != 0);
        self.constant += other.constant * times;
        self
    }
}

/// The ranges of variables of inner loops: from the first expression to before the second plus a number.
#[derive(Clone, Debug, Default)]
pub struct Ranges(BTreeMap<Handle<Local>, (Value, Value, i128)>);

impl Ranges {
    /// Of loops that count upwards by one and declare their variable.
    pub fn of(types: &Types, body: &Body, block: &Block) -> Ranges {
        let mut found = BTreeMap::new();
        let mut again = vec![];
        visit::for_each_stmt(block, &mut |node| {
            let Stmt::For(l) = &node.kind else { return };
            let beyond = match l.compare {
                Compare::Lt => Some(0),
                Compare::Le => Some(1),
                Compare::Gt | Compare::Ge | Compare::Ne => None,
            };
            let up = beyond.filter(|_| body.const_int(types, l.step) == Some(1) && l.declared_here);
            if up.is_none_or(|more| found.insert(l.var, (l.lower, l.bound, more)).is_some()) {
                again.push(l.var);
            }
        });
        again.iter().for_each(|l| {
            found.remove(l);
        });
        Ranges(found)
    }
}

/// Whether a local that changes may be treated as one value, which is right only if all is evaluated at one point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Locals {
    Fixed,
    Any,
}

pub struct Prover<'a> {
    pub types: &'a Types,
    pub body: &'a Body,
    pub facts: &'a Facts,
    pub ranges: &'a Ranges,
}

impl Prover<'_> {
    /// `index - (pivot - before)` is at least 0 and below `length`, where conditions are `known` to hold or not.
    pub fn is_within(
        &self,
        index: Value,
        pivot: Value,
        before: Count,
        length: Count,
        known: &[(Value, bool)],
    ) -> bool {
        let (Some(index), Some(pivot)) = (self.linear(index), self.linear(pivot)) else { return false };
        let (Some(before), Some(length)) = (self.count(before), self.count(length)) else { return false };
        let from = pivot.plus(&before, -1);
        let above = |least: Linear| self.constant(&least.plus(&from, -1)).is_some_and(|n| n >= 0);
        let known: Vec<(Linear, Linear)> = known.iter().filter_map(|k| self.less(k.0, k.1)).collect();
        let below = |most: Linear| {
            let distance = most.plus(&from, -1).plus(&length, -1);
            let with = |(a, b): &(Linear, Linear)| {
                let mut more = distance.clone().plus(a, -1).plus(b, 1);
                more.constant -= 1;
                more
            };
            let all = std::iter::once(distance.clone()).chain(known.iter().map(with));
            all.into_iter().any(|d| self.constant(&d).is_some_and(|n| n < 0))
        };
        self.least(&index, 4).into_iter().any(above) && self.most(&index, 4).into_iter().any(below)
    }

    /// What a comparison that holds, or does not hold, says about the order of two values.
    fn less(&self, cond: Value, holds: bool) -> Option<(Linear, Linear)> {
        let ExprKind::Binary { op, left, right } = self.body.exprs[cond].kind else { return None };
        if !self.types.is_integer(self.body.exprs[left].ty) {
            return None;
        }
        let (left, right) = (self.linear(left)?, self.linear(right)?);
        // `a <= b` is `a < b + 1`.
        let or_equal = |a: Linear, mut b: Linear| {
            b.constant += 1;
            (a, b)
        };
        match (op, holds) {
            (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => Some((left, right)),
            (BinaryOp::Gt, true) | (BinaryOp::Le, false) => Some((right, left)),
            (BinaryOp::Le, true) | (BinaryOp::Gt, false) => Some(or_equal(left, right)),
            (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => Some(or_equal(right, left)),
            _ => None,
        }
    }

    /// `cond`, `yes` and `no` of a bound `cond ? yes : no` that is `lower` and a constant if `cond` holds: a loop's usual end.
    pub fn usual_end(&self, lower: Value, bound: Value) -> Option<(Value, Value, Value)> {
        let bound = match self.body.exprs[bound].kind {
            ExprKind::Load(place) => match self.body.exprs[place].kind {
                ExprKind::Local(l) => *self.facts.definitions.get(&l)?,
                _ => return None,
            },
            _ => bound,
        };
        let ExprKind::Select { cond, yes, no } = self.body.exprs[bound].kind else { return None };
        let mut fixed = true;
        accl_ir::visit::for_each_operand(&self.body.exprs, bound, &mut |e| {
            if let ExprKind::Local(l) = self.body.exprs[e].kind {
                fixed &= self.facts.is_fixed(l);
            }
        });
        let trips = self.distance(lower, yes)?;
        (fixed && (4..=4096).contains(&trips)).then_some((cond, yes, no))
    }

    /// `bound - lower` where it is known, of values that do not change.
    pub fn distance(&self, lower: Value, bound: Value) -> Option<i128> {
        self.constant(&self.linear(bound)?.plus(&self.linear(lower)?, -1))
    }

    /// No thread reads `read` while another writes `written`, given what holds in all threads that do either.
    ///
    /// With one subscript the difference between the places of two threads is `D`. A thread that writes where
    /// another one reads is `D` places after it, but a condition says that it is one of the first `D`: `a[i] += a[i
    /// + w]` for `at < w`.
    pub fn never_meet(&self, nest: &Nest, read: Value, written: Value, holds: &[Value]) -> bool {
        let linear = |e| self.linear_of(e, Locals::Any);
        let moves = |e| affine::moves(self.types, self.body, self.facts, nest, e);
        let (Some(r), Some(w)) = (linear(read), linear(written)) else { return false };
        let Some(by) = moves(written) else { return false };
        let along_x = by.steps[0] == 1 && by.steps[1..] == [0, 0] && nest.loops.len() == 1;
        let apart = r.plus(&w, -1);
        if !along_x {
            return false;
        }
        if apart == Linear::default() {
            return true;
        }
        holds.iter().any(|cond| {
            let ExprKind::Binary { op: BinaryOp::Lt, left, right } = self.body.exprs[*cond].kind else {
                return false;
            };
            let is_place =
                moves(left) == Some(affine::Moves { steps: [1, 0, 0], blocks: [0; 3], multiple: 0 });
            is_place && linear(right).as_ref() == Some(&apart)
        })
    }

    /// No thread reads the element `read` of a block's copy while another one writes `written`: no two threads are
    /// far enough apart in the block for their elements to be the same.
    pub fn places_never_meet(&self, nest: &Nest, read: Value, written: Value) -> bool {
        let (Some(read), Some(written)) = (self.subscripts(read), self.subscripts(written)) else {
            return false;
        };
        let mut differences = vec![];
        for ((r, r_base), (w, w_base)) in read.iter().zip(&written) {
            let same_base = visit::same_expr(self.body, *r_base, *w_base);
            let linear = |e| self.linear_of(e, Locals::Any);
            let (Some(r), Some(of_w)) = (linear(*r), linear(*w)) else { return false };
            let moves = affine::moves(self.types, self.body, self.facts, nest, *w);
            let (true, Some(moves), Some(apart)) = (same_base, moves, self.constant(&r.plus(&of_w, -1)))
            else {
                return false;
            };
            differences.push((apart, moves.steps));
        }
        let all = |d: usize| {
            let most = i128::from(nest.threads(d)) - 1;
            -most..=most
        };
        let meet = |by: [i128; 3]| {
            let at = |(apart, steps): &(i128, [i128; 3])| {
                apart + steps.iter().zip(by).map(|(s, n)| s * n).sum::<i128>() == 0
            };
            by != [0; 3] && differences.iter().all(at)
        };
        read.len() == written.len() && !all(2).any(|z| all(1).any(|y| all(0).any(|x| meet([x, y, z]))))
    }

    /// `value` and `begin` of each subscript `value - begin` of an element of a block's copy.
    fn subscripts(&self, place: Value) -> Option<Vec<(Value, Value)>> {
        let mut found = vec![];
        let mut at = place;
        loop {
            match self.body.exprs[at].kind {
                ExprKind::Member { base, .. } if found.is_empty() => at = base,
                ExprKind::Index { base, index } => {
                    let ExprKind::Binary { op: BinaryOp::Sub, left, right } = self.body.exprs[index].kind
                    else {
                        return None;
                    };
                    found.push((left, right));
                    at = base;
                }
                ExprKind::Local(_) => return Some(found),
                _ => return None,
            }
        }
    }

    fn count(&self, count: Count) -> Option<Linear> {
        match count {
            Count::Known(constant) => Some(Linear { constant, ..Linear::default() }),
            Count::Launch(value) => self.linear(value),
        }
    }

    fn constant(&self, l: &Linear) -> Option<i128> {
        l.terms.is_empty().then_some(l.constant)
    }

    fn linear(&self, e: Value) -> Option<Linear> {
        self.linear_of(e, Locals::Fixed)
    }

    fn linear_of(&self, e: Value, locals: Locals) -> Option<Linear> {
        let of = |local| Linear { terms: BTreeMap::from([(local, 1)]), constant: 0 };
        match self.body.exprs[e].kind {
            ExprKind::Int(n) => Some(Linear { constant: n, ..Linear::default() }),
            ExprKind::Cast(inner) if self.types.is_integer(self.body.exprs[inner].ty) => {
                self.linear_of(inner, locals)
            }
            ExprKind::Load(place) => match self.body.exprs[place].kind {
                ExprKind::Local(l) => {
                    // The values in it may have changed since.
                    let definition =
                        self.facts.definitions.get(&l).and_then(|d| self.linear_of(*d, Locals::Fixed));
                    // Nothing is known of values that may change between the directive and the access.
                    let known = locals == Locals::Any || self.facts.is_fixed(l);
                    definition.or_else(|| known.then(|| of(l)))
                }
                _ => None,
            },
            ExprKind::Binary { op: BinaryOp::Add, left, right } => {
                Some(self.linear_of(left, locals)?.plus(&self.linear_of(right, locals)?, 1))
            }
            ExprKind::Binary { op: BinaryOp::Sub, left, right } => {
                Some(self.linear_of(left, locals)?.plus(&self.linear_of(right, locals)?, -1))
            }
            ExprKind::Unary { op: UnaryOp::Neg, operand } => {
                Some(Linear::default().plus(&self.linear_of(operand, locals)?, -1))
            }
            ExprKind::Binary { op: BinaryOp::Mul, left, right } => {
                let n = |e| self.body.const_int(self.types, e);
                match (n(left), n(right)) {
                    (_, Some(n)) => Some(Linear::default().plus(&self.linear_of(left, locals)?, n)),
                    (Some(n), _) => Some(Linear::default().plus(&self.linear_of(right, locals)?, n)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Forms that are never above `l`: itself, and with loop variables at their first values.
    fn least(&self, l: &Linear, depth: u32) -> Vec<Linear> {
        let mut all = vec![l.clone()];
        for (local, n) in &l.terms {
            let Some((lower, ..)) = self.ranges.0.get(local).filter(|_| *n == 1 && depth > 0) else {
                continue;
            };
            if let Some(lower) = self.linear(*lower) {
                let replaced = self.without(l, *local).plus(&lower, 1);
                all.extend(self.least(&replaced, depth - 1));
            }
        }
        all
    }

    /// Forms that are never below `l`: itself, and with loop variables at their last values.
    fn most(&self, l: &Linear, depth: u32) -> Vec<Linear> {
        let mut all = vec![l.clone()];
        for (local, n) in &l.terms {
            let Some((_, bound, more)) = self.ranges.0.get(local).filter(|_| *n == 1 && depth > 0) else {
                continue;
            };
            for end in self.ends(*bound, 4) {
                let mut replaced = self.without(l, *local).plus(&end, 1);
                replaced.constant += more - 1;
                all.extend(self.most(&replaced, depth - 1));
            }
        }
        all
    }

    fn without(&self, l: &Linear, local: Handle<Local>) -> Linear {
        let one = Linear { terms: BTreeMap::from([(local, 1)]), constant: 0 };
        l.clone().plus(&one, -1)
    }

    /// Forms that are never below a bound: either side of a minimum.
    fn ends(&self, bound: Value, depth: u32) -> Vec<Linear> {
        if let Some(l) = self.linear(bound)
            && !self.is_minimum(bound)
        {
            return vec![l];
        }
        let both = |a, b| -> Vec<Linear> {
            if depth == 0 {
                vec![]
            } else {
                [a, b].into_iter().flat_map(|e| self.ends(e, depth - 1)).collect()
            }
        };
        match &self.body.exprs[bound].kind {
            ExprKind::Cast(inner) => self.ends(*inner, depth),
            ExprKind::Load(place) => match self.body.exprs[*place].kind {
                ExprKind::Local(l) => match self.facts.definitions.get(&l) {
                    Some(d) if depth > 0 => self.ends(*d, depth - 1),
                    _ => vec![],
                },
                _ => vec![],
            },
            ExprKind::Math { fun: MathFn::Min, args } => both(args[0], args[1]),
            ExprKind::Select { cond, yes, no } => match self.body.exprs[*cond].kind {
                ExprKind::Binary { op: BinaryOp::Lt | BinaryOp::Le, left, right }
                    if visit::same_expr(self.body, left, *yes) && visit::same_expr(self.body, right, *no) =>
                {
                    both(*yes, *no)
                }
                ExprKind::Binary { op: BinaryOp::Gt | BinaryOp::Ge, left, right }
                    if visit::same_expr(self.body, right, *yes) && visit::same_expr(self.body, left, *no) =>
                {
                    both(*yes, *no)
                }
                _ => vec![],
            },
            _ => vec![],
        }
    }

    /// A local that stands for a minimum, which its linear form would hide.
    fn is_minimum(&self, e: Value) -> bool {
        match self.body.exprs[e].kind {
            ExprKind::Load(place) => match self.body.exprs[place].kind {
                ExprKind::Local(l) => {
                    self.facts.definitions.get(&l).is_some_and(|d| self.linear(*d).is_none())
                }
                _ => false,
            },
            ExprKind::Cast(inner) => self.is_minimum(inner),
            _ => false,
        }
    }
}
