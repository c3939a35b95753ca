//! From the front end's module to one whose kernels are complete.
//!
//! [`pipeline::run`] is the ordered list of passes; each pass is one file, its free function first. Passes take
//! facts from `accl_analysis` and write the IR; what they decide is told in remarks, what the user must mend
//! in diagnostics.
//!
//! # From a region to a kernel
//!
//! 1. *Accumulators.* Array elements that a loop with a directive accumulates into are kept in scalars, which
//!    reductions know what to do with; where a dependence that the directive denies exists for certain, of an
//!    element or of a scalar that each iteration reads before it writes it, the loop becomes sequential. Both
//!    with a warning. In kernels constructs loops become parallel this way. Before that, scalars of the file
//!    that a parallel construct writes become locals of it, which go by their names on the host
//!    (`localise_globals`): firstprivate, or reduced.
//!
//! 2. *Dependences between gangs.* A `parallel` construct whose loops use what other gangs write, one after the other or
//!    in a time step, becomes a `kernels` construct, with a remark (`host_device_partition::cross_gang`); where that is not possible
//!    a warning names the references.
//!
//! 3. *Private sections.* `private(p[a:n])` gives the construct memory of its own (`ACCL_PRIVATE`,
//!    `runtime::private`), which iterations share where the analysis proves that it makes no difference
//!    (`private_sections`).
//!
//! 4. *Host/device partition.* The host runs sequential code of a `kernels` construct around parallel loops (a time
//!    step, an elimination) where it needs scalars alone: the construct becomes a region of kind `partitioned`, which holds
//!    the data, with a `kernels` region for each parallel nest in its body. Otherwise one gang runs all of it,
//!    with a remark.
//!
//! 5. *Copies.* A pointer, a structure, or a variable with an address that a thread has for itself (`private`,
//!    `firstprivate`, or set in the construct) becomes a local of the construct (`private_copies`). Where
//!    pointers come from is traced through locals, structures, arrays and calls (`analysis::provenance`), and
//!    what is only compared or kept gets a data item too (`analysis::addresses`): so no kernel
//!    dereferences an address of the host.
//!
//! 6. *Data.* Every variable of a compute region gets a data item: the user's, or an implicit one by OpenACC
//!    3.3 §2.6.2, with a section derived from the subscripts where the type does not tell the extent.
//!
//! 7. *Levels.* Each loop gets its levels. Tightly nested parallel loops are distributed over the launch's
//!    dimensions, the loop with contiguous accesses in x. What cannot be distributed is mapped inside the
//!    block.
//!
//! 8. *Outline.* The region becomes a `Kernel` whose body still has its loops. Sequential loops
//!    then count with variables of their own (`sequential_counters`).
//!
//! 9. *Map.* From that body come GPU `variants` (threads explicit, barriers explicit, best first, each with
//!    what it needs to hold at launch) and one `cpu` body (the outermost distributed loop runs an interval of
//!    its iterations).
//!
//! # Variants
//!
//! `map::rules` is the list of schedules that are tried for a kernel, best first; each that applies gives a variant, which
//! has the schedule (`ir::schedule`) with the parameters that its steps chose. `map::steps` has a file for each step, `map::draft`
//! applies them: `shared_tile` and `coarsen` (`_window`: all pairs, stencils), `register_tile` (`_tile…`: products),
//! `full_blocks` (`_even`: windows whose threads test no bounds), `stage_shared` (`_staged`: packed arrays through
//! shared memory, a thread takes as few elements as fill words), `vectorize` (`_wide`: neighbouring iterations a thread,
//! 16-byte accesses), `unroll_and_jam` (`_jam`: four rows a thread side by side), one iteration a thread without and with
//! overlapping arrays. `device_model` has the limits and speeds that sizes follow from. The cpu body runs
//! strips of hundreds of iterations inside sequential loops that go down columns (`cpu::interchange`), else sixteen iterations
//! side by side, or four that sum up a row each, where a sequential loop inside would keep compilers from vectorising
//! (`unroll_and_jam::strips`), and separates the first and last iterations of a loop whose conditions compare its index
//! (`index_set_splitting`).
//!
//! Array elements that a sequential loop accumulates into are kept in registers (`map::scalar_replacement`), in variants for
//! arrays that do not overlap, and in all of a kernel whose arrays certainly do not: products, whose sums are usually
//! elements, are mapped like those with sums in locals.
//!
//! A launch picks the first variant whose needs hold: `noalias` is decided by the present table, `align16` by
//! the addresses, so a fast version never needs the user's promise, and the plain one is always there.
//!
//! Threads beyond the last iteration, and strides over a grid, pass the loop's bound. Where an int could
//! overflow there (the host tests it before the launch: `Kernel::overflow_guard`), another kernel is launched that counts
//! in 64 bits. These are a module of their own (`index64`), compiled at its first use, so
//! usual code pays nothing.
//!
//! With `-fwrapv` signed integers wrap on GPUs, too, whose compilers have no such option: the last pass
//! (`wrapping`) computes what the user wrote without a sign.
//!
//! # Windows
//!
//! A kernel with windows (`fcw`, `cache`) is mapped apart, in `map::window`: its iterations become phases of a
//! block of threads, with copies to shared memory and barriers between them; on the cpu one thread runs a
//! block, each phase in a loop over the block's threads (`window::rematerialise` and `guards_to_bounds` give it a form that
//! compilers vectorise: conditions become the loop's range, what can be computed again is not kept), and arrays
//! that windows only read are read where they are. The extents to which windows are clipped are hidden
//! parameters that the runtime fills from the present table. Windows whose BEFORE or AFTER is no constant lie
//! in dynamic tiles (`ir::DynamicTile`): arrays of one dimension whose extents are made of parameters, one after the
//! other in dynamic shared memory (OpenCL: a local argument; cpu: variable-length arrays). The host passes the halo
//! extents with the launch; the runtime computes the sizes from them and compares these with what the device has
//! (`runtime::dynamic_tiles`). A `cache` directive of such a size gives the kernel variants of their own, `_cache…`, which
//! require that the tiles fit. Where windows only are read, `window::thread_coarsening` gives each thread several iterations of neighbouring
//! blocks; `window::auto` makes windows of its own for loops over all pairs and `window::stencil` for stencils,
//! which `window::vectors` fetches by 16 bytes; `window::buffers` gives arrays that are written in turn a
//! second buffer.
//!
//! # Compressed arrays
//!
//! `TypeKind::Compressed` is the stored form of a floating type: a place of it is loaded as a number and stored
//! from one. Outlining gives a compressed parameter that element type, and the kernel `Codec` parameters with what
//! decoding needs; from there every pass sees plain loads and stores, moves them, makes them wide, or stages
//! them (a window then holds decoded numbers). `compress::lower`, one of the last passes, writes the arithmetic;
//! for the cpu `compress::strips` has the runtime decode and encode what a loop accesses one after the other,
//! many elements at once.
//!
//! Kernels that run on plain copies write these, each store rounded to what encoding and decoding would give
//! (`compress::rounded`). A block array's exponents lie after its elements; kernels that write one do so by
//! whole groups (`steps::encode_groups`, `ACCL_NEEDS_WHOLE_GROUPS`), or write a plain copy that the runtime encodes after
//! them.
//!
//! A pointer that a kernel itself loads from device memory has no entry of the present table to be compared
//! with. Outlining finds out where a kernel's arguments hold such pointers (`analysis::indirect`, `accl_indirect_pointer`); where one
//! is attached to a compressed array, the launch is refused.
#![forbid(unsafe_code)]

pub mod accumulators;
mod array_contraction;
mod block_scalars;
mod build;
pub mod column_major;
pub mod compress;
pub mod context;
pub mod device_model;
mod gang_reductions;
mod gang_redundant;
mod global_parameters;
pub mod host_device_partition;
pub mod implicit_data;
pub mod index64;
pub mod inline_routines;
mod lastprivate;
pub mod levels;
pub mod liveness;
mod localise_globals;
mod lone_searches;
mod loop_distribution;
mod loop_interchange;
mod loop_sinking;
mod loop_skewing;
pub mod map;
pub mod options;
pub mod outline;
pub mod parallelism;
pub mod pass;
pub mod pipeline;
mod pointer_copies;
mod private_copies;
mod private_loop_variables;
mod private_sections;
pub mod regions;
mod returns;
mod row_nests;
mod sections;
mod sequential_counters;
pub mod sine_and_cosine;
mod structure_copies;
mod unused_reductions;
pub mod wrapping;

pub use options::Options;
