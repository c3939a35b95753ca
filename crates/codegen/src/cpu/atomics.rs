//! Atomic updates by the compilers' built-in functions.

use crate::c_family::cas::parameters;
use crate::c_family::dialect::AtomicRequest;
use crate::c_family::helper::{Combine, Helper};
use crate::c_family::scalar::Scalar;
use crate::c_family::spaces::AddrSpace;
use crate::c_family::sync::extremum_name;
use crate::c_family::unit::DeviceSource;

pub fn load(request: &AtomicRequest) -> String {
    if request.ty.is_float() {
        return format!("*(volatile {} *){}", request.ty.c_spelling(), request.address);
    }
    format!("__atomic_load_n({}, __ATOMIC_RELAXED)", request.address)
}

pub fn store(request: &AtomicRequest) -> String {
    if request.ty.is_float() {
        let ty = request.ty.c_spelling();
        return format!("*(volatile {ty} *){} = {}", request.address, request.value);
    }
    format!("__atomic_store_n({}, {}, __ATOMIC_RELAXED)", request.address, request.value)
}

/// An expression that updates and gives the value before.
pub fn update(op: Combine, request: &AtomicRequest, unit: &DeviceSource) -> String {
    let AtomicRequest { ty, by, address, value, .. } = *request;
    match native(op, ty).filter(|_| by == ty) {
        Some(function) => format!("{function}({address}, {value}, __ATOMIC_RELAXED)"),
        None => {
            let name = unit.helper(Helper::Atomic(op, ty, by, AddrSpace::Global));
            format!("{name}({address}, {})", request.arguments(value))
        }
    }
}

fn native(op: Combine, ty: Scalar) -> Option<&'static str> {
    if ty.is_float() || ty == Scalar::Bool {
        return None;
    }
    Some(match op {
        Combine::Add => "__atomic_fetch_add",
        Combine::Sub => "__atomic_fetch_sub",
        Combine::And => "__atomic_fetch_and",
        Combine::Or => "__atomic_fetch_or",
        Combine::Xor => "__atomic_fetch_xor",
        Combine::Assign => "__atomic_exchange_n",
        _ => return None,
    })
}

pub fn helper(op: Combine, (ty, by): (Scalar, Scalar), name: &str, unit: &DeviceSource) -> String {
    let (t, operands) = (unit.scalar(ty), parameters(op, (ty, by), unit));
    let updated = op.apply("old", "value", by, &|fun| extremum_name(unit, fun, by));
    format!(
        "\
/* Updates *place; gives the value before. */
static {t} {name}({t} *place, {operands})
{{
    {t} old = *(volatile {t} *)place, updated;
    do
        updated = {updated};
    while (!__atomic_compare_exchange(place, &old, &updated, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}}
"
    )
}
