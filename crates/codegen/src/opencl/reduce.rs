//! Reductions over a work-group and the whole range, by trees in local memory.
//!
//! `scratch` has room for one value of each work-item of the group. Every group size works: at each step the
//! upper part, rounded down, is combined into the lower. Over the range, the group that arrives last
//! combines all groups' partial results, in an order that depends on the launch alone.
//!
//! The helpers are always inlined. Otherwise LLVM puts the kernel's array in the place of a `scratch` that is the same in
//! every call, before PoCL makes that array each group's own, and groups on different threads share it.

use super::atomics;
use super::dialect::scratch;
use crate::c_family::dialect::AtomicRequest;
use crate::c_family::helper::{Combine, Helper};
use crate::c_family::kernel::KernelText;
use crate::c_family::scalar::Scalar;
use crate::c_family::spaces::AddrSpace;
use crate::c_family::sync::extremum_name;
use crate::c_family::unit::Unit;
use crate::c_family::writer::wrapped_list;

fn update(op: Combine, a: &str, b: &str, ty: Scalar, unit: &Unit) -> String {
    op.update(a, b, ty, &|fun| extremum_name(unit, fun, ty))
}

/// Over the range as people write it: each group adds its result to the variable.
pub fn atomically(
    op: Combine,
    ty: Scalar,
    local: &str,
    param: &str,
    kernel: &KernelText,
    unit: &Unit,
) -> String {
    let block = unit.helper(Helper::ReduceBlock(op, ty));
    let cast = if ty == Scalar::Bool { "(__global bool *)" } else { "" };
    let address = format!("{cast}{param}_result");
    let request =
        AtomicRequest { ty, space: AddrSpace::Global, address: &address, value: local, exact: local };
    let update = atomics::update(op, &request, unit);
    let first = kernel.first_thread(["get_local_id(0)", "get_local_id(1)", "get_local_id(2)"]);
    format!("{local} = {block}({local}, {});\nif ({first})\n    {update};", scratch(kernel, ty, unit))
}

const THREAD: &str = "    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;";
const THREADS: &str = "    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);";

pub fn block(op: Combine, ty: Scalar, name: &str, unit: &Unit) -> String {
    let (t, step) = (unit.scalar(ty), update(op, "scratch[thread]", "scratch[thread + middle]", ty, unit));
    format!(
        "\
/* Combines the values of a group's work-items; every one gets the result. */
__attribute__((always_inline)) static inline {t} {name}({t} value, __local {t} *scratch)
{{
{THREAD}
{THREADS}
    barrier(CLK_LOCAL_MEM_FENCE); /* an earlier use of scratch is over */
    scratch[thread] = value;
    for (int n = threads; n > 1; n = (n + 1) / 2) {{
        const int middle = (n + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (thread + middle < n)
            {step};
    }}
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[0];
}}
"
    )
}

pub fn grid(op: Combine, ty: Scalar, name: &str, unit: &Unit) -> String {
    let t = unit.scalar(ty);
    let block = Helper::ReduceBlock(op, ty).name();
    let identity = op.identity(ty, unit);
    let step = update(op, "value", "partials[i]", ty, unit);
    let last = update(op, "*result", "value", ty, unit);
    let params = [
        format!("{t} value"),
        format!("__global {t} *result"),
        format!("volatile __global {t} *partials"),
        "volatile __global uint *arrivals".into(),
        format!("__local {t} *scratch"),
    ];
    let head =
        wrapped_list(&format!("__attribute__((always_inline)) static inline void {name}"), &params, "");
    format!(
        "\
/* Combines the values of all work-items into *result, the groups' partial results in order. */
{head}
{{
{THREAD}
{THREADS}
    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;
    const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    value = {block}(value, scratch);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread == 0) {{
        partials[group] = value;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        scratch[0] = atomic_inc(arrivals) == groups - 1; /* is this the last? */
    }}
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (scratch[0] == 0)
        return;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    value = {identity};
    for (int i = thread; i < groups; i += threads)
        {step};
    value = {block}(value, scratch);
    if (thread == 0) {{
        {last};
        *arrivals = 0;
    }}
}}
"
    )
}
