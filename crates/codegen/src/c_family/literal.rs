//! Numbers as C writes them.

use super::scalar::Scalar;

/// An integer's text and the type C gives it. Small numbers are plain `int`s whatever their type.
pub fn integer(value: i128, ty: Scalar) -> (String, Scalar) {
    if ty == Scalar::Bool {
        return (if value == 0 { "false" } else { "true" }.to_owned(), Scalar::Bool);
    }
    let value = if value < 0 && !ty.is_signed() { value + (1 << ty.bits()) } else { value };
    if i32::try_from(value).is_ok() {
        let text = if value == i128::from(i32::MIN) { "(-2147483647 - 1)".into() } else { value.to_string() };
        return (text, Scalar::I32);
    }
    suffixed(value, if ty.bits() < 32 { Scalar::I32 } else { ty })
}

/// An integer's text of exactly type `ty` (at least as wide as int).
pub fn suffixed(value: i128, ty: Scalar) -> (String, Scalar) {
    let text = match ty {
        Scalar::U32 => format!("{}u", value as u32),
        Scalar::U64 => format!("{}ul", value as u64),
        Scalar::I64 if value == i128::from(i64::MIN) => "(-9223372036854775807l - 1)".replace('l', "L"),
        Scalar::I64 => format!("{}L", value as i64),
        Scalar::Bool
        | Scalar::I8
        | Scalar::U8
        | Scalar::I16
        | Scalar::U16
        | Scalar::I32
        | Scalar::F32
        | Scalar::F64 => return integer(i128::from(value as i32), Scalar::I32),
    };
    (if ty == Scalar::U64 { text.replace("ul", "UL") } else { text }, ty)
}

/// A finite floating-point number: the shortest text that gives it back.
pub fn floating(value: f64, ty: Scalar) -> String {
    if ty == Scalar::F32 { format!("{:?}f", value as f32) } else { format!("{value:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        assert_eq!(integer(5, Scalar::I64), ("5".into(), Scalar::I32));
        assert_eq!(integer(1 << 40, Scalar::I64), ("1099511627776L".into(), Scalar::I64));
        assert_eq!(integer(4294967295, Scalar::U32), ("4294967295u".into(), Scalar::U32));
        assert_eq!(integer(i32::MIN.into(), Scalar::I32).0, "(-2147483647 - 1)");
        assert_eq!(suffixed(i64::MIN.into(), Scalar::I64).0, "(-9223372036854775807L - 1)");
        assert_eq!(suffixed(7, Scalar::U64).0, "7UL");
    }

    #[test]
    fn floats() {
        assert_eq!(floating(0.1f32.into(), Scalar::F32), "0.1f");
        assert_eq!(floating(2.0, Scalar::F64), "2.0");
        assert_eq!(floating(1e-30, Scalar::F64), "1e-30");
    }
}
