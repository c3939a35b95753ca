//! C's arithmetic types and its conversion rules (C11 6.3.1), which decide which casts may be left out.
//!
//! The data model is that of every host and device supported: 32-bit int, 64-bit long, signed char.

use accl_ir::{Handle, Type, TypeKind, Types};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// `None` for what is no arithmetic type.
    pub fn of(types: &Types, ty: Handle<Type>) -> Option<Scalar> {
        match types.kind(ty) {
            TypeKind::Bool => Some(Scalar::Bool),
            TypeKind::Int { bits, signed } => Scalar::int(*bits, *signed),
            TypeKind::Float { bits: 32 } => Some(Scalar::F32),
            TypeKind::Float { .. } => Some(Scalar::F64),
            TypeKind::Void
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Struct(_)
            | TypeKind::Compressed { .. }
            | TypeKind::Opaque(_) => None,
        }
    }

    pub fn int(bits: u8, signed: bool) -> Option<Scalar> {
        Some(match (bits, signed) {
            (8, true) => Scalar::I8,
            (8, false) => Scalar::U8,
            (16, true) => Scalar::I16,
            (16, false) => Scalar::U16,
            (32, true) => Scalar::I32,
            (32, false) => Scalar::U32,
            (64, true) => Scalar::I64,
            (64, false) => Scalar::U64,
            _ => return None,
        })
    }

    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::I8 | Scalar::U8 => 8,
            Scalar::I16 | Scalar::U16 => 16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 64,
        }
    }

    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    pub fn is_integer(self) -> bool {
        !self.is_float()
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::F32 | Scalar::F64)
    }

    /// The integer promotions, 6.3.1.1.
    pub fn promoted(self) -> Scalar {
        if self.is_integer() && self.bits() < 32 { Scalar::I32 } else { self }
    }

    /// The usual arithmetic conversions, 6.3.1.8.
    pub fn common(a: Scalar, b: Scalar) -> Scalar {
        let (a, b) = (a.promoted(), b.promoted());
        if a.is_float() || b.is_float() {
            return a.max(b);
        }
        if a.bits() != b.bits() {
            return if a.bits() > b.bits() { a } else { b };
        }
        if a.is_signed() { b } else { a }
    }

    /// `wider` can represent every value of `self`.
    pub fn fits_in(self, wider: Scalar) -> bool {
        match (self.is_float(), wider.is_float()) {
            (true, false) => false,
            (true, true) => self.bits() <= wider.bits(),
            (false, true) => self.bits() <= if wider == Scalar::F64 { 32 } else { 16 },
            (false, false) if self.is_signed() == wider.is_signed() => self.bits() <= wider.bits(),
            (false, false) => wider.is_signed() && self.bits() < wider.bits(),
        }
    }

    /// A word that stands for the type in names of helper functions.
    pub fn word(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "char",
            Scalar::U8 => "uchar",
            Scalar::I16 => "short",
            Scalar::U16 => "ushort",
            Scalar::I32 => "int",
            Scalar::U32 => "uint",
            Scalar::I64 => "long",
            Scalar::U64 => "ulong",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
        }
    }

    /// C's and C++'s spelling.
    pub fn c_spelling(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "char",
            Scalar::U8 => "unsigned char",
            Scalar::I16 => "short",
            Scalar::U16 => "unsigned short",
            Scalar::I32 => "int",
            Scalar::U32 => "unsigned",
            Scalar::I64 => "long",
            Scalar::U64 => "unsigned long",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
        }
    }

    /// The unsigned integer as wide.
    pub fn unsigned(self) -> Scalar {
        match self.bytes() {
            1 => Scalar::U8,
            2 => Scalar::U16,
            4 => Scalar::U32,
            _ => Scalar::U64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scalar::*;
    use super::*;

    #[test]
    fn usual_arithmetic_conversions() {
        assert_eq!(Scalar::common(I8, U16), I32);
        assert_eq!(Scalar::common(I32, U32), U32);
        assert_eq!(Scalar::common(U32, I64), I64);
        assert_eq!(Scalar::common(U64, F32), F32);
        assert_eq!(Scalar::common(F32, F64), F64);
    }

    #[test]
    fn value_preserving_conversions() {
        assert!(U32.fits_in(I64) && !U32.fits_in(I32) && !I32.fits_in(U64));
        assert!(I32.fits_in(F64) && !I32.fits_in(F32) && I16.fits_in(F32) && Bool.fits_in(U8));
    }
}
