//! Kernels: compute constructs taken out of their host function.
//!
//! Outlining makes a [`Kernel`] whose `body` still has its loops with their schedules. The mapping passes
//! then derive from it the GPU variants (threads made explicit) and the cpu body (one distributed loop).
//! Data parameters keep the user's names.

use crate::{
    Body, CodecParameter, DataVar, Expr, Function, GivenSchedule, Handle, HostExpr, LaunchTest, Local,
    Reduction, Schedule, Type,
};
use accl_abi::Requirements;
use accl_source::Span;

/// What the name of a version that counts in 64 bits ends with.
pub const INDEX64: &str = "_index64";

/// What the name of a cpu body's version for arrays that do not overlap ends with.
pub const APART: &str = "_apart";

#[derive(Clone, Debug)]
pub struct Kernel {
    /// `<function>_<line>`, made unique: the stem of the device symbols.
    pub name: String,
    pub site: KernelSite,
    /// The host function it was taken from.
    pub function: Handle<Function>,
    pub params: Vec<Param>,
    /// Distributed dimensions; 0 is x, the innermost. Empty for gang and serial kernels.
    pub dims: Vec<Dim>,
    /// One gang, one worker, one lane.
    pub serial: bool,
    /// Each gang runs the body, which strides its gang loops by the number of gangs.
    pub gangs: bool,
    /// The kernel's written arrays must overlap no other argument. Otherwise its fallback is launched; without one the launch
    /// is refused.
    pub distinct: bool,
    /// So must what the pointers lead to that it loads: all come from arrays of pointers that the runtime follows.
    pub distinct_rows: bool,
    /// Of these it matters only what pointers in one element lead to.
    pub distinct_in_elements: bool,
    /// What must hold, too, for the kernel to be launched, else its fallback is.
    pub strides: Vec<LaunchTest>,
    pub num_gangs: Option<HostExpr>,
    pub num_workers: Option<HostExpr>,
    pub vector_length: Option<HostExpr>,
    /// How long the loops are that lanes run inside its gang loop, where the launch chooses how many lanes there are.
    pub row_length: Option<HostExpr>,
    /// The steps that the user wants for GPUs.
    pub schedule: Option<GivenSchedule>,
    /// A condition of the host: a loop ends so near the largest value of its type that the kernel must count in 64
    /// bits.
    pub overflow_guard: Option<HostExpr>,
    /// This kernel is the version of another one that counts in 64 bits. No region names it. It is launched in
    /// place of the other one where the other one's guard holds.
    pub index64_of: Option<Handle<Kernel>>,
    /// This kernel is the version of another one for arrays that overlap, or may, and for launches whose tests of strides fail. No
    /// region names it.
    pub fallback_of: Option<Handle<Kernel>>,
    /// Of a kernel that nobody asked to be serial, and of a fallback: what prevents its loops from running in parallel.
    pub obstacle: Option<String>,
    /// Indirect pointers: those in device memory that the kernel loads for more than a comparison.
    pub indirect_pointers: Vec<IndirectPointer>,
    /// With loops as scheduled; the locals and expressions are copies of the host function's.
    pub body: Body,
    /// For GPUs, best first; the last one requires nothing.
    pub variants: Vec<Variant>,
    /// For the cpu device.
    pub cpu: Option<Body>,
    /// What its C compiler is told of the cpu body's arrays.
    pub cpu_arrays: CpuArrays,
    /// The cpu body's arrays whose size the launch decides.
    pub cpu_dynamic_tiles: Vec<DynamicTile>,
}

/// Whether arrays that a cpu body writes overlap others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CpuArrays {
    /// They may, or it does not matter.
    #[default]
    MayOverlap,
    /// In no launch.
    Distinct,
    /// There is another version of the body, for launches in which they do not.
    EitherWay,
}

#[derive(Clone, Debug)]
pub struct KernelSite {
    /// The host function's name in the source.
    pub function: String,
    /// "parallel loop", "kernels", …
    pub directive: String,
    pub directive_span: Span,
    /// As [`Region::copy`](crate::Region::copy).
    pub copy: u32,
    pub body_span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// In the kernel's bodies (the same handle in `body`, each variant and `cpu`).
    pub local: Handle<Local>,
    pub kind: ParamKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// A device pointer to the base of item `item` of the region's data. `var` is what the host calls it.
    /// `local` has pointer type. `plane`: of an array of structures that is held as one array a member, which.
    Data { item: usize, var: DataVar, plane: u32, read: bool, written: bool },
    /// A scalar or structure, copied at launch from the host lvalue or expression `host`.
    Value { host: HostExpr, ty: Handle<Type> },
    /// A number that decoding or encoding item `item` needs; the runtime knows it.
    Codec { item: usize, parameter: CodecParameter },
    /// A subscript of the outermost dimension of data parameter `of` (item `item`), in elements of `size` bytes
    /// on the host: its first one or, for `end`, the one after its last. The runtime knows it from the present table. `on_cpu`:
    /// the cpu body uses it.
    Extent { item: usize, of: Handle<Local>, size: u64, end: bool, on_cpu: bool },
    /// Of data parameter `of` (item `item`), a matrix with rows of `row` elements: how many elements lie from one to the next
    /// in a row or, for `rows`, from one row to the next. The runtime knows in which order the device stores it.
    Stride { item: usize, of: Handle<Local>, row: u32, rows: bool },
    /// A reduction over the launch into the host variable `host`. `local` is the kernel's private
    /// accumulator, not the parameter itself: on GPU devices the parameters are
    /// `<name>_result, <name>_partials, <name>_arrivals`, on the cpu `<name>_partial`.
    Reduction { reduction: Reduction, host: HostExpr },
}

/// Where in device memory a kernel loads pointers that it dereferences: anywhere in the `bytes` bytes that begin `offset` bytes
/// after each multiple of `stride`, counted from the base of item `item`; without a stride, anywhere in the item.
/// No table of arguments lists what such a pointer points to, so the runtime checks that it is stored plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndirectPointer {
    pub item: usize,
    pub stride: Option<u64>,
    pub offset: u64,
    pub bytes: u64,
    /// Pointers that lie where these point to are dereferenced too.
    pub further: bool,
}

/// A distributed loop: its iterations are the threads (or gangs) of one launch dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct Dim {
    pub rule: GridRule,
    pub trips: TripCount,
}

/// How many iterations the loop makes, as the host computes it before the launch. The expressions are
/// the host function's.
#[derive(Clone, Debug, PartialEq)]
pub struct TripCount {
    pub lower: Handle<Expr>,
    pub compare: crate::Compare,
    pub bound: Handle<Expr>,
    pub step: Handle<Expr>,
    /// Text of C type int64_t, never negative; each operand evaluated once.
    pub text: String,
}

/// As `accl_grid_rule` of accl_abi.h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GridRule {
    One,
    Trips,
    Gangs,
    Fixed,
}

/// One version of the kernel for GPU devices.
#[derive(Clone, Debug)]
pub struct Variant {
    pub symbol: String,
    /// The steps that made it.
    pub schedule: Schedule,
    pub requires: Requirements,
    /// Threads of a block.
    pub block: [u32; 3],
    /// Iterations of one thread in each dimension.
    pub per_thread: [u32; 3],
    /// vector_length of the launch may replace `block[0]`, or the whole block where the launch has several
    /// dimensions.
    pub vector_x: bool,
    /// num_workers of the launch may replace `block[1]`, which is the most there may be.
    pub workers_y: bool,
    /// Pointer parameters carry `restrict` (and `const` where only read).
    pub restrict: bool,
    /// The device's compiler is told to repeat the bodies of the program's innermost loops so many times; 1: it is told not to.
    pub unroll: Option<u32>,
    /// A block keeps so many of the elements that its atomic updates change in shared memory, of each operator and type, and
    /// updates memory when it ends, where the device's language can.
    pub aggregated: Option<u32>,
    pub shared: Vec<SharedDecl>,
    /// That the cost model expects an iteration to take; 0 where it was not asked. No part of the text form.
    pub femtoseconds: u32,
    pub body: Body,
}

/// How the names of arrays begin that a construct creates to give each iteration of its loop a row, and nobody else.
pub const ROWS: &str = "accl_rows_";

/// Shared memory of a block that every GPU has.
pub const USUAL_SHARED: u64 = 48 << 10;

impl Variant {
    /// A launch may give its blocks other extents in x than it has here.
    pub fn launch_sets_lanes(&self) -> bool {
        let Requirements { free_lanes, few_lanes, few_in_x, splits, clusters, .. } = self.requires;
        free_lanes || few_lanes || few_in_x || splits || clusters || self.vector_x
    }

    /// Its arrays whose size the launch decides.
    pub fn dynamic_tiles(&self) -> impl Iterator<Item = &DynamicTile> {
        self.shared.iter().filter_map(|s| s.dynamic.as_ref())
    }

    /// The bytes of its shared arrays of known size.
    pub fn known_shared(&self, types: &crate::Types) -> u64 {
        self.shared.iter().filter_map(|s| types.size_of(self.body.locals[s.local].ty)).sum()
    }

    /// The same number where it exceeds the [usual](USUAL_SHARED) size: such an amount is requested at launch.
    pub fn large_shared(&self, types: &crate::Types) -> Option<u32> {
        let size = |s: &SharedDecl| types.size_of(self.body.locals[s.local].ty).unwrap_or(0);
        let aligned = self.shared.iter().map(|s| size(s).next_multiple_of(16)).sum::<u64>();
        (self.known_shared(types) > USUAL_SHARED).then(|| u32::try_from(aligned).unwrap_or(u32::MAX))
    }
}

/// A local of the body that lives in the block's shared memory.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedDecl {
    pub local: Handle<Local>,
    /// For an array whose size the launch decides. The extent in its type is made of parameters alone. Such arrays
    /// follow one another; each begins at a multiple of 16 bytes.
    pub dynamic: Option<DynamicTile>,
}

impl From<Handle<Local>> for SharedDecl {
    fn from(local: Handle<Local>) -> SharedDecl {
        SharedDecl { local, dynamic: None }
    }
}

/// A shared tile whose size only the launch knows: what a block keeps of an array, or the marks of what it wrote there.
#[derive(Clone, Debug, PartialEq)]
pub struct DynamicTile {
    /// The array as the user names it.
    pub array: String,
    /// Bytes of an element.
    pub element: u64,
    /// Outermost first.
    pub dims: Vec<DynamicTileDim>,
}

/// One dimension of it: `span + before + after` elements.
#[derive(Clone, Debug, PartialEq)]
pub struct DynamicTileDim {
    /// From the least of a block's pivots to the greatest.
    pub span: u64,
    pub before: HostExpr,
    pub after: HostExpr,
}
