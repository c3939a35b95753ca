//! Pass 6: kernels mapped to the devices.
//!
//! From a kernel's body, whose loops have schedules, come the bodies that devices run: for GPUs one thread's
//! program, with its place in the grid explicit ([`grid_mapping`], [`block_mapping`]); for the cpu one interval of iterations
//! or gangs ([`cpu`]).

pub mod alias;
pub mod block_mapping;
pub mod coarsen;
pub mod cpu;
pub mod fast_math;
pub mod grid_mapping;
pub mod hazards;
pub mod identity;
pub mod index_set_splitting;
pub mod indices;
pub mod linearise;
pub mod parts;
pub mod private_atomics;
pub mod remarks;
pub mod shape;
pub mod staged;
pub mod straight_line;
pub mod tile;
pub mod unroll_and_jam;
pub mod window;
pub mod worker_arrays;

use crate::compress::block;
use crate::context::Context;
use crate::options::Options;
use crate::pass::Pass;
use accl_ir::{Block, Body, Handle, Kernel, Module, ParamKind, Requirements, SharedDecl, Types, Variant};
use accl_source::Diagnostic;

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
    let handles: Vec<_> = module.kernels.handles().collect();
    for h in handles {
        if module.kernels[h].index64_of.is_none() {
            kernel(module, h, cx);
            continue;
        }
        // What is told of the kernel holds for its version too.
        let mut unsaid = vec![];
        kernel(module, h, &mut Context::new(&plain, cx.diagnostics, &mut unsaid));
    }
}

fn kernel(module: &mut Module, h: Handle<Kernel>, cx: &mut Context<'_>) {
    let mut kernel = module.kernels[h].clone();
    linearise::run(&mut module.types, &mut kernel.body);
    private_atomics::run(module, &mut kernel, cx.options);
    if !cx.options.cache {
        window::drop_hints(&mut kernel);
    }
    // Block arrays that it writes are plain ones to a kernel.
    let blocks = block::as_plain(&mut module.types, &kernel);
    let usual = blocks.is_none();
    if usual {
        launch_hints(module, &mut kernel, cx);
    } else {
        window::drop_launch_hints(&mut kernel);
    }
    let mut plain = blocks.unwrap_or_else(|| kernel.clone());
    if !usual {
        window::drop_launch_hints(&mut plain);
    }
    if window::has_windows(&plain.body.block) {
        if keeps(module, &mut plain, cx) {
            remarks::blocks(&module.types, &kernel, cx);
            alias::drop_unprovable(module, &mut plain);
            module.kernels[h] = plain;
            return;
        }
        window::drop_hints(&mut kernel);
    }
    let mut refusal = None;
    if cx.options.gpu {
        // Versions that follow hints have no parameters but those that the kernel has by now.
        let alone = usual && kernel.variants.is_empty();
        let windowed = alone.then(|| automatic_windows(module, &mut kernel, cx.options)).flatten();
        if windowed.is_some() {
            plain = kernel.clone();
        }
        let mut all = variants(module, &plain, cx.options, &mut refusal);
        all.splice(0..0, windowed);
        with_decoded(module, &plain, &mut all, cx.options);
        if let Some(groups) = writes_groups(module, &kernel, cx.options) {
            all.insert(0, groups);
        }
        kernel.variants.extend(all);
        if cx.options.fast_math {
            fast_math::run(module, &mut kernel, cx);
        }
    }
    alias::drop_unprovable(module, &mut kernel);
    if cx.options.cpu {
        kernel.cpu = Some(cpu::body(&mut module.types, &plain));
    }
    remarks::schedule(&kernel, cx);
    remarks::hinted(&kernel, cx);
    remarks::blocks(&module.types, &kernel, cx);
    remarks::not_coarsened(&kernel, refusal, cx);
    remarks::staged(&kernel, cx);
    remarks::decoded(&module.types, &kernel, cx);
    remarks::tiled(&kernel, cx);
    remarks::unrolled_and_jammed(&kernel, cx);
    module.kernels[h] = kernel;
}

/// Takes the `cache` directives away whose size only the launch knows, and gives the kernel versions that follow them, for
/// launches whose blocks have the room.
fn launch_hints(module: &mut Module, kernel: &mut Kernel, cx: &mut Context<'_>) {
    let mut attempt = kernel.clone();
    if !window::drop_launch_hints(kernel) || !cx.options.gpu {
        return;
    }
    let options = Options { cpu: false, ..cx.options.clone() };
    match windowed(module, &mut attempt, &options) {
        Ok(()) => {
            let stem = kernel.name.len();
            for variant in &mut attempt.variants {
                variant.symbol.insert_str(stem, "_cache");
                variant.requires.fits_shared = true;
            }
            kernel.params = attempt.params;
            kernel.body = Body { block: std::mem::take(&mut kernel.body.block), ..attempt.body };
            kernel.variants = attempt.variants;
        }
        Err(refused) => remarks::not_cached(kernel, &refused, cx),
    }
}

/// The version that writes block arrays by whole groups; others need plain copies of them.
fn writes_groups(module: &mut Module, kernel: &Kernel, options: &Options<'_>) -> Option<Variant> {
    let written = block::written(&module.types, kernel);
    if written.is_empty() || !options.coarsen || block_mapping::is_needed(kernel) {
        return None;
    }
    let block = shape::block(&module.types, kernel, options);
    let parts = (block[1] == 1 && block[2] == 1).then(|| parts::body(module, kernel, block[0])).flatten();
    let (body, per_thread, shared) = match parts {
        Some(parts) => (parts.body, parts.per_thread, parts.shared),
        None => {
            let coarse = coarsen::groups(module, kernel)?;
            (coarse.body, coarse.per_thread, vec![])
        }
    };
    let noalias = !alias::all_distinct(module, kernel);
    let needs = Requirements { noalias, align16: true, whole_groups: true, ..Requirements::default() };
    let variant = several(module, kernel, options, "_groups", needs, [per_thread, 1, 1], body);
    Some(Variant { shared: shared.into_iter().map(SharedDecl::from).collect(), ..variant })
}

/// A version that keeps what all iterations of a block read, where that is proven to pay.
fn automatic_windows(module: &mut Module, kernel: &mut Kernel, options: &Options<'_>) -> Option<Variant> {
    let distinct = alias::all_distinct(module, kernel);
    if !options.windows || !options.unroll_and_jam || !distinct && !options.noalias {
        return None;
    }
    let jammed = window::automatic_body(module, kernel, options)
        .or_else(|| window::stencil_body(module, kernel, options))?;
    Some(window_jam(kernel, "_window", jammed, distinct))
}

/// Versions that have decoded copies of compressed arrays, before the others but those that decode each element once: into
/// windows and tiles.
fn with_decoded(module: &mut Module, kernel: &Kernel, plain: &mut Vec<Variant>, options: &Options<'_>) {
    let Some(decoded) = crate::compress::decoded::kernel(module, kernel) else { return };
    let keeps = |variant: &Variant| variant.requires.ilp && !variant.shared.is_empty();
    let others = plain.iter().position(|v| !keeps(v)).unwrap_or(plain.len());
    let mut all = variants(module, &decoded.kernel, options, &mut None);
    all.retain(|variant| !keeps(variant));
    for variant in &mut all {
        variant.requires.decoded = true;
        variant.requires.reused = decoded.reused;
    }
    plain.splice(others..others, all);
}

/// Gives a kernel with windows its bodies, or says why not. False: it had only `cache` directives, which are hints, and
/// none of them could be followed.
fn keeps(module: &mut Module, kernel: &mut Kernel, cx: &mut Context<'_>) -> bool {
    let mut attempt = kernel.clone();
    let first = windowed(module, &mut attempt, cx.options);
    let outcome = match first {
        Err(refused) if window::drop_hints(kernel) => {
            remarks::not_cached(kernel, &refused, cx);
            if !window::has_windows(&kernel.body.block) {
                return false;
            }
            attempt = kernel.clone();
            windowed(module, &mut attempt, cx.options)
        }
        other => other,
    };
    match outcome {
        Ok(()) => {
            *kernel = attempt;
            if cx.options.fast_math {
                fast_math::run(module, kernel, cx);
            }
            remarks::schedule(kernel, cx);
            remarks::hinted(kernel, cx);
            remarks::windows(kernel, cx);
        }
        Err(refused) => cx.diagnostics.push(refused),
    }
    true
}

/// The bodies of a kernel whose blocks keep arrays.
fn windowed(module: &mut Module, kernel: &mut Kernel, options: &Options<'_>) -> Result<(), Diagnostic> {
    window::prepare(&mut module.types, kernel, options)?;
    let block = shape::block(&module.types, kernel, options);
    let distinct = kernel.distinct || alias::all_distinct(module, kernel);
    if options.gpu {
        let mut all = vec![];
        all.extend(window_parts(module, kernel, block, distinct, options));
        if options.unroll_and_jam && (distinct || options.noalias) {
            let jammed = window::coarsened_body(module, kernel, block);
            all.extend(jammed.map(|j| window_jam(kernel, "_jam", j, distinct)));
        }
        for known in [(true, true), (true, false), (false, false)] {
            let (narrow, even) = known;
            let known = window::Known { narrow, even, parts: false };
            let (body, shared) = window::gpu_body(module, kernel, block, known)?;
            let which = match (narrow, even) {
                (_, true) => "_even",
                (true, false) => "_short",
                (false, false) => "",
            };
            let version = |suffix: &str, noalias: bool, restrict: bool| Variant {
                symbol: format!("{}{suffix}{which}", kernel.name),
                requires: Requirements {
                    noalias,
                    int32: narrow,
                    full_blocks: even,
                    ..Requirements::default()
                },
                block,
                per_thread: shape::per_thread(kernel),
                vector_x: false,
                workers_y: false,
                restrict,
                shared: shared.clone(),
                body: body.clone(),
            };
            if !distinct && options.noalias {
                all.push(version("_noalias", true, true));
            }
            if !narrow || distinct {
                all.push(version("", false, distinct));
            }
        }
        kernel.variants.extend(all);
    }
    if options.cpu {
        let (body, areas) = window::cpu_body(module, kernel, block, options.check)?;
        (kernel.cpu, kernel.cpu_dynamic_tiles) = (Some(body), areas);
    }
    Ok(())
}

/// The least threads of a block that still hide some of each other's waiting.
const PART: u32 = 64;

/// Parts of blocks, so that launches with few iterations use all multiprocessors: where iterations exchange nothing and
/// use their own windows alone.
fn window_parts(
    module: &mut Module,
    kernel: &Kernel,
    block: [u32; 3],
    distinct: bool,
    options: &Options<'_>,
) -> Option<Variant> {
    let [x, y, z] = block;
    let cut = x > PART && x.is_multiple_of(PART) && y * z == 1;
    let plain = shape::one_iteration_a_thread(kernel) && !shape::reduces(kernel);
    if !cut || !plain || !window::only_reads(kernel) || !distinct && !options.noalias {
        return None;
    }
    let gangs = shape::limits_gangs(kernel);
    let known = window::Known { narrow: true, even: false, parts: true };
    let (body, shared) = window::gpu_body(module, kernel, [PART, 1, 1], known).ok()?;
    Some(Variant {
        symbol: format!("{}_parts", kernel.name),
        requires: Requirements {
            noalias: !distinct,
            int32: true,
            low_occupancy: true,
            gangs_cover: gangs,
            ..Requirements::default()
        },
        block: [PART, 1, 1],
        per_thread: [1; 3],
        vector_x: false,
        workers_y: false,
        restrict: true,
        shared,
        body,
    })
}

/// Blocks with several iterations a thread.
fn window_jam(kernel: &Kernel, suffix: &str, jammed: window::Coarsened, distinct: bool) -> Variant {
    let gangs = shape::limits_gangs(kernel);
    let (align16, early) = (jammed.aligned, jammed.early);
    let (noalias, busy) = (!distinct, !jammed.aligned);
    let needs = Requirements {
        noalias,
        align16,
        int32: true,
        high_occupancy: true,
        ilp: busy,
        gangs_cover: gangs,
        aligned_origin: early,
        ..Requirements::default()
    };
    Variant {
        symbol: format!("{}{suffix}", kernel.name),
        requires: needs,
        block: jammed.lanes,
        per_thread: jammed.each,
        vector_x: false,
        workers_y: false,
        restrict: true,
        shared: jammed.shared,
        body: jammed.body,
    }
}

/// Best first; the last needs nothing.
fn variants(
    module: &mut Module,
    kernel: &Kernel,
    options: &Options<'_>,
    refusal: &mut coarsen::Refusal,
) -> Vec<Variant> {
    let distinct = alias::all_distinct(module, kernel);
    let mut all = vec![];
    if options.coarsen && !block_mapping::is_needed(kernel) {
        let staged = staged::body(module, kernel, shape::block(&module.types, kernel, options));
        match coarsen::body(module, kernel) {
            _ if let Some(staged) = staged => all.push(staged_variant(kernel, staged, distinct)),
            Ok(coarse) => {
                let needs = Requirements { noalias: !distinct, align16: true, ..Requirements::default() };
                let per_thread = [coarse.per_thread, 1, 1];
                all.push(several(module, kernel, options, "_wide", needs, per_thread, coarse.body));
            }
            Err(reason) => *refusal = reason,
        }
    }
    let coarse = !all.is_empty();
    if options.windows && !coarse && (distinct || options.noalias) {
        let bodies = tile::bodies(module, kernel);
        let needs = Requirements {
            noalias: !distinct,
            high_occupancy: true,
            ilp: true,
            gangs_cover: shape::limits_gangs(kernel),
            ..Requirements::default()
        };
        all.extend(bodies.into_iter().map(|t| tiled(kernel, t, needs)));
    }
    let limits_gangs = shape::limits_gangs(kernel);
    // How many blocks a version needs that does not stride, only the compiler's own block tells.
    let jams = options.unroll_and_jam && !coarse && !(limits_gangs && shape::vector_x(kernel));
    if jams && shape::one_iteration_a_thread(kernel) && (distinct || options.noalias) {
        let needs = Requirements {
            noalias: !distinct,
            high_occupancy: true,
            gangs_cover: limits_gangs,
            ..Requirements::default()
        };
        let jam = unroll_and_jam::body(&mut module.types, kernel);
        all.extend(jam.map(|j| several(module, kernel, options, "_jam", needs, j.per_thread, j.body)));
    }
    if !distinct && options.noalias {
        let needs = Requirements { noalias: true, ..Requirements::default() };
        all.push(variant(module, kernel, options, "_noalias", needs, true));
    }
    all.push(variant(module, kernel, options, "", Requirements::default(), distinct));
    all
}

/// A version for arrays that do not overlap whose threads run several iterations each.
fn several(
    module: &Module,
    kernel: &Kernel,
    options: &Options<'_>,
    suffix: &str,
    needs: Requirements,
    per_thread: [u32; 3],
    body: Body,
) -> Variant {
    Variant {
        symbol: format!("{}{suffix}", kernel.name),
        requires: needs,
        block: shape::block(&module.types, kernel, options),
        per_thread,
        vector_x: shape::vector_x(kernel),
        workers_y: shape::workers_y(kernel),
        restrict: true,
        shared: vec![],
        body,
    }
}

/// Packed arrays go through shared memory.
fn staged_variant(kernel: &Kernel, staged: staged::Staged, distinct: bool) -> Variant {
    Variant {
        symbol: format!("{}_staged", kernel.name),
        requires: Requirements { noalias: !distinct, align16: true, ..Requirements::default() },
        block: [staged.threads, 1, 1],
        per_thread: [staged.per_thread, 1, 1],
        vector_x: false,
        workers_y: false,
        restrict: true,
        shared: staged.rooms.into_iter().map(SharedDecl::from).collect(),
        body: staged.body,
    }
}

fn tiled(kernel: &Kernel, tiled: tile::Tiled, needs: Requirements) -> Variant {
    Variant {
        symbol: format!("{}_tile{}", kernel.name, tiled.each * tile::SIDE),
        requires: needs,
        block: [tile::SIDE, tile::SIDE, 1],
        per_thread: [tiled.each, tiled.each, 1],
        vector_x: false,
        workers_y: false,
        restrict: true,
        shared: tiled.shared.into_iter().map(SharedDecl::from).collect(),
        body: tiled.body,
    }
}

fn variant(
    module: &mut Module,
    kernel: &Kernel,
    options: &Options<'_>,
    suffix: &str,
    needs: Requirements,
    distinct: bool,
) -> Variant {
    let block = shape::block(&module.types, kernel, options);
    let (body, shared) = match block_mapping::is_needed(kernel) {
        true => block_mapping::body(module, kernel, block, distinct),
        false => (grid_mapping::body(&mut module.types, kernel), vec![]),
    };
    Variant {
        symbol: format!("{}{suffix}", kernel.name),
        requires: needs,
        block,
        per_thread: shape::per_thread(kernel),
        vector_x: shape::vector_x(kernel),
        workers_y: shape::workers_y(kernel),
        restrict: distinct,
        shared,
        body,
    }
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
