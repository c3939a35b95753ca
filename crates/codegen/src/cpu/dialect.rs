//! Host C as a dialect.

use super::{atomics, keywords, port, reduce};
use crate::c_family::body::BodyWriter;
use crate::c_family::decl::PointerStyle;
use crate::c_family::dialect::{AtomicRequest, BuiltinText, Dialect, MathText};
use crate::c_family::helper::{Combine, Helper};
use crate::c_family::kernel::{Interface, KernelText, Version, data_style, reduction_scalar};
use crate::c_family::scalar::Scalar;
use crate::c_family::stop::{Stop, literal};
use crate::c_family::unit::{DeviceSource, Needs};
use crate::c_family::writer::wrapped_list;
use crate::{Result, Style};
use accl_ir::{
    BarrierScope, Body, Builtin, Check, CpuArrays, Handle, Kernel, Local, LocalKind, MathFn, Param,
    ParamKind, Stmt, TypeKind, visit,
};
use accl_source::Span;

pub struct Cpu<'a> {
    /// Distinguishes the entries of this translation unit from those of others.
    pub unit_id: &'a str,
    pub style: Style,
}

impl Dialect for Cpu<'_> {
    fn keywords(&self) -> &'static [&'static str] {
        keywords::KEYWORDS
    }
    fn scalar(&self, ty: Scalar) -> &'static str {
        ty.c_spelling()
    }
    fn restrict(&self) -> &'static str {
        "restrict"
    }
    fn has_variable_lengths(&self) -> bool {
        true
    }
    fn shared(&self) -> &'static str {
        ""
    }
    fn function_qualifier(&self) -> &'static str {
        "static "
    }
    fn overloads_math(&self) -> bool {
        false
    }

    fn builtin(&self, builtin: Builtin, _folded: bool) -> Option<BuiltinText> {
        let text = match builtin {
            Builtin::Begin if self.style == Style::Translate => "0",
            Builtin::End | Builtin::Total if self.style == Style::Translate => port::NUM_GANGS,
            Builtin::Begin => "begin",
            Builtin::End => "end",
            Builtin::Total => "total",
            Builtin::ThreadIdx(_) | Builtin::BlockIdx(_) | Builtin::BlockDim(_) | Builtin::GridDim(_) => {
                return None;
            }
        };
        Some(BuiltinText { text, ty: Scalar::I64 })
    }

    fn math(&self, fun: MathFn, arg: Scalar, unit: &DeviceSource) -> MathText {
        let name = fun.c_name();
        let suffixed = |name: &str| if arg == Scalar::F32 { format!("{name}f") } else { name.to_owned() };
        match fun {
            MathFn::OnDevice => MathText::Around("(8 == ", "".into(), ")", Scalar::I32),
            MathFn::IsNan | MathFn::IsFinite => MathText::Call(name.into(), Scalar::I32),
            MathFn::IsInf | MathFn::SignBit => MathText::NonZero(name.into()),
            MathFn::Abs if arg == Scalar::I64 => MathText::Call("labs".into(), arg),
            MathFn::Abs => MathText::Call("abs".into(), arg.promoted()),
            MathFn::Fmin | MathFn::Fmax if self.style == Style::Translate => {
                MathText::Call(suffixed(name), arg)
            }
            MathFn::Min | MathFn::Fmin => {
                MathText::Call(unit.helper(Helper::Extremum(Combine::Min, arg)), arg)
            }
            MathFn::Max | MathFn::Fmax => {
                MathText::Call(unit.helper(Helper::Extremum(Combine::Max, arg)), arg)
            }
            MathFn::ToBits | MathFn::FromBits => {
                MathText::Call(unit.helper(Helper::Bits(arg)), super::bits::other(arg))
            }
            MathFn::Rsqrt | MathFn::RsqrtNormal if arg == Scalar::F32 => {
                MathText::Reciprocal("1.0f", "sqrtf".into())
            }
            MathFn::Rsqrt | MathFn::RsqrtNormal => MathText::Reciprocal("1.0", "sqrt".into()),
            MathFn::Exp10 if arg == Scalar::F32 => MathText::Around("powf(10.0f, ", String::new(), ")", arg),
            MathFn::Exp10 => MathText::Around("pow(10.0, ", String::new(), ")", arg),
            MathFn::Ilogb => MathText::Call(suffixed(name), Scalar::I32),
            MathFn::Popcount | MathFn::Clz => {
                let suffix = if arg == Scalar::U64 { "l" } else { "" };
                MathText::Call(format!("__builtin_{name}{suffix}"), Scalar::I32)
            }
            MathFn::Lround | MathFn::Lrint => MathText::Call(suffixed(name), Scalar::I64),
            _ => MathText::Call(suffixed(name), arg),
        }
    }

    /// A gang has one thread here.
    fn barrier(&self, _: BarrierScope, _: Option<&KernelText>, _: &DeviceSource) -> String {
        String::new()
    }

    fn vector_type(&self, ty: Scalar, n: u8) -> String {
        format!("accl_{}{n}", ty.word())
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

    /// The one thread already has the result.
    fn reduce_across(
        &self,
        _op: Combine,
        _ty: Scalar,
        _local: &str,
        _scope: BarrierScope,
        _kernel: &KernelText,
        _unit: &DeviceSource,
    ) -> String {
        String::new()
    }

    fn reduce_grid(
        &self,
        op: Combine,
        ty: Scalar,
        local: &str,
        param: &str,
        _kernel: &KernelText,
        unit: &DeviceSource,
    ) -> String {
        match self.style {
            Style::Embedded => reduce::into_partial(op, ty, local, param, unit),
            Style::Translate => reduce::into_result(op, ty, local, param, unit),
        }
    }

    fn helper(&self, helper: Helper, unit: &DeviceSource) -> String {
        match helper {
            Helper::Extremum(op, ty) => reduce::extremum(op, ty, &helper.name(), unit),
            Helper::Atomic(op, ty, by, _) => atomics::helper(op, (ty, by), &helper.name(), unit),
            Helper::Bits(ty) => super::bits::helper(ty, &helper.name()),
            Helper::Clock if self.style == Style::Translate => CLOCK_OF_OPENMP.to_owned(),
            Helper::Clock => CLOCK.to_owned(),
            Helper::Fence => FENCE.to_owned(),
            Helper::CombinedAtomic(..)
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
            | Helper::ReduceBlock(..)
            | Helper::ReduceRows(..)
            | Helper::ReduceShare(..)
            | Helper::ReducePartial(..)
            | Helper::ReduceTotal(..)
            | Helper::RsqrtNormal
            | Helper::AwaitGrid
            | Helper::LastBlock => String::new(),
        }
    }

    fn helper_needs(&self, helper: Helper) -> Vec<Helper> {
        match helper {
            Helper::Atomic(op @ (Combine::Min | Combine::Max), _, by, _) if by.is_float() => {
                vec![Helper::Extremum(op, by)]
            }
            Helper::Extremum(..)
            | Helper::Bits(..)
            | Helper::Atomic(..)
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
            | Helper::ReduceBlock(..)
            | Helper::ReduceRows(..)
            | Helper::ReduceShare(..)
            | Helper::ReducePartial(..)
            | Helper::ReduceTotal(..)
            | Helper::RsqrtNormal
            | Helper::AwaitGrid
            | Helper::Clock
            | Helper::Fence
            | Helper::LastBlock => Vec::new(),
        }
    }

    fn independent_loop(
        &self,
        reductions: &[(Combine, String)],
        branches: bool,
        unit: &DeviceSource,
    ) -> Option<String> {
        if let Some(pragma) = reduce::simd_pragma(reductions) {
            return Some(pragma);
        }
        if self.style == Style::Translate {
            return Some("#pragma omp simd".into());
        }
        unit.note(|n| n.independent_loops = true);
        Some(if branches { "ACCL_INDEPENDENT_BRANCHES" } else { "ACCL_INDEPENDENT" }.into())
    }

    fn in_order_loop(&self, unit: &DeviceSource) -> Option<&'static str> {
        if self.style == Style::Translate {
            return None;
        }
        unit.note(|n| n.in_order_loops = true);
        Some("ACCL_IN_ORDER")
    }

    fn team_loop(&self, reductions: &[(Combine, String)], own: &[String]) -> Option<String> {
        match self.style {
            Style::Embedded => None,
            Style::Translate => reduce::team_pragma(reductions, own),
        }
    }

    fn stop(&self, stop: &Stop, _unit: &DeviceSource, _span: Span) -> Result<Vec<String>> {
        let message = stop.message();
        Ok(match (stop.status(), self.style) {
            (Some(status), Style::Embedded) => vec![format!("accl_exit({status});")],
            (Some(status), Style::Translate) => vec![format!("exit({status});")],
            (None, Style::Embedded) => vec![format!("accl_stop({});", literal(&message))],
            (None, Style::Translate) => {
                vec![format!("fputs({}, stderr);", literal(&format!("{message}\n"))), "abort();".to_owned()]
            }
        })
    }

    fn checker(&self, what: Check) -> Option<&'static str> {
        let name = match what {
            Check::Window => "accl_checked",
            Check::Number => "accl_checked_number",
        };
        (self.style == Style::Embedded).then_some(name)
    }

    fn prelude(&self, needs: &Needs, style: Style) -> String {
        let mut text =
            "#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n#include <stdlib.h>\n".to_owned();
        if needs.prints || needs.stops && style == Style::Translate {
            text.push_str("#include <stdio.h>\n");
        }
        if needs.stops && style == Style::Embedded {
            text.push_str(STOPS);
        }
        if needs.in_order_loops {
            text.push_str(IN_ORDER);
        }
        if needs.independent_loops {
            text.push_str(INDEPENDENT);
        }
        if needs.twice {
            text.push_str(TWICE);
        }
        if needs.keeps {
            text.push_str(KEEPS);
        }
        if needs.checked {
            text.push_str(CHECKED);
        }
        if needs.strips {
            text.push_str(STRIPS);
        }
        text
    }

    fn kernel(&self, unit: &DeviceSource, kernel: &Kernel) -> Result<Vec<String>> {
        if self.style == Style::Translate {
            return Ok(vec![port::kernel(unit, kernel)?]);
        }
        let Some(body) = &kernel.cpu else { return Ok(Vec::new()) };
        let interface =
            |writer: &BodyWriter, text: &KernelText, symbol: &str| self.interface(writer, text, symbol);
        let write = |restrict, suffix| {
            Version { kernel, variant: None, body, restrict, suffix }.write(unit, &[], &interface)
        };
        match kernel.cpu_arrays {
            CpuArrays::MayOverlap => Ok(vec![write(false, "")?]),
            CpuArrays::Distinct => Ok(vec![write(true, "")?]),
            CpuArrays::EitherWay => Ok(vec![write(true, accl_ir::APART)?, write(false, "")?]),
        }
    }
}

/// The runtime's: the program's own clocks wait for constructs like the one that asks.
const CLOCK: &str = "extern double accl_seconds(void);\n";

const CLOCK_OF_OPENMP: &str = "\
extern double omp_get_wtime(void);

static double accl_seconds(void)
{
    return omp_get_wtime();
}
";

const INDEPENDENT: &str = "
/* No iteration of the loop that follows depends on another. */
#ifdef __clang__
#define ACCL_INDEPENDENT _Pragma(\"clang loop vectorize(assume_safety)\")
/* clang takes that for an order to use vectors, which run all branches, and access their arrays one element at a time. */
#define ACCL_INDEPENDENT_BRANCHES
#else
#define ACCL_INDEPENDENT _Pragma(\"GCC ivdep\")
#define ACCL_INDEPENDENT_BRANCHES ACCL_INDEPENDENT
#endif
";

const IN_ORDER: &str = "
/* clang 14 and 15 make vectors of some loops that write a[i % 3] or a[ix[i]], though their iterations meet there. */
#ifdef __clang__
#define ACCL_IN_ORDER _Pragma(\"clang loop vectorize(disable)\")
#else
#define ACCL_IN_ORDER
#endif
";

const KEEPS: &str = "
/* Copies of rows of a few elements, as a block has, are no work for a function. */
#ifdef __clang__
#define ACCL_KEEPS __attribute__((no_builtin(\"memcpy\", \"memmove\", \"memset\")))
#else
#define ACCL_KEEPS
#endif
";

/// Written out in full: clang before 17 mangles the names of `target_clones` functions in a way that nobody calls.
const TWICE: &str = "
/* Kernels are compiled a second time, for processors that have wider vectors, and multiply and add at once. The library that tells
 * the processors apart may not lie where programs with much static data can reach it. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !(defined(__AVX2__) && defined(__FMA__)) \\
    && !defined(__code_model_medium__) && !defined(__code_model_large__)
#define ACCL_TWICE(name, keeps, features, params, arguments) \\
    keeps static __attribute__((noinline)) void name##_any params { name##_body arguments; } \\
    __attribute__((target(features))) \\
    keeps static __attribute__((noinline)) void name##_wide params { name##_body arguments; }
#define ACCL_RUN(name, arguments) \\
    if (__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")) \\
        name##_wide arguments; \\
    else \\
        name##_any arguments
#else
#define ACCL_TWICE(name, keeps, features, params, arguments) \\
    keeps static __attribute__((noinline)) void name##_any params { name##_body arguments; }
#define ACCL_RUN(name, arguments) name##_any arguments
#endif
";

/// Arrays of a block, and arrays for the values of its threads.
fn keeps_arrays(writer: &BodyWriter) -> bool {
    let kept = |(l, local): (Handle<Local>, &Local)| {
        let array = matches!(writer.unit.module.types.kind(local.ty), TypeKind::Array { .. });
        array && local.kind == LocalKind::Temp && writer.usage.is_named(l)
    };
    writer.body.locals.iter().any(kept)
}

/// Loops of a kernel that is compiled twice, at most: each takes its time to compile.
const MOST_LOOPS: usize = 16;

/// What a kernel's second version may use, if there is one. Decoding and encoding multiply and add at once; the user's own
/// arithmetic is to be rounded as the host's is.
fn wide_features(kernel: &Kernel, body: &Body) -> Option<&'static str> {
    if kernel.params.iter().any(|p| matches!(p.kind, ParamKind::Codec { .. })) {
        return Some("avx2,fma");
    }
    let mut loops = 0;
    visit::for_each_stmt(&body.block, &mut |node| {
        loops += usize::from(matches!(node.kind, Stmt::For(_) | Stmt::While { .. }));
    });
    (1..=MOST_LOOPS).contains(&loops).then_some("avx2")
}

const CHECKED: &str = "
/* A subscript in the window that its array is kept in; else the runtime ends the program. */
void accl_outside_window(const char *place, const char *array, int64_t index, int64_t first, int64_t last);
static inline int64_t accl_checked(int64_t index, int64_t first, int64_t behind, const char *place, const char *array)
{
    if (index < first || index >= behind)
        accl_outside_window(place, array, index, first, behind - 1);
    return index;
}

/* What is stored there is a number, as the bounds say. */
void accl_no_number(const char *place, const char *array, int64_t index);
static inline int64_t accl_checked_number(int64_t index, int64_t first, int64_t behind, const char *place,
                                          const char *array)
{
    if (index < first || index >= behind)
        accl_no_number(place, array, index);
    return index;
}
";

const STOPS: &str = "
/* The runtime ends the program: as abort() does, having said why, or as exit() does. */
__attribute__((noreturn)) void accl_stop(const char *message);
__attribute__((noreturn)) void accl_exit(int status);
";

const STRIPS: &str = "
/* The runtime decodes and encodes many packed elements at once. */
void accl_decode_floats(float *to, const unsigned *words, int64_t first, int64_t count, unsigned bits, float scale,
                        float bias);
void accl_decode_doubles(double *to, const unsigned *words, int64_t first, int64_t count, unsigned bits, double scale,
                         double bias);
void accl_encode_floats(const float *from, unsigned *words, int64_t first, int64_t count, unsigned bits, float inverse,
                        float offset);
void accl_encode_doubles(const double *from, unsigned *words, int64_t first, int64_t count, unsigned bits,
                         double inverse, double offset);
";

impl Cpu<'_> {
    /// The suffix that makes an entry's name unique in the program.
    fn suffix(&self) -> String {
        if self.unit_id.is_empty() { String::new() } else { format!("_{}", self.unit_id) }
    }

    /// The body is a function with a parameter for each argument, and the kernel's entry calls it. It is not
    /// inlined there: clang respects `restrict` only at parameters, and its time grew with the square of the number
    /// of loops that are bounded by a value which the same function loads.
    fn interface(&self, writer: &BodyWriter, text: &KernelText, symbol: &str) -> Result<Interface> {
        let mut params = RANGE.map(|name| format!("int64_t {name}")).to_vec();
        let mut names = RANGE.map(str::to_owned).to_vec();
        let mut values = names.clone();
        for (at, (param, stem)) in text.kernel.params.iter().zip(&text.stems).enumerate() {
            if let Some(argument) = argument(writer, text, param, stem, at)? {
                params.push(argument.declared);
                names.push(argument.name);
                values.push(argument.value);
            }
        }
        let name = format!("{symbol}{}", self.suffix());
        let features = wide_features(text.kernel, writer.body);
        let keeps = keeps_arrays(writer);
        writer.unit.note(|n| {
            n.keeps |= keeps;
            n.twice |= features.is_some();
        });
        let keeps = if keeps { "ACCL_KEEPS" } else { "" };
        let entry = |call: String| {
            format!(
                "\nvoid {name}(int64_t begin, int64_t end, int64_t total, void *const *args)\n{{\n{call}\n}}\n"
            )
        };
        let (body, after) = match features {
            Some(features) => {
                let versions =
                    wrapped_list(&format!("ACCL_TWICE({name}, {keeps}, \"{features}\", "), &params, ",");
                let versions = format!("{versions}\n{}", wrapped_list("           ", &names, ")"));
                let call = wrapped_list(&format!("    ACCL_RUN({name}, "), &values, ");");
                ("static inline __attribute__((always_inline))", format!("\n{versions}\n{}", entry(call)))
            }
            None => {
                let call = wrapped_list(&format!("    {name}_body"), &values, ";");
                ("static __attribute__((noinline))", entry(call))
            }
        };
        let keeps = if keeps.is_empty() { String::new() } else { format!("{keeps} ") };
        Ok(Interface {
            head: wrapped_list(&format!("{keeps}{body} void {name}_body"), &params, ""),
            prologue: Vec::new(),
            after,
        })
    }
}

/// The iterations or gangs that a call of a kernel runs, out of how many.
const RANGE: [&str; 3] = ["begin", "end", "total"];

/// A parameter of a kernel's body, and its value out of the entry's `args`.
struct BodyArgument {
    declared: String,
    name: String,
    value: String,
}

/// The parameter for argument `at`, if the body uses it.
fn argument(
    writer: &BodyWriter,
    text: &KernelText,
    param: &Param,
    stem: &str,
    at: usize,
) -> Result<Option<BodyArgument>> {
    let local = &writer.body.locals[param.local];
    let declarator = writer.declarator(local.span);
    let name = writer.names.local(param.local);
    let used = writer.usage.is_named(param.local);
    Ok(match &param.kind {
        ParamKind::Data { .. } if used => {
            let style = data_style(writer, text, param);
            let declared = declarator.pointer(local.ty, name, style)?;
            let plain = PointerStyle { restrict: false, ..style };
            let cast = declarator.pointer(local.ty, "*const *", plain)?;
            let value = format!("*({})args[{at}]", collapse(&cast));
            Some(BodyArgument { declared, name: name.to_owned(), value })
        }
        ParamKind::Value { .. }
        | ParamKind::Codec { .. }
        | ParamKind::Extent { .. }
        | ParamKind::Stride { .. }
            if used =>
        {
            let declared = declarator.declare(local.ty, name)?;
            let cast = declarator.declare(local.ty, "*")?;
            Some(BodyArgument {
                declared,
                name: name.to_owned(),
                value: format!("*(const {cast})args[{at}]"),
            })
        }
        ParamKind::Reduction { .. } => {
            let ty = writer.unit.scalar(reduction_scalar(writer, param)?);
            let name = format!("{stem}_partial");
            let value = format!("*({ty} *const *)args[{at}]");
            Some(BodyArgument { declared: format!("{ty} *{name}"), name, value })
        }
        ParamKind::Data { .. }
        | ParamKind::Value { .. }
        | ParamKind::Codec { .. }
        | ParamKind::Extent { .. }
        | ParamKind::Stride { .. } => None,
    })
}

/// `const float *restrict *const *` is what the declarator makes of a name that starts with a star.
fn collapse(cast: &str) -> String {
    cast.replace("restrict ", "").replacen("**const *", "*const *", 1)
}

const FENCE: &str = "\
static inline void accl_fence(void)
{
    __sync_synchronize();
}
";
