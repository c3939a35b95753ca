//! String literals whose address code for devices uses: `find(text, "begin")`, `const char *unit = i ? "cm" : "mm"`.
//!
//! A literal is an array with static storage duration. Device code knows constant tables, so each becomes one, which the buffer gets
//! at its beginning:
//!
//! ```text
//! find(text, "begin")        static const char accl_text_0[] = "begin";   find(text, ((char *)accl_text_0))
//! ```
//!
//! What functions of the library are given stays: formats, and texts that lowering reads itself. Clang, which reads the result,
//! decides whether it is right.

use super::{Edits, at_beginning, device_exprs, edited, is_compute};
use crate::ast::{BinaryOp, CastKind, DeclId, Expr, ExprKind, Program, UnaryOp};
use crate::lower::walk;
use crate::pragmas::Pragma;
use accl_directives::Sentinel;
use std::collections::{BTreeSet, HashSet};

/// The buffer with tables for these literals; `None`: it has none.
pub fn written_out(buffer: &str, program: &Program, pragmas: &[Pragma]) -> Option<String> {
    let with_body = program.functions.iter().filter(|f| f.body.is_some());
    let known: HashSet<DeclId> = with_body.map(|f| f.id).collect();
    let (mut given, mut found) = (HashSet::new(), BTreeSet::new());
    device_exprs(program, pragmas, &mut |e| {
        if let ExprKind::Call { callee, args } = &e.kind
            && let ExprKind::Function(id, _) = &walk::bare_function(callee).kind
            && !known.contains(id)
        {
            given.extend(args.iter().filter_map(literal));
        }
        // As in `assert(n > 0 && "some")`: no address of a literal is null.
        let conditions: &[&Expr] = match &e.kind {
            ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, right } => {
                &[left, right]
            }
            ExprKind::Unary { op: UnaryOp::Not, operand }
            | ExprKind::Cast { kind: CastKind::ToBool, operand } => &[operand],
            _ => &[],
        };
        given.extend(conditions.iter().copied().filter_map(literal));
        found.extend(literal(e).filter(|place| is_decayed(e) && !given.contains(place)));
    });
    let mut texts: Vec<&str> = vec![];
    let mut edits = Edits::new();
    for place in found {
        let text = buffer.get(place.0..place.1)?;
        if !text.starts_with('"') || text.contains('\n') {
            continue;
        }
        let number = texts.iter().position(|known| *known == text).unwrap_or_else(|| {
            texts.push(text);
            texts.len() - 1
        });
        edits.insert(place, format!("((char *)accl_text_{number})"));
    }
    let of_openmp = pragmas.iter().any(|p| is_compute(p) && p.directive.origin == Sentinel::Omp);
    at_beginning(&edited(buffer, &edits)?, &tables(&texts, of_openmp))
}

/// The tables, which are on the device from the start. A construct with `default(none)` need not name them.
fn tables(texts: &[&str], of_openmp: bool) -> String {
    let (mut tables, mut names) = (String::new(), vec![]);
    for (number, text) in texts.iter().enumerate() {
        let name = format!("accl_text_{number}");
        tables += &format!("static const char {name}[] = {text};\n");
        names.push(name);
    }
    match of_openmp {
        true => format!("#pragma omp declare target\n{tables}#pragma omp end declare target\n"),
        false => format!("{tables}#pragma acc declare copyin({})\n", names.join(", ")),
    }
}

fn is_decayed(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Cast { kind: CastKind::Decay, operand } if matches!(operand.kind, ExprKind::Str(_)))
}

/// Where the literal stands of which an expression is the address.
fn literal(e: &Expr) -> Option<(usize, usize)> {
    match &e.kind {
        ExprKind::Str(Some(_)) => Some((e.span.start as usize, e.span.end as usize)),
        ExprKind::Cast { kind: CastKind::Decay | CastKind::NoOp | CastKind::Convert, operand } => {
            literal(operand)
        }
        _ => None,
    }
}
