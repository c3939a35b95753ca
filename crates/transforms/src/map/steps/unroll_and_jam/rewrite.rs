//! Several iterations a thread, side by side ("unroll and jam").
//!
//! A thread that runs four iterations has four times as many loads under way, shares what the four read in common,
//! and the launch has a quarter of the blocks. The iterations advance together, one statement at a time, and what
//! they write goes to memory after all have read; parallel iterations may run in any such order, so nothing needs to
//! be proven. Neighbouring rows are taken where there is a second dimension; in a one-dimensional launch iterations a
//! block apart, so that neighbouring threads still access neighbouring elements.
//!
//! ```text
//! for (int i_first = (blockIdx.y * blockDim.y + threadIdx.y) * 4; i_first < n; i_first += …) {
//!     int j = blockIdx.x * blockDim.x + threadIdx.x;
//!     if (j < m) {
//!         if (i_first < n - 3) {
//!             float value[4];
//!             for (int k = 0; k < 4; k++) { int i = i_first + k; value[k] = a[i][j] … }
//!             for (int k = 0; k < 4; k++) { int i = i_first + k; b[i][j] = value[k]; }
//!         } else
//!             for (int i = i_first; i < n; i++) body
//!     }
//! }
//! ```
//!
//! A sequential loop inside whose bounds are the same for the four is shared: its body is jammed in turn. Kernels with
//! other control flow, calls or atomics are left alone, and so are launch reductions. The variant is for launches that
//! fill the device even so ([`Requirements::high_occupancy`](accl_ir::Requirements)).

use super::strides::{self, Strides};
use super::{bounds, emit, plan};
use crate::build::Builder;
use crate::device_model::DeviceModel;
use crate::map::shape::reduces;
use crate::map::{grid_mapping, indices};
use accl_ir::{Body, Kernel, Loop, StmtNode, Types};
use accl_source::Span;

/// Iterations side by side that read a row each. So many sums wait for one another as an adder has stages, and two arrays
/// whose rows are a power of two apart still fit the eight ways of a first-level cache.
const ROWS: u32 = 4;

/// A jammed body.
pub struct Unrolled {
    pub body: Body,
    pub per_thread: [u32; 3],
}

/// The body of a thread that runs `width` iterations, of a kernel whose loops are all distributed; `None` where it does not apply.
pub fn body(types: &mut Types, kernel: &Kernel, width: u32) -> Option<Unrolled> {
    let (loops, inner) = grid_mapping::nest(&kernel.body.block);
    let dim = usize::from(loops.len() > 1);
    let (l, _) = *loops.get(dim)?;
    if reduces(kernel) || !indices::counts_up_by_one(types, &kernel.body, l) {
        return None;
    }
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let groups = plan::groups(types, &mut body, l, inner)?;
    let mut b = Builder { types, body: &mut body };
    let block = emit::kernel(&mut b, &loops, inner, &groups, width);
    body.block = block;
    let mut per_thread = [1; 3];
    per_thread[dim] = width;
    Some(Unrolled { body, per_thread })
}

/// For the cpu: the loop over x of a nest, where a sequential loop inside keeps compilers from vectorising it. Where
/// iterations read a row each, fewer of them run side by side, and one alone where turns of its loops do
/// not meet: compilers vectorise these.
pub fn strips(b: &mut Builder<'_>, l: &Loop, span: Span) -> Option<StmtNode> {
    let mut inner = l.body.clone();
    bounds::in_place(b.body, l, &mut inner);
    let groups = plan::groups(b.types, b.body, l, &inner)?;
    if !groups.iter().any(plan::Group::loops) {
        return None;
    }
    let walks = Strides::of(b.body, &groups, l.var);
    let apart = walks.rows + walks.others > walks.columns;
    if apart && walks.rows > 0 && !strides::turns_meet(b.body, &l.body) {
        return None;
    }
    let lanes = if apart { ROWS } else { DeviceModel::cpu().warp };
    Some(emit::strips(b, l, span, &inner, &groups, lanes))
}
