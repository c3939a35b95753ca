//! The shape of a launch: threads of a block, blocks of the grid.

use super::splits;
use crate::call::CallContext;
use crate::device::{Function, Kind};
use crate::functions::Loaded;
use accl_abi::{CLUSTER, Kernel, LaunchInfo, MOST_LANES, Variant, grid_rule, kernel_flags, needs};
use std::sync::atomic::Ordering;

/// The threads that a block may have, whatever the device.
const MOST_THREADS: u32 = 1024;

/// The threads of a block; `row_lanes`: the lanes that an iteration of the gang loop is worth ([`super::lanes::wanted`]).
pub fn block(
    call: &CallContext,
    kernel: &Kernel,
    variant: &Variant,
    info: &LaunchInfo,
    function: &Function,
    row_lanes: u32,
) -> [u32; 3] {
    if call.state.device.info().kind == Kind::Cpu {
        return [1; 3];
    }
    let mut block = variant.block.map(|extent| extent.max(1));
    let most = function.block_threads.min(call.state.device.limits().block_threads);
    if variant.needs & needs::FEW_LANES != 0 {
        let lanes = row_lanes.clamp(2, super::lanes::MOST);
        let threads = (block[0] * block[1]).min(1 << most.max(lanes).ilog2());
        block = [lanes, threads / lanes, 1];
    }
    if variant.needs & needs::FEW_IN_X != 0 {
        return tall(block, info.trips[0], most);
    }
    if variant.needs & needs::SPLITS != 0 {
        return splits::block(block, info.trips[0], info.row_length);
    }
    // What a schedule says of the block holds.
    let flags = if variant.needs & needs::NAMED == 0 { kernel.flags } else { 0 };
    let free = flags & kernel_flags::VECTOR_X != 0;
    if free && info.vector_length > 0 {
        // What a block shares is made for this many.
        let fitting = most.min(MOST_THREADS);
        block = lanes(kernel, block, info.vector_length.min(i64::from(fitting)) as u32);
    }
    if flags & kernel_flags::WORKERS_Y != 0 && info.num_workers > 0 {
        let fitting = block[1].min(most / block[0]).max(1);
        block[1] = info.num_workers.min(i64::from(fitting)) as u32;
    }
    if variant.needs & needs::FREE_LANES != 0 {
        let gangs = gangs(&info.trips[..kernel.n_dims as usize], info.num_gangs);
        block[0] = widened(block[0], gangs, most.min(MOST_LANES), super::resident_threads(call));
    }
    if flags & kernel_flags::FREE_X != 0 && variant.per_thread[0] <= 1 {
        block[0] = spread(block[0], info.trips[0], call.state.device.info().compute_units);
    }
    let others = block[1].saturating_mul(block[2]);
    let threads = u64::from(block[0]) * u64::from(others);
    if threads > u64::from(most) {
        if !free || others > most {
            let message =
                format!("the kernel needs blocks of {threads} threads; the device runs at most {most} of it");
            call.fatal(0, &message, &["help: give a smaller vector_length or tile".to_owned()]);
        }
        let fitting = most / others;
        block[0] = if fitting >= 32 { fitting / 32 * 32 } else { fitting };
    }
    block
}

/// As many threads in x as a launch has iterations there, and rows for the others, of which the device runs so many.
fn tall(block: [u32; 3], trips: i64, most: u32) -> [u32; 3] {
    let x = (trips.clamp(4, 32) as u32).next_power_of_two();
    let threads = block.iter().product::<u32>().min(1 << most.max(1).ilog2());
    [x, (threads / x).max(1), 1]
}

/// The block of so many lanes; in several dimensions x has a warp of them.
fn lanes(kernel: &Kernel, block: [u32; 3], length: u32) -> [u32; 3] {
    match kernel.n_dims {
        0 | 1 => [length, block[1], block[2]],
        _ => [length.min(32), (length / 32).max(1), 1],
    }
}

/// The iterations of the gang loops, and no more than the gangs that the user wants.
pub fn gangs(trips: &[i64], num_gangs: i64) -> u64 {
    let iterations = trips.iter().map(|trips| (*trips).max(1) as u64).product();
    if num_gangs > 0 { num_gangs.unsigned_abs().min(iterations) } else { iterations }
}

/// Larger blocks where so many gangs leave more than half of the device's threads idle. On an H100, sums of 12 rows of 100,000
/// floats took 41 µs with 128 lanes and 12 with 512, of 256 rows 92 and 41; rows of 1,000 and fewer took the launch's time
/// with both. Up to the whole device 256 lanes for 128 gained a tenth with rows of 16,384 and lost nothing with shorter ones; 512 lost
/// a half with 1,000 rows of 1,000.
fn widened(mut lanes: u32, gangs: u64, most: u32, resident: u64) -> u32 {
    let busy = |lanes: u32| if lanes <= 256 { resident } else { resident / 2 };
    while 2 * lanes <= most && gangs.saturating_mul(2 * u64::from(lanes)) <= busy(2 * lanes) {
        lanes *= 2;
    }
    lanes
}

/// Smaller blocks where there would be fewer than multiprocessors.
fn spread(mut threads: u32, trips: i64, compute_units: u32) -> u32 {
    while threads > 64 && (trips.max(0) as u64).div_ceil(u64::from(threads)) < u64::from(compute_units) {
        threads /= 2;
    }
    threads
}

/// The blocks of the grid.
pub fn grid(
    call: &CallContext,
    kernel: &Kernel,
    variant: &Variant,
    info: &LaunchInfo,
    block: [u32; 3],
    loaded: &Loaded,
) -> [u32; 3] {
    if call.state.device.info().kind == Kind::Cpu {
        return [call.state.device.threads_for(kernel, &info.trips, info.num_gangs), 1, 1];
    }
    let limits = call.state.device.limits();
    let resident = || resident(call, loaded, block.iter().product(), variant.shared_bytes);
    let mut grid: [u32; 3] = std::array::from_fn(|d| {
        let wanted = match kernel.grid[d] {
            grid_rule::TRIPS => blocks_for_trips(trips(kernel, info, d), variant, block, d),
            grid_rule::GANGS | grid_rule::FIXED if info.num_gangs > 0 => info.num_gangs as u64,
            grid_rule::GANGS => {
                // With a reduction the last block adds up all partial results: not many more blocks than run at once.
                let most = match (variant.needs & needs::AGGREGATES != 0, kernel.n_reductions > 0) {
                    (true, _) => u64::from(resident()),
                    (_, true) => u64::from(resident()) * 4,
                    _ => 1 << 20,
                };
                trips(kernel, info, d).div_ceil(u64::from(rows_at_a_time(call, variant, block))).min(most)
            }
            grid_rule::FIXED => u64::from(resident()),
            _ => 1,
        };
        // Kernels stride over y and z, and over x where the rule is GANGS or FIXED.
        wanted.clamp(1, u64::from(limits.grid[d])) as u32
    });
    let strided = |d: &usize| kernel.grid[*d] == grid_rule::TRIPS && variant.per_thread[*d] > 1;
    let one_wave = kernel.n_reductions > 0 || variant.needs & needs::AGGREGATES != 0;
    if let Some(d) = (0..3).find(strided).filter(|_| one_wave) {
        // This loop strides over the grid: one wave of blocks fills the device and leaves few partial results, or updates.
        let others: u32 = (0..3).filter(|e| *e != d).map(|e| grid[e]).product();
        let most = (info.trips[d].max(1) as u64).div_ceil(u64::from(block[d]));
        grid[d] = u64::from((resident() / others).max(1)).min(most).min(u64::from(limits.grid[d])) as u32;
    }
    if variant.needs & needs::FEW_BLOCKS != 0 && call.state.device.info().is_accelerator {
        let [x, rest @ ..] = &mut grid;
        limit(rest, i64::from((call.state.device.info().compute_units / *x).max(1)));
    }
    if variant.needs & needs::GANGS_COVER == 0 {
        limit(&mut grid, info.num_gangs);
    }
    if variant.needs & needs::CLUSTERS != 0 {
        grid[1] = CLUSTER;
    }
    if variant.needs & needs::SPLITS != 0 {
        return splits::grid(block, info.trips[0], info.row_length, resident(), limits.grid);
    }
    grid
}

/// No more gangs than the user wants, x first; kernels to which that matters stride over every dimension.
fn limit(grid: &mut [u32], num_gangs: i64) {
    let mut left = if num_gangs > 0 { num_gangs as u64 } else { u64::MAX };
    for extent in grid {
        *extent = u64::from(*extent).min(left.max(1)) as u32;
        left /= u64::from(*extent);
    }
}

fn trips(kernel: &Kernel, info: &LaunchInfo, d: usize) -> u64 {
    if d < kernel.n_dims as usize { info.trips[d].max(1) as u64 } else { 1 }
}

/// So many that each iteration has a thread, or a part of one.
fn blocks_for_trips(trips: u64, variant: &Variant, block: [u32; 3], d: usize) -> u64 {
    let before = match d == 0 && variant.needs & needs::ALIGNED_ORIGIN != 0 {
        true => variant.per_thread[0].max(1) - 1,
        false => 0,
    };
    let each = u64::from(block[d]) * u64::from(variant.per_thread[d].max(1));
    (trips + u64::from(before)).div_ceil(each)
}

/// The iterations of the gang loop that a block takes at a time.
fn rows_at_a_time(call: &CallContext, variant: &Variant, block: [u32; 3]) -> u32 {
    match variant.per_thread[0] {
        0 | 1 => 1,
        // OpenCL's groups are one worker.
        _ if block[1] > 1 && call.state.device.info().kind != Kind::Cuda => 1,
        _ if block[1] > 1 => block[1],
        each => each,
    }
}

/// Blocks of this size that run at once, asked of the device once for each size.
fn resident(call: &CallContext, loaded: &Loaded, threads: u32, shared_bytes: u32) -> u32 {
    let known = loaded.resident.load(Ordering::Relaxed);
    if known >> 32 == u64::from(threads) {
        return known as u32;
    }
    let blocks = call.state.device.resident_blocks(&loaded.function, threads, shared_bytes).max(1);
    loaded.resident.store(u64::from(threads) << 32 | u64::from(blocks), Ordering::Relaxed);
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_gangs_have_more_lanes() {
        let lanes = |gangs| widened(128, gangs, 512, 1 << 18);
        assert_eq!([1, 256, 257, 1024, 1025, u64::MAX].map(lanes), [512, 512, 256, 256, 128, 128]);
        assert_eq!(widened(128, 1, 300, 1 << 18), 256);
    }

    #[test]
    fn tall_blocks_have_as_many_threads_in_x_as_there_are_iterations() {
        let shape = |trips, most| tall([16, 32, 1], trips, most);
        assert_eq!(shape(1, 1024), [4, 128, 1]);
        assert_eq!(
            [shape(16, 1024), shape(17, 1024), shape(33, 1024)],
            [[16, 32, 1], [32, 16, 1], [32, 16, 1]]
        );
        assert_eq!(shape(3, 256), [4, 64, 1]);
    }

    #[test]
    fn no_more_gangs_than_wanted() {
        let limited = |mut grid: [u32; 3], gangs| {
            limit(&mut grid, gangs);
            grid
        };
        assert_eq!(limited([10, 20, 1], 0), [10, 20, 1]);
        assert_eq!(limited([10, 20, 1], 35), [10, 3, 1]);
        assert_eq!(limited([10, 20, 3], 7), [7, 1, 1]);
        assert_eq!(limited([10, 20, 3], 1 << 40), [10, 20, 3]);
    }
}
