//! Trip counts as the host computes them.

use accl_analysis::text::Scope;
use accl_ir::{Body, Compare, Loop, Module, TripCount, TypeKind, Types};

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
    if let Some(trips) = constant(&module.types, body, l) {
        return trips.to_string();
    }
    let known = |e| body.const_int(&module.types, e);
    let (lower, bound, step) = (known(l.lower), known(l.bound), known(l.step));
    let scope = Scope::new(module, body);
    let unsigned = is_wide_unsigned(&module.types, body, l);
    let ty = if unsigned { "unsigned long long" } else { "long long" };
    let wide = |e| match known(e) {
        Some(n) => n.to_string(),
        None => format!("({ty})({})", scope.text(e).unwrap_or_else(|| "0".into())),
    };
    let up = is_up(l.compare, step);
    let (from, to) = if up { (wide(l.lower), wide(l.bound)) } else { (wide(l.bound), wide(l.lower)) };
    let distance = match if up { lower } else { bound } {
        Some(0) => to.clone(),
        _ => format!("({to} - {from})"),
    };
    let inclusive = matches!(l.compare, Compare::Le | Compare::Ge);
    let op = if inclusive { ">=" } else { ">" };
    let stride = match (step, up) {
        (Some(step), _) => step.unsigned_abs().to_string(),
        (None, true) => wide(l.step),
        (None, false) => format!("-{}", wide(l.step)),
    };
    let trips = match (stride.as_str(), inclusive) {
        ("1", false) => distance.clone(),
        ("1", true) => format!("{distance} + 1"),
        (_, false) => format!("({distance} - 1) / ({stride}) + 1"),
        (_, true) => format!("{distance} / ({stride}) + 1"),
    };
    match unsigned {
        true => format!("({to} {op} {from} ? (long long)({trips}) : 0)"),
        false => format!("({distance} {op} 0 ? {trips} : 0)"),
    }
}

/// Distances between the loop's bounds may take 64 bits without a sign.
pub fn is_wide_unsigned(types: &Types, body: &Body, l: &Loop) -> bool {
    let unsigned = *types.kind(body.locals[l.var].ty) == TypeKind::Int { bits: 64, signed: false };
    unsigned && body.const_int(types, l.lower).is_none()
}

/// Whether the loop counts up: its step decides where it is known, otherwise its comparison.
pub fn is_up(compare: Compare, step: Option<i128>) -> bool {
    match step {
        Some(step) => step > 0,
        None => !matches!(compare, Compare::Gt | Compare::Ge),
    }
}

/// Iterations of a loop with constant bounds.
pub fn count(lower: i128, bound: i128, compare: Compare, step: i128) -> i128 {
    let distance = if step > 0 { bound - lower } else { lower - bound };
    let inclusive = i128::from(matches!(compare, Compare::Le | Compare::Ge));
    let stride = step.abs().max(1);
    ((distance + inclusive + stride - 1).max(0)) / stride
}

/// The same, where all three are constants.
pub fn constant(types: &Types, body: &Body, l: &Loop) -> Option<i128> {
    let known = |e| body.const_int(types, e);
    Some(count(known(l.lower)?, known(l.bound)?, l.compare, known(l.step)?))
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
