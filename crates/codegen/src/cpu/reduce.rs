//! Reductions: `omp simd` loops into the thread's partial result.

use crate::c_family::helper::Combine;
use crate::c_family::scalar::Scalar;
use crate::c_family::unit::DeviceSource;

/// `*sum_partial = *sum_partial OP sum`
pub fn into_partial(op: Combine, ty: Scalar, local: &str, param: &str, unit: &DeviceSource) -> String {
    let extremum = |fun| crate::c_family::sync::extremum_name(unit, fun, ty);
    format!("{};", op.update(&format!("*{param}_partial"), local, ty, &extremum))
}

/// `*sum_result = *sum_result OP sum`
pub fn into_result(op: Combine, ty: Scalar, local: &str, param: &str, unit: &DeviceSource) -> String {
    let extremum = |fun| crate::c_family::sync::extremum_name(unit, fun, ty);
    format!("{};", op.update(&format!("*{param}_result"), local, ty, &extremum))
}

/// The pragma for a loop whose iterations threads share.
pub fn team_pragma(reductions: &[(Combine, String)], own: &[String]) -> Option<String> {
    let clauses = clauses(reductions)?;
    let own = if own.is_empty() { String::new() } else { format!(" firstprivate({})", own.join(", ")) };
    let gap = if clauses.is_empty() { "" } else { " " };
    Some(format!("#pragma omp parallel for{gap}{clauses}{own}"))
}

/// The pragma for a loop that updates these accumulators and carries nothing else across iterations.
pub fn simd_pragma(reductions: &[(Combine, String)]) -> Option<String> {
    let clauses = clauses(reductions)?;
    if clauses.is_empty() { None } else { Some(format!("#pragma omp simd {clauses}")) }
}

fn clauses(reductions: &[(Combine, String)]) -> Option<String> {
    let clause = |(op, name): &(Combine, String)| Some(format!("reduction({} : {name})", operator(*op)?));
    let clauses: Vec<String> = reductions.iter().map(clause).collect::<Option<_>>()?;
    Some(clauses.join(" "))
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

/// fmin and fmax in a form that compilers vectorise; as with the library's, a number wins over a NaN.
pub fn extremum(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
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
