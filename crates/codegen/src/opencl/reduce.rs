//! Reductions over a work-group and the whole range, in local memory.
//!
//! `scratch` holds one value of each work-item of the group, of any number. Sixteen work-items combine
//! the values of all, then each combines those sixteen: few barriers, none in a loop, which compilers for CPUs
//! take long over. Over the range, the group that arrives last combines all groups' partial results. The order
//! depends on the launch alone.

use super::atomics;
use super::dialect::scratch;
use crate::c_family::dialect::{AtomicRequest, GridReduction};
use crate::c_family::helper::{Combine, Helper};
use crate::c_family::kernel::KernelText;
use crate::c_family::scalar::Scalar;
use crate::c_family::sync::extremum_name;
use crate::c_family::unit::DeviceSource;
use crate::c_family::writer::wrapped_list;

fn update(op: Combine, a: &str, b: &str, ty: Scalar, unit: &DeviceSource) -> String {
    op.update(a, b, ty, &|fun| extremum_name(unit, fun, ty))
}

/// Over the range as people write it: each group adds its result to the variable.
pub fn atomically(
    op: Combine,
    ty: Scalar,
    local: &str,
    param: &str,
    kernel: &KernelText,
    unit: &DeviceSource,
) -> String {
    let block = unit.helper(Helper::ReduceBlock(op, ty));
    let cast = if ty == Scalar::Bool { "(__global bool *)" } else { "" };
    let address = format!("{cast}{param}_result");
    let update = atomics::update(op, &AtomicRequest::global(ty, &address, local), unit);
    let first = kernel.first_thread(["get_local_id(0)", "get_local_id(1)", "get_local_id(2)"]);
    format!("{local} = {block}({local}, {});\nif ({first})\n    {update};", scratch(kernel, ty, unit))
}

const THREAD: &str = "    const int row = get_local_id(1) + get_local_size(1) * get_local_id(2);
    const int thread = get_local_id(0) + get_local_size(0) * row;";
const GROUP: &str = "    const int plane = get_group_id(1) + get_num_groups(1) * get_group_id(2);
    const int group = get_group_id(0) + get_num_groups(0) * plane;";
const GROUPS: &str = "    const int groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);";
const THREADS: &str = "    const int threads = get_local_size(0) * get_local_size(1) * get_local_size(2);";

/// Otherwise LLVM puts the kernel's array in the place of a `scratch` that is the same in every call, before
/// PoCL makes that array each group's own, and groups on different threads share it.
const INLINE: &str = "static __attribute__((always_inline))";

fn function(comment: &str, result: &str, name: &str, params: &[String], body: &str) -> String {
    let head = wrapped_list(&format!("{INLINE} {result} {name}"), params, "");
    format!("/* {comment} */\n{head}\n{{\n{body}}}\n")
}

fn scratch_param(t: &str) -> String {
    format!("__local {t} *scratch")
}

/// What sixteen work-items do between two barriers.
fn rows_body(op: Combine, ty: Scalar, unit: &DeviceSource) -> String {
    let (t, step) = (unit.scalar(ty), update(op, "sum", "scratch[i]", ty, unit));
    format!(
        "    if (thread < 16) {{
        {t} sum = scratch[thread];
        for (int i = thread + 16; i < threads; i += 16)
            {step};
        scratch[thread] = sum;
    }}\n"
    )
}

/// What the sixteen have combined; `value` is declared before.
fn sixteen(op: Combine, ty: Scalar, unit: &DeviceSource) -> String {
    let step = update(op, "value", "scratch[i]", ty, unit);
    format!("    for (int i = 1; i < 16 && i < threads; i++)\n        {step};\n")
}

pub fn block(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let t = unit.scalar(ty);
    let body = format!(
        "{THREAD}\n{THREADS}
    barrier(CLK_LOCAL_MEM_FENCE); /* an earlier use of scratch is over */
    scratch[thread] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
{}    barrier(CLK_LOCAL_MEM_FENCE);
    value = scratch[0];
{}    return value;\n",
        rows_body(op, ty, unit),
        sixteen(op, ty, unit)
    );
    let comment = "Combines the values of a group's work-items; every one gets the result.";
    function(comment, t, name, &[format!("{t} value"), scratch_param(t)], &body)
}

pub fn rows(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let body = format!("{THREAD}\n{THREADS}\n{}", rows_body(op, ty, unit));
    let comment = "Sixteen work-items combine what all of the group have stored.";
    function(comment, "void", name, &[scratch_param(unit.scalar(ty))], &body)
}

pub fn partial(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let t = unit.scalar(ty);
    let body = format!(
        "{THREAD}\n{THREADS}\n{GROUP}\n{}",
        first_takes(op, ty, "thread == 0", "partials[group] = value", unit)
    );
    let comment = "Puts what the sixteen have combined in the group's place among the partial results.";
    function(comment, "void", name, &[scratch_param(t), format!("volatile __global {t} *partials")], &body)
}

/// One work-item combines what the sixteen have.
fn first_takes(op: Combine, ty: Scalar, condition: &str, then: &str, unit: &DeviceSource) -> String {
    let (t, sixteen) = (unit.scalar(ty), sixteen(op, ty, unit));
    let inside = format!("    {t} value = scratch[0];\n{sixteen}    {then};\n");
    let inside: String = inside.lines().map(|line| format!("    {line}\n")).collect();
    format!("    if ({condition}) {{\n{inside}    }}\n")
}

pub fn share(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let t = unit.scalar(ty);
    let (identity, step) = (op.identity(ty, unit), update(op, "value", "partials[i]", ty, unit));
    let body = format!(
        "{THREAD}\n{THREADS}
    {t} value = {identity};
    for (int i = thread; i < groups; i += threads)
        {step};
    scratch[thread] = value;\n"
    );
    let comment = "Each work-item combines its share of the partial results.";
    let params = [scratch_param(t), format!("volatile __global {t} *partials"), "int groups".into()];
    function(comment, "void", name, &params, &body)
}

pub fn total(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let t = unit.scalar(ty);
    let last = update(op, "*result", "value", ty, unit);
    let body =
        format!("{THREAD}\n{THREADS}\n{}", first_takes(op, ty, "thread == 0 && groups > 0", &last, unit));
    let comment = "Combines what the sixteen have combined into the result.";
    let params = [scratch_param(t), format!("__global {t} *result"), "int groups".into()];
    function(comment, "void", name, &params, &body)
}

/// The statements that end a kernel: partial results, then in the last group the totals. The variables share
/// the barriers, and no barrier stands under a condition, which compilers for CPUs take long over: groups that
/// are not the last go through the motions with nothing to combine.
pub fn grids(all: &[GridReduction], unit: &DeviceSource) -> Vec<String> {
    const BARRIER: &str = "barrier(CLK_LOCAL_MEM_FENCE);";
    let call = |helper: fn(Combine, Scalar) -> Helper, r: &GridReduction, end: &str, last: &str| {
        let name = unit.helper(helper(r.op, r.ty));
        let cast = if r.ty == Scalar::Bool { "(__global bool *)" } else { "" };
        let second = if end.is_empty() { String::new() } else { format!(", {cast}{}{end}", r.param) };
        format!("{name}({}_scratch{second}{last});", r.param)
    };
    let groups = format!(", {GROUPS_NAME}");
    let mut lines: Vec<String> =
        all.iter().map(|r| format!("{}_scratch[{THREAD_NAME}] = {};", r.param, r.local)).collect();
    lines.push(BARRIER.into());
    lines.extend(all.iter().map(|r| call(Helper::ReduceRows, r, "", "")));
    lines.push(BARRIER.into());
    lines.extend(all.iter().map(|r| call(Helper::ReducePartial, r, "_partials", "")));
    let arrive = unit.helper(Helper::LastBlock);
    lines.push(format!("const int {GROUPS_NAME} = {arrive}({}_arrivals, &{LAST_NAME});", all[0].param));
    lines.extend(all.iter().map(|r| call(Helper::ReduceShare, r, "_partials", &groups)));
    lines.push(BARRIER.into());
    lines.extend(all.iter().map(|r| call(Helper::ReduceRows, r, "", "")));
    lines.push(BARRIER.into());
    lines.extend(all.iter().map(|r| call(Helper::ReduceTotal, r, "_result", &groups)));
    lines
}

/// In kernels that end in reductions over the range: a work-item's number in its group, whether the group is
/// the last to arrive, and of how many results it makes the total.
pub const THREAD_NAME: &str = "accl_thread";
pub const LAST_NAME: &str = "accl_last";
pub const GROUPS_NAME: &str = "accl_groups";

pub fn last_block(name: &str) -> String {
    let body = format!(
        "{THREAD}\n{GROUPS}
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (thread == 0) {{
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *last = atomic_inc(arrivals) == groups - 1;
        if (*last)
            *arrivals = 0;
    }}
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return *last ? groups : 0;\n"
    );
    let comment = "The number of groups, in the one that arrives last and sees what all have stored; else 0.";
    let params = ["volatile __global uint *arrivals".to_owned(), "__local int *last".to_owned()];
    function(comment, "int", name, &params, &body)
}

/// A work-item's number in its group.
pub fn thread_number(kernel: &KernelText) -> &'static str {
    match kernel.variant.map(|v| v.block) {
        Some([_, 1, 1]) => "get_local_id(0)",
        Some([_, _, 1]) => "get_local_id(0) + get_local_size(0) * get_local_id(1)",
        _ => "get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2))",
    }
}
