//! Atomic updates that a block aggregates in shared memory.
//!
//! The block's table has room for some elements. The first update of an element that finds one of its places in the table free takes it, and
//! all further ones of the block go there; when the block ends, each element of the table is updated in memory once. An update
//! whose places other elements have goes to memory at once, so arrays of any size are right, and short ones fast.
//!
//! Elements that follow one another have places that do, but for their order in each 128 bytes: rows that begin at multiples of
//! that would otherwise have all their first elements in one bank of shared memory. On an H200 a million points of 34 floats, added up
//! by cluster, take 0.58 ms without that and 0.22 with it (two lanes a point). Short rows that lie here and there would now and then have
//! the same places, so each element has several, far from each other: the same program took 1.4 ms with one, where the rows of clusters met.

use super::atomics;
use crate::c_family::body::Aggregated;
use crate::c_family::dialect::AtomicRequest;
use crate::c_family::helper::{Combine, Helper};
use crate::c_family::scalar::Scalar;
use crate::c_family::unit::DeviceSource;

/// Lanes with the same element are combined first where several of a warp want that of its first lane, as with few elements: what shared
/// memory has no instruction for is tried again and again by all lanes that want it. To find those with the same among many elements
/// takes longer than that.
pub fn combines_lanes(ty: Scalar) -> bool {
    !matches!(ty, Scalar::I32 | Scalar::U32)
}

/// The same million points: 0.24 ms with 12, 0.37 with 4; 0.35 with both where one cluster has them all, 0.48 without combining.
const SEVERAL: u32 = 12;

/// Places that an element may have. The first is tried by itself: a loop over all of them made the common case slower.
const PLACES: u32 = 4;

/// The table's two arrays: addresses of elements, and what their updates come to.
fn arrays(op: Combine, ty: Scalar) -> (String, String) {
    let of = format!("{}_{}", op.word(), ty.word());
    (format!("accl_elements_{of}"), format!("accl_totals_{of}"))
}

pub fn update(op: Combine, request: &AtomicRequest, entries: u32, unit: &DeviceSource) -> String {
    let AtomicRequest { ty, address, exact, .. } = *request;
    let (op, value) = match op {
        Combine::Sub => (Combine::Add, format!("-({exact})")),
        op => (op, exact.to_owned()),
    };
    let (elements, totals) = arrays(op, ty);
    let name = unit.helper(Helper::AggregatedAtomic(op, ty));
    format!("{name}({elements}, {totals}, {entries}, {address}, {value})")
}

/// The lines before and after a kernel's body.
pub fn lines(Aggregated { entries, tables }: &Aggregated, unit: &DeviceSource) -> (Vec<String>, Vec<String>) {
    let (mut before, mut after) = (vec![], vec![]);
    for (op, ty) in tables {
        let (elements, totals) = arrays(*op, *ty);
        let name = Helper::AggregatedAtomic(*op, *ty).name();
        before.push(format!("__shared__ unsigned long long {elements}[{entries}];"));
        before.push(format!("__shared__ {} {totals}[{entries}];", unit.scalar(*ty)));
        before.push(format!("{name}_begin({elements}, {totals}, {entries});"));
        after.push(format!("{name}_end({elements}, {totals}, {entries});"));
    }
    if !tables.is_empty() {
        before.push("__syncthreads();".to_owned());
        after.insert(0, "__syncthreads();".to_owned());
    }
    (before, after)
}

pub fn helper(op: Combine, ty: Scalar, name: &str, unit: &DeviceSource) -> String {
    let t = unit.scalar(ty);
    let identity = op.identity(ty, unit);
    let into = |place: &str, value: &str| atomics::update(op, &AtomicRequest::global(ty, place, value), unit);
    let by_itself = format!("{};", into("&totals[at]", "value"));
    let to_table = match combines_lanes(ty) {
        true => format!(
            "const unsigned here = __activemask();
        const unsigned first = __shfl_sync(here, at, __ffs(here) - 1);
        if (__popc(__ballot_sync(here, at == first)) >= {SEVERAL})
            {}(&totals[at], value);
        else
            {by_itself}",
            Helper::CombinedAtomic(op, ty).name()
        ),
        false => by_itself,
    };
    let (to_other_place, to_memory) = (into("&totals[other]", "value"), into("place", "value"));
    let to_element = into(&format!("({t} *)elements[at]"), "totals[at]");
    format!(
        "\
/* The block's table is empty. */
static __device__ void {name}_begin(unsigned long long *elements, {t} *totals, unsigned entries)
{{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    for (unsigned at = thread; at < entries; at += blockDim.x * blockDim.y * blockDim.z) {{
        elements[at] = 0;
        totals[at] = {identity};
    }}
}}

/* Updates *place by value: in the block's table, where one of its places there is free or its own. */
static __device__ void {name}(unsigned long long *elements, {t} *totals, unsigned entries, {t} *place, {t} value)
{{
    const unsigned long long own = (unsigned long long)place;
    const unsigned number = (unsigned)(own / sizeof *place);
    const unsigned at = (number ^ number / 32 % 32) % entries;
    unsigned long long element = *(volatile unsigned long long *)&elements[at];
    if (element == 0)
        element = atomicCAS(&elements[at], 0ull, own);
    if (element == 0 || element == own) {{
        {to_table}
        return;
    }}
    for (unsigned place = 1; place < {PLACES}; place++) {{
        const unsigned other = at ^ place * (entries / {PLACES});
        element = *(volatile unsigned long long *)&elements[other];
        if (element == 0)
            element = atomicCAS(&elements[other], 0ull, own);
        if (element == 0 || element == own) {{
            {to_other_place};
            return;
        }}
    }}
    {to_memory};
}}

/* Updates the table's elements in memory. */
static __device__ void {name}_end(unsigned long long *elements, {t} *totals, unsigned entries)
{{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    for (unsigned at = thread; at < entries; at += blockDim.x * blockDim.y * blockDim.z)
        if (elements[at] != 0)
            {to_element};
}}
"
    )
}
