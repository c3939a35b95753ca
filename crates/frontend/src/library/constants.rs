//! Constants of the library's templates: `std::is_same<T, float>::value`, `std::is_integral_v<T>`, `std::numeric_limits<T>::digits`.
//!
//! The dump does not say what value such a name has. But it says how long arrays are, so the names that code for devices uses are
//! written as the size of one:
//!
//! ```text
//! if (std::is_same<T, float>::value) …        if ((sizeof(char[1 + (std::is_same<T, float>::value)]) == 2)) …
//! ```
//!
//! Clang, which reads the result, decides whether it is right.

use super::{Edits, device_exprs, edited};
use crate::ast::{DeclId, Expr, ExprKind, Program, Ty};
use crate::pragmas::Pragma;
use std::collections::HashSet;

/// Numbers that are small and not negative.
const NUMBERS: [&str; 6] = ["digits", "digits10", "max_digits10", "radix", "rank_v", "tuple_size_v"];

/// The buffer with these constants written so; `None`: it has none.
pub fn written_out(buffer: &str, program: &Program, pragmas: &[Pragma]) -> Option<String> {
    let known: HashSet<DeclId> = program.globals.iter().map(|var| var.id).collect();
    let mut edits = Edits::new();
    device_exprs(program, pragmas, &mut |e| {
        let ExprKind::Var(id, name) = &e.kind else { return };
        let place = (e.span.start as usize, e.span.end as usize);
        let text = buffer.get(place.0..place.1).filter(|text| text.contains('<') && !known.contains(id));
        if let Some(size) = text.and_then(|text| as_size(text, name, e)) {
            edits.insert(place, size);
        }
    });
    edited(buffer, &edits)
}

fn as_size(text: &str, name: &str, e: &Expr) -> Option<String> {
    match &*e.ty.ty {
        Ty::Bool => Some(format!("(sizeof(char[1 + ({text})]) == 2)")),
        Ty::Int { .. } if NUMBERS.contains(&name) => Some(format!("((int)sizeof(char[1 + ({text})]) - 1)")),
        _ => None,
    }
}
