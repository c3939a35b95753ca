//! Constants of the library's templates: `std::is_same<T, float>::value`, `std::is_integral_v<T>`, `std::numeric_limits<T>::digits`.
//!
//! The dump does not say what value such a name has. But it says how long arrays are, so the names that code for devices uses are
//! written as the size of one:
//!
//! ```text
//! if (std::is_same<T, float>::value) …        if ((sizeof(char[1 + (std::is_same<T, float>::value)]) == 2)) …
//! ```
//!
//! The constants of <numbers> are written as their values.
//!
//! Clang, which reads the result, decides whether it is right.

use super::{Edits, device_exprs, edited};
use crate::ast::{DeclId, Expr, ExprKind, Program, Ty};
use crate::lower::walk;
use crate::pragmas::Pragma;
use std::collections::HashSet;

/// Numbers that are small and not negative, which one array tells.
const NUMBERS: [&str; 6] = ["digits", "digits10", "max_digits10", "radix", "rank_v", "tuple_size_v"];

/// C++20 §26.9.2
const MATHEMATICAL: [(&str, f64); 13] = [
    ("e", std::f64::consts::E),
    ("log2e", std::f64::consts::LOG2_E),
    ("log10e", std::f64::consts::LOG10_E),
    ("pi", std::f64::consts::PI),
    ("inv_pi", std::f64::consts::FRAC_1_PI),
    ("inv_sqrtpi", std::f64::consts::FRAC_2_SQRT_PI / 2.0),
    ("ln2", std::f64::consts::LN_2),
    ("ln10", std::f64::consts::LN_10),
    ("sqrt2", std::f64::consts::SQRT_2),
    ("sqrt3", 1.732_050_807_568_877_2),
    ("inv_sqrt3", 0.577_350_269_189_625_8),
    ("egamma", 0.577_215_664_901_532_9),
    ("phi", 1.618_033_988_749_895),
];

/// The buffer with these constants written so; `None`: it has none.
pub fn written_out(buffer: &str, program: &Program, pragmas: &[Pragma]) -> Option<String> {
    let known: HashSet<DeclId> = program.globals.iter().map(|var| var.id).collect();
    let mut edits = Edits::new();
    let mut visit = |e: &Expr| {
        let ExprKind::Var(id, name) = &e.kind else { return };
        let place = (e.span.start as usize, e.span.end as usize);
        let is_of_library = |text: &&str| {
            text.contains('<') || text.contains("numbers::") || e.ty.constant && text.contains("::")
        };
        let text = buffer.get(place.0..place.1).filter(|_| !known.contains(id)).filter(is_of_library);
        if let Some(written) = text.and_then(|text| written(text, name, e)) {
            edits.insert(place, written);
        }
    };
    device_exprs(program, pragmas, &mut visit);
    // Members may have them as what they begin with.
    for init in program.records.iter().flat_map(|r| &r.fields).filter_map(|field| field.init.as_ref()) {
        walk::within(init, &mut visit);
    }
    edited(buffer, &edits)
}

fn written(text: &str, name: &str, e: &Expr) -> Option<String> {
    match &*e.ty.ty {
        Ty::Bool => Some(format!("(sizeof(char[1 + ({text})]) == 2)")),
        Ty::Int { .. } if NUMBERS.contains(&name) => Some(format!("((int)sizeof(char[1 + ({text})]) - 1)")),
        // Any number, by its halves.
        Ty::Int { .. } if e.ty.constant => {
            let half = |shift: u32| {
                let bits = format!("((unsigned long long)({text}) >> {shift} & 0xffffffffu)");
                format!("(sizeof(char[1 + {bits}]) - 1)")
            };
            Some(format!("((decltype({text}))((unsigned long long){} << 32 | {}))", half(32), half(0)))
        }
        Ty::Float { .. } if text.contains("numbers::") => {
            let name = name.trim_end_matches("_v");
            let (_, value) = MATHEMATICAL.iter().find(|(known, _)| *known == name)?;
            Some(format!("((decltype({text})){value:?})"))
        }
        _ => None,
    }
}
