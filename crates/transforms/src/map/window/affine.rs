//! How the pivot of a window depends on the thread.
//!
//! A pivot must be a value that is the same in all threads of the block, plus constant steps for the thread's place
//! in the block. That holds for `i` and `2 * i + k`, and also for `i & 15` or `i - (i >> 4) * 4`, where each block
//! starts at a multiple of 16 of `i`. So the analysis also keeps of which number the common part is a multiple.

use super::facts::Facts;
use super::nest::Nest;
use accl_ir::{BinaryOp, Body, Expr, ExprKind, Handle, TypeKind, Types};

/// `common + Σ blocks[d] * block[d] + Σ steps[d] * place[d]`, for the iteration at `place` in the `block`th of the blocks
/// that the threads run together ([`NestLoop::blocks`](super::nest::NestLoop::blocks)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves {
    pub steps: [i128; 3],
    pub blocks: [i128; 3],
    /// The common part is a multiple of this number; 0 means that the common part is 0.
    pub multiple: u128,
}

impl Moves {
    fn common(multiple: u128) -> Moves {
        Moves { steps: [0; 3], blocks: [0; 3], multiple }
    }

    fn stands(self) -> bool {
        self.steps == [0; 3] && self.blocks == [0; 3]
    }

    /// The range of what the iteration's place adds, over all blocks together.
    pub fn range(&self, nest: &Nest) -> (i128, i128) {
        let mut ends = self.range_in_block(nest);
        for (d, step) in self.blocks.iter().enumerate() {
            let last = step * (i128::from(nest.blocks(d)) - 1);
            ends = (ends.0 + last.min(0), ends.1 + last.max(0));
        }
        ends
    }

    fn range_in_block(&self, nest: &Nest) -> (i128, i128) {
        let mut ends = (0, 0);
        for (d, step) in self.steps.iter().enumerate() {
            let last = step * (i128::from(nest.threads(d)) - 1);
            ends = (ends.0 + last.min(0), ends.1 + last.max(0));
        }
        ends
    }

    /// The dimension along which the value increases by one a thread, if it depends on no other dimension.
    pub fn lane(&self) -> Option<usize> {
        let d = self.steps.iter().position(|s| *s != 0)?;
        let alone = self.steps.iter().enumerate().all(|(other, s)| *s == i128::from(other == d));
        (alone && self.blocks == [0; 3]).then_some(d)
    }

    fn plus(self, other: Moves, sign: i128) -> Moves {
        let mut sum = self;
        sum.steps.iter_mut().zip(other.steps).for_each(|(s, o)| *s += sign * o);
        sum.blocks.iter_mut().zip(other.blocks).for_each(|(s, o)| *s += sign * o);
        Moves { multiple: gcd(self.multiple, other.multiple), ..sum }
    }

    fn times(self, n: i128) -> Moves {
        let (steps, blocks) = (self.steps.map(|s| s * n), self.blocks.map(|s| s * n));
        Moves { steps, blocks, multiple: self.multiple * n.unsigned_abs() }
    }

    /// The part that depends on the place lies in one interval of length `size`, and blocks begin at multiples of
    /// `size`.
    fn within(&self, nest: &Nest, size: u128) -> bool {
        let (low, high) = self.range_in_block(nest);
        let begins = self.multiple.is_multiple_of(size)
            && self.blocks.iter().all(|step| step.unsigned_abs().is_multiple_of(size));
        begins && low >= 0 && (high as u128) < size
    }

    /// The value divided by a `size` that it is [within](Moves::within): the number of the interval.
    fn stretch(self, size: u128) -> Moves {
        Moves { blocks: self.blocks.map(|step| step / size as i128), ..Moves::common(1) }
    }

    /// The remainder of that division.
    fn rest(self) -> Moves {
        Moves { blocks: [0; 3], multiple: 0, ..self }
    }
}

pub fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// How `e` depends on the thread; `None`: not in such a way.
pub fn moves(types: &Types, body: &Body, facts: &Facts, nest: &Nest, e: Handle<Expr>) -> Option<Moves> {
    let inner = |e| moves(types, body, facts, nest, e);
    let constant = |e: Handle<Expr>| body.const_int(types, e);
    if let Some(n) = constant(e) {
        return Some(Moves::common(n.unsigned_abs()));
    }
    let known = match body.exprs[e].kind {
        ExprKind::Load(place) => match body.exprs[place].kind {
            ExprKind::Local(l) => match nest.var(l) {
                Some(d) => Some(nest.moves(types, body, d)),
                None => facts.definitions.get(&l).and_then(|def| inner(*def)),
            },
            _ => None,
        },
        ExprKind::Cast(of) if is_wide(types, body, e) && types.is_integer(body.exprs[of].ty) => inner(of),
        ExprKind::Binary { op: BinaryOp::Add, left, right } => Some(inner(left)?.plus(inner(right)?, 1)),
        ExprKind::Binary { op: BinaryOp::Sub, left, right } => Some(inner(left)?.plus(inner(right)?, -1)),
        ExprKind::Binary { op: BinaryOp::Mul, left, right } => match (constant(left), constant(right)) {
            (_, Some(n)) => Some(inner(left)?.times(n)),
            (Some(n), _) => Some(inner(right)?.times(n)),
            _ => None,
        },
        ExprKind::Binary { op: BinaryOp::BitAnd, left, right } => {
            let mask = constant(right).and_then(|n| u128::try_from(n).ok()).map(|n| n + 1);
            let of = inner(left);
            match (mask.filter(|n| n.is_power_of_two()), of) {
                (Some(size), Some(of)) if of.within(nest, size) => Some(of.rest()),
                _ => None,
            }
        }
        ExprKind::Binary { op: BinaryOp::Shr, left, right } => {
            let size = constant(right).filter(|n| (0..63).contains(n)).map(|n| 1u128 << n);
            match (size, inner(left)) {
                (Some(size), Some(of)) if of.within(nest, size) => Some(of.stretch(size)),
                _ => None,
            }
        }
        // Division rounds towards zero: only where the value is known not to be negative.
        ExprKind::Binary { op: op @ (BinaryOp::Div | BinaryOp::Rem), left, right }
            if nest.counts_up_from_zero(types, body) =>
        {
            let size = constant(right).and_then(|n| u128::try_from(n).ok()).filter(|n| *n > 0);
            let plain = is_variable(body, nest, left);
            match (size, inner(left)) {
                (Some(size), Some(of)) if plain && of.within(nest, size) => match op {
                    BinaryOp::Div => Some(of.stretch(size)),
                    _ => Some(of.rest()),
                },
                _ => None,
            }
        }
        _ => None,
    };
    // Whatever is computed from common values alone is common.
    let common = || match body.exprs[e].kind {
        ExprKind::Binary { left, right, .. } => {
            [left, right].into_iter().all(|o| inner(o).is_some_and(Moves::stands))
        }
        ExprKind::Unary { operand, .. } => inner(operand).is_some_and(Moves::stands),
        _ => false,
    };
    known.or_else(|| (facts.is_uniform(body, e) || common()).then_some(Moves::common(1)))
}

fn is_wide(types: &Types, body: &Body, e: Handle<Expr>) -> bool {
    matches!(types.kind(body.exprs[e].ty), TypeKind::Int { bits: 32 | 64, .. })
}

fn is_variable(body: &Body, nest: &Nest, e: Handle<Expr>) -> bool {
    match body.exprs[e].kind {
        ExprKind::Load(place) => {
            matches!(body.exprs[place].kind, ExprKind::Local(l) if nest.var(l).is_some())
        }
        ExprKind::Cast(inner) => is_variable(body, nest, inner),
        _ => false,
    }
}
