//! What the compiler says of a kernel, in nvc's words.

use super::cost::Cost;
use super::cpu::interchange::Interchanged;
use super::draft::Draft;
use super::space;
use super::steps::grid::AXES;
use super::steps::{self, Refusal};
use crate::compress::{block, format_in};
use crate::context::Context;
use crate::device_model::DeviceModel;
use accl_analysis::text::source_name;
use accl_ir::{
    HostExpr, Kernel, LaunchTest, Loop, LoopLevels, Module, ParamKind, ReductionOp, Schedule, Stmt, Types,
    Variant, visit,
};
use accl_source::codes::remarks;
use accl_source::{Diagnostic, Remark, RemarkKind, Span};
use std::collections::BTreeMap;

/// "Generating NVIDIA GPU code", and beneath it a line for each loop.
pub fn schedule(kernel: &Kernel, cx: &mut Context<'_>) {
    let function = &kernel.site.function;
    let head =
        if kernel.serial { "Accelerator serial kernel generated" } else { "Generating NVIDIA GPU code" };
    let span = kernel.site.directive_span;
    cx.remark(Remark::new(remarks::GENERATING_CODE, RemarkKind::Generated, function, span, head));
    visit::for_each_stmt(&kernel.body.block, &mut |node| {
        if let Stmt::For(l) = &node.kind {
            loop_remarks(kernel, l, node.span, cx);
        }
    });
}

/// The schedule of each variant, in the order in which launches try them, with what it needs.
pub fn schedules(kernel: &Kernel, cx: &mut Context<'_>) {
    for variant in &kernel.variants {
        let told: Vec<&str> = variant.requires.rows().filter_map(|row| row.told).collect();
        let needs = if told.is_empty() { String::new() } else { format!(", where {}", told.join(", ")) };
        let name = space::name(kernel, variant);
        let message = format!("Schedule {name}: {}{needs}", variant.schedule);
        cx.remark(of_loop(remarks::SCHEDULE, RemarkKind::Generated, kernel, message));
    }
}

/// What launches take that no variant of the kernel is right for.
pub fn fallback(kernel: &Kernel, fallback: &Kernel, cx: &mut Context<'_>) {
    let overlap = (kernel.distinct && !fallback.distinct).then(|| "arrays overlap or may".to_owned());
    let strides = (!kernel.strides.is_empty()).then(|| format!("not {}", LaunchTest::shown(&kernel.strides)));
    let needs: Vec<String> = overlap.into_iter().chain(strides).collect();
    let (which, inside) = match (fallback.serial, fallback.dims.is_empty()) {
        (true, _) => ("", ""),
        (false, true) => ("", "; loops inside are parallel, in one gang"),
        (false, false) => ("of loops inside ", ""),
    };
    let message = format!(
        "Schedule fallback: {which}one iteration after the other, where {}{inside}",
        needs.join(", or ")
    );
    cx.remark(of_loop(remarks::SCHEDULE, RemarkKind::Generated, kernel, message));
}

/// Which steps apply to the kernel, with the cost that each of their parameters gives, and why others do not.
pub fn steps(module: &mut Module, kernel: &Kernel, cx: &mut Context<'_>) {
    let device = cx.options.device;
    let plain = Draft::new(module, kernel, cx.options);
    let cost = Cost::of(&module.types, kernel, plain.block);
    let head = format!(
        "Steps that apply for {}: {:.0} bytes under way keep a multiprocessor's part of the memory busy; the plain kernel has {}",
        device.name,
        device.bytes_under_way(),
        estimate(&cost, device)
    );
    cx.remark(of_loop(remarks::STEPS, RemarkKind::Note, kernel, head));
    for kind in steps::STEPS {
        let message = match (kind.space)(module, &plain) {
            Err(why) => format!("{}: no: {}", kind.usage, why.text()),
            Ok(space) => {
                let each = space.iter().map(|step| {
                    let with = cost.clone().under(&Schedule { steps: vec![step.clone()] });
                    if with == cost {
                        step.to_string()
                    } else {
                        format!("{step} ({})", estimate(&with, device))
                    }
                });
                each.collect::<Vec<_>>().join(", ")
            }
        };
        if !message.is_empty() {
            cx.remark(of_loop(remarks::STEPS, RemarkKind::Note, kernel, message));
        }
    }
}

/// What the kernel's variants are expected to cost, in the order in which launches try them.
pub fn alternatives(kernel: &Kernel, cx: &mut Context<'_>) {
    let device = cx.options.device;
    let each = kernel.variants.iter().map(|variant| {
        let picoseconds = f64::from(variant.femtoseconds) / 1e3;
        format!("{} {picoseconds:.2}", space::name(kernel, variant))
    });
    let each: Vec<String> = each.collect();
    if each.len() > 1 {
        let message = format!(
            "Alternatives for {}, as launches try them, with the picoseconds of an iteration that their accesses to memory are \
             expected to take: {}",
            device.name,
            each.join(", ")
        );
        cx.remark(of_loop(remarks::STEPS, RemarkKind::Note, kernel, message));
    }
}

fn estimate(cost: &Cost, device: &DeviceModel) -> String {
    let (occupancy, bytes) = (100.0 * cost.occupancy(device), cost.bytes_under_way(device));
    format!(
        "{:.2} loads an iteration, {occupancy:.0}% of the threads, {bytes:.0} bytes under way",
        cost.loads
    )
}

fn loop_remarks(kernel: &Kernel, l: &Loop, span: Span, cx: &mut Context<'_>) {
    let function = &kernel.site.function;
    let schedule = l.levels.clone().unwrap_or_default();
    let id = if schedule.is_seq() { remarks::SEQUENTIAL_LOOP } else { remarks::LOOP_SCHEDULE };
    let line = line(kernel, &schedule);
    cx.remark(Remark::new(id, RemarkKind::Generated, function, span, line).nested());
    for r in l.directive.iter().flat_map(|d| &d.reductions) {
        let name = source_name(&kernel.body, r.local);
        let line = format!("Generating reduction({}:{name})", operator(r.op));
        cx.remark(
            Remark::new(remarks::GENERATING_REDUCTION, RemarkKind::Reduction, function, span, line).nested(),
        );
    }
}

/// A size that only the launch knows is shown as it was written.
fn at_launch(given: &Option<HostExpr>, size: u32) -> String {
    match given {
        Some(HostExpr { text, value: None, .. }) => text.clone(),
        _ => size.to_string(),
    }
}

/// `#pragma acc loop gang, vector(128) /* blockIdx.x threadIdx.x */`
fn line(kernel: &Kernel, s: &LoopLevels) -> String {
    if s.is_seq() {
        return "#pragma acc loop seq".into();
    }
    let variants = &kernel.variants;
    let told = if kernel.schedule.is_some() { variants.first() } else { variants.last() };
    let block = told.map_or([128, 1, 1], |v| v.block);
    let axis = s.dim.unwrap_or(0) as usize;
    let mut words: Vec<String> = vec![];
    let mut places: Vec<String> = vec![];
    if s.gang {
        words.push(gang(kernel, axis));
        places.push(format!("blockIdx.{}", AXES[axis]));
    }
    if s.worker {
        words.push(format!("worker({})", at_launch(&kernel.num_workers, block[1])));
        places.push("threadIdx.y".into());
    }
    if s.vector {
        let lanes = block[if s.gang { axis } else { 0 }];
        words.push(format!("vector({})", at_launch(&kernel.vector_length, lanes)));
        places.push(format!("threadIdx.{}", AXES[if s.gang { axis } else { 0 }]));
    }
    format!("#pragma acc loop {} /* {} */", words.join(", "), places.join(" "))
}

/// `gang`, with the number that was asked for where the launch's outermost loop stands.
fn gang(kernel: &Kernel, axis: usize) -> String {
    match &kernel.num_gangs {
        Some(given) if axis + 1 >= kernel.dims.len() => {
            let count = given.value.map_or_else(|| given.text.clone(), |n| n.to_string());
            format!("gang({count})")
        }
        _ => "gang".into(),
    }
}

/// What was made of the kernel.
fn transformed(kernel: &Kernel, message: String, cx: &mut Context<'_>) {
    cx.remark(of_loop(remarks::TRANSFORMED, RemarkKind::Generated, kernel, message));
}

/// About the kernel's loop where it is one, beneath its directive.
fn of_loop(id: &'static str, kind: RemarkKind, kernel: &Kernel, message: String) -> Remark {
    let span = visit::only_stmt(&kernel.body.block).map_or(kernel.site.directive_span, |n| n.span);
    Remark::new(id, kind, &kernel.site.function, span, message).nested()
}

/// How block arrays are written.
pub fn blocks(types: &Types, kernel: &Kernel, cx: &mut Context<'_>) {
    let names: Vec<&str> =
        block::written(types, kernel).iter().map(|l| kernel.body.locals[*l].name.as_str()).collect();
    if names.is_empty() {
        return;
    }
    let names = names.join(" and ");
    if kernel.variants.iter().any(|v| v.requires.whole_groups) {
        let message = format!(
            "GPUs write {names} by whole groups of 32 iterations where arrays begin with a group and do not overlap; \
             otherwise into a plain copy, which is encoded behind the kernel"
        );
        return transformed(kernel, message, cx);
    }
    let message = format!("{names} is written into a plain copy, which is encoded behind the kernel");
    let help = format!("hold {names} in another scheme, or plain, if the kernel waits for memory");
    cx.remark(of_loop(remarks::NOT_TRANSFORMED, RemarkKind::Missed, kernel, message).with_help(help));
}

/// Why a one-dimensional loop has no variant with 16-byte accesses.
pub fn not_vectorized(kernel: &Kernel, refused: &BTreeMap<String, Refusal>, cx: &mut Context<'_>) {
    let Some(Refusal::Because(reason)) = refused.get("vectorize") else { return };
    let message = format!("Loop not run with 16-byte accesses: {reason}");
    cx.remark(of_loop(remarks::NOT_TRANSFORMED, RemarkKind::Missed, kernel, message));
}

/// That packed arrays go through shared memory.
pub fn staged(kernel: &Kernel, cx: &mut Context<'_>) {
    let staged = |v: &&Variant| v.schedule.has("stage_shared") && !v.schedule.has("decode");
    let Some(variant) = kernel.variants.iter().find(staged) else { return };
    let name = |s: &accl_ir::SharedDecl| variant.body.locals[s.local].name.replace("_room", "");
    let names: Vec<String> = variant.shared.iter().map(name).collect();
    let message = format!(
        "Blocks of {} threads, {} iterations each, fetch and store {} through shared memory, by 16-byte accesses side by side",
        variant.block[0],
        variant.per_thread[0],
        names.join(" and "),
    );
    transformed(kernel, message, cx);
}

/// That small arrays have plain copies. Of arrays that are read many times `compress::reuse` speaks.
pub fn decoded(types: &Types, kernel: &Kernel, cx: &mut Context<'_>) {
    let Some(variant) = kernel.variants.iter().find(|v| v.requires.decoded && !v.requires.reused) else {
        return;
    };
    // Block arrays that are written are plain in all versions.
    let usual = kernel.variants.last().map_or(&kernel.body, |v| &v.body);
    let is_decoded = |l| {
        format_in(types, usual.locals[l].ty).is_some()
            && format_in(types, variant.body.locals[l].ty).is_none()
    };
    let names = |wanted: bool| {
        let of_these = |p: &&accl_ir::Param| {
            matches!(p.kind, ParamKind::Data { written, .. } if written == wanted) && is_decoded(p.local)
        };
        let names = kernel.params.iter().filter(of_these).map(|p| kernel.body.locals[p.local].name.as_str());
        names.collect::<Vec<_>>().join(" and ")
    };
    let (read, written) = (names(false), names(true));
    let what = match (read.is_empty(), written.is_empty()) {
        (_, true) => {
            format!("read {read} from plain copies, from the second kernel on that reads the same contents")
        }
        (true, false) => format!("keep {written} in plain copies, rounded, from the second kernel on"),
        (false, false) => {
            format!(
                "read {read} from plain copies, and keep {written} there, rounded, from the second kernel on"
            )
        }
    };
    transformed(kernel, format!("GPUs whose cache holds the arrays {what}"), cx);
}

/// That a `cache` directive is not followed.
pub fn not_cached(kernel: &Kernel, why: &Diagnostic, cx: &mut Context<'_>) {
    let message = format!("cache is left to the hardware: {}", why.message);
    let span = why.labels.first().map_or(kernel.site.directive_span, |(span, _)| *span);
    let function = &kernel.site.function;
    cx.remark(Remark::new(remarks::NOT_TRANSFORMED, RemarkKind::Missed, function, span, message));
}

/// What a block keeps where there is room for it.
pub fn hinted(kernel: &Kernel, cx: &mut Context<'_>) {
    let Some(variant) = kernel.variants.iter().rfind(|v| v.requires.fits_shared) else { return };
    let mut names: Vec<&str> = variant.dynamic_tiles().map(|a| a.array.as_str()).collect();
    names.dedup();
    let message =
        format!("Launches whose blocks have the room keep {} in shared memory", names.join(" and "));
    let span = visit::only_stmt(&kernel.body.block).map_or(kernel.site.directive_span, |n| n.span);
    let function = &kernel.site.function;
    cx.remark(Remark::new(remarks::TRANSFORMED, RemarkKind::Generated, function, span, message).nested());
}

/// What a block keeps, and how large it is.
pub fn windows(kernel: &Kernel, cx: &mut Context<'_>) {
    let Some(variant) = kernel.variants.last().filter(|v| !v.shared.is_empty()) else { return };
    let name = |s: &accl_ir::SharedDecl| variant.body.locals[s.local].name.replace("_window", "");
    let names: Vec<String> = variant.shared.iter().map(name).collect();
    let [x, y, z] = variant.block;
    let message =
        format!("Blocks of {} iterations keep {} in shared memory", product([z, y, x]), names.join(" and "));
    transformed(kernel, message, cx);
    let Some(several) = kernel.variants.iter().find(|v| v.schedule.has("coarsen")) else { return };
    let all = [2, 1, 0].map(|d| several.block[d] * several.per_thread[d]);
    let message = format!(
        "Launches that fill the device keep them for {} iterations, {} a thread",
        product(all),
        product([2, 1, 0].map(|d| several.per_thread[d]))
    );
    transformed(kernel, message, cx);
}

/// `32x8`
fn product(extents: [u32; 3]) -> String {
    let several: Vec<String> = extents.iter().filter(|n| **n > 1).map(u32::to_string).collect();
    several.join("x")
}

/// That the compiler keeps tiles in shared memory by itself.
pub fn tiled(kernel: &Kernel, cx: &mut Context<'_>) {
    let keeps = |v: &&Variant| {
        v.schedule.has("register_tile") || v.schedule.has("tensor_tile") || v.schedule.has("coarsen")
    };
    let Some(variant) = kernel.variants.iter().find(keeps) else { return };
    let mut names: Vec<&str> = vec![];
    for tile in &variant.shared {
        let tile = &variant.body.locals[tile.local].name;
        let name = tile.rfind("_tile").or(tile.rfind("_window")).map_or(&**tile, |end| &tile[..end]);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let names = names.join(" and ");
    let [x, y, _] = [0, 1, 2].map(|d| (variant.block[d] * variant.per_thread[d], variant.per_thread[d]));
    let message = match kernel.dims.len() {
        1 => format!(
            "Launches that fill the device keep parts of {names} in shared memory for {} iterations, {} a thread",
            x.0, x.1
        ),
        _ => format!(
            "Launches that fill the device keep {names} in shared memory for tiles of {}x{} iterations, {}x{} a thread",
            y.0, x.0, y.1, x.1
        ),
    };
    transformed(kernel, message, cx);
}

/// That a thread runs several iterations where there are many.
pub fn unrolled_and_jammed(kernel: &Kernel, cx: &mut Context<'_>) {
    let Some(variant) = kernel.variants.iter().find(|v| v.schedule.has("unroll_and_jam")) else { return };
    let each: u32 = variant.per_thread.iter().product();
    let message = format!("Launches that fill the device run {each} iterations a thread, side by side");
    transformed(kernel, message, cx);
}

/// Which loops run in strips inside their sequential loops on the cpu.
pub fn interchanged(kernel: &Kernel, loops: &[Interchanged], cx: &mut Context<'_>) {
    for Interchanged { span, name, width } in loops {
        let message = format!(
            "On the cpu strips of {width} iterations of {name} run inside the sequential loops, which read and write \
             neighbouring elements then"
        );
        let function = &kernel.site.function;
        cx.remark(
            Remark::new(remarks::INTERCHANGED, RemarkKind::Generated, function, *span, message).nested(),
        );
    }
}

/// As a reduction clause spells it.
pub fn operator(op: ReductionOp) -> &'static str {
    match op {
        ReductionOp::Add => "+",
        ReductionOp::Mul => "*",
        ReductionOp::Max => "max",
        ReductionOp::Min => "min",
        ReductionOp::BitAnd => "&",
        ReductionOp::BitOr => "|",
        ReductionOp::BitXor => "^",
        ReductionOp::LogicalAnd => "&&",
        ReductionOp::LogicalOr => "||",
    }
}
