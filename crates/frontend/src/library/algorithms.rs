//! Functions of <algorithm>, <numeric> and <bit> for pointers and numbers: `std::accumulate(a, a + n, 0.0)`; `std::min` and `std::max` of
//! objects.
//!
//! A call in code for devices is made one of a template with the same meaning, which the buffer gets at its beginning
//! (`algorithms.h`). Calls of the host's code stay the library's.
//!
//! ```text
//! sum = std::accumulate(a, a + n, 0.0);        sum = accl_device::accumulate(a, a + n, 0.0);
//! ```
//!
//! Clang, which reads the result, decides whether it is right.

use super::{Edits, at_beginning, device_exprs, edited};
use crate::ast::{DeclId, ExprKind, Program, Ty};
use crate::lower::walk;
use crate::pragmas::Pragma;
use std::collections::HashSet;

const TEMPLATES: &str = include_str!("algorithms.h");

/// The buffer with these calls, and with the templates; `None`: it has no such calls.
pub fn written_out(buffer: &str, program: &Program, pragmas: &[Pragma]) -> Option<String> {
    let known: HashSet<DeclId> = program.functions.iter().map(|f| f.id).collect();
    let mut edits = Edits::new();
    device_exprs(program, pragmas, &mut |e| {
        let ExprKind::Call { callee, args } = &e.kind else { return };
        let ExprKind::Function(id, name) = &walk::bare_function(callee).kind else { return };
        // Lowering knows the smaller and the larger of two numbers itself.
        let of_objects = matches!(&**name, "min" | "max");
        let is_given = args.first().is_some_and(|first| match &*first.ty.referred().ty {
            Ty::Record(_) => of_objects && args.len() == 2,
            Ty::Pointer { .. } | Ty::Array { .. } | Ty::Int { .. } | Ty::Float { .. } => !of_objects,
            _ => false,
        });
        let span = walk::bare_function(callee).span;
        let (start, end) = (span.start as usize, span.end as usize);
        let Some(text) = buffer.get(start..end).filter(|_| is_given && !known.contains(id)) else { return };
        // Without the arguments of the template.
        let named = text.split('<').next().unwrap_or(text).trim_end();
        let plain = named.trim_start_matches("::").trim_start_matches("std::");
        if plain == &**name && defines(name) {
            edits.insert((start, start + named.len()), format!("::accl_device::{name}"));
        }
    });
    at_beginning(&edited(buffer, &edits)?, TEMPLATES)
}

/// Whether there is a template with this name.
fn defines(name: &str) -> bool {
    TEMPLATES.match_indices(name).any(|(at, _)| {
        let before = TEMPLATES[..at].chars().next_back();
        TEMPLATES[at + name.len()..].starts_with('(')
            && matches!(before, Some(' ' | '*' | '&'))
            && TEMPLATES[..at].lines().next_back().is_some_and(|line| line.starts_with("template "))
    })
}
