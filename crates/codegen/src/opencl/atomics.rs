//! Atomic updates: OpenCL's functions on 32- and 64-bit integers, compare-and-swap for the rest.

use crate::c_family::cas::{self, Swap};
use crate::c_family::dialect::{AtomicRequest, Dialect};
use crate::c_family::helper::{Combine, Helper};
use crate::c_family::scalar::Scalar;
use crate::c_family::spaces::AddrSpace;
use crate::c_family::unit::DeviceSource;

use super::dialect::OpenCl;

fn volatile(request: &AtomicRequest) -> String {
    format!("*(volatile {}{} *){}", OpenCl.space(request.space), OpenCl.scalar(request.ty), request.address)
}

pub fn load(request: &AtomicRequest) -> String {
    volatile(request)
}

pub fn store(request: &AtomicRequest) -> String {
    format!("{} = {}", volatile(request), request.value)
}

/// An expression that updates and gives the value before.
pub fn update(op: Combine, request: &AtomicRequest, unit: &DeviceSource) -> String {
    let AtomicRequest { ty, by, space, address, value, .. } = *request;
    let is_shared = space != AddrSpace::Private;
    if ty.bytes() == 8 && is_shared {
        unit.note(|n| n.atomics64 = true);
    }
    match native(op, ty).filter(|_| by == ty && is_shared) {
        Some(function) => format!("{function}({address}, {})", request.arguments(value)),
        None => {
            let name = unit.helper(Helper::Atomic(op, ty, by, space));
            format!("{name}({address}, {})", request.arguments(value))
        }
    }
}

fn native(op: Combine, ty: Scalar) -> Option<&'static str> {
    use Combine::{Add, And, Assign, Max, Min, Or, Replace, Sub, Xor};
    Some(match (op, ty) {
        (Add, Scalar::I32 | Scalar::U32) => "atomic_add",
        (Sub, Scalar::I32 | Scalar::U32) => "atomic_sub",
        (Min, Scalar::I32 | Scalar::U32) => "atomic_min",
        (Max, Scalar::I32 | Scalar::U32) => "atomic_max",
        (And, Scalar::I32 | Scalar::U32) => "atomic_and",
        (Or, Scalar::I32 | Scalar::U32) => "atomic_or",
        (Xor, Scalar::I32 | Scalar::U32) => "atomic_xor",
        (Assign, Scalar::I32 | Scalar::U32 | Scalar::F32) => "atomic_xchg",
        (Add, Scalar::I64 | Scalar::U64) => "atom_add",
        (Sub, Scalar::I64 | Scalar::U64) => "atom_sub",
        (Min, Scalar::I64 | Scalar::U64) => "atom_min",
        (Max, Scalar::I64 | Scalar::U64) => "atom_max",
        (And, Scalar::I64 | Scalar::U64) => "atom_and",
        (Or, Scalar::I64 | Scalar::U64) => "atom_or",
        (Xor, Scalar::I64 | Scalar::U64) => "atom_xor",
        (Assign, Scalar::I64 | Scalar::U64) => "atom_xchg",
        (Replace, Scalar::I32 | Scalar::U32) => "atomic_cmpxchg",
        (Replace, Scalar::I64 | Scalar::U64) => "atom_cmpxchg",
        _ => return None,
    })
}

struct OpenClSwap;

impl Swap for OpenClSwap {
    fn word(&self, bytes: u32) -> &'static str {
        if bytes == 8 { "ulong" } else { "uint" }
    }
    fn qualifier(&self) -> &'static str {
        "static "
    }
    fn space(&self, space: AddrSpace) -> &'static str {
        OpenCl.space(space)
    }
    fn swap(&self, bytes: u32) -> &'static str {
        if bytes == 8 { "atom_cmpxchg" } else { "atomic_cmpxchg" }
    }
    fn bits_to_value(&self, ty: Scalar, bits: &str) -> String {
        match ty {
            Scalar::F32 => format!("as_float({bits})"),
            Scalar::F64 => format!("as_double({bits})"),
            _ => bits.to_owned(),
        }
    }
    fn value_to_bits(&self, ty: Scalar, value: &str) -> String {
        match ty {
            Scalar::F32 => format!("as_uint({value})"),
            Scalar::F64 => format!("as_ulong({value})"),
            _ => value.to_owned(),
        }
    }
}

pub fn helper(
    op: Combine,
    (ty, by): (Scalar, Scalar),
    space: AddrSpace,
    name: &str,
    unit: &DeviceSource,
) -> String {
    if space == AddrSpace::Private {
        return cas::of_own(&OpenClSwap, op, (ty, by), name, unit);
    }
    let swapped = cas::helper(&OpenClSwap, op, (ty, by), space, name, unit);
    match nvidia_add(op, ty, space, name).filter(|_| by == ty) {
        Some(direct) => format!("#ifdef __NV_CL_C_VERSION\n{direct}#else\n{swapped}#endif\n"),
        None => swapped,
    }
}

/// NVIDIA's OpenCL has no functions for atomic additions of floating-point numbers, but takes PTX, which has: swapping is
/// hopelessly slow where thousands of threads add to one number.
fn nvidia_add(op: Combine, ty: Scalar, space: AddrSpace, name: &str) -> Option<String> {
    let (t, bits, register) = match ty {
        Scalar::F32 => ("float", 32, 'f'),
        Scalar::F64 => ("double", 64, 'd'),
        _ => return None,
    };
    let value = match op {
        Combine::Add => "value",
        Combine::Sub => "-value",
        _ => return None,
    };
    (space == AddrSpace::Global).then(|| {
        format!(
            "\
/* Updates *place; gives the value before. */
static {t} {name}(__global {t} *place, {t} value)
{{
    {t} before;
    asm volatile(\"atom.global.add.f{bits} %0, [%1], %2;\"
                 : \"={register}\"(before) : \"l\"(place), \"{register}\"({value}) : \"memory\");
    return before;
}}
"
        )
    })
}
