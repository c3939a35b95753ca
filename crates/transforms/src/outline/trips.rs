//! Trip counts as the host computes them.

use accl_analysis::text::Scope;
use accl_ir::{Body, Compare, Loop, Module, TripCount};

/// The count of iterations of a loop whose bounds the host knows.
pub fn of_loop(module: &Module, body: &Body, l: &Loop) -> TripCount {
    TripCount {
        lower: l.lower,
        compare: l.compare,
        bound: l.bound,
        step: l.step,
        text: text(module, body, l),
    }
}

fn text(module: &Module, body: &Body, l: &Loop) -> String {
    let step = body.const_int(&module.types, l.step).unwrap_or(1);
    let lower = body.const_int(&module.types, l.lower);
    let bound = body.const_int(&module.types, l.bound);
    if let (Some(lower), Some(bound)) = (lower, bound) {
        return count(lower, bound, l.compare, step).to_string();
    }
    let scope = Scope::new(module, body);
    let wide = |e| format!("(long long)({})", scope.text(e).unwrap_or_else(|| "0".into()));
    let (from, to) = if step > 0 { (wide(l.lower), wide(l.bound)) } else { (wide(l.bound), wide(l.lower)) };
    let distance = match if step > 0 { lower } else { bound } {
        Some(0) => to,
        _ => format!("({to} - {from})"),
    };
    let inclusive = matches!(l.compare, Compare::Le | Compare::Ge);
    let stride = step.unsigned_abs() as i128;
    let rounded = match stride - 1 + i128::from(inclusive) {
        0 => distance.clone(),
        extra => format!("({distance} + {extra})"),
    };
    let trips = if stride == 1 { rounded.clone() } else { format!("{rounded} / {stride}") };
    let least = if inclusive { ">= 0" } else { "> 0" };
    format!("({distance} {least} ? {trips} : 0)")
}

/// Iterations of a loop with constant bounds.
pub fn count(lower: i128, bound: i128, compare: Compare, step: i128) -> i128 {
    let distance = if step > 0 { bound - lower } else { lower - bound };
    let inclusive = i128::from(matches!(compare, Compare::Le | Compare::Ge));
    let stride = step.abs().max(1);
    ((distance + inclusive + stride - 1).max(0)) / stride
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!(count(0, 10, Compare::Lt, 1), 10);
        assert_eq!(count(0, 10, Compare::Le, 3), 4);
        assert_eq!(count(9, 0, Compare::Ge, -1), 10);
        assert_eq!(count(9, 0, Compare::Gt, -2), 5);
        assert_eq!(count(5, 0, Compare::Lt, 1), 0);
        assert_eq!(count(0, 7, Compare::Ne, 1), 7);
    }
}
