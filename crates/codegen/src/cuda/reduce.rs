//! Reductions over warp, block and grid.
//!
//! A warp combines by shuffles, or by one instruction; its first lane stores the result in shared memory; each thread of the block
//! then combines those few in order. Over the grid, the block that arrives last combines all blocks'
//! partial results, thread t taking those of blocks t, t + threads, …: an order that depends on the launch
//! alone. Every block size works: lanes beyond the block's end are left out.

use super::atomics;
use crate::c_family::dialect::{AtomicRequest, GridReduction};
use crate::c_family::helper::{Combine, Helper};
use crate::c_family::kernel::KernelText;
use crate::c_family::scalar::Scalar;
use crate::c_family::sync::extremum_name;
use crate::c_family::unit::DeviceSource;

/// The instruction by which a warp of sm_80 and later combines numbers of 32 bits, applied to `value`.
fn by_instruction(op: Combine, ty: Scalar) -> Option<String> {
    let name = match op {
        Combine::Add => "add",
        Combine::Min => "min",
        Combine::Max => "max",
        Combine::And => "and",
        Combine::Or => "or",
        Combine::Xor => "xor",
        _ => return None,
    };
    let fits = matches!(ty, Scalar::I32 | Scalar::U32);
    fits.then(|| format!("__reduce_{name}_sync(0xffffffff, value)"))
}

/// `a op= b`.
pub fn update(op: Combine, a: &str, b: &str, ty: Scalar, unit: &DeviceSource) -> String {
    op.update(a, b, ty, &|fun| extremum_name(unit, fun, ty))
}

/// Over the grid as people write it: each block adds its result to the variable.
pub fn atomically(
    op: Combine,
    ty: Scalar,
    local: &str,
    param: &str,
    kernel: &KernelText,
    unit: &DeviceSource,
) -> String {
    let block = unit.helper(Helper::ReduceBlock(op, ty));
    let address = format!("{param}_result");
    let update = atomics::update(op, &AtomicRequest::global(ty, &address, local), unit);
    let first = kernel.first_thread(["threadIdx.x", "threadIdx.y", "threadIdx.z"]);
    format!("{local} = {block}({local});\nif ({first})\n    {update};")
}

pub fn warp(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let (t, step) = (unit.scalar(ty), update(op, "value", "other", ty, unit));
    let in_steps = format!(
        "    for (int offset = 16; offset > 0; offset /= 2) {{
        const {t} other = __shfl_xor_sync(0xffffffff, value, offset);
        {step};
    }}
    return value;
"
    );
    let body = match by_instruction(op, ty) {
        Some(result) => format!("#if __CUDA_ARCH__ >= 800\n    return {result};\n#else\n{in_steps}#endif\n"),
        None => in_steps,
    };
    format!(
        "\
/* Combines the values of a warp's 32 lanes; every lane gets the result. */
static __device__ {t} {name}({t} value)
{{
{body}}}
"
    )
}

/// Which lanes of the warp belong to the thread's worker.
pub fn lanes_of_worker(name: &str) -> String {
    format!(
        "\
/* The lanes of this thread's worker, as bits: blockDim.x of them, a power of two, follow one another in a warp. */
static __device__ unsigned {name}(void)
{{
    return (0xffffffffu >> (32 - blockDim.x)) << (threadIdx.y * blockDim.x % 32);
}}
"
    )
}

pub fn worker(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let (t, step) = (unit.scalar(ty), update(op, "value", "other", ty, unit));
    let lanes = Helper::LanesOfWorker.name();
    format!(
        "\
/* Combines the values of a worker's lanes, a part of a warp; every lane gets the result. */
static __device__ {t} {name}({t} value)
{{
    const unsigned lanes = {lanes}();
    for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {{
        const {t} other = __shfl_xor_sync(lanes, value, offset);
        {step};
    }}
    return value;
}}
"
    )
}

pub fn block(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let (t, lanes) = (unit.scalar(ty), update(op, "value", "other", ty, unit));
    let warps = update(op, "value", "warps[warp]", ty, unit);
    let in_steps = format!(
        "    for (int offset = 16; offset > 0; offset /= 2) {{
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
"
    );
    let body = match by_instruction(op, ty) {
        Some(result) => {
            let identity = op.identity(ty, unit);
            format!(
                "\
#if __CUDA_ARCH__ >= 800
    value = {result};
    __syncthreads(); /* an earlier use of warps is over */
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    value = {identity};
    for (int warp = thread % 32; warp * 32 < threads; warp += min(32, threads - thread / 32 * 32))
        {warps};
    return {result};
#else
{in_steps}#endif
"
            )
        }
        None => in_steps,
    };
    format!(
        "\
/* Combines the values of a block's threads; every thread gets the result. */
static __device__ {t} {name}({t} value)
{{
    __shared__ {t} warps[32];
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
{body}}}
"
    )
}

pub fn cluster(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let (t, block) = (unit.scalar(ty), Helper::ReduceBlock(op, ty).name());
    let barrier = Helper::ClusterBarrier.name();
    let step = update(op, "value", "*(volatile {t} *)other", ty, unit).replace("{t}", t);
    format!(
        "\
/* Combines the values of a cluster's threads, whose blocks read each other's results; every thread gets the same. */
static __device__ {t} {name}({t} value)
{{
    value = {block}(value);
#if __CUDA_ARCH__ >= 900
    __shared__ {t} own;
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        own = value;
    {barrier}();
    for (unsigned block = 0; block < gridDim.y; block++) {{
        unsigned long long other;
        asm volatile(\"mapa.u64 %0, %1, %2;\" : \"=l\"(other) : \"l\"(&own), \"r\"(block));
        if (block == 0)
            value = *(volatile {t} *)other;
        else
            {step};
    }}
    {barrier}(); /* own is free again */
#endif
    return value;
}}
"
    )
}

pub fn partial(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let (t, block) = (unit.scalar(ty), Helper::ReduceBlock(op, ty).name());
    format!(
        "\
/* Combines the values of a block's threads into the block's place among the partial results. */
static __device__ void {name}({t} value, volatile {t} *partials)
{{
    value = {block}(value);
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        partials[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = value;
}}
"
    )
}

pub fn total(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let (t, block) = (unit.scalar(ty), Helper::ReduceBlock(op, ty).name());
    let identity = op.identity(ty, unit);
    let step = update(op, "value", "partials[i]", ty, unit);
    let last = update(op, "*result", "value", ty, unit);
    format!(
        "\
/* Combines all blocks' partial results into *result, in an order that depends on the launch alone. */
static __device__ void {name}({t} *result, volatile {t} *partials)
{{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    {t} value = {identity};
    for (unsigned i = thread; i < blocks; i += threads)
        {step};
    value = {block}(value);
    if (thread == 0)
        {last};
}}
"
    )
}

/// Fences of `__threadfence` order all accesses of all threads, which takes a short launch of an H200 a tenth of its time.
pub const ARRIVE: &str = "\
/* Counts an arrival, from `most` to 0; gives how many came before. What these blocks stored before is seen from here on. */
static __device__ unsigned accl_arrive(unsigned *arrivals, unsigned most)
{
    unsigned before;
#if __CUDA_ARCH__ >= 700
    asm volatile(\"atom.acq_rel.gpu.inc.u32 %0, [%1], %2;\" : \"=r\"(before) : \"l\"(arrivals), \"r\"(most) : \"memory\");
#else
    __threadfence();
    before = atomicInc(arrivals, most);
    __threadfence();
#endif
    return before;
}
";

pub fn last_block(name: &str) -> String {
    format!(
        "\
/* True in the block that arrives last, which then sees what the others have stored. */
static __device__ bool {name}(unsigned *arrivals)
{{
    __shared__ bool last;
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        last = accl_arrive(arrivals, blocks - 1) == blocks - 1;
    __syncthreads();
    return last;
}}
"
    )
}

/// The statements that end a kernel: partial results, then in the last block the totals.
pub fn grids(all: &[GridReduction], unit: &DeviceSource) -> Vec<String> {
    let mut lines = Vec::new();
    for GridReduction { op, ty, local, param } in all {
        let name = unit.helper(Helper::ReducePartial(*op, *ty));
        lines.push(format!("{name}({local}, {param}_partials);"));
    }
    let brace = if all.len() > 1 { " {" } else { "" };
    let is_last = unit.helper(Helper::LastBlock);
    lines.push(format!("if ({is_last}({}_arrivals)){brace}", all[0].param));
    for GridReduction { op, ty, param, .. } in all {
        let name = unit.helper(Helper::ReduceTotal(*op, *ty));
        lines.push(format!("    {name}({param}_result, {param}_partials);"));
    }
    if all.len() > 1 {
        lines.push("}".into());
    }
    lines
}
