//! Floating numbers and their bits.

use crate::c_family::scalar::Scalar;

/// The type of as many bits on the other side.
pub fn other(ty: Scalar) -> Scalar {
    match ty {
        Scalar::F32 => Scalar::U32,
        Scalar::F64 => Scalar::U64,
        Scalar::U32 => Scalar::F32,
        _ => Scalar::F64,
    }
}

/// A function from `ty` to the other side.
pub fn helper(ty: Scalar, name: &str) -> String {
    let (from, to) = (ty.c_spelling(), other(ty).c_spelling());
    format!(
        "static inline {to} {name}({from} x)\n{{\n    union {{ {from} from; {to} to; }} both = {{x}};\n    return both.to;\n}}"
    )
}
