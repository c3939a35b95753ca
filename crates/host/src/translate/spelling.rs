//! C's spelling of types and values in a port.

use accl_ir::{ArrayLen, Handle, Type, TypeKind, Types};

/// `T inner` with T as the kernels' file spells it; `None` for what has no spelling there.
pub fn declare(types: &Types, ty: Handle<Type>, inner: &str) -> Option<String> {
    match types.kind(ty) {
        TypeKind::Pointer { to, .. } => match types.kind(*to) {
            TypeKind::Array { .. } => declare(types, *to, &format!("(*{inner})")),
            _ => declare(types, *to, &format!("*{inner}")),
        },
        TypeKind::Array { of, len: ArrayLen::Const(n) } => declare(types, *of, &format!("{inner}[{n}]")),
        TypeKind::Array { .. } | TypeKind::Compressed { .. } | TypeKind::Opaque(_) => None,
        _ => {
            let gap = if inner.is_empty() { "" } else { " " };
            Some(format!("{}{gap}{inner}", name(types, ty)?))
        }
    }
}

/// The spelling of anything but pointers and arrays.
fn name(types: &Types, ty: Handle<Type>) -> Option<String> {
    Some(match types.kind(ty) {
        TypeKind::Struct(def) => types.structs[*def].name.clone(),
        TypeKind::Void => "void".into(),
        _ => number(types, ty)?.into(),
    })
}

/// A number's type as the host program and the kernels both spell it; `None` for what is no number.
pub fn number(types: &Types, ty: Handle<Type>) -> Option<&'static str> {
    crate::types::number(types, ty, true)
}

/// Whether the host program certainly has the same type under this name. Its `long` may be `long long`, its `char`
/// `signed char`, and it has structures of its own.
fn is_certain(types: &Types, ty: Handle<Type>, cplusplus: bool) -> bool {
    match types.kind(ty) {
        TypeKind::Array { of, len: ArrayLen::Const(_) } => !cplusplus && is_certain(types, *of, cplusplus),
        // C++ converts no pointers to enumerations, nor references to arrays.
        TypeKind::Int { bits, signed } if cplusplus => matches!((bits, signed), (32, true)),
        TypeKind::Int { bits, signed } => matches!((bits, signed), (16 | 32, _) | (8, false)),
        TypeKind::Float { .. } => true,
        _ => false,
    }
}

/// A pointer parameter as the header declares it: `void *` where the host's type is not certain.
pub fn pointer_parameter(
    types: &Types,
    ty: Handle<Type>,
    name: &str,
    reads_only: bool,
    cplusplus: bool,
) -> String {
    let element = types.element(ty);
    let certain = element.filter(|e| is_certain(types, *e, cplusplus));
    let is_array = element.is_some_and(|e| matches!(types.kind(e), TypeKind::Array { .. }));
    // C before C23 does not convert to a pointer to an array of constants.
    let constant = if reads_only && !(is_array && certain.is_some()) { "const " } else { "" };
    let declared = certain.and_then(|_| declare(types, ty, name));
    format!("{constant}{}", declared.unwrap_or_else(|| format!("void *{name}")))
}

/// A C string.
pub fn comment(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("/* {} */", words.replace("/*", "").replace("*/", "").trim_end())
}

/// In parentheses unless it binds as tightly as a subscripted name.
pub fn operand(text: &str) -> String {
    let text = text.trim();
    let simple = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']') || c == '-' || c == '>';
    let tight = text.chars().all(simple) && !text.replace("->", "").contains(['-', '>']);
    if tight && !text.is_empty() { text.to_owned() } else { format!("({text})") }
}

/// `a * b`, where `a` is any expression and `b` a factor.
pub fn times(a: &str, b: &str) -> String {
    let a = a.trim();
    if a == "1" {
        return b.to_owned();
    }
    let factors: Option<Vec<&str>> = a.split('*').map(factor).collect();
    factors.map_or_else(|| format!("({a}) * {b}"), |factors| format!("{} * {b}", factors.join(" * ")))
}

/// A factor without the parentheses that it does not need.
fn factor(text: &str) -> Option<&str> {
    let text = text.trim();
    let bare = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(text).trim();
    let tight = |t: &str| operand(t) == t;
    if tight(bare) { Some(bare) } else { None }
}

/// `head(a, b, c)tail`, broken before column 100 and aligned after the parenthesis.
pub fn wrapped(indent: &str, head: &str, items: &[String], tail: &str) -> String {
    let column = indent.chars().count() + head.chars().count() + 1;
    let (mut text, mut width) = (format!("{indent}{head}("), column);
    for (at, item) in items.iter().enumerate() {
        let ending = if at + 1 == items.len() { tail.len() + 1 } else { 1 };
        if at > 0 && width + 1 + item.len() + ending > 100 {
            text.push('\n');
            text.push_str(indent);
            text.extend(std::iter::repeat_n(' ', head.chars().count() + 1));
            width = column;
        } else if at > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(item);
        width += item.len() + 1;
        if at + 1 < items.len() {
            text.push(',');
        }
    }
    text + ")" + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_have_the_parentheses_they_need() {
        assert_eq!(times("n", "sizeof *x"), "n * sizeof *x");
        assert_eq!(times("m * g->n", "sizeof *x"), "m * g->n * sizeof *x");
        assert_eq!(times("n - 1", "sizeof *x"), "(n - 1) * sizeof *x");
        assert_eq!(times("f(n)", "sizeof *x"), "(f(n)) * sizeof *x");
        assert_eq!(times("1", "sizeof *x"), "sizeof *x");
        assert_eq!(times("(n) * (m)", "sizeof *x"), "n * m * sizeof *x");
        assert_eq!(times("(n + 1) * (m)", "sizeof *x"), "((n + 1) * (m)) * sizeof *x");
    }

    #[test]
    fn operands_bind_tightly() {
        assert_eq!(operand("g->rows[2].x"), "g->rows[2].x");
        assert_eq!(operand("p + 1"), "(p + 1)");
        assert_eq!(operand("a-1"), "(a-1)");
    }
}
