//! Windows: arrays that a block of iterations keeps in shared memory (the extension `fcw`, paper 004; `cache`,
//! OpenACC 3.3 §2.10).
//!
//! The distributed loops around a window become blocks of threads ([`nest`]), the iteration's body becomes steps of
//! such a block ([`phases`]): what each thread does by itself, copies that all make together ([`copy`]), and between
//! them the barriers that something depends on ([`barriers`]). On GPUs a step is code of one thread ([`gpu`]); on the
//! cpu one thread runs a block, each step in a loop over the block's threads ([`cpu`]).

mod access;
mod affine;
mod auto;
mod barriers;
mod buffers;
mod copy;
mod cpu;
mod errors;
mod facts;
mod gpu;
mod guards_to_bounds;
mod lengths;
mod narrow;
mod nest;
mod phases;
mod prove;
mod rematerialise;
mod shared_tile;
mod sizes;
mod stencil;
mod sync;
mod thread_coarsening;
mod vectors;

use super::steps::Refusal;
use super::{block_mapping, grid_mapping, shape};
use crate::build::Builder;
use crate::options::Options;
use accl_ir::{
    Block, Handle, Kernel, Local, LocalKind, Param, ParamKind, Staged, Stmt, StmtNode, TypeKind, Types,
    WindowDim, WindowKind, rewrite, visit,
};
use accl_source::{Diagnostic, Span};
use std::collections::BTreeSet;

pub use auto::{STRETCHES, stream};
pub use cpu::body as cpu_body;
pub use gpu::{Known, body as gpu_body};
pub use stencil::{are_usual, stencil};
pub use sync::{has_fcw, has_windows};
pub use thread_coarsening::{Coarsened, body as coarsened_body, coarsenings};

/// Shared memory of a block that every device has.
const SHARED_BYTES: u64 = accl_ir::USUAL_SHARED;

/// What both devices' code is made from.
struct WindowPlan {
    facts: facts::Facts,
    nest: nest::Nest,
    syncs: sync::Syncs,
    inner: Block,
    ranges: prove::Ranges,
    extents: copy::Extents,
}

/// Gives the kernel what its windows need at launch: the extents of arrays, and that some do not overlap others.
pub fn prepare(types: &mut Types, kernel: &mut Kernel, options: &Options<'_>) -> Result<(), Diagnostic> {
    let first = first_window(&kernel.body.block);
    if block_mapping::is_needed(kernel) {
        return Err(errors::not_a_nest(first));
    }
    if shape::vector_x(kernel) {
        return Err(errors::runtime_block(first));
    }
    let (loops, _) = grid_mapping::nest(&kernel.body.block);
    let plain = loops.iter().all(|(l, _)| {
        let wide = matches!(types.kind(kernel.body.locals[l.var].ty), TypeKind::Int { bits: 32 | 64, .. });
        wide && kernel.body.const_int(types, l.step).is_some()
    });
    if !plain {
        return Err(errors::loop_variable(first));
    }
    let threads: u64 = shape::block(types, kernel, options).iter().map(|n| u64::from(*n)).product();
    if threads > 1024 {
        return Err(errors::block(threads, first));
    }
    kernel.distinct |= needs_distinct(kernel);
    extents(types, kernel, options.check)
}

/// Something is written to a copy instead of the array, so no other name of the array may be in use.
fn needs_distinct(kernel: &Kernel) -> bool {
    windows(&kernel.body.block).iter().any(|w| w.arrays.iter().any(|a| !sync::only_reads(a.kind)))
}

/// Two parameters for each array that a window fetches, where it has none yet.
fn extents(types: &mut Types, kernel: &mut Kernel, check: bool) -> Result<(), Diagnostic> {
    let mut arrays: BTreeSet<(Handle<Local>, bool)> = BTreeSet::new();
    for w in windows(&kernel.body.block) {
        for staged in w.arrays.iter().filter(|s| s.kind.fetches()) {
            let array = sync::root(&kernel.body, staged.element);
            arrays.extend(array.map(|a| (a, sync::only_reads(staged.kind))));
        }
    }
    let long = types.int(64, true);
    for data in kernel.params.clone() {
        let needs: Vec<bool> =
            arrays.iter().filter(|(a, _)| *a == data.local).map(|(_, direct)| *direct).collect();
        let known = |p: &Param| matches!(p.kind, ParamKind::Extent { of, .. } if of == data.local);
        let unneeded = needs.is_empty() || kernel.params.iter().any(known);
        let (ParamKind::Data { item, .. }, false) = (&data.kind, unneeded) else { continue };
        let Some(element) = types.element(kernel.body.locals[data.local].ty) else { continue };
        let Some(size) = types.size_on_host(element).filter(|n| *n > 0) else {
            return Err(errors::unknown_size(
                &kernel.body.locals[data.local].name,
                first_window(&kernel.body.block),
            ));
        };
        for end in [false, true] {
            let name =
                format!("{}_{}", kernel.body.locals[data.local].name, if end { "end" } else { "first" });
            let name = kernel.body.unique_name(&name);
            let kind = LocalKind::Param;
            let local = kernel.body.locals.append(Local {
                name,
                ty: long,
                kind,
                reference: false,
                span: Span::default(),
            });
            let on_cpu = needs.contains(&false) || check;
            kernel.params.push(Param {
                local,
                kind: ParamKind::Extent { item: *item, of: data.local, size, end, on_cpu },
            });
        }
    }
    Ok(())
}

fn plan(b: &mut Builder<'_>, kernel: &Kernel, block: [u32; 3], shapes: [nest::Shape; 3]) -> WindowPlan {
    let (loops, inner) = grid_mapping::nest(&kernel.body.block);
    let nest = nest::Nest::new(b.body, &loops, block, shapes);
    let vars = loops.iter().map(|(l, _)| l.var).collect();
    let syncs = sync::Syncs::of(b.body, inner);
    let mut facts = facts::Facts::of(b.types, b.body, inner, &vars, &syncs);
    let value = |p: &&Param| matches!(p.kind, ParamKind::Value { .. });
    facts.values = kernel.params.iter().filter(value).map(|p| p.local).collect();
    let ranges = prove::Ranges::of(b.types, b.body, inner);
    WindowPlan { facts, nest, syncs, inner: inner.clone(), ranges, extents: extent_params(kernel) }
}

fn extent_params(kernel: &Kernel) -> copy::Extents {
    let find = |of: Handle<Local>, wanted: bool| {
        kernel.params.iter().find_map(|p| match p.kind {
            ParamKind::Extent { of: array, end, .. } if array == of && end == wanted => Some(p.local),
            _ => None,
        })
    };
    let arrays = kernel.params.iter().map(|p| p.local);
    arrays.filter_map(|a| Some((a, (find(a, false)?, find(a, true)?)))).collect()
}

impl WindowPlan {
    fn prover<'a>(&'a self, b: &'a Builder<'_>) -> prove::Prover<'a> {
        prove::Prover { types: &*b.types, body: &*b.body, facts: &self.facts, ranges: &self.ranges }
    }

    /// Where the barriers of the steps go; `doubled`: areas with two buffers.
    fn placing<'a>(
        &'a self,
        b: &'a Builder<'_>,
        areas: &'a [shared_tile::SharedTile],
        doubled: &'a BTreeSet<usize>,
    ) -> barriers::Placing<'a> {
        let explicit = self.syncs.explicit;
        barriers::Placing { prover: self.prover(b), nest: &self.nest, tiles: areas, explicit, doubled }
    }
}

/// What the areas whose size is known take of a block's shared memory.
fn total_bytes(b: &Builder<'_>, areas: &[shared_tile::SharedTile]) -> u64 {
    let size = |s: accl_ir::SharedDecl| b.types.size_of(b.body.locals[s.local].ty).unwrap_or(0);
    areas.iter().flat_map(shared_tile::SharedTile::shared).map(size).fold(0, u64::saturating_add)
}

/// The areas fit into the shared memory of a block; of those whose size only the launch knows it is the launch that tells.
fn check_size(
    b: &Builder<'_>,
    areas: &[shared_tile::SharedTile],
    nest: &nest::Nest,
    most: u64,
) -> Result<(), Diagnostic> {
    let bytes = total_bytes(b, areas);
    let (launch, known): (Vec<&shared_tile::SharedTile>, Vec<_>) =
        areas.iter().partition(|a| a.launch.is_some());
    let most = if launch.is_empty() { most } else { SHARED_BYTES };
    if bytes <= most {
        return Ok(());
    }
    let mut names: Vec<String> = known.iter().map(|a| format!("`{}`", a.name)).collect();
    names.dedup();
    let block: Vec<String> = nest.loops.iter().rev().map(|l| l.threads.to_string()).collect();
    let span = known.first().map(|a| a.span).unwrap_or_default();
    let help = match (nest.loops.len(), fitting(nest.all_threads(), bytes, most, &known, b)) {
        (1, Some(fits)) => format!("{fits} would fit"),
        (1, None) => "name fewer elements: BEFORE and AFTER alone are too many".to_owned(),
        _ => "give smaller `vector` clauses, or name fewer elements".to_owned(),
    };
    let refused = errors::too_large(&names.join(", "), bytes, most, &block.join(" by "), help, span);
    Err(match launch.first() {
        Some(a) => refused.label(a.span, "beside a window whose size only the launch knows"),
        None => refused,
    })
}

/// The largest power of two of threads in one dimension whose windows fit, all parts that grow with the block shrunk.
fn fitting(
    threads: u32,
    bytes: u64,
    most: u64,
    areas: &[&shared_tile::SharedTile],
    b: &Builder<'_>,
) -> Option<String> {
    let fixed: u64 = areas.iter().map(|a| a.fixed_elements() * b.types.size_of(a.ty).unwrap_or(1)).sum();
    let each = bytes.saturating_sub(fixed).div_ceil(u64::from(threads));
    let most = most.checked_sub(fixed)? / each.max(1);
    let vector = (most + 1).next_power_of_two() / 2;
    (vector >= 1).then(|| format!("`vector({vector})`"))
}

/// Whether the kernel has windows, for the steps that are about these.
pub fn is_kept(kernel: &Kernel) -> Result<(), Refusal> {
    match has_windows(&kernel.body.block) {
        true => Ok(()),
        false => Err(Refusal::quiet("the kernel keeps no array in shared memory")),
    }
}

/// Gives the innermost of `depth` distributed loops another body.
fn replace_inner(block: &mut Block, depth: usize, inner: Block) {
    let mut inner = Some(inner);
    for node in block {
        let Stmt::For(l) = &mut node.kind else { continue };
        match depth {
            0 | 1 => l.body = inner.take().unwrap_or_default(),
            _ => replace_inner(&mut l.body, depth - 1, inner.take().unwrap_or_default()),
        }
    }
}

fn windows(block: &Block) -> Vec<&accl_ir::Window> {
    let mut found = vec![];
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Window(w) = &node.kind {
            found.push(&**w);
        }
    });
    found
}

fn first_window(block: &Block) -> Span {
    let mut found = Span::default();
    visit::for_each_stmt(block, &mut |node| {
        if let (Stmt::Window(w), true) = (&node.kind, found.is_nowhere()) {
            found = w.arrays.first().map_or(node.span, |a| a.span);
        }
    });
    found
}

/// The statements without their windows, which must be ones that only read.
fn without_windows(block: &mut Block) {
    rewrite::rewrite_block(block, &mut |node| match node.kind {
        Stmt::Window(w) => vec![StmtNode { kind: Stmt::Block(w.body), span: node.span }],
        Stmt::Barrier(_) => vec![],
        _ => vec![node],
    });
}

/// Takes `cache` directives away; whether there were any.
pub fn drop_hints(kernel: &mut Kernel) -> bool {
    without(&mut kernel.body.block, &|a| a.kind == WindowKind::Cache)
}

/// The same of those whose size only the launch knows: there may be no room for it.
pub fn drop_launch_hints(kernel: &mut Kernel) -> bool {
    without(&mut kernel.body.block, &is_launch_hint)
}

/// Some window is such a hint.
pub fn has_launch_hints(block: &Block) -> bool {
    windows(block).iter().any(|w| w.arrays.iter().any(is_launch_hint))
}

/// All windows are such hints.
pub fn only_launch_hints(block: &Block) -> bool {
    windows(block).iter().all(|w| w.arrays.iter().all(is_launch_hint))
}

fn is_launch_hint(staged: &Staged) -> bool {
    staged.kind == WindowKind::Cache && staged.dims.iter().any(WindowDim::at_launch)
}

/// Takes windows of some arrays away; whether there were any.
fn without(block: &mut Block, unwanted: &dyn Fn(&Staged) -> bool) -> bool {
    let mut found = false;
    rewrite::rewrite_block(block, &mut |mut node| {
        let Stmt::Window(w) = &mut node.kind else { return vec![node] };
        let before = w.arrays.len();
        w.arrays.retain(|a| !unwanted(a));
        found |= w.arrays.len() < before;
        if w.arrays.is_empty() {
            node.kind = Stmt::Block(std::mem::take(&mut w.body));
        }
        vec![node]
    });
    found
}

/// No window of the kernel has a copy that is written.
pub fn only_reads(kernel: &Kernel) -> bool {
    let mut only = true;
    visit::for_each_stmt(&kernel.body.block, &mut |node| {
        if let Stmt::Window(w) = &node.kind {
            only &= w.arrays.iter().all(|a| sync::only_reads(a.kind));
        }
    });
    only
}
