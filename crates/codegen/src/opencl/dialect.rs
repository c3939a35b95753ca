//! OpenCL C as a dialect.

use super::{atomics, keywords, reduce};
use crate::c_family::body::BodyWriter;
use crate::c_family::dialect::{AtomicRequest, BuiltinText, Dialect, GridReduction, MathText};
use crate::c_family::helper::{Combine, Helper};
use crate::c_family::kernel::{DYNAMIC_SHARED, Interface, KernelText, Version, data_style, reduction_scalar};
use crate::c_family::scalar::Scalar;
use crate::c_family::spaces::AddrSpace;
use crate::c_family::stop::{self, Stop};
use crate::c_family::unit::{DeviceSource, Needs};
use crate::c_family::writer::wrapped_list;
use crate::{Result, Style};
use accl_ir::{BarrierScope, Builtin, Kernel, MathFn, Param, ParamKind, Requirements, TypeKind};
use accl_source::Span;

pub struct OpenCl;

const STOP_FLAG: &str = "__global int *accl_stopped";

impl Dialect for OpenCl {
    fn keywords(&self) -> &'static [&'static str] {
        keywords::KEYWORDS
    }
    fn library(&self) -> &'static [&'static [&'static str]] {
        &[]
    }
    fn families(&self) -> &'static [&'static str] {
        keywords::FAMILIES
    }
    fn scalar(&self, ty: Scalar) -> &'static str {
        ty.word()
    }
    /// `bool` has no size that the host knows.
    fn stored_scalar(&self, ty: Scalar) -> &'static str {
        if ty == Scalar::Bool { Scalar::U8.word() } else { ty.word() }
    }
    fn restrict(&self) -> &'static str {
        "restrict"
    }
    fn space(&self, space: AddrSpace) -> &'static str {
        match space {
            AddrSpace::Global => "__global ",
            AddrSpace::Local => "__local ",
            AddrSpace::Constant => "__constant ",
            AddrSpace::Private => "",
        }
    }
    fn has_spaces(&self) -> bool {
        true
    }
    fn has_recursion(&self) -> bool {
        false
    }
    fn shared(&self) -> &'static str {
        "__local "
    }
    /// PoCL does not align the arguments of kernels further.
    fn most_aligned(&self) -> u64 {
        16
    }
    fn function_qualifier(&self) -> &'static str {
        "static "
    }
    fn overloads_math(&self) -> bool {
        true
    }

    fn folds_workers(&self) -> bool {
        true
    }

    fn builtin(&self, builtin: Builtin, folded: bool) -> Option<BuiltinText> {
        let text = match builtin {
            Builtin::ThreadIdx(0) if folded => LANE,
            Builtin::BlockDim(0) if folded => LANES,
            Builtin::ThreadIdx(_) if folded => "0",
            Builtin::BlockDim(_) if folded => "1",
            Builtin::ThreadIdx(d) => {
                ["get_local_id(0)", "get_local_id(1)", "get_local_id(2)"][usize::from(d)]
            }
            Builtin::BlockIdx(d) => ["get_group_id(0)", "get_group_id(1)", "get_group_id(2)"][usize::from(d)],
            Builtin::BlockDim(d) => {
                ["get_local_size(0)", "get_local_size(1)", "get_local_size(2)"][usize::from(d)]
            }
            Builtin::GridDim(d) => {
                ["get_num_groups(0)", "get_num_groups(1)", "get_num_groups(2)"][usize::from(d)]
            }
            Builtin::Begin | Builtin::End | Builtin::Total => return None,
        };
        let own = folded && matches!(builtin, Builtin::ThreadIdx(_) | Builtin::BlockDim(_));
        Some(BuiltinText { text, ty: if own { Scalar::I32 } else { Scalar::U64 } })
    }

    fn global_index(&self, dim: u8) -> Option<BuiltinText> {
        let text = ["get_global_id(0)", "get_global_id(1)", "get_global_id(2)"][usize::from(dim)];
        Some(BuiltinText { text, ty: Scalar::U64 })
    }

    fn math(&self, fun: MathFn, arg: Scalar, _unit: &DeviceSource) -> MathText {
        let name = fun.c_name().to_owned();
        match fun {
            MathFn::OnDevice => MathText::Around("(7 == ", "".into(), ")", Scalar::I32),
            MathFn::IsNan | MathFn::IsInf | MathFn::IsFinite | MathFn::SignBit => {
                MathText::Call(name, Scalar::I32)
            }
            MathFn::Abs => MathText::Call(name, arg.promoted().unsigned()),
            MathFn::Lround => MathText::Around("(long)", "round".into(), "", Scalar::I64),
            MathFn::Lrint => MathText::Around("(long)", "rint".into(), "", Scalar::I64),
            MathFn::ToBits if arg == Scalar::F32 => MathText::Call("as_uint".into(), Scalar::U32),
            MathFn::ToBits => MathText::Call("as_ulong".into(), Scalar::U64),
            MathFn::FromBits if arg == Scalar::U32 => MathText::Call("as_float".into(), Scalar::F32),
            MathFn::FromBits => MathText::Call("as_double".into(), Scalar::F64),
            MathFn::RsqrtNormal => MathText::Call("rsqrt".into(), arg),
            MathFn::Ilogb => MathText::Call(name, Scalar::I32),
            MathFn::Nearbyint => MathText::Call("rint".into(), arg),
            _ => MathText::Call(name, arg),
        }
    }

    fn sine_and_cosine(&self, _: &str, args: &[String]) -> String {
        let [angle, sine, cosine] = args else { return args.join(", ") };
        let sine = sine.strip_prefix('&').map_or_else(|| format!("*{sine}"), str::to_owned);
        format!("{sine} = sincos({angle}, {cosine})")
    }

    /// One of the threads says why. What the flag is set to, accl_abi.h tells.
    fn stop(&self, stop: &Stop, unit: &DeviceSource, span: Span) -> Result<Vec<String>> {
        if unit.options.style == Style::Translate {
            let what = "abort() and assert end the program through the runtime, which a port does without";
            return Err(unit.unsupported(what, span));
        }
        if let Some(status) = stop.status() {
            return Ok(vec![format!("atomic_xchg({}, 256 | {status} & 255);", stop::FLAG)]);
        }
        let test = format!("if (atomic_xchg({}, 1) == 0)", stop::FLAG);
        Ok(vec![test, format!("    {}", stop::print_text(&format!("{}\n", stop.message())))])
    }
    fn stop_flag(&self) -> Option<&'static str> {
        Some(STOP_FLAG)
    }

    fn barrier(&self, _: BarrierScope, _: Option<&KernelText>, _: &DeviceSource) -> String {
        "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);".into()
    }

    fn vector_type(&self, ty: Scalar, n: u8) -> String {
        format!("{}{n}", self.stored_scalar(ty))
    }

    fn atomic_load(&self, request: &AtomicRequest, _unit: &DeviceSource) -> String {
        atomics::load(request)
    }
    fn atomic_store(&self, request: &AtomicRequest, _unit: &DeviceSource) -> String {
        atomics::store(request)
    }
    fn atomic_exchange(&self, request: &AtomicRequest, unit: &DeviceSource) -> String {
        atomics::update(Combine::Assign, request, unit)
    }
    fn atomic_update(&self, op: Combine, request: &AtomicRequest, unit: &DeviceSource) -> String {
        atomics::update(op, request, unit)
    }

    /// Where a worker's lanes combine their values, they are all threads of the group.
    fn reduce_across(
        &self,
        op: Combine,
        ty: Scalar,
        local: &str,
        _scope: BarrierScope,
        kernel: &KernelText,
        unit: &DeviceSource,
    ) -> String {
        let helper = Helper::ReduceBlock(op, ty);
        format!("{local} = {}({local}, {});", unit.helper(helper), scratch(kernel, ty, unit))
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
            Helper::ReduceBlock(op, ty) => reduce::block(op, ty, &helper.name(), unit),
            Helper::ReduceRows(op, ty) => reduce::rows(op, ty, &helper.name(), unit),
            Helper::ReduceShare(op, ty) => reduce::share(op, ty, &helper.name(), unit),
            Helper::ReducePartial(op, ty) => reduce::partial(op, ty, &helper.name(), unit),
            Helper::ReduceTotal(op, ty) => reduce::total(op, ty, &helper.name(), unit),
            Helper::LastBlock => reduce::last_block(&helper.name()),
            Helper::Clock => CLOCK.to_owned(),
            Helper::Fence => FENCE.to_owned(),
            Helper::Extremum(..)
            | Helper::CombinedAtomic(..)
            | Helper::OwnAtomic(..)
            | Helper::AggregatedAtomic(..)
            | Helper::Clustered
            | Helper::ClusterBarrier
            | Helper::ReduceCluster(..)
            | Helper::ReduceColumn(..)
            | Helper::PartialColumn(..)
            | Helper::TotalColumn(..)
            | Helper::LastInColumn
            | Helper::Arrive
            | Helper::ReduceWarp(..)
            | Helper::LanesOfWorker
            | Helper::Measure
            | Helper::TensorProduct
            | Helper::ReduceWorker(..)
            | Helper::Bits(..)
            | Helper::RsqrtNormal
            | Helper::AwaitGrid => String::new(),
        }
    }

    fn helper_needs(&self, helper: Helper) -> Vec<Helper> {
        let _ = helper;
        Vec::new()
    }

    fn unroll(&self) -> Option<&'static str> {
        Some("#pragma unroll")
    }

    fn prelude(&self, needs: &Needs, _style: Style) -> String {
        let mut text = String::new();
        if needs.scalars.contains(&Scalar::F64) {
            text.push_str("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
        }
        if needs.atomics64 {
            text.push_str("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n");
            text.push_str("#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n");
        }
        text
    }

    fn kernel(&self, unit: &DeviceSource, kernel: &Kernel) -> Result<Vec<String>> {
        // Lanes that work together need warps, which this language does not name.
        let shares = |r: Requirements| r.aggregates || r.clusters || r.large_shared || r.splits;
        let other = |r: Requirements| r.few_lanes || r.tensor_f64 || shares(r);
        let variants = kernel.variants.iter().filter(|v| !other(v.requires));
        let versions = variants.map(|v| Version::of_variant(kernel, v));
        versions
            .map(|v| {
                v.write(
                    unit,
                    &[SCRATCH, LANE, LANES, reduce::THREAD_NAME, reduce::LAST_NAME, reduce::GROUPS_NAME],
                    &interface,
                )
            })
            .collect()
    }
}

/// The array in local memory that reductions use, of the widest type that they combine.
const SCRATCH: &str = "accl_scratch";
/// Number of a thread in a block with folded workers, and how many there are.
const LANE: &str = "accl_lane";
const LANES: &str = "accl_lanes";

fn widest(kernel: &KernelText) -> Option<Scalar> {
    kernel.combined.iter().copied().max_by_key(|ty| ty.bits())
}

/// The scratch array as one of `ty`.
pub fn scratch(kernel: &KernelText, ty: Scalar, unit: &DeviceSource) -> String {
    if widest(kernel) == Some(ty) {
        SCRATCH.into()
    } else {
        format!("(__local {} *){SCRATCH}", unit.scalar(ty))
    }
}

fn interface(writer: &BodyWriter, text: &KernelText, symbol: &str) -> Result<Interface> {
    let (mut params, mut prologue, mut scratch) = (Vec::new(), Vec::new(), Vec::new());
    for (param, stem) in text.kernel.params.iter().zip(&text.stems) {
        match &param.kind {
            ParamKind::Data { item, .. } if writer.unit.options.style == Style::Translate => {
                if text.kernel.indirect_pointers.iter().any(|f| f.item == *item) {
                    let local = &writer.body.locals[param.local];
                    let what = format!(
                        "'{}' holds pointers that the kernel follows, which needs memory that the runtime allocates,",
                        local.name
                    );
                    return Err(writer.unit.unsupported(what, local.span));
                }
                let (both, line) = data_from_start(writer, text, param, stem)?;
                params.extend(both);
                prologue.push(line);
            }
            ParamKind::Data { .. } => {
                let (both, line) = data(writer, text, param, stem)?;
                params.extend(both);
                prologue.extend(line);
            }
            ParamKind::Value { .. } if is_pointer(writer, param) => {
                params.push(format!("{} {stem}_off", writer.unit.scalar(Scalar::U64)));
                prologue.extend(pointer_value(writer, param, stem)?);
            }
            ParamKind::Value { .. }
            | ParamKind::Codec { .. }
            | ParamKind::Extent { .. }
            | ParamKind::Stride { .. } => {
                let local = &writer.body.locals[param.local];
                let mut declarator = writer.declarator(local.span);
                declarator.stored = true;
                params.push(declarator.declare(local.ty, writer.names.local(param.local))?);
            }
            ParamKind::Reduction { .. } => {
                let scalar = reduction_scalar(writer, param)?;
                writer.unit.scalar(scalar);
                let ty = OpenCl.stored_scalar(scalar);
                params.push(format!("__global {ty} *{stem}_result"));
                if writer.unit.options.style == Style::Translate {
                    params.push(format!("long {stem}_start"));
                    prologue.push(format!("{stem}_result += {stem}_start;"));
                    continue;
                }
                params.push(format!("__global {ty} *{stem}_partials"));
                params.push(format!("__global uint *{stem}_arrivals"));
                scratch.push(format!(
                    "__local {} {stem}_scratch[{}];",
                    writer.unit.scalar(scalar),
                    text.max_threads()
                ));
            }
        }
    }
    if stop::may_stop(writer.unit, &text.kernel.body, &text.kernel.body.block) {
        params.push(STOP_FLAG.to_owned());
    }
    if text.variant.is_some_and(|v| v.dynamic_tiles().next().is_some()) {
        params.push(format!("__local uint4 *{DYNAMIC_SHARED}"));
    }
    if text.folded {
        prologue.push(format!("const int {LANE} = get_local_id(0) + get_local_size(0) * get_local_id(1);"));
        prologue.push(format!("const int {LANES} = get_local_size(0) * get_local_size(1);"));
    }
    if let Some(ty) = widest(text) {
        prologue.push(format!("__local {} {SCRATCH}[{}];", writer.unit.scalar(ty), text.max_threads()));
    }
    if !scratch.is_empty() {
        prologue.push(format!("const int {} = {};", reduce::THREAD_NAME, reduce::thread_number(text)));
        prologue.extend(scratch);
        prologue.push(format!("__local int {};", reduce::LAST_NAME));
    }
    Ok(Interface {
        head: required_size(text) + &wrapped_list(&format!("__kernel void {symbol}"), &params, ""),
        prologue,
        after: String::new(),
    })
}

/// NVIDIA's runtime counts on 256 threads of a kernel that does not ask for more; this is for blocks that no launch changes.
fn required_size(text: &KernelText) -> String {
    let Some(variant) = text.variant else { return String::new() };
    let is_sized = text.kernel.vector_length.is_some() || text.kernel.dims.len() > 1;
    let is_fixed = is_sized && !variant.workers_y && !variant.launch_sets_lanes();
    let [x, y, z] = variant.block;
    match is_fixed && x * y * z > 256 {
        true => format!(
            "#ifdef __NV_CL_C_VERSION\n__attribute__((reqd_work_group_size({x}, {y}, {z})))\n#endif\n"
        ),
        false => String::new(),
    }
}

fn is_pointer(writer: &BodyWriter, param: &Param) -> bool {
    let ty = writer.body.locals[param.local].ty;
    matches!(writer.unit.module.types.kind(ty), TypeKind::Pointer { .. })
}

/// Kernels take no pointers of the host's: one whose value is all that is asked for comes as a number.
fn pointer_value(writer: &BodyWriter, param: &Param, stem: &str) -> Result<Option<String>> {
    if !writer.usage.is_named(param.local) {
        return Ok(None);
    }
    let ty = writer.declarator(Span::NOWHERE).declare(writer.body.locals[param.local].ty, "")?;
    Ok(Some(format!("{} = ({ty}){stem}_off;", writer.local_declaration(param.local)?)))
}

/// `__global T *x, long x_start`, and the line that adds them: `x_start` counts elements. Where the host's type
/// has another name than the kernel's, `x` is a pointer of its own.
fn data_from_start(
    writer: &BodyWriter,
    text: &KernelText,
    param: &Param,
    stem: &str,
) -> Result<(Vec<String>, String)> {
    let local = &writer.body.locals[param.local];
    let (name, style) = (writer.names.local(param.local), data_style(writer, text, param));
    let mut declarator = writer.declarator(local.span);
    let declared = declarator.pointer(local.ty, name, style)?;
    let cast = declarator.pointer(local.ty, "", style)?;
    declarator.stored = true;
    let start = format!("long {stem}_start");
    if declarator.pointer(local.ty, name, style)? == declared {
        return Ok((vec![declared, start], format!("{name} += {stem}_start;")));
    }
    let buffer = declarator.pointer(local.ty, &format!("{stem}_buf"), style)?;
    Ok((vec![buffer, start], format!("{declared} = ({cast}){stem}_buf + {stem}_start;")))
}

/// `__global T *x_buf, long x_off`, and the line that makes `x` of them, if the body uses it.
fn data(
    writer: &BodyWriter,
    text: &KernelText,
    param: &Param,
    stem: &str,
) -> Result<(Vec<String>, Option<String>)> {
    let local = &writer.body.locals[param.local];
    let style = data_style(writer, text, param);
    let mut declarator = writer.declarator(local.span);
    declarator.stored = true;
    let buffer = declarator.pointer(local.ty, &format!("{stem}_buf"), style)?;
    declarator.stored = false;
    let params = vec![buffer, format!("long {stem}_off")];
    if !writer.usage.is_named(param.local) {
        return Ok((params, None));
    }
    let inside = crate::c_family::decl::PointerStyle { restrict: false, ..style };
    let declared = declarator.pointer(local.ty, writer.names.local(param.local), inside)?;
    let cast = declarator.pointer(local.ty, "", inside)?;
    let bytes = if style.constant { "__global const char" } else { "__global char" };
    let line = format!("{declared} = ({cast})(({bytes} *){stem}_buf + {stem}_off);");
    Ok((params, Some(line)))
}

/// OpenCL C has no clock. NVIDIA's devices have one in PTX; on a cpu the system's answers without the C library, which kernels
/// are not linked with.
const CLOCK: &str = "\
/* The seconds since some time before. */
static double accl_seconds(void)
{
#if defined(__NV_CL_C_VERSION)
    ulong nanoseconds;
    asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(nanoseconds) : : \"memory\");
    return nanoseconds / 1e9; /* No product, which might be joined with what is done to it. */
#elif defined(__x86_64__) && defined(__linux__)
    long now[2];
    long call = 228; /* clock_gettime(CLOCK_MONOTONIC, now) */
    __asm__ volatile(\"syscall\" : \"+a\"(call) : \"D\"(1L), \"S\"(now) : \"rcx\", \"r11\", \"memory\");
    return now[0] + now[1] * 1e-9;
#else
#error This OpenCL device has no clock that kernels can read.
#endif
}
";

/// NVIDIA's `mem_fence` is for the threads of a block: others read on what their caches keep.
const FENCE: &str = "\
static void accl_fence(void)
{
#if defined(__NV_CL_C_VERSION)
    asm volatile(\"membar.gl;\" : : : \"memory\");
#else
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
}
";
