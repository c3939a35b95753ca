//! Arithmetic of reductions on the host: identities and combining, for every operator and type
//! of OpenACC 3.3 section 2.5.15 that C has.
//!
//! The cpu device combines the threads' partial results with it. Kernels of the GPU devices
//! combine on the device and need only the sizes.

use accl_abi::{Reduction, op, scalar_type, size_of_type};
use std::ffi::c_void;

/// Bytes of the reduction's variable.
pub fn size(reduction: Reduction) -> usize {
    size_of_type(reduction.type_)
}

macro_rules! integer {
    ($type:ty, $op:expr, $a:expr, $b:expr) => {
        match $op {
            op::ADD => $a.wrapping_add($b),
            op::MUL => $a.wrapping_mul($b),
            op::MAX => $a.max($b),
            op::MIN => $a.min($b),
            op::BAND => $a & $b,
            op::BOR => $a | $b,
            op::BXOR => $a ^ $b,
            op::LAND => <$type>::from($a != 0 && $b != 0),
            _ => <$type>::from($a != 0 || $b != 0),
        }
    };
}

macro_rules! float {
    ($type:ty, $op:expr, $a:expr, $b:expr) => {
        match $op {
            op::ADD => $a + $b,
            op::MUL => $a * $b,
            op::MAX => {
                if $b > $a {
                    $b
                } else {
                    $a
                }
            }
            op::MIN => {
                if $b < $a {
                    $b
                } else {
                    $a
                }
            }
            op::LAND => <$type>::from(u8::from($a != 0.0 && $b != 0.0)),
            _ => <$type>::from(u8::from($a != 0.0 || $b != 0.0)),
        }
    };
}

macro_rules! for_type {
    ($code:expr, $apply:ident, $otherwise:expr) => {
        match $code {
            scalar_type::I8 => $apply!(i8, integer),
            scalar_type::U8 => $apply!(u8, integer),
            scalar_type::I16 => $apply!(i16, integer),
            scalar_type::U16 => $apply!(u16, integer),
            scalar_type::I32 => $apply!(i32, integer),
            scalar_type::U32 => $apply!(u32, integer),
            scalar_type::I64 => $apply!(i64, integer),
            scalar_type::U64 => $apply!(u64, integer),
            scalar_type::F32 => $apply!(f32, float),
            scalar_type::F64 => $apply!(f64, float),
            _ => $otherwise,
        }
    };
}

/// `*into = *into OP *from`.
///
/// # Safety
/// Both point to a value of the reduction's type.
pub unsafe fn combine(reduction: Reduction, into: *mut c_void, from: *const c_void) {
    macro_rules! apply {
        ($type:ty, $family:ident) => {{
            // SAFETY: the caller's promise.
            let (a, b) =
                unsafe { (into.cast::<$type>().read_unaligned(), from.cast::<$type>().read_unaligned()) };
            let result: $type = $family!($type, reduction.op, a, b);
            // SAFETY: the caller's promise.
            unsafe { into.cast::<$type>().write_unaligned(result) }
        }};
    }
    for_type!(reduction.type_, apply, ())
}

/// `*into =` the value that changes nothing when combined.
///
/// # Safety
/// `into` points to a value of the reduction's type.
pub unsafe fn set_identity(reduction: Reduction, into: *mut c_void) {
    macro_rules! integer_identity {
        ($type:ty) => {
            match reduction.op {
                op::MUL | op::LAND => 1,
                op::MAX => <$type>::MIN,
                op::MIN => <$type>::MAX,
                op::BAND => !0,
                _ => 0,
            }
        };
    }
    macro_rules! float_identity {
        ($type:ty) => {
            match reduction.op {
                op::MUL | op::LAND => 1.0,
                op::MAX => <$type>::NEG_INFINITY,
                op::MIN => <$type>::INFINITY,
                _ => 0.0,
            }
        };
    }
    macro_rules! apply {
        ($type:ty, integer) => {
            // SAFETY: the caller's promise.
            unsafe { into.cast::<$type>().write_unaligned(integer_identity!($type)) }
        };
        ($type:ty, float) => {
            // SAFETY: the caller's promise.
            unsafe { into.cast::<$type>().write_unaligned(float_identity!($type)) }
        };
    }
    for_type!(reduction.type_, apply, ())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folds `values` from the identity.
    fn fold<T: Copy + Default>(op: u32, type_: u32, values: &[T]) -> T {
        let reduction = Reduction { op, type_ };
        let mut total = T::default();
        // SAFETY: T is the type of the code in every call below.
        unsafe {
            set_identity(reduction, (&raw mut total).cast());
            for value in values {
                combine(reduction, (&raw mut total).cast(), std::ptr::from_ref(value).cast());
            }
        }
        total
    }

    #[test]
    fn every_operator_has_its_identity() {
        assert_eq!(fold(op::ADD, scalar_type::I32, &[1i32, 2, 3]), 6);
        assert_eq!(fold(op::MUL, scalar_type::I64, &[2i64, 5]), 10);
        assert_eq!(fold(op::MAX, scalar_type::I32, &[-7i32, -3]), -3);
        assert_eq!(fold(op::MIN, scalar_type::U8, &[9u8, 4]), 4);
        assert_eq!(fold(op::BAND, scalar_type::U16, &[0xffu16, 0x0f]), 0x0f);
        assert_eq!(fold(op::BOR, scalar_type::U32, &[1u32, 4]), 5);
        assert_eq!(fold(op::BXOR, scalar_type::U64, &[7u64, 2]), 5);
        assert_eq!(fold(op::LAND, scalar_type::I32, &[3i32, 2]), 1);
        assert_eq!(fold(op::LOR, scalar_type::I32, &[0i32, 0]), 0);
        assert_eq!(fold(op::ADD, scalar_type::F64, &[0.5f64, 0.25]), 0.75);
        assert_eq!(fold(op::MAX, scalar_type::F32, &[-2.0f32, -1.0]), -1.0);
        assert_eq!(fold(op::MIN, scalar_type::F64, &[] as &[f64]), f64::INFINITY);
    }
}
