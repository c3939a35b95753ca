//! Reductions: `omp simd` loops into the thread's partial result.

use crate::c_family::helper::Combine;
use crate::c_family::scalar::Scalar;
use crate::c_family::unit::Unit;

/// `*sum_partial = *sum_partial OP sum`
pub fn into_partial(op: Combine, ty: Scalar, local: &str, param: &str, unit: &Unit) -> String {
    let extremum = |fun| crate::c_family::sync::extremum_name(unit, fun, ty);
    format!("{};", op.update(&format!("*{param}_partial"), local, ty, &extremum))
}

/// The pragma for a loop that updates these accumulators and nothing else that lives across iterations.
pub fn simd_pragma(reductions: &[(Combine, String)]) -> Option<String> {
    let clauses: Vec<String> = reductions
        .iter()
        .map(|(op, name)| Some(format!("reduction({} : {name})", operator(*op)?)))
        .collect::<Option<_>>()?;
    if clauses.is_empty() { None } else { Some(format!("#pragma omp simd {}", clauses.join(" "))) }
}

fn operator(op: Combine) -> Option<&'static str> {
    Some(match op {
        Combine::Add => "+",
        Combine::Mul => "*",
        Combine::Max => "max",
        Combine::Min => "min",
        Combine::And => "&",
        Combine::Or => "|",
        Combine::Xor => "^",
        Combine::LogicalAnd => "&&",
        Combine::LogicalOr => "||",
        _ => return None,
    })
}

/// fmin and fmax in a form that compilers vectorise; a NaN gives way to a number, as theirs does.
pub fn extremum(op: Combine, ty: Scalar, name: &str, unit: &Unit) -> String {
    let t = unit.scalar(ty);
    let sign = if op == Combine::Min { "<" } else { ">" };
    let chosen = if ty.is_float() { format!("a {sign} b || b != b") } else { format!("a {sign} b") };
    format!(
        "\
static inline {t} {name}({t} a, {t} b)
{{
    return {chosen} ? a : b;
}}
"
    )
}
