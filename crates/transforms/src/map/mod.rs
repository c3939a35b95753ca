//! Pass 6: kernels mapped to the devices.
//!
//! From a kernel's body, whose loops have schedules, come the bodies that devices run: for GPUs one thread's
//! program, with its place in the grid explicit ([`grid_mapping`], [`block_mapping`]); for the cpu one interval of iterations
//! or gangs ([`cpu`]).

pub mod advance;
pub mod alias;
pub mod block_mapping;
pub mod candidates;
pub mod cost;
pub mod cpu;
pub mod draft;
pub mod fast_math;
pub mod grid_mapping;
pub mod hazards;
pub mod identity;
pub mod index_set_splitting;
pub mod indices;
pub mod joined_counts;
pub mod last_values;
pub mod linearise;
pub mod lines;
pub mod private_atomics;
pub mod remarks;
pub mod rules;
pub mod scalar_replacement;
pub mod shape;
pub mod space;
pub mod steps;
pub mod straight_line;
pub mod window;
pub mod worker_arrays;

use crate::column_major::subscripts;
use crate::compress::block;
use crate::context::Context;
use crate::device_model::DeviceModel;
use crate::options::Options;
use crate::pass::Pass;
use crate::{index64, loop_skewing};
use accl_ir::{Block, Body, Handle, Kernel, Module, ParamKind, Requirements, Types};
use accl_source::Diagnostic;
use cost::Cost;
use linearise::JoinedBy;
use rules::Proposals;
use std::collections::BTreeMap;
use steps::Refusal;

pub const PASS: Pass = Pass {
    name: "map",
    promise: "Each kernel has its variants for GPUs, best first, and its body for the cpu.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    let plain = Options {
        cpu: false,
        coarsen: false,
        unroll_and_jam: false,
        noalias: false,
        windows: false,
        ..cx.options.clone()
    };
    let fallback = Options { noalias: false, ..cx.options.clone() };
    if !cx.options.candidates.is_empty() {
        candidates::unused(module, cx);
    }
    let handles: Vec<_> = module.kernels.handles().collect();
    for h in handles {
        let Kernel { index64_of, fallback_of, .. } = &module.kernels[h];
        // What is told of the kernel holds for its versions too.
        let mut unsaid = vec![];
        if index64_of.is_some() {
            kernel(module, h, &mut Context::new(&plain, cx.diagnostics, &mut unsaid));
        } else if let Some(of) = *fallback_of {
            kernel(module, h, &mut Context::new(&fallback, cx.diagnostics, &mut unsaid));
            remarks::fallback(&module.kernels[of], &module.kernels[h], cx);
        } else {
            kernel(module, h, cx);
        }
        let kernel = &mut module.kernels[h];
        let asks = |r: &Requirements| r.few_lanes || r.one_lane || r.long_lines || r.splits;
        if !kernel.variants.iter().any(|v| asks(&v.requires)) {
            kernel.row_length = None;
        }
    }
}

fn kernel(module: &mut Module, h: Handle<Kernel>, cx: &mut Context<'_>) {
    // The body is taken, not copied: it is the larger part of a kernel.
    let body = std::mem::take(&mut module.kernels[h].body);
    let mut kernel = Kernel { body, ..module.kernels[h].clone() };
    if let Some(refused) = block_mapping::unsized_array(module, &kernel).filter(|_| cx.options.gpu) {
        cx.diagnostics.push(refused);
        module.kernels[h] = kernel;
        return;
    }
    linearise::run(&mut module.types, &mut kernel.body, JoinedBy::Clause);
    private_atomics::run(module, &mut kernel, cx.options);
    if !cx.options.cache {
        window::drop_hints(&mut kernel);
    }
    // Block arrays that it writes are plain ones to a kernel.
    let mut blocks = block::as_plain(&mut module.types, &kernel);
    match &mut blocks {
        None => launch_hints(module, &mut kernel, cx),
        Some(plain) => {
            window::drop_launch_hints(&mut kernel);
            window::drop_launch_hints(plain);
        }
    }
    if window::has_windows(&kernel.body.block) {
        let mut plain = blocks.clone().unwrap_or_else(|| kernel.clone());
        if keeps(module, &mut plain, cx) {
            remarks::blocks(&module.types, &kernel, cx);
            alias::drop_unprovable(module, &mut plain);
            module.kernels[h] = plain;
            return;
        }
        window::drop_hints(&mut kernel);
        blocks.as_mut().map(window::drop_hints);
    }
    for kernel in std::iter::once(&mut kernel).chain(&mut blocks) {
        if kernel.distinct || alias::all_distinct(module, kernel) {
            scalar_replacement::run(module, kernel);
        }
    }
    loop_skewing::turn_back(&mut kernel.body);
    let apart = linearise::joins(&kernel.body, JoinedBy::Compiler).then(|| kernel.body.clone());
    if apart.is_some() {
        linearise::run(&mut module.types, &mut kernel.body, JoinedBy::Compiler);
    }
    let by_rows = subscripts::with_strides(module, &mut kernel);
    let mut refused = Default::default();
    let mut uncounted = None;
    if cx.options.gpu {
        uncounted = index64::count_rows(&mut module.types, &mut kernel.body);
        refused = variants(module, &mut kernel, blocks.as_mut(), cx);
        if cx.options.fast_math {
            fast_math::run(module, &mut kernel, cx);
        }
    }
    if let Some(body) = apart.or(by_rows).or(uncounted) {
        kernel.body = body;
    }
    if cx.options.cpu {
        let plain = blocks.as_ref().unwrap_or(&kernel);
        let turned = loop_skewing::turned_back(plain);
        let (body, interchanged) = cpu::body(&mut module.types, turned.as_ref().unwrap_or(plain));
        kernel.cpu_arrays = cpu::arrays(module, &kernel, &body, cx.options);
        kernel.cpu = Some(body);
        remarks::interchanged(&kernel, &interchanged, cx);
    }
    alias::drop_unprovable(module, &mut kernel);
    remarks::schedule(&kernel, cx);
    remarks::hinted(&kernel, cx);
    remarks::blocks(&module.types, &kernel, cx);
    if kernel.schedule.is_none() {
        remarks::not_vectorized(&kernel, &refused, cx);
        remarks::staged(&kernel, cx);
        remarks::decoded(&module.types, &kernel, cx);
        remarks::tiled(&kernel, cx);
        remarks::unrolled_and_jammed(&kernel, cx);
    }
    predict(&module.types, &mut kernel, cx.options.device);
    remarks::schedules(&kernel, cx);
    if cx.options.list_steps {
        remarks::alternatives(&kernel, cx);
    }
    module.kernels[h] = kernel;
}

/// Notes what the cost model expects of an iteration under each variant, for the runtime to compare with what it measures.
fn predict(types: &Types, kernel: &mut Kernel, device: &DeviceModel) {
    let mut variants = std::mem::take(&mut kernel.variants);
    let mut plain: BTreeMap<[u32; 3], Cost> = BTreeMap::new();
    for variant in &mut variants {
        let plain = plain.entry(variant.block).or_insert_with(|| Cost::of(types, kernel, variant.block));
        let seconds = plain.clone().under(&variant.schedule).seconds(device);
        variant.femtoseconds = (1e15 * seconds).clamp(1.0, f64::from(u32::MAX)) as u32;
    }
    kernel.variants = variants;
}

/// Gives a kernel without windows its variants: the user's, or those that the rules propose. Returns why steps did not apply.
fn variants(
    module: &mut Module,
    kernel: &mut Kernel,
    blocks: Option<&mut Kernel>,
    cx: &mut Context<'_>,
) -> BTreeMap<String, Refusal> {
    let (base, written) = match blocks.as_deref() {
        Some(plain) => (plain, Some(&*kernel)),
        None => (&*kernel, None),
    };
    if cx.options.list_steps {
        remarks::steps(module, base, cx);
    }
    if cx.options.list_spaces {
        space::list(module, base, written, cx);
    }
    let named = if written.is_none() { candidates::make(module, kernel, cx) } else { vec![] };
    let refused = usual_or_given(module, kernel, blocks, cx);
    candidates::add(kernel, named);
    refused
}

/// The variants that launches choose from by themselves.
fn usual_or_given(
    module: &mut Module,
    kernel: &mut Kernel,
    blocks: Option<&mut Kernel>,
    cx: &mut Context<'_>,
) -> BTreeMap<String, Refusal> {
    let given = kernel.schedule.take();
    let mut proposals = Proposals { module, options: cx.options, refused: BTreeMap::new() };
    if let Some(given) = &given {
        let all = match blocks {
            Some(plain) => proposals.given(plain, Some(kernel), &given.schedule),
            None => proposals.given(kernel, None, &given.schedule),
        };
        match all {
            Ok(all) => kernel.variants = all,
            Err(refused) => cx.diagnostics.push(refused.diagnostic(given)),
        }
        kernel.schedule = Some(given.clone());
        return proposals.refused;
    }
    let all = match blocks {
        Some(plain) => proposals.usual(plain, Some(kernel)),
        None => proposals.usual(kernel, None),
    };
    let refused = proposals.refused;
    kernel.variants.extend(all);
    refused
}

/// Takes the `cache` directives away whose size only the launch knows, and gives the kernel versions that follow them, for
/// launches whose blocks have the room.
fn launch_hints(module: &mut Module, kernel: &mut Kernel, cx: &mut Context<'_>) {
    if !window::has_launch_hints(&kernel.body.block) {
        return;
    }
    let mut attempt = kernel.clone();
    window::drop_launch_hints(kernel);
    if !cx.options.gpu || kernel.schedule.is_some() {
        return;
    }
    let options = Options { cpu: false, ..cx.options.clone() };
    match windowed(module, &mut attempt, "shared_tile(launch)", &options) {
        Ok(()) => {
            kernel.variants = std::mem::take(&mut attempt.variants);
            rules::take_parameters(kernel, attempt);
        }
        Err(refused) => remarks::not_cached(kernel, &refused, cx),
    }
}

/// Gives a kernel with windows its bodies, or says why not. False: it had only `cache` directives, which are hints, and
/// none of them could be followed.
fn keeps(module: &mut Module, kernel: &mut Kernel, cx: &mut Context<'_>) -> bool {
    let mut attempt = kernel.clone();
    let follow = "shared_tile(directive)";
    let first = windowed(module, &mut attempt, follow, cx.options);
    let outcome = match first {
        Err(refused) if window::drop_hints(kernel) => {
            remarks::not_cached(kernel, &refused, cx);
            if !window::has_windows(&kernel.body.block) {
                return false;
            }
            attempt = kernel.clone();
            windowed(module, &mut attempt, follow, cx.options)
        }
        other => other,
    };
    match outcome {
        Ok(()) => {
            *kernel = attempt;
            if cx.options.gpu && cx.options.list_spaces {
                space::list(module, kernel, None, cx);
            }
            if cx.options.fast_math {
                fast_math::run(module, kernel, cx);
            }
            remarks::schedule(kernel, cx);
            remarks::hinted(kernel, cx);
            remarks::windows(kernel, cx);
            remarks::schedules(kernel, cx);
        }
        Err(refused) => cx.diagnostics.push(refused),
    }
    true
}

/// The bodies of a kernel whose blocks keep arrays.
fn windowed(
    module: &mut Module,
    kernel: &mut Kernel,
    tile: &str,
    options: &Options<'_>,
) -> Result<(), Diagnostic> {
    window::prepare(&mut module.types, kernel, options)?;
    let block = shape::block(&module.types, kernel, options);
    if options.gpu {
        let mut proposals = Proposals { module, options, refused: BTreeMap::new() };
        let all = match kernel.schedule.take() {
            Some(given) => {
                let all = proposals.given(kernel, None, &given.schedule);
                let all = all.map_err(|refused| refused.diagnostic(&given));
                kernel.schedule = Some(given);
                all?
            }
            None => proposals.windowed(kernel, tile).map_err(|refused| refused.of_window(kernel))?,
        };
        kernel.variants.extend(all);
    }
    if options.cpu {
        let (body, tiles) = window::cpu_body(module, kernel, block, options.check)?;
        (kernel.cpu, kernel.cpu_dynamic_tiles) = (Some(body), tiles);
    }
    Ok(())
}

/// Puts the private accumulators of launch reductions around a block: set to the identity before, combined after.
pub(crate) fn with_reductions(types: &mut Types, kernel: &Kernel, body: &mut Body, block: Block) -> Block {
    let mut result: Block = vec![];
    let mut ends: Block = vec![];
    for (param, p) in kernel.params.iter().enumerate() {
        let ParamKind::Reduction { reduction, .. } = &p.kind else { continue };
        let init = identity::of(types, body, reduction.op, body.locals[p.local].ty);
        result.push(crate::build::declare(p.local, Some(init)));
        ends.push(crate::build::node(accl_ir::Stmt::ReduceGrid { op: reduction.op, local: p.local, param }));
    }
    result.extend(block);
    result.extend(ends);
    result
}
