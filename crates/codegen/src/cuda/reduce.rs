//! Reductions over warp, block and grid.
//!
//! A warp combines by shuffles; its first lane stores the result in shared memory; each thread of the block
//! then combines those few in order. Over the grid, the block that arrives last combines all blocks'
//! partial results, thread t taking those of blocks t, t + threads, …: an order that depends on the launch
//! alone. Every block size works: lanes beyond the block's end are left out.

use super::atomics;
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

/// Over the grid as people write it: each block adds its result to the variable.
pub fn atomically(
    op: Combine,
    ty: Scalar,
    local: &str,
    param: &str,
    kernel: &KernelText,
    unit: &Unit,
) -> String {
    let block = unit.helper(Helper::ReduceBlock(op, ty));
    let address = format!("{param}_result");
    let request =
        AtomicRequest { ty, space: AddrSpace::Global, address: &address, value: local, exact: local };
    let update = atomics::update(op, &request, unit);
    let first = kernel.first_thread(["threadIdx.x", "threadIdx.y", "threadIdx.z"]);
    format!("{local} = {block}({local});\nif ({first})\n    {update};")
}

pub fn warp(op: Combine, ty: Scalar, name: &str, unit: &Unit) -> String {
    let (t, step) = (unit.scalar(ty), update(op, "value", "other", ty, unit));
    format!(
        "\
/* Combines the values of a warp's 32 lanes; every lane gets the result. */
static __device__ {t} {name}({t} value)
{{
    for (int offset = 16; offset > 0; offset /= 2) {{
        const {t} other = __shfl_xor_sync(0xffffffff, value, offset);
        {step};
    }}
    return value;
}}
"
    )
}

pub fn block(op: Combine, ty: Scalar, name: &str, unit: &Unit) -> String {
    let (t, lanes) = (unit.scalar(ty), update(op, "value", "other", ty, unit));
    let warps = update(op, "value", "warps[warp]", ty, unit);
    format!(
        "\
/* Combines the values of a block's threads; every thread gets the result. */
static __device__ {t} {name}({t} value)
{{
    __shared__ {t} warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int offset = 16; offset > 0; offset /= 2) {{
        const {t} other = __shfl_down_sync(0xffffffff, value, offset);
        if (thread + offset < threads)
            {lanes};
    }}
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = warps[0];
    for (int warp = 1; warp * 32 < threads; warp++)
        {warps};
    return value;
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
        format!("{t} *result"),
        format!("volatile {t} *partials"),
        "unsigned *arrivals".into(),
    ];
    let head = wrapped_list(&format!("static __device__ void {name}"), &params, "");
    format!(
        "\
/* Combines the values of all threads of the grid into *result, the blocks' partial results in order. */
{head}
{{
    __shared__ bool last;
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    value = {block}(value);
    if (thread == 0) {{
        partials[block] = value;
        __threadfence();
        last = atomicInc(arrivals, blocks - 1) == blocks - 1;
    }}
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    value = {identity};
    for (unsigned i = thread; i < blocks; i += threads)
        {step};
    value = {block}(value);
    if (thread == 0)
        {last};
}}
"
    )
}
