//! Atomic updates: CUDA's functions where there is one for operator and type, else compare-and-swap.

use crate::c_family::cas::{self, Swap};
use crate::c_family::dialect::AtomicRequest;
use crate::c_family::helper::{Combine, Helper};
use crate::c_family::scalar::Scalar;
use crate::c_family::spaces::AddrSpace;
use crate::c_family::sync::extremum_name;
use crate::c_family::unit::DeviceSource;

/// An expression that updates and gives the value before.
pub fn update(op: Combine, request: &AtomicRequest, unit: &DeviceSource) -> String {
    let AtomicRequest { ty, by, space, address, value, .. } = *request;
    if request.may_be_own {
        let name = unit.helper(match space {
            AddrSpace::Private => Helper::Atomic(op, ty, by, space),
            _ => Helper::OwnAtomic(op, ty, by),
        });
        return format!("{name}({address}, {})", request.arguments(value));
    }
    let value = if op == Combine::Sub { request.exact } else { value };
    match native(op, ty).filter(|_| by == ty) {
        Some((function, cast)) => {
            let cast = if cast.is_empty() { String::new() } else { format!("({cast} *)") };
            format!("{function}({cast}{address}, {})", request.arguments(&operand(op, ty, value)))
        }
        None => {
            let name = unit.helper(Helper::Atomic(op, ty, by, AddrSpace::Global));
            format!("{name}({address}, {})", request.arguments(value))
        }
    }
}

/// An update made once for all lanes of a warp that have the same place, where the device has the function for it.
pub fn combined(op: Combine, request: &AtomicRequest, unit: &DeviceSource) -> String {
    let AtomicRequest { ty, by, address, exact, .. } = *request;
    if by != ty || !combines(op, ty) || request.may_be_own {
        return update(op, request, unit);
    }
    format!("{}({address}, {exact})", unit.helper(Helper::CombinedAtomic(op, ty)))
}

/// The device has a function for the update.
pub fn is_native(op: Combine, ty: Scalar, by: Scalar) -> bool {
    by == ty && native(op, ty).is_some()
}

/// Several updates may be one, and the device has a function for it.
pub fn combines(op: Combine, ty: Scalar) -> bool {
    use Combine::{Add, And, Max, Min, Or, Sub, Xor};
    matches!(op, Add | Sub | And | Or | Xor | Min | Max) && native(op, ty).is_some()
}

/// The hardware's atomic operations cannot reach a thread's own variables, which no other thread changes.
pub fn own_helper(op: Combine, (ty, by): (Scalar, Scalar), name: &str, unit: &DeviceSource) -> String {
    let (t, operands) = (unit.scalar(ty), cas::parameters(op, (ty, by), unit));
    let updated = cas::updated(op, (ty, by), unit);
    let expected = (op == Combine::Replace).then_some("expected");
    let request = AtomicRequest { by, expected, ..AtomicRequest::global(ty, "place", "value") };
    let update = update(op, &request, unit);
    format!(
        "\
/* Updates *place, which may be a variable of the thread's own; gives the value before. */
static __device__ __noinline__ {t} {name}({t} *place, {operands})
{{
    if (!__isLocal(place))
        return {update};
    const {t} old = *place;
    *place = {updated};
    return old;
}}
"
    )
}

/// Each round joins neighbouring pairs of a place's lanes; the first lane of a place makes the update.
pub fn combined_helper(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let t = unit.scalar(ty);
    // What is subtracted is added up.
    let joined = if op == Combine::Sub { Combine::Add } else { op };
    let step = joined.update("value", "other", ty, &|fun| extremum_name(unit, fun, ty));
    let update = update(op, &AtomicRequest::global(ty, "place", "value"), unit);
    format!(
        "\
/* Updates *place by value; the lanes of a warp that have the same place do so together. */
static __device__ void {name}({t} *place, {t} value)
{{
    const unsigned here = __activemask();
    const unsigned same = __match_any_sync(here, (unsigned long long)place);
    unsigned lane, before;
    asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));
    asm(\"mov.u32 %0, %%lanemask_lt;\" : \"=r\"(before));
    unsigned rank = __popc(same & before);
    unsigned rest = same & ~before & ~(1u << lane);
    while (__any_sync(here, rest)) {{
        const int next = __ffs(rest) - 1;
        const {t} other = __shfl_sync(here, value, rest ? next : lane);
        if (rest)
            {step};
        rest &= __ballot_sync(here, rank % 2 == 0);
        rank /= 2;
    }}
    if ((same & before) == 0)
        {update};
}}
"
    )
}

/// The function, and the type of its pointer parameter where that is not the place's type.
fn native(op: Combine, ty: Scalar) -> Option<(&'static str, &'static str)> {
    use Combine::{Add, And, Assign, Max, Min, Or, Replace, Sub, Xor};
    use Scalar::{F32, F64, I32, I64, U32, U64};
    const WIDE: &str = "unsigned long long";
    Some(match (op, ty) {
        (Add, I32 | U32 | F32 | F64) => ("atomicAdd", ""),
        (Add | Sub, I64 | U64) => ("atomicAdd", WIDE),
        (Sub, I32 | U32) => ("atomicSub", ""),
        (Sub, F32 | F64) => ("atomicAdd", ""),
        (Min, I32 | U32) => ("atomicMin", ""),
        (Min, I64) => ("atomicMin", "long long"),
        (Min, U64) => ("atomicMin", WIDE),
        (Max, I32 | U32) => ("atomicMax", ""),
        (Max, I64) => ("atomicMax", "long long"),
        (Max, U64) => ("atomicMax", WIDE),
        (And, I32 | U32) => ("atomicAnd", ""),
        (And, I64 | U64) => ("atomicAnd", WIDE),
        (Or, I32 | U32) => ("atomicOr", ""),
        (Or, I64 | U64) => ("atomicOr", WIDE),
        (Xor, I32 | U32) => ("atomicXor", ""),
        (Xor, I64 | U64) => ("atomicXor", WIDE),
        (Assign, I32 | U32 | F32) => ("atomicExch", ""),
        (Assign, I64 | U64) => ("atomicExch", WIDE),
        (Replace, I32 | U32) => ("atomicCAS", ""),
        (Replace, I64 | U64) => ("atomicCAS", WIDE),
        _ => return None,
    })
}

/// Where there is no subtraction, the negated value is added.
fn operand(op: Combine, ty: Scalar, value: &str) -> String {
    if op == Combine::Sub && !matches!(ty, Scalar::I32 | Scalar::U32) {
        let simple = value.chars().all(|c| c.is_alphanumeric() || "_.[]>".contains(c));
        return if simple { format!("-{value}") } else { format!("-({value})") };
    }
    value.to_owned()
}

struct CudaSwap;

impl Swap for CudaSwap {
    fn word(&self, bytes: u32) -> &'static str {
        if bytes == 8 { "unsigned long long" } else { "unsigned" }
    }
    fn qualifier(&self) -> &'static str {
        "static __device__ "
    }
    fn space(&self, _space: AddrSpace) -> &'static str {
        ""
    }
    fn swap(&self, _bytes: u32) -> &'static str {
        "atomicCAS"
    }
    fn bits_to_value(&self, ty: Scalar, bits: &str) -> String {
        match ty {
            Scalar::F32 => format!("__uint_as_float({bits})"),
            Scalar::F64 => format!("__longlong_as_double({bits})"),
            _ => bits.to_owned(),
        }
    }
    fn value_to_bits(&self, ty: Scalar, value: &str) -> String {
        match ty {
            Scalar::F32 => format!("__float_as_uint({value})"),
            Scalar::F64 => format!("__double_as_longlong({value})"),
            _ => value.to_owned(),
        }
    }
}

pub fn helper(
    op: Combine,
    types: (Scalar, Scalar),
    space: AddrSpace,
    name: &str,
    unit: &DeviceSource,
) -> String {
    match space {
        AddrSpace::Private => cas::of_own(&CudaSwap, op, types, name, unit),
        _ => cas::helper(&CudaSwap, op, types, AddrSpace::Global, name, unit),
    }
}
