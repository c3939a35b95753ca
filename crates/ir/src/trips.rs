//! How many iterations a loop has, and which value its variable has in one of them.
//!
//! The host counts them in C's text, kernels and the front end in expressions, passes in numbers. The rule is one,
//! [`iterations`], and who counts says how two numbers are added ([`Calculator`]). It holds for every type, up to
//! its smallest and largest values: the distance of two numbers of 64 bits takes 64 bits without a sign.

use crate::{BinaryOp, Compare};

/// Arithmetic on what stands for numbers.
pub trait Calculator {
    type Value: Clone;

    fn constant(&mut self, n: i128) -> Self::Value;
    /// The number that this is, if it is known.
    fn known(&self, value: &Self::Value) -> Option<i128>;
    /// A value of the loop's type as one of the type that iterations are counted in.
    fn widened(&mut self, value: &Self::Value) -> Self::Value;
    /// In the type that iterations are counted in, which wraps where it has no sign.
    fn binary(&mut self, op: BinaryOp, left: Self::Value, right: Self::Value) -> Self::Value;
    /// Compares two values of the loop's own type.
    fn compare(&mut self, op: BinaryOp, left: &Self::Value, right: &Self::Value) -> Self::Value;
    fn select(&mut self, cond: Self::Value, yes: Self::Value, no: Self::Value) -> Self::Value;
}

/// Of a loop: where it starts, ends, and how it goes on.
pub struct Range<'a, V> {
    pub lower: &'a V,
    pub compare: Compare,
    pub bound: &'a V,
    pub step: &'a V,
}

/// Whether the loop counts up: its step decides where it is known, otherwise its comparison.
pub fn is_up(compare: Compare, step: Option<i128>) -> bool {
    match step {
        Some(step) => step > 0,
        None => !matches!(compare, Compare::Gt | Compare::Ge),
    }
}

/// The number of iterations, which is never negative.
pub fn iterations<C: Calculator>(c: &mut C, range: &Range<'_, C::Value>) -> C::Value {
    let step = c.known(range.step);
    let up = is_up(range.compare, step);
    let inclusive = matches!(range.compare, Compare::Le | Compare::Ge);
    let (near, far) = if up { (range.lower, range.bound) } else { (range.bound, range.lower) };
    let op = if inclusive { BinaryOp::Ge } else { BinaryOp::Gt };
    let some = c.compare(op, far, near);
    let (low, high) = (c.widened(near), c.widened(far));
    let distance = match c.known(&low) {
        Some(0) => high,
        _ => c.binary(BinaryOp::Sub, high, low),
    };
    let one = c.constant(1);
    let count = match (step, inclusive) {
        (Some(1 | -1), false) => distance,
        (Some(1 | -1), true) => c.binary(BinaryOp::Add, distance, one),
        (_, inclusive) => {
            // With `<` the loop stops one iteration before where it would with `<=`.
            let last = if inclusive { distance } else { c.binary(BinaryOp::Sub, distance, one.clone()) };
            let stride = stride(c, range.step, up);
            let steps = c.binary(BinaryOp::Div, last, stride);
            c.binary(BinaryOp::Add, steps, one)
        }
    };
    let none = c.constant(0);
    c.select(some, count, none)
}

/// By how much the variable changes, without a sign.
fn stride<C: Calculator>(c: &mut C, step: &C::Value, up: bool) -> C::Value {
    match c.known(step) {
        Some(step) => c.constant(step.abs()),
        None => {
            let step = c.widened(step);
            let zero = c.constant(0);
            if up { step } else { c.binary(BinaryOp::Sub, zero, step) }
        }
    }
}

/// The number of iterations, where all is known.
pub fn count(lower: i128, bound: i128, compare: Compare, step: i128) -> i128 {
    iterations(&mut Numbers, &Range { lower: &lower, compare, bound: &bound, step: &step })
}

struct Numbers;

impl Calculator for Numbers {
    type Value = i128;

    fn constant(&mut self, n: i128) -> i128 {
        n
    }

    fn known(&self, value: &i128) -> Option<i128> {
        Some(*value)
    }

    fn widened(&mut self, value: &i128) -> i128 {
        *value
    }

    fn binary(&mut self, op: BinaryOp, left: i128, right: i128) -> i128 {
        match op {
            BinaryOp::Sub => left - right,
            BinaryOp::Div => left / right.max(1),
            _ => left + right,
        }
    }

    fn compare(&mut self, op: BinaryOp, left: &i128, right: &i128) -> i128 {
        i128::from(if op == BinaryOp::Ge { left >= right } else { left > right })
    }

    fn select(&mut self, cond: i128, yes: i128, no: i128) -> i128 {
        if cond != 0 { yes } else { no }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loops of a type of so many bits, counted in another.
    struct Small {
        counted: (u32, bool),
    }

    #[derive(Clone)]
    struct Value {
        n: i128,
        constant: bool,
    }

    /// The number as this type holds it.
    fn wrapped(n: i128, (bits, signed): (u32, bool)) -> i128 {
        let low = n.rem_euclid(1 << bits);
        if signed && low >= 1 << (bits - 1) { low - (1 << bits) } else { low }
    }

    impl Calculator for Small {
        type Value = Value;

        fn constant(&mut self, n: i128) -> Value {
            Value { n, constant: true }
        }

        fn known(&self, value: &Value) -> Option<i128> {
            value.constant.then_some(value.n)
        }

        fn widened(&mut self, value: &Value) -> Value {
            Value { n: wrapped(value.n, self.counted), ..*value }
        }

        fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
            let n = Numbers.binary(op, left.n, right.n);
            let constant = false;
            assert!(!self.counted.1 || wrapped(n, self.counted) == n, "{} {op:?} {}", left.n, right.n);
            Value { n: wrapped(n, self.counted), constant }
        }

        fn compare(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Value {
            Value { n: Numbers.compare(op, &left.n, &right.n), constant: false }
        }

        fn select(&mut self, cond: Value, yes: Value, no: Value) -> Value {
            if cond.n != 0 { yes } else { no }
        }
    }

    /// What a processor would do, which stops where the variable leaves its type.
    fn tried(lower: i128, compare: Compare, bound: i128, step: i128) -> i128 {
        let (mut i, mut n) = (lower, 0);
        let goes_on = |i| match compare {
            Compare::Lt => i < bound,
            Compare::Le => i <= bound,
            Compare::Gt => i > bound,
            Compare::Ge => i >= bound,
            Compare::Ne => i != bound,
        };
        while goes_on(i) {
            (i, n) = (i + step, n + 1);
        }
        n
    }

    fn all(ty: (u32, bool), counted: (u32, bool)) {
        let values = || (0..1 << ty.0).map(|n| wrapped(n, ty));
        let most = 1 << ty.0;
        for (lower, bound) in values().flat_map(|lower| values().map(move |bound| (lower, bound))) {
            for step in [1, 2, 3, 5, most / 2 - 1] {
                let forms =
                    [(Compare::Lt, step), (Compare::Le, step), (Compare::Gt, -step), (Compare::Ge, -step)];
                for (compare, step) in forms {
                    check(ty, counted, (lower, compare, bound, step));
                }
                let apart = (bound - lower).rem_euclid(step) == 0;
                if apart {
                    check(ty, counted, (lower, Compare::Ne, bound, if bound < lower { -step } else { step }));
                }
            }
        }
    }

    fn check(
        ty: (u32, bool),
        counted: (u32, bool),
        (lower, compare, bound, step): (i128, Compare, i128, i128),
    ) {
        let want = tried(lower, compare, bound, step);
        // As many iterations as there are numbers cannot be counted in them; such a loop with `<=` never ends.
        if want >= 1 << ty.0 {
            return;
        }
        for constant in [false, true] {
            if compare == Compare::Ne && !constant {
                continue;
            }
            let mut c = Small { counted };
            let value = |n| Value { n, constant: false };
            // Only a step that is known may be negative where the type has no sign.
            let step = Value { n: if constant { step } else { wrapped(step, counted) }, constant };
            let range = Range { lower: &value(lower), compare, bound: &value(bound), step: &step };
            assert_eq!(
                iterations(&mut c, &range).n,
                want,
                "{lower} {compare:?} {bound} by {}, {ty:?}",
                step.n
            );
        }
        assert_eq!(count(lower, bound, compare, step), want);
    }

    #[test]
    fn in_a_wider_type() {
        all((6, true), (12, true));
        all((6, false), (12, true));
    }

    #[test]
    fn in_the_own_width() {
        all((6, true), (6, false));
        all((6, false), (6, false));
    }
}
