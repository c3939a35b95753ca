//! CUDA C++ as a dialect.

use super::{aggregated, atomics, columns, keywords, reduce};
use crate::c_family::body::{Aggregated, BodyWriter};
use crate::c_family::decl::Declarator;
use crate::c_family::dialect::{AtomicRequest, BuiltinText, Dialect, GridReduction, MathText};
use crate::c_family::helper::{Combine, Helper};
use crate::c_family::kernel::{Interface, KernelText, Version, data_style, reduction_scalar};
use crate::c_family::library;
use crate::c_family::names::identifier;
use crate::c_family::scalar::Scalar;
use crate::c_family::spaces::AddrSpace;
use crate::c_family::stop::{Stop, literal};
use crate::c_family::unit::{DeviceSource, Needs};
use crate::c_family::writer::wrapped_list;
use crate::{Result, Style};
use accl_ir::{
    BarrierScope, Body, Builtin, Kernel, MEASURED, MathFn, Param, ParamKind, Stmt, Variant, parts, visit,
};
use accl_source::Span;

pub struct Cuda;

/// NVRTC has no <math.h>.
const SPECIAL_FLOATS: &str = "\
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
";

/// A cluster is [`accl_ir::CLUSTER`] blocks. Devices before sm_90 never run such a kernel.
const CLUSTERED: &str = "\
/* The blocks of a cluster follow one another in y. */
#if __CUDA_ARCH__ >= 900
#define ACCL_CLUSTERED __cluster_dims__(1, 8, 1)
#else
#define ACCL_CLUSTERED
#endif
";

const CLUSTER_BARRIER: &str = "\
/* Waits for all threads of the cluster; what they have stored is there. */
static __device__ __forceinline__ void accl_await_cluster()
{
#if __CUDA_ARCH__ >= 900
    asm volatile(\"barrier.cluster.arrive.aligned;\\n\\tbarrier.cluster.wait.aligned;\" ::: \"memory\");
#endif
}
";

/// NVRTC knows printf.
const PRINTS: &str = "\
#ifndef __CUDACC_RTC__
#include <cstdio>
#endif
";

/// What the macro assert calls; the launch then fails with CUDA_ERROR_ASSERT, and the driver prints the text.
const STOPS: &str = "\
#ifdef __CUDACC_RTC__
#define accl_stop(text, file, line, function) __assertfail(text, file, line, function, 1)
#else
#include <cassert>
#define accl_stop(text, file, line, function) __assert_fail(text, file, line, function)
#endif
";

/// rsqrtf scales its argument and its result where the argument may be subnormal.
const RSQRT_NORMAL: &str = "\
static __device__ __forceinline__ float accl_rsqrt_normal(float x)
{
    float root;
    asm(\"rsqrt.approx.ftz.f32 %0, %1;\" : \"=f\"(root) : \"f\"(x));
    return root;
}
";

/// One lane of each worker in about 32 blocks of the grid adds what it counted. Sums of so many threads take microseconds: those of 64
/// launches of small blocks are enough.
const MEASURE: &str = "\
/* Adds counts to what is measured: rows, the loops in them, the iterations of these. About 32 blocks of the grid do, until enough
   rows were seen. */
static __device__ void accl_measure(unsigned long long *measured, long rows, long loops, long iterations)
{
    if (blockIdx.x % (gridDim.x / 32 + 1) == 0 && threadIdx.x == 0 && *(volatile unsigned long long *)measured < 65536) {
        atomicAdd(&measured[0], (unsigned long long)rows);
        atomicAdd(&measured[1], (unsigned long long)loops);
        atomicAdd(&measured[2], (unsigned long long)iterations);
    }
}
";

/// In the manner of the PTX ISA's `mma` for `.f64`; the products are added one after the other, as in a loop.
const TENSOR_PRODUCT: &str = "\
/* Adds the product of a 16x8 and an 8x8 matrix, of which each thread of a warp has its part. */
static __device__ __forceinline__ void accl_multiply_matrices(double &s0, double &s1, double &s2, double &s3,
                                                              double a0, double a1, double a2, double a3,
                                                              double b0, double b1)
{
#if __CUDA_ARCH__ >= 900
    asm volatile(\"mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\"
                 : \"+d\"(s0), \"+d\"(s1), \"+d\"(s2), \"+d\"(s3)
                 : \"d\"(a0), \"d\"(a1), \"d\"(a2), \"d\"(a3), \"d\"(b0), \"d\"(b1));
#elif __CUDA_ARCH__ >= 800
#define ACCL_MULTIPLY(s, t, a, b) \\
    asm volatile(\"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};\" \\
                 : \"+d\"(s), \"+d\"(t) : \"d\"(a), \"d\"(b))
    ACCL_MULTIPLY(s0, s1, a0, b0);
    ACCL_MULTIPLY(s2, s3, a1, b0);
    ACCL_MULTIPLY(s0, s1, a2, b1);
    ACCL_MULTIPLY(s2, s3, a3, b1);
#undef ACCL_MULTIPLY
#else
    const int row = (threadIdx.x + blockDim.x * threadIdx.y) & 28, column = (threadIdx.x & 3) * 8;
    #pragma unroll
    for (int k = 0; k < 8; k++) {
        const double upper = __shfl_sync(0xffffffff, k < 4 ? a0 : a2, row + k % 4);
        const double lower = __shfl_sync(0xffffffff, k < 4 ? a1 : a3, row + k % 4);
        const double left = __shfl_sync(0xffffffff, k < 4 ? b0 : b1, column + k % 4);
        const double right = __shfl_sync(0xffffffff, k < 4 ? b0 : b1, column + 4 + k % 4);
        s0 = fma(upper, left, s0);
        s1 = fma(upper, right, s1);
        s2 = fma(lower, left, s2);
        s3 = fma(lower, right, s3);
    }
#endif
}
";

/// Such a kernel is launched while the one before it ends (programmatic dependent launch), which takes the driver and the
/// device less time: CUDA programming guide, section 4.5.
const AWAIT_GRID: &str = "\
/* The kernel before this one on the stream is done, and what it wrote is there. */
static __device__ __forceinline__ void accl_await_last_kernel()
{
#if __CUDA_ARCH__ >= 900
    asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");
#endif
}
";

impl Dialect for Cuda {
    fn keywords(&self) -> &'static [&'static str] {
        keywords::KEYWORDS
    }
    fn library(&self) -> &'static [&'static [&'static str]] {
        &[library::NAMES, library::MORE_NAMES, keywords::LIBRARY]
    }
    fn families(&self) -> &'static [&'static str] {
        keywords::FAMILIES
    }
    fn scalar(&self, ty: Scalar) -> &'static str {
        ty.c_spelling()
    }
    fn restrict(&self) -> &'static str {
        "__restrict__"
    }
    fn shared(&self) -> &'static str {
        "__shared__ "
    }
    fn aligned(&self, bytes: u64) -> String {
        format!("__align__({bytes}) ")
    }
    fn function_qualifier(&self) -> &'static str {
        "static __device__ "
    }
    fn overloads_math(&self) -> bool {
        true
    }
    fn is_cplusplus(&self) -> bool {
        true
    }

    fn builtin(&self, builtin: Builtin, _folded: bool) -> Option<BuiltinText> {
        let text = match builtin {
            Builtin::ThreadIdx(d) => ["threadIdx.x", "threadIdx.y", "threadIdx.z"][usize::from(d)],
            Builtin::BlockIdx(d) => ["blockIdx.x", "blockIdx.y", "blockIdx.z"][usize::from(d)],
            Builtin::BlockDim(d) => ["blockDim.x", "blockDim.y", "blockDim.z"][usize::from(d)],
            Builtin::GridDim(d) => ["gridDim.x", "gridDim.y", "gridDim.z"][usize::from(d)],
            Builtin::Begin | Builtin::End | Builtin::Total => return None,
        };
        Some(BuiltinText { text, ty: Scalar::U32 })
    }

    fn math(&self, fun: MathFn, arg: Scalar, unit: &DeviceSource) -> MathText {
        let name = fun.c_name();
        match fun {
            MathFn::OnDevice => MathText::Around("(4 == ", "".into(), ")", Scalar::I32),
            MathFn::IsNan | MathFn::IsInf | MathFn::IsFinite | MathFn::SignBit => {
                MathText::Call(name.into(), Scalar::Bool)
            }
            MathFn::Abs if arg == Scalar::I64 => MathText::Call("labs".into(), arg),
            MathFn::Abs => MathText::Call("abs".into(), arg.promoted()),
            MathFn::Min | MathFn::Max => MathText::Call(name.into(), arg),
            MathFn::ToBits if arg == Scalar::F32 => MathText::Call("__float_as_uint".into(), Scalar::U32),
            MathFn::ToBits => {
                MathText::Around("(unsigned long)", "__double_as_longlong".into(), "", Scalar::U64)
            }
            MathFn::FromBits if arg == Scalar::U32 => MathText::Call("__uint_as_float".into(), Scalar::F32),
            MathFn::FromBits => MathText::Call("__longlong_as_double".into(), Scalar::F64),
            MathFn::RsqrtNormal if arg == Scalar::F32 && unit.options.style == Style::Embedded => {
                MathText::Call(unit.helper(Helper::RsqrtNormal), arg)
            }
            MathFn::RsqrtNormal => MathText::Call(with_suffix("rsqrt", arg), arg),
            MathFn::Ilogb => MathText::Call(with_suffix(name, arg), Scalar::I32),
            MathFn::Popcount => MathText::Call(of_width("__popc", arg), Scalar::I32),
            MathFn::Clz => MathText::Call(of_width("__clz", arg), Scalar::I32),
            MathFn::Lround | MathFn::Lrint => MathText::Call(with_suffix(name, arg), Scalar::I64),
            _ => MathText::Call(with_suffix(name, arg), arg),
        }
    }

    fn measure(&self, counts: [&str; 3], kernel: &KernelText, unit: &DeviceSource) -> Option<String> {
        let [rows, loops, iterations] = counts;
        let to = measured(&kernel.variant?.symbol);
        Some(format!("{}({to}, {rows}, {loops}, {iterations});", unit.helper(Helper::Measure)))
    }

    fn tensor_product(&self, operands: &str, unit: &DeviceSource) -> Option<String> {
        Some(format!("{}({operands});", unit.helper(Helper::TensorProduct)))
    }

    fn barrier(&self, scope: BarrierScope, kernel: Option<&KernelText>, unit: &DeviceSource) -> String {
        match scope {
            BarrierScope::Block => "__syncthreads();".into(),
            BarrierScope::Warp if kernel.is_some_and(KernelText::has_narrow_workers) => {
                format!("__syncwarp({}());", unit.helper(Helper::LanesOfWorker))
            }
            BarrierScope::Warp => "__syncwarp();".into(),
            BarrierScope::Cluster => format!("{}();", unit.helper(Helper::ClusterBarrier)),
            BarrierScope::Columns => String::new(),
        }
    }

    fn vector_type(&self, ty: Scalar, n: u8) -> String {
        let word = if ty == Scalar::Bool { Scalar::U8 } else { ty }.word();
        format!("{word}{n}")
    }

    fn atomic_load(&self, request: &AtomicRequest, _unit: &DeviceSource) -> String {
        format!("*(volatile {} *){}", request.ty.c_spelling(), request.address)
    }
    fn atomic_store(&self, request: &AtomicRequest, _unit: &DeviceSource) -> String {
        format!("*(volatile {} *){} = {}", request.ty.c_spelling(), request.address, request.value)
    }
    fn atomic_exchange(&self, request: &AtomicRequest, unit: &DeviceSource) -> String {
        atomics::update(Combine::Assign, request, unit)
    }
    fn atomic_update(&self, op: Combine, request: &AtomicRequest, unit: &DeviceSource) -> String {
        atomics::update(op, request, unit)
    }

    fn combines_lanes(&self, unit: &DeviceSource) -> bool {
        unit.options.style == Style::Embedded
    }
    fn combined_update(&self, op: Combine, request: &AtomicRequest, unit: &DeviceSource) -> String {
        atomics::combined(op, request, unit)
    }
    fn aggregates(&self, op: Combine, ty: Scalar) -> bool {
        atomics::combines(op, ty)
    }
    fn aggregated_update(
        &self,
        op: Combine,
        request: &AtomicRequest,
        entries: u32,
        unit: &DeviceSource,
    ) -> String {
        aggregated::update(op, request, entries, unit)
    }
    fn aggregation(&self, aggregated: &Aggregated, unit: &DeviceSource) -> (Vec<String>, Vec<String>) {
        aggregated::lines(aggregated, unit)
    }

    fn reduce_across(
        &self,
        op: Combine,
        ty: Scalar,
        local: &str,
        scope: BarrierScope,
        kernel: &KernelText,
        unit: &DeviceSource,
    ) -> String {
        let helper = match scope {
            BarrierScope::Block => Helper::ReduceBlock(op, ty),
            BarrierScope::Warp if kernel.has_narrow_workers() => Helper::ReduceWorker(op, ty),
            BarrierScope::Warp => Helper::ReduceWarp(op, ty),
            BarrierScope::Cluster => Helper::ReduceCluster(op, ty),
            BarrierScope::Columns => Helper::ReduceColumn(op, ty),
        };
        format!("{local} = {}({local});", unit.helper(helper))
    }

    fn reduce_columns(&self, all: &[(Combine, Scalar, &str)], unit: &DeviceSource) -> Option<Vec<String>> {
        Some(columns::reduce(all, unit))
    }

    fn reduce_grid(
        &self,
        op: Combine,
        ty: Scalar,
        local: &str,
        param: &str,
        kernel: &KernelText,
        unit: &DeviceSource,
    ) -> String {
        reduce::atomically(op, ty, local, param, kernel, unit)
    }

    fn reduce_grids(&self, all: &[GridReduction], kernel: &KernelText, unit: &DeviceSource) -> Vec<String> {
        match unit.options.style {
            Style::Embedded => reduce::grids(all, unit),
            Style::Translate => {
                all.iter().map(|r| self.reduce_grid(r.op, r.ty, r.local, r.param, kernel, unit)).collect()
            }
        }
    }

    fn helper(&self, helper: Helper, unit: &DeviceSource) -> String {
        match helper {
            Helper::Atomic(op, ty, by, space) => atomics::helper(op, (ty, by), space, &helper.name(), unit),
            Helper::OwnAtomic(op, ty, by) => atomics::own_helper(op, (ty, by), &helper.name(), unit),
            Helper::CombinedAtomic(op, ty) => atomics::combined_helper(op, ty, &helper.name(), unit),
            Helper::AggregatedAtomic(op, ty) => aggregated::helper(op, ty, &helper.name(), unit),
            Helper::ReduceWarp(op, ty) => reduce::warp(op, ty, &helper.name(), unit),
            Helper::ReduceWorker(op, ty) => reduce::worker(op, ty, &helper.name(), unit),
            Helper::LanesOfWorker => reduce::lanes_of_worker(&helper.name()),
            Helper::ReduceBlock(op, ty) => reduce::block(op, ty, &helper.name(), unit),
            Helper::Clustered => CLUSTERED.to_owned(),
            Helper::ClusterBarrier => CLUSTER_BARRIER.to_owned(),
            Helper::ReduceCluster(op, ty) => reduce::cluster(op, ty, &helper.name(), unit),
            Helper::ReduceColumn(op, ty) => columns::of_block(op, ty, &helper.name(), unit),
            Helper::PartialColumn(ty) => columns::partial(ty, &helper.name(), unit),
            Helper::TotalColumn(op, ty) => columns::total(op, ty, &helper.name(), unit),
            Helper::LastInColumn => columns::LAST.to_owned(),
            Helper::ReducePartial(op, ty) => reduce::partial(op, ty, &helper.name(), unit),
            Helper::ReduceTotal(op, ty) => reduce::total(op, ty, &helper.name(), unit),
            Helper::LastBlock => reduce::last_block(&helper.name()),
            Helper::Arrive => reduce::ARRIVE.to_owned(),
            Helper::RsqrtNormal => RSQRT_NORMAL.to_owned(),
            Helper::AwaitGrid => AWAIT_GRID.to_owned(),
            Helper::Measure => MEASURE.to_owned(),
            Helper::TensorProduct => TENSOR_PRODUCT.to_owned(),
            Helper::Clock => CLOCK.to_owned(),
            Helper::Fence => FENCE.to_owned(),
            Helper::Extremum(..) | Helper::ReduceRows(..) | Helper::ReduceShare(..) | Helper::Bits(..) => {
                String::new()
            }
        }
    }

    fn helper_needs(&self, helper: Helper) -> Vec<Helper> {
        match helper {
            Helper::AggregatedAtomic(op, ty) if aggregated::combines_lanes(ty) => {
                vec![Helper::CombinedAtomic(op, ty)]
            }
            Helper::ReduceCluster(op, ty) => vec![Helper::ReduceBlock(op, ty), Helper::ClusterBarrier],
            Helper::OwnAtomic(op, ty, by) if !atomics::is_native(op, ty, by) => {
                vec![Helper::Atomic(op, ty, by, AddrSpace::Global)]
            }
            Helper::ReducePartial(op, ty) | Helper::ReduceTotal(op, ty) => vec![Helper::ReduceBlock(op, ty)],
            Helper::TotalColumn(op, ty) => vec![Helper::ReduceColumn(op, ty)],
            Helper::LastBlock | Helper::LastInColumn => vec![Helper::Arrive],
            Helper::ReduceWorker(..) => vec![Helper::LanesOfWorker],
            Helper::LanesOfWorker
            | Helper::ReduceColumn(..)
            | Helper::PartialColumn(..)
            | Helper::Arrive
            | Helper::Measure
            | Helper::TensorProduct
            | Helper::Extremum(..)
            | Helper::Atomic(..)
            | Helper::OwnAtomic(..)
            | Helper::CombinedAtomic(..)
            | Helper::AggregatedAtomic(..)
            | Helper::Clustered
            | Helper::ClusterBarrier
            | Helper::ReduceWarp(..)
            | Helper::ReduceBlock(..)
            | Helper::ReduceRows(..)
            | Helper::ReduceShare(..)
            | Helper::Bits(..)
            | Helper::RsqrtNormal
            | Helper::AwaitGrid
            | Helper::Clock
            | Helper::Fence => Vec::new(),
        }
    }

    fn stop(&self, stop: &Stop, _unit: &DeviceSource, _span: Span) -> Result<Vec<String>> {
        let [text, file, function] =
            [stop.assertion.unwrap_or("abort()"), stop.file, stop.function].map(literal);
        Ok(vec![format!("accl_stop({text}, {file}, {}, {function});", stop.line)])
    }

    /// NVRTC refuses them, though nvcc does not.
    fn has_flexible_arrays(&self) -> bool {
        false
    }

    fn knows_lanes(&self, unit: &DeviceSource) -> bool {
        unit.options.style == Style::Embedded
    }

    fn unroll(&self) -> Option<&'static str> {
        Some("#pragma unroll")
    }

    /// nvcc includes <math.h> by itself.
    fn prelude(&self, needs: &Needs, style: Style) -> String {
        let parts = [
            (needs.special_floats && style == Style::Embedded, SPECIAL_FLOATS),
            (needs.prints, PRINTS),
            (needs.stops, STOPS),
        ];
        parts.iter().filter(|(wanted, _)| *wanted).map(|(_, text)| *text).collect()
    }

    fn kernel(&self, unit: &DeviceSource, kernel: &Kernel) -> Result<Vec<String>> {
        let written = kernel.variants.iter().zip(0..).map(|(variant, position)| {
            let text = Version::of_variant(kernel, variant).write(unit, &[], &interface)?;
            Ok(mark(unit, variant, position) + &text)
        });
        written.collect()
    }
}

/// The line by which the runtime knows where a variant begins.
fn mark(unit: &DeviceSource, variant: &Variant, position: u32) -> String {
    let seldom = unit.options.index64 || variant.requires.named;
    let rank = if seldom { parts::ON_DEMAND + position } else { position };
    match unit.options.style {
        Style::Embedded => parts::mark(rank, &identifier(&variant.symbol)),
        Style::Translate => String::new(),
    }
}

/// A function of int, or of long long.
fn of_width(name: &str, ty: Scalar) -> String {
    if ty == Scalar::U64 { format!("{name}ll") } else { name.to_owned() }
}

/// The name of a function of double or of its float sibling.
pub fn with_suffix(name: &str, ty: Scalar) -> String {
    if ty == Scalar::F32 { format!("{name}f") } else { name.to_owned() }
}

fn interface(writer: &BodyWriter, text: &KernelText, symbol: &str) -> Result<Interface> {
    let mut params = Vec::new();
    for (param, stem) in text.kernel.params.iter().zip(&text.stems) {
        params.extend(parameter(writer, text, param, stem)?);
    }
    if text.variant.is_some_and(|variant| variant.requires.splits) {
        params.extend(columns::PARAMETERS.map(str::to_owned));
    }
    let mut declared = String::new();
    if measures(writer.body) {
        declared = format!("__device__ unsigned long long {}[3];\n\n", measured(symbol));
    }
    let (head, prologue) = match writer.unit.options.style {
        Style::Embedded => (
            format!(
                "extern \"C\" __global__ void {}{}{symbol}",
                cluster(text, writer.unit),
                launch_bounds(writer, text)
            ),
            vec![format!("{}();", writer.unit.helper(Helper::AwaitGrid))],
        ),
        Style::Translate => (format!("__global__ void {symbol}"), Vec::new()),
    };
    let head = format!("{declared}{}", wrapped_list(&head, &params, ""));
    Ok(Interface { head, prologue, after: String::new() })
}

/// The variable for what is measured of a variant.
fn measured(symbol: &str) -> String {
    format!("{}{MEASURED}", identifier(symbol))
}

fn measures(body: &Body) -> bool {
    let mut found = false;
    visit::for_each_stmt(&body.block, &mut |node| found |= matches!(node.kind, Stmt::Measure { .. }));
    found
}

/// The attribute of a kernel whose gangs are clusters.
fn cluster(text: &KernelText, unit: &DeviceSource) -> String {
    match text.variant.is_some_and(|variant| variant.requires.clusters) {
        true => unit.helper(Helper::Clustered) + " ",
        false => String::new(),
    }
}

/// Bounds are given only to blocks that would not fit with 255 registers a thread. With bounds, ptxas 13 keeps
/// addresses that all threads share in registers of each thread (a loop over all bodies was 7% slower).
///
/// A thread with a register tile of sums uses all registers it can get, and two blocks should fit on a
/// multiprocessor. Windows that are fetched once, in 16-byte accesses, need more blocks to hide each other's
/// fetches (a stencil of 49 points took twice as long).
fn launch_bounds(writer: &BodyWriter, text: &KernelText) -> String {
    let tiled = |v: &Variant| {
        !v.shared.is_empty() && !v.requires.align16 && v.per_thread.iter().product::<u32>() >= 16
    };
    if text.variant.is_some_and(tiled) {
        return format!("__launch_bounds__({}, 2) ", text.max_threads());
    }
    match text.max_threads() {
        // The launch asks how many threads the registers suffice for.
        _ if text.variant.is_some_and(|v| v.requires.free_lanes) => String::new(),
        0..=256 if writer.lanes.is_none() => String::new(),
        threads => format!("__launch_bounds__({threads}) "),
    }
}

fn parameter(writer: &BodyWriter, text: &KernelText, param: &Param, stem: &str) -> Result<Vec<String>> {
    let local = &writer.body.locals[param.local];
    let declarator: Declarator = writer.declarator(local.span);
    let name = writer.names.local(param.local);
    match &param.kind {
        ParamKind::Data { .. } => {
            Ok(vec![declarator.pointer(local.ty, name, data_style(writer, text, param))?])
        }
        ParamKind::Value { .. }
        | ParamKind::Codec { .. }
        | ParamKind::Extent { .. }
        | ParamKind::Stride { .. } => Ok(vec![declarator.declare(local.ty, name)?]),
        ParamKind::Reduction { .. } => {
            let ty = writer.unit.scalar(reduction_scalar(writer, param)?);
            if writer.unit.options.style == Style::Translate {
                return Ok(vec![format!("{ty} *{stem}_result")]);
            }
            Ok(vec![
                format!("{ty} *{stem}_result"),
                format!("{ty} *{stem}_partials"),
                format!("unsigned *{stem}_arrivals"),
            ])
        }
    }
}

const CLOCK: &str = "\
/* The seconds since some time before. */
static __device__ double accl_seconds()
{
    unsigned long long nanoseconds;
    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(nanoseconds) : : \"memory\");
    return nanoseconds / 1e9; /* No product, which might be joined with what is done to it. */
}
";

const FENCE: &str = "\
static __device__ __forceinline__ void accl_fence()
{
    __threadfence();
}
";
