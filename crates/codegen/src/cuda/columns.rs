//! Reductions by columns: over the threads with the same place in x, of a block and of those that follow it in y.
//!
//! Each block combines what its threads have, and stores a result for each of its columns. The last of the blocks with the same place in x
//! to arrive combines these in their order, so that the result depends on the launch alone.

use super::reduce::update;
use crate::c_family::helper::{Combine, Helper};
use crate::c_family::scalar::Scalar;
use crate::c_family::unit::DeviceSource;

/// Memory for the blocks' results, an element of 8 bytes for each column and reduction, and a counter for each place in x, which is 0
/// before and after a launch.
pub const PARAMETERS: [&str; 2] = ["double *accl_partials", "unsigned *accl_arrivals"];

/// The most threads of a block.
const THREADS: u32 = 1024;

/// The statements for several reductions.
pub fn reduce(all: &[(Combine, Scalar, &str)], unit: &DeviceSource) -> Vec<String> {
    let mut lines = Vec::new();
    for (op, ty, local) in all {
        lines.push(format!("{local} = {}({local});", unit.helper(Helper::ReduceColumn(*op, *ty))));
    }
    lines.push("if (gridDim.y > 1) {".to_owned());
    for (at, (_, ty, local)) in all.iter().enumerate() {
        lines.push(format!("    {}({local}, accl_partials, {at});", unit.helper(Helper::PartialColumn(*ty))));
    }
    let is_last = unit.helper(Helper::LastInColumn);
    lines.push(format!("    if (!{is_last}(accl_arrivals))"));
    lines.push("        return;".to_owned());
    for (at, (op, ty, local)) in all.iter().enumerate() {
        let name = unit.helper(Helper::TotalColumn(*op, *ty));
        lines.push(format!("    {local} = {name}(accl_partials, {at});"));
    }
    lines.push("}".to_owned());
    lines
}

pub fn of_block(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let step = update(op, "values[thread]", "values[thread + rows * blockDim.x]", ty, unit);
    let t = unit.scalar(ty);
    format!(
        "\
/* Combines the values of a block's threads with the same threadIdx.x; every one of them gets the result. blockDim.y is a power of two. */
static __device__ {t} {name}({t} value)
{{
    __shared__ {t} values[{THREADS}];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    __syncthreads(); /* an earlier use of values is over */
    values[thread] = value;
    for (unsigned rows = blockDim.y / 2; rows > 0; rows /= 2) {{
        __syncthreads();
        if (threadIdx.y < rows)
            {step};
    }}
    __syncthreads();
    return values[threadIdx.x];
}}
"
    )
}

pub fn partial(ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let t = unit.scalar(ty);
    format!(
        "\
/* Stores a block's results, one for each column of its threads, at their places among the partial results of a reduction. */
static __device__ void {name}({t} value, double *partials, unsigned reduction)
{{
    const unsigned block = (reduction * gridDim.x + blockIdx.x) * gridDim.y + blockIdx.y;
    if (threadIdx.y == 0)
        *(volatile {t} *)&partials[block * blockDim.x + threadIdx.x] = value;
}}
"
    )
}

pub fn total(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let (t, column) = (unit.scalar(ty), Helper::ReduceColumn(op, ty).name());
    let identity = op.identity(ty, unit);
    let step = update(
        op,
        "value",
        "*(volatile {t} *)&partials[(first + block) * blockDim.x + threadIdx.x]",
        ty,
        unit,
    )
    .replace("{t}", t);
    format!(
        "\
/* Combines the partial results of the blocks with the same blockIdx.x, in an order that depends on the launch alone. */
static __device__ {t} {name}(double *partials, unsigned reduction)
{{
    const unsigned first = (reduction * gridDim.x + blockIdx.x) * gridDim.y;
    {t} value = {identity};
    for (unsigned block = threadIdx.y; block < gridDim.y; block += blockDim.y)
        {step};
    return {column}(value);
}}
"
    )
}

pub const LAST: &str = "\
/* True in the block that arrives last of those with the same blockIdx.x, which then sees what the others have stored. */
static __device__ bool accl_is_last_in_column(unsigned *arrivals)
{
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0)
        last = accl_arrive(&arrivals[blockIdx.x], gridDim.y - 1) == gridDim.y - 1;
    __syncthreads();
    return last;
}
";
