//! Threads of a block.

use super::grid_mapping::{dim, few_trips};
use super::{window, worker_arrays};
use crate::build::Builder;
use crate::options::Options;
use crate::outline::trips;
use accl_ir::{
    Body, CLUSTER, GridRule, HostExpr, Kernel, Loop, LoopLevels, MOST_LANES, ParamKind, Stmt, StmtNode,
    Types, visit,
};

/// Every distributed loop gives one iteration to a thread (not to a gang).
pub fn one_iteration_a_thread(kernel: &Kernel) -> bool {
    !kernel.dims.is_empty() && kernel.dims.iter().all(|d| d.rule == GridRule::Trips)
}

/// A launch of two or three dimensions, each thread with one iteration, whose size no clause says and that reduces nothing.
pub fn is_open_nest(kernel: &Kernel) -> bool {
    let sized = kernel.vector_length.is_some() || kernel.num_workers.is_some() || kernel.num_gangs.is_some();
    kernel.dims.len() >= 2 && one_iteration_a_thread(kernel) && !reduces(kernel) && !sized
}

/// The block's extents, from clauses where they are constants, else the defaults.
pub fn block(types: &Types, kernel: &Kernel, options: &Options<'_>) -> [u32; 3] {
    let d = &options.defaults;
    if kernel.serial {
        return [1; 3];
    }
    let given = lanes(kernel.vector_length.as_ref());
    if workers_y(kernel) {
        return [32, worker_arrays::most_workers(kernel, types), 1];
    }
    if !one_iteration_a_thread(kernel) {
        return gang_block(types, kernel, given, d.vector_length);
    }
    if let Some(tile) = tile(kernel) {
        return tile;
    }
    if let Some(block) = of_vectors(kernel) {
        return block;
    }
    let workers = kernel.num_workers.as_ref().and_then(|e| e.value);
    match (kernel.dims.len(), given, workers) {
        // Where the loop's iterations are workers' and lanes', the block has as many threads as both together.
        (1, Some(lanes), Some(workers)) => return [lanes * most_workers(workers, lanes, 1024), 1, 1],
        (1, ..) | (_, _, None) => {}
        // Their loops are threads of a launch in several dimensions: as many as any device runs of any kernel.
        (_, lanes, Some(workers)) => {
            let lanes = lanes.unwrap_or(32).min(256);
            return [lanes, most_workers(workers, lanes, 256), 1];
        }
    }
    match (kernel.dims.len(), given) {
        (1, Some(n)) => [n, 1, 1],
        (1, None) if reduces(kernel) => [d.block_reduction, 1, 1],
        (1, None) => [d.block_1d, 1, 1],
        (2, Some(n)) => [n.min(32), (n / 32).max(1), 1],
        (2, None) => [d.block_2d[0], d.block_2d[1], 1],
        (_, Some(n)) => [n.min(32), (n / 32).max(1), 1],
        (_, None) => d.block_3d,
    }
}

/// As many workers as are asked for, and as a block of so many threads has room for.
fn most_workers(workers: i64, lanes: u32, threads: u32) -> u32 {
    workers.clamp(1, i64::from((threads / lanes).max(1))) as u32
}

/// Ends in a reduction over the launch.
pub fn reduces(kernel: &Kernel) -> bool {
    kernel.params.iter().any(|p| matches!(p.kind, ParamKind::Reduction { .. }))
}

/// The dimension whose loop strides over the grid in a kernel that reduces: the fewer blocks, the fewer partial results.
pub fn reduction_dim(kernel: &Kernel) -> Option<u8> {
    (one_iteration_a_thread(kernel) && reduces(kernel)).then_some(striding_dim(kernel))
}

/// The dimension whose loop strides over the grid, where one does: neighbours in x stay neighbours.
pub fn striding_dim(kernel: &Kernel) -> u8 {
    u8::from(kernel.dims.len() > 1)
}

/// The launch limits the number of gangs of a kernel that gives each thread one iteration: all its loops stride over the
/// grid.
pub fn limits_gangs(kernel: &Kernel) -> bool {
    one_iteration_a_thread(kernel) && kernel.num_gangs.is_some()
}

/// A distributed loop strides over the grid; the others make one iteration a thread.
pub fn strides(kernel: &Kernel, b: &Builder<'_>, l: &Loop) -> bool {
    let d = dim(l);
    limits_gangs(kernel) || reduction_dim(kernel) == Some(d) || d > 0 && !few_trips(b, l)
}

/// The kernel is a gang loop whose iterations are dealt to workers, too: a gang takes one for each of its workers at a time.
pub fn gives_workers_rows(kernel: &Kernel) -> bool {
    let levels = visit::only_loop(&kernel.body.block).and_then(|l| l.levels.as_ref());
    let gangs = kernel.dims.len() == 1 && kernel.dims[0].rule == GridRule::Gangs;
    gangs && levels.is_some_and(|levels| levels.gang && levels.worker && !levels.vector)
}

/// Iterations of a thread that the grid is made for.
pub fn per_thread(kernel: &Kernel) -> [u32; 3] {
    let mut counts = [1; 3];
    if let Some(d) = reduction_dim(kernel) {
        counts[usize::from(d)] = 8;
    }
    counts
}

fn gang_block(types: &Types, kernel: &Kernel, given: Option<u32>, default: u32) -> [u32; 3] {
    let levels = used_levels(kernel);
    match (levels.worker, levels.vector) {
        // The lanes of a worker are one warp.
        (true, _) => {
            let workers = kernel.num_workers.as_ref().and_then(|e| e.value).unwrap_or(4);
            [32, workers.clamp(1, 32) as u32, 1]
        }
        (false, true) => [given.unwrap_or_else(|| gang_lanes(types, kernel, default)), 1, 1],
        (false, false) => [1, 1, 1],
    }
}

/// The lanes of a gang that no constant clause gives. Where the compiler does not know how many are best, the launch says it, or may
/// take more of them.
fn gang_lanes(types: &Types, kernel: &Kernel, default: u32) -> u32 {
    let known = || known_lanes(types, kernel, default);
    kernel.vector_length.is_none().then(known).flatten().unwrap_or(default)
}

/// The lanes of a gang whose vector loops all have few iterations, of a number that the compiler knows: what a lane runs is then
/// known, too, and its loads can be under way side by side. There are as many as need the least time, in turns of a lane. In a
/// sequential loop lanes wait for each other each time, and the more warps the longer: the diagonals of a tile are one warp's.
/// Two turns of 128 lanes are better than one of 256: a step of a stencil in tiles of 256 points took 77 µs and 90 on an H100.
fn known_lanes(types: &Types, kernel: &Kernel, default: u32) -> Option<u32> {
    let loops = vector_loops(types, kernel);
    let is_short = |l: &VectorLoop| l.trips.is_some_and(|trips| trips <= i128::from(4 * default));
    if !loops.iter().all(is_short) {
        return None;
    }
    // In halves of a turn.
    let time = |lanes: &u32| -> i128 {
        let (lanes, barrier) = (i128::from(*lanes), i128::from(lanes / 32));
        let of = |l: &VectorLoop| {
            let turns = (l.trips.unwrap_or(0) + lanes - 1) / lanes;
            l.repeated * (2 * turns + if l.repeated > 1 { barrier } else { 0 })
        };
        loops.iter().map(of).sum()
    };
    (32..=default.next_multiple_of(32)).step_by(32).min_by_key(time)
}

/// How often a sequential loop of a gang is taken to repeat what is in it, where the compiler does not know.
const USUAL_REPETITIONS: i128 = 16;

/// A vector loop of a gang.
struct VectorLoop {
    /// Its iterations, where the compiler knows them.
    trips: Option<i128>,
    /// How often a gang runs it.
    repeated: i128,
}

fn vector_loops(types: &Types, kernel: &Kernel) -> Vec<VectorLoop> {
    let mut found = vec![];
    repeated_loops(types, &kernel.body, &kernel.body.block, 1, &mut found);
    found
}

/// Adds the vector loops of a block that a gang runs so often.
fn repeated_loops(
    types: &Types,
    body: &Body,
    block: &[StmtNode],
    repeated: i128,
    found: &mut Vec<VectorLoop>,
) {
    for node in block {
        let mut inside = repeated;
        match &node.kind {
            Stmt::For(l) => {
                let (levels, trips) = (l.levels.as_ref(), trips::constant(types, body, l));
                if levels.is_some_and(|levels| levels.vector) {
                    found.push(VectorLoop { trips, repeated });
                } else if levels.is_none_or(LoopLevels::is_seq) {
                    inside *= trips.unwrap_or(USUAL_REPETITIONS).clamp(1, 1 << 20);
                }
            }
            Stmt::While { .. } => inside *= USUAL_REPETITIONS,
            _ => {}
        }
        let inside = inside.min(1 << 40);
        node.kind.blocks().into_iter().for_each(|block| repeated_loops(types, body, block, inside, found));
    }
}

/// No clause says how many lanes a gang has, and its vector loops could use more than the default.
pub fn has_free_lanes(types: &Types, kernel: &Kernel, options: &Options<'_>) -> bool {
    let default = options.defaults.vector_length;
    let one_gang = || kernel.dims.is_empty() && kernel.num_gangs.as_ref().is_some_and(|n| n.value == Some(1));
    let gangs = one_gang() || kernel.dims.iter().any(|d| d.rule == GridRule::Gangs);
    let levels = used_levels(kernel);
    let lanes_alone = levels.vector && !levels.worker && !window::has_windows(&kernel.body.block);
    gangs && lanes_alone && kernel.vector_length.is_none() && known_lanes(types, kernel, default).is_none()
}

/// A vector loop might keep the lanes of a cluster busy.
pub fn has_long_loops(types: &Types, kernel: &Kernel) -> bool {
    let is_long = |l: VectorLoop| l.trips.is_none_or(|trips| trips >= i128::from(CLUSTER * MOST_LANES));
    vector_loops(types, kernel).into_iter().any(is_long)
}

/// A constant vector_length as a multiple of the warp, within what a block can have.
fn lanes(length: Option<&HostExpr>) -> Option<u32> {
    let n = length?.value?;
    Some((n.clamp(1, 1024) as u32).next_multiple_of(32))
}

/// vector_length of the launch sets the block's x.
pub fn vector_x(kernel: &Kernel) -> bool {
    let runtime = kernel.vector_length.as_ref().is_some_and(|e| e.value.is_none());
    runtime && !kernel.serial && !used_levels(kernel).worker && tile(kernel).is_none()
}

/// num_workers of the launch sets the block's y.
pub fn workers_y(kernel: &Kernel) -> bool {
    let runtime = kernel.num_workers.as_ref().is_some_and(|e| e.value.is_none());
    runtime && !kernel.serial && used_levels(kernel).worker
}

pub struct Used {
    pub worker: bool,
    pub vector: bool,
}

/// The levels inside gangs that the kernel's loops use.
pub fn used_levels(kernel: &Kernel) -> Used {
    let mut used = Used { worker: false, vector: false };
    visit::for_each_stmt(&kernel.body.block, &mut |node| {
        if let Stmt::For(l) = &node.kind
            && let Some(s) = &l.levels
        {
            used.worker |= s.worker;
            used.vector |= s.vector;
        }
    });
    used
}

/// The block of a kernel with windows: each loop's own `vector`, exactly, since programs may count on it. Of collapsed
/// loops the innermost has it, whose iterations follow one another.
fn of_vectors(kernel: &Kernel) -> Option<[u32; 3]> {
    if !super::window::has_windows(&kernel.body.block) {
        return None;
    }
    let mut shape = [0u32; 3];
    let (loops, _) = super::grid_mapping::nest(&kernel.body.block);
    for (l, _) in loops {
        let Some(directive) = &l.directive else { continue };
        let Some(given) = directive.vector.clone().flatten().and_then(|e| e.value) else { continue };
        let innermost = usize::from(dim(l)).saturating_sub(directive.collapse.max(1) as usize - 1);
        shape[innermost] = given.clamp(1, 1 << 16) as u32;
    }
    let whole = kernel.vector_length.as_ref().and_then(|e| e.value).filter(|_| kernel.dims.len() == 1);
    if let (0, Some(n)) = (shape[0], whole) {
        shape[0] = n.clamp(1, 1 << 16) as u32;
    }
    if shape.iter().all(|n| *n == 0) {
        return None;
    }
    Some(shape.map(|n| n.max(1)))
}

/// The block a tile clause asks for: its sizes, innermost loop first.
fn tile(kernel: &Kernel) -> Option<[u32; 3]> {
    let l = visit::only_loop(&kernel.body.block)?;
    let sizes = &l.directive.as_ref()?.tile;
    // A schedule may have spread fewer loops than the clause joins.
    let fewer = !kernel.dims.is_empty() && sizes.len() > kernel.dims.len();
    if sizes.is_empty() || sizes.len() > 3 || fewer {
        return None;
    }
    let mut shape = [1u32; 3];
    for (i, size) in sizes.iter().rev().enumerate() {
        shape[i] = u32::try_from(size.value?).ok()?.max(1);
    }
    (shape.iter().product::<u32>() <= 1024).then_some(shape)
}
