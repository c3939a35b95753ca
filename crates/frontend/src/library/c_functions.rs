//! Functions of <ctype.h>, <string.h> and <stdlib.h> that need nothing but their arguments, the Bessel functions of <math.h> (by
//! downward recurrence, and by Hankel's series for large arguments), and the arithmetic of gcc and clang that
//! tells whether it overflows.
//!
//! As with <algorithm> (`algorithms`), a call in code for devices is made one of a function with the same meaning, which the buffer
//! gets at its beginning (`c_functions.h`). Characters are those of the "C" locale. What glibc's macros make of a call is known, too:
//!
//! ```text
//! n += isdigit(c) != 0;                                     n += accl_device_isdigit(c) != 0;
//! ((*__ctype_b_loc ())[(int) ((c))] & _ISdigit)             (accl_device_character_class((int) ((c))) & _ISdigit)
//! if (__builtin_add_overflow(a, b, &sum)) …                 if (accl_device_add_overflow_i(a, b, &sum)) …
//! ```
//!
//! Clang, which reads the result, decides whether it is right.

use super::{Edits, at_beginning, device_exprs, edited};
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Program, Ty};
use crate::lower::walk;
use crate::pragmas::Pragma;
use std::collections::HashSet;

const FUNCTIONS: &str = include_str!("c_functions.h");
const PREFIX: &str = "accl_device_";

/// The buffer with these calls, and with the functions; `None`: it has no such calls.
pub fn written_out(buffer: &str, program: &Program, pragmas: &[Pragma]) -> Option<String> {
    let known: HashSet<DeclId> = program.functions.iter().map(|f| f.id).collect();
    let mut edits = Edits::new();
    device_exprs(program, pragmas, &mut |e| {
        if let Some((index, function)) = element_of_table(e) {
            let inner = (index.span.start as usize, index.span.end as usize);
            edits.insert((e.span.start as usize, inner.0), format!("{PREFIX}{function}("));
            edits.insert((inner.1, e.span.end as usize), ")".to_owned());
            return;
        }
        let ExprKind::Call { callee, args } = &e.kind else { return };
        let bare = walk::bare_function(callee);
        let ExprKind::Function(id, name) = &bare.kind else { return };
        let place = (bare.span.start as usize, bare.span.end as usize);
        let is_users = known.contains(id) && !name.starts_with("__builtin_");
        let text = buffer.get(place.0..place.1).filter(|_| !is_users);
        let named = text.map(|text| text.trim_start_matches("::").trim_start_matches("std::"));
        if named != Some(&**name) {
            return;
        }
        let plain = name.trim_start_matches("__builtin_");
        if let Some((operator, ty, suffix)) = overflowing(name, args) {
            let result = args[2].span;
            edits.insert(place, format!("{PREFIX}{operator}_overflow_{suffix}"));
            edits.insert((result.start as usize, result.start as usize), format!("({ty} *)("));
            edits.insert((result.end as usize, result.end as usize), ")".to_owned());
        } else if parameters(plain) == Some(args.len()) {
            edits.insert(place, format!("{PREFIX}{plain}"));
        }
    });
    at_beginning(&edited(buffer, &edits)?, FUNCTIONS)
}

/// How many parameters the function of this name has that the text defines.
fn parameters(name: &str) -> Option<usize> {
    let written = format!("{PREFIX}{name}(");
    let line = FUNCTIONS
        .lines()
        .find(|line| line.split_once(" {").is_some_and(|(head, _)| head.contains(&written)))?;
    let (_, behind) = line.split_once(&written)?;
    Some(behind.split_once(')')?.0.split(',').count())
}

/// `(*__ctype_b_loc())[c]` and its kin: the index, and the function that gives the element.
fn element_of_table(e: &Expr) -> Option<(&Expr, &'static str)> {
    let ExprKind::Index { base, index } = &e.kind else { return None };
    let mut base = &**base;
    while let ExprKind::Cast { kind: CastKind::Load | CastKind::NoOp, operand } = &base.kind {
        base = operand;
    }
    let ExprKind::Deref(called) = &base.kind else { return None };
    let ExprKind::Call { callee, .. } = &called.kind else { return None };
    let ExprKind::Function(_, name) = &walk::bare_function(callee).kind else { return None };
    let function = match &**name {
        "__ctype_b_loc" => "character_class",
        "__ctype_toupper_loc" => "toupper",
        "__ctype_tolower_loc" => "tolower",
        _ => return None,
    };
    Some((index, function))
}

/// `__builtin_add_overflow(a, b, &sum)` or one of its kin, of numbers that the result's type can all hold: the operator, the result's
/// type, and the end of the function's name.
fn overflowing(name: &str, args: &[Expr]) -> Option<(&'static str, &'static str, &'static str)> {
    let of = name.strip_prefix("__builtin_")?.strip_suffix("_overflow")?;
    let [left, right, result] = args else { return None };
    let Ty::Pointer { to, .. } = &*result.ty.ty else { return None };
    let Ty::Int { bits, signed } = *to.ty else { return None };
    let fits = |operand: &Expr| match *operand.ty.ty {
        Ty::Int { bits: own, signed: has_sign } => {
            own <= bits && has_sign == signed || own < bits && !has_sign
        }
        _ => false,
    };
    let (ty, suffix) = match (bits, signed) {
        (32, true) => ("int", "i"),
        (32, false) => ("unsigned", "u"),
        (64, true) => ("long", "l"),
        (64, false) => ("unsigned long", "ul"),
        _ => return None,
    };
    let operator = ["add", "sub", "mul"].into_iter().find(|operator| of.contains(operator))?;
    (fits(left) && fits(right)).then_some((operator, ty, suffix))
}
