//! What an iteration costs under a schedule, estimated from the kernel and from what each step says of itself.
//!
//! An estimate of the plain kernel is counted ([`Cost::of`]); each step then changes it ([`StepKind::cost`](super::steps::StepKind)).
//! From the result follow how many threads a multiprocessor has ([`Cost::occupancy`]) and how many bytes are under way
//! ([`Cost::bytes_under_way`]).
//!
//! Seconds are the bytes of the accesses over the bandwidth, times a factor for each of a few [`TERMS`] that say how a schedule is worse
//! than that. What a term weighs is measured: `cargo xtask model` fits the constants to recorded spaces.
//!
//! Deliberately absent: how many iterations a launch has, unless the program says it by constants, and how long loops are whose bounds
//! are variables. Otherwise a schedule is chosen for launches that fill the device.

use super::advance::{self, Advance, Definitions};
use super::grid_mapping;
use super::lines::{self, Lines};
use super::steps;
use super::steps::lanes;
use crate::device_model::DeviceModel;
use crate::outline::trips;
use accl_analysis::text::source_name;
use accl_ir::{
    Block, Body, Expr, ExprKind, Handle, Kernel, Local, Loop, Schedule, Stmt, StmtNode, Types, visit,
};

/// What makes an iteration slower than its bytes alone, as logarithms of factors, and to which power each
/// counts: near what fits the spaces of `bench/spaces` best, as `cargo xtask model` says.
pub const TERMS: &[(&str, f64)] = &[
    ("traffic", 0.63),
    ("wide", 0.69),
    ("strided", 0.19),
    ("tile", 0.77),
    ("partial results", 0.74),
    ("occupancy", 0.54),
    ("registers", 0.49),
    ("latency", 0.16),
    ("lanes", 0.68),
    ("few threads", 0.52),
    ("serial", 0.64),
    ("once a thread", 0.14),
    ("recurrence", 0.07),
    ("repetition", 0.73),
    ("own arrays", 0.6),
    ("chunks", 0.06),
    ("lines", 0.12),
];

/// Seconds in which a device starts a block: an H100 starts 524,288 blocks of a copy in 0.32 ms, however small they are.
const BLOCK: f64 = 0.6e-9;

/// Bytes that memory gives at least, and bytes that a thread reads by one instruction at most.
pub const SECTOR: f64 = 32.0;
const WIDEST: f64 = 16.0;

const WARP: f64 = 32.0;

/// Seconds of a launch beside which what happens once in it is seen.
const LAUNCH: f64 = 100e-6;

/// Lanes that cost an iteration nothing: with rows of a sparse matrix, and with rows as long as the launch.
const LANES_OF_SHORT_ROWS: f64 = 8.0;
const LANES_OF_LONG_ROWS: f64 = 512.0;

/// Turns of a long loop, as far as nothing is known.
const TURNS: f64 = 64.0;

/// How many times the device's compiler repeats the bodies of loops by itself.
pub const REPEATED: u32 = 4;
/// The same, of loops that go along lines and whose turns wait for each other.
const REPEATED_LINES: u32 = 16;

/// A launch has fewer threads for its chunks, which counts so many times as much where iterations are long.
const CHUNK_OF_LONG: f64 = 3.0;

/// Lines of memory that the cache of a multiprocessor keeps.
const LINES_IN_CACHE: f64 = 512.0;

/// What is counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Threads of a block.
    pub threads: u32,
    /// Iterations of a thread.
    pub iterations: u32,
    /// Of an iteration: accesses to memory by instructions of their own, those of inner loops once.
    pub loads: f64,
    pub stores: f64,
    /// Of an iteration as it is written: the bytes of its accesses, and those that memory moves for them, of which a warp uses a part
    /// where its threads' elements are not neighbours.
    pub useful: f64,
    pub moved: f64,
    /// The part of the accesses that do not advance by an element with x.
    pub strided: f64,
    /// Iterations of a thread that are neighbours in x, read by wide instructions; and others that are unrolled.
    pub wide: u32,
    pub unrolled: u32,
    /// The part of the accesses that write.
    pub written: f64,
    /// As many blocks as run at once take all iterations, and combine their results at the end.
    pub strides: bool,
    /// An iteration has loops as long as those of the launch inside one another, as many as the launch has dimensions: there is much
    /// to do in each of a few threads.
    pub scarce: bool,
    /// The iterations of the launch, where the program says them by constants.
    pub launch: Option<f64>,
    /// Blocks that share an iteration are as many as fill the device.
    pub fills: bool,
    /// Parallel loops that each thread runs by itself.
    pub serial: u32,
    /// A sequential loop computes a value from the last one otherwise than by adding up: each turn waits for the one before.
    pub recurs: bool,
    /// The lines of memory along which a thread goes in such loops.
    pub lines: Lines,
    /// Blocks are so few that the cache keeps these lines.
    pub few_blocks: bool,
    /// Turns of some innermost loop make atomic updates, for which all else waits.
    pub updates: bool,
    /// How many times the bodies of innermost loops are repeated.
    pub repeated: u32,
    /// So often they must be for the thread's own arrays to be in registers: as long as they are left, they are in memory.
    pub own_turns: u32,
    /// A step says how often, and that is not enough for the thread's own arrays.
    pub own_in_memory: bool,
    /// Threads of a block that share an iteration; none where they do not. Blocks that do.
    pub lanes: Option<u32>,
    pub blocks: u32,
    /// What lanes share is short, or as long for some iterations only.
    pub short_rows: bool,
    /// Bytes of one such access, in the mean.
    pub bytes: f64,
    /// Accesses of a thread that are under way at the same time.
    pub loads_under_way: u32,
    /// 32-bit registers of a thread.
    pub registers: u32,
    /// What loads of a turn cost beside those of the plain kernel, where operands come from shared memory.
    pub shared_loads: f64,
    /// Sums of a thread that do not wait for each other.
    pub sums: u32,
    /// Iterations that a thread takes in a loop of its own, each when the one before has ended.
    pub chunk: u32,
    /// Turns of an iteration's own loops, in which what it does once is lost.
    pub turns: f64,
    /// Of each loop of the launch, the bytes that memory moves for accesses which do not change with it.
    pub invariant: Vec<(String, f64)>,
    /// Bytes of shared memory of a block.
    pub shared: u64,
}

impl Cost {
    /// Of the kernel with one iteration a thread.
    pub fn of(types: &Types, kernel: &Kernel, block: [u32; 3]) -> Cost {
        let (mut loads, mut stores, mut bytes) = (0.0, 0.0, 0.0);
        let body = &kernel.body;
        visit::for_each_place(body, &body.block, &mut |place, access| {
            if matches!(visit::root_of(body, place), Some(visit::Root::Local(_))) {
                return;
            }
            let size = types.size_of(body.exprs[place].ty).unwrap_or(4) as f64;
            let (read, written) = (f64::from(u8::from(access.reads())), f64::from(u8::from(access.writes())));
            (loads, stores, bytes) = (loads + read, stores + written, bytes + size * (read + written));
        });
        let mut named = 0;
        visit::for_each_stmt(&body.block, &mut |node| {
            named += u32::from(matches!(node.kind, Stmt::Declare { .. }))
        });
        let accesses: f64 = loads + stores;
        let lines = Lines::of(types, kernel);
        let (moved, strided, invariant) = traffic(types, kernel, block);
        Cost {
            threads: block.iter().product(),
            iterations: 1,
            loads,
            stores,
            useful: bytes,
            moved,
            strided: strided / accesses.max(1.0),
            wide: 1,
            unrolled: 1,
            written: stores / accesses.max(1.0),
            strides: false,
            scarce: is_scarce(types, kernel),
            launch: launch(types, kernel),
            fills: false,
            serial: serial(kernel),
            recurs: any_innermost(kernel, |l| lines::recurs(&kernel.body, l)),
            lines,
            few_blocks: false,
            updates: any_innermost(kernel, has_updates),
            repeated: if lines.arrays > 0 { REPEATED_LINES } else { REPEATED },
            chunk: 1,
            own_turns: own_turns(types, kernel),
            own_in_memory: false,
            lanes: None,
            blocks: 1,
            short_rows: lanes::has_short_rows(types, kernel),
            bytes: bytes / accesses.max(1.0),
            loads_under_way: (loads as u32).clamp(1, 8),
            registers: 16 + 2 * named.min(64),
            shared_loads: 1.0,
            sums: 1,
            turns: if deepest(types, kernel) > 0 { TURNS } else { 1.0 },
            invariant,
            shared: 0,
        }
    }

    /// Operands come from shared memory, in which the threads of a block share them.
    pub fn from_shared_memory(&mut self) {
        self.shared_loads = 0.5 + WARP / 2.0 / f64::from(self.threads.max(1));
    }

    /// A thread reads for `n` iterations of this loop at once what does not change with it.
    pub fn share(&mut self, of: &str, n: u32) {
        let shared = self.invariant.iter().find(|(name, _)| name == of).map_or(0.0, |(_, bytes)| *bytes);
        self.moved -= shared * (1.0 - 1.0 / f64::from(n.max(1)));
    }

    /// The same under a schedule.
    pub fn under(mut self, schedule: &Schedule) -> Cost {
        for step in &schedule.steps {
            if let Some(kind) = steps::kind(&step.name) {
                (kind.cost)(step, &mut self);
            }
        }
        if schedule.has("threads") && self.lanes.is_none() {
            self.lanes = Some(self.threads);
        }
        self
    }

    /// The part of a multiprocessor's threads that run at once, as blocks, registers and shared memory allow.
    pub fn occupancy(&self, device: &DeviceModel) -> f64 {
        let registers = self.registers.min(device.registers_per_thread);
        let by_registers = device.registers / (registers * self.threads).max(1);
        let by_threads = device.threads_per_multiprocessor / self.threads.max(1);
        let by_shared = device.shared.checked_div(self.shared).map_or(u32::MAX, |n| n.min(1 << 20) as u32);
        let blocks = by_registers.min(by_threads).min(by_shared);
        f64::from(blocks * self.threads) / f64::from(device.threads_per_multiprocessor)
    }

    /// Seconds of an iteration on a device full of them, for comparing schedules of one kernel.
    pub fn seconds(&self, device: &DeviceModel) -> f64 {
        let weighed = self.terms(device).into_iter().zip(TERMS).map(|(term, (_, constant))| term * constant);
        self.ideal(device) * weighed.sum::<f64>().exp()
    }

    /// What the bytes of an iteration take of the memory's bandwidth.
    fn ideal(&self, device: &DeviceModel) -> f64 {
        self.useful.max(1.0) / device.bandwidth
    }

    /// Threads that an iteration must have for the launch to fill the device, where it has so few iterations.
    fn threads_for_each(&self, device: &DeviceModel) -> Option<f64> {
        let all = f64::from(device.threads_per_multiprocessor * device.multiprocessors);
        self.launch.map(|launch| all / launch).filter(|each| *each > 1.0)
    }

    /// The values of [`TERMS`].
    pub fn terms(&self, device: &DeviceModel) -> Vec<f64> {
        let threads = f64::from(self.threads.max(1));
        let iterations = f64::from(self.iterations.max(1));
        // One wave of blocks is started in no time.
        let blocks = if self.strides {
            0.0
        } else {
            BLOCK * f64::from(self.blocks) / (threads * iterations * self.turns)
        };
        // Both go on side by side; what is longer counts, and a little more where they are alike.
        let traffic = ((self.moved / device.bandwidth).powi(4) + blocks.powi(4)).powf(0.25);
        let log_of_least = |part: f64| -part.clamp(1e-3, 1.0).ln();
        let lanes = f64::from(self.lanes.map_or(1, |lanes| lanes * self.blocks));
        let free = if self.short_rows { LANES_OF_SHORT_ROWS } else { LANES_OF_LONG_ROWS };
        // A turn that waits for the last one goes on beside those of iterations that are side by side, not beside later ones.
        let alone = 1.0 / f64::from(self.wide * self.unrolled);
        // Nothing waits for the memory of a device that is not full.
        let is_full = f64::from(u8::from(self.threads_for_each(device).is_none()));
        vec![
            is_full * (traffic / self.ideal(device)).ln(),
            is_full * self.written * (f64::from(self.wide) * self.bytes / WIDEST).max(1.0).ln(),
            is_full * self.strided * f64::from(self.unrolled).ln(),
            self.shared_loads.ln(),
            self.partial_results(device),
            is_full * log_of_least(self.occupancy(device) * f64::from(self.sums) / 0.5),
            is_full * f64::from(self.registers.saturating_sub(self.sums - 1).saturating_sub(44)) / 32.0,
            if self.updates {
                0.0
            } else {
                is_full * log_of_least(self.bytes_under_way(device) / device.bytes_under_way())
            },
            is_full * (lanes / free).max(1.0).ln(),
            self.few_threads(device),
            f64::from(self.serial),
            // What a thread does once is shared by its iterations.
            is_full / (iterations * self.turns),
            if self.recurs { alone } else { 0.0 },
            // Turns that wait for each other gain nothing by being one after the other in the program.
            if self.recurs || self.updates { 0.0 } else { 1.0 / f64::from(self.repeated.max(1)) },
            f64::from(u8::from(self.own_in_memory)),
            f64::from(self.chunk).ln() * if self.turns > 1.0 { CHUNK_OF_LONG } else { 1.0 },
            self.lines_beyond_cache(device),
        ]
    }

    /// The part of a launch that its last block takes to combine the results of all blocks, one after the other for each thread.
    fn partial_results(&self, device: &DeviceModel) -> f64 {
        if !self.strides || self.scarce {
            return 0.0;
        }
        let threads = f64::from(self.threads.max(1));
        if self.threads_for_each(device).is_some() {
            // A launch of a few blocks: what each takes to combine those of its warps.
            return threads / WARP * device.latency / LAUNCH;
        }
        let running = self.occupancy(device)
            * f64::from(device.threads_per_multiprocessor)
            * f64::from(device.multiprocessors);
        running / threads / threads * device.latency / LAUNCH
    }

    /// How much of a device a launch of long iterations leaves idle, as a logarithm: with lanes the fewer they are, without them the
    /// more iterations a thread has, and, where it runs parallel loops itself, the more threads are on one multiprocessor.
    fn few_threads(&self, device: &DeviceModel) -> f64 {
        match (self.threads_for_each(device), self.lanes) {
            (Some(_), Some(_)) if self.fills => return 0.0,
            (Some(each), Some(lanes)) => return (each / f64::from(lanes * self.blocks)).max(1.0).ln(),
            // Iterations of a thread that are unrolled go on side by side, as far as they do.
            (Some(_), None) => {
                return f64::from(self.iterations).ln() - 0.5 * f64::from(self.wide * self.unrolled).ln();
            }
            (None, _) if !self.scarce => return 0.0,
            (None, _) => {}
        }
        match self.lanes {
            Some(lanes) => (LANES_OF_LONG_ROWS / f64::from(lanes)).max(1.0).ln(),
            None if self.serial > 0 => (f64::from(self.threads * self.iterations) / WARP).max(1.0).ln(),
            None => f64::from(self.iterations).ln(),
        }
    }

    /// By how much the sectors of the lines along which a multiprocessor's threads go are more than its cache keeps, as a logarithm.
    fn lines_beyond_cache(&self, device: &DeviceModel) -> f64 {
        let threads = match self.few_blocks {
            true => f64::from(self.threads),
            false => {
                self.occupancy(device) * f64::from(device.threads_per_multiprocessor) / f64::from(self.chunk)
            }
        };
        let sectors = (f64::from(self.repeated) * self.lines.bytes / SECTOR).max(1.0);
        (threads * f64::from(self.lines.arrays) * sectors / LINES_IN_CACHE).max(1.0).ln()
    }

    /// Bytes that a multiprocessor waits for at the same time. Memory is busy where they are as many as
    /// [`DeviceModel::bytes_under_way`].
    pub fn bytes_under_way(&self, device: &DeviceModel) -> f64 {
        let threads = self.occupancy(device) * f64::from(device.threads_per_multiprocessor);
        threads * f64::from(self.loads_under_way) * self.bytes
    }
}

/// The iterations of the distributed loops, where all bounds are constants, and there are any.
fn launch(types: &Types, kernel: &Kernel) -> Option<f64> {
    let loops = grid_mapping::nest(&kernel.body.block).0;
    let turns = loops.iter().map(|(l, _)| trips::constant(types, &kernel.body, l));
    let all = turns.map(|turns| turns.map(|turns| turns as f64)).product::<Option<f64>>();
    all.filter(|all| *all >= 1.0 && !loops.is_empty())
}

/// Loops of a directive inside the distributed ones that have no threads of their own.
fn serial(kernel: &Kernel) -> u32 {
    let (distributed, inner) = grid_mapping::nest(&kernel.body.block);
    let collapsed =
        distributed.iter().filter_map(|(l, _)| l.directive.as_ref()).map(|directive| directive.collapse);
    let mut count = collapsed.max().unwrap_or(1).saturating_sub(distributed.len() as u32);
    visit::for_each_stmt(inner, &mut |node| {
        let Stmt::For(l) = &node.kind else { return };
        let has_threads =
            l.levels.as_ref().is_some_and(|levels| levels.vector || levels.worker || levels.dim.is_some());
        let parallel = l.directive.as_ref().is_some_and(|directive| !directive.seq);
        count += u32::from(parallel && !has_threads);
    });
    count
}

/// Loops of an iteration whose length nothing is known of, but that it is the same for all, are as many inside one another as the
/// launch has dimensions.
fn is_scarce(types: &Types, kernel: &Kernel) -> bool {
    let distributed = grid_mapping::nest(&kernel.body.block).0.len();
    distributed > 0 && deepest(types, kernel) >= distributed
}

/// How many long loops of an iteration are inside one another.
fn deepest(types: &Types, kernel: &Kernel) -> usize {
    let inner = grid_mapping::nest(&kernel.body.block).1;
    let own = visit::declared_locals(inner);
    depth(inner, &|l: &Loop| match trips::constant(types, &kernel.body, l) {
        Some(turns) => turns as f64 >= TURNS,
        None => !lanes::differs(&kernel.body, &own, l),
    })
}

/// How many such loops are inside one another.
fn depth(block: &Block, counts: &dyn Fn(&Loop) -> bool) -> usize {
    let of = |node: &StmtNode| {
        let inside = node.kind.blocks().into_iter().map(|block| depth(block, counts)).max().unwrap_or(0);
        inside + usize::from(matches!(&node.kind, Stmt::For(l) if counts(l)))
    };
    block.iter().map(of).max().unwrap_or(0)
}

/// Turns of the longest innermost loop whose variable says which element of an array of the thread is meant: in registers are only
/// those whose number is known, when the loop is repeated so often that none of it is left.
fn own_turns(types: &Types, kernel: &Kernel) -> u32 {
    let body = &kernel.body;
    let mut longest = 0;
    visit::for_each_loop(&body.block, &mut |l, _| {
        if !l.is_innermost_of_thread(body) {
            return;
        }
        let mut own = false;
        visit::for_each_place(body, &l.body, &mut |place, _| {
            let array = matches!(body.exprs[place].kind, ExprKind::Index { .. });
            let local = matches!(visit::root_of(body, place), Some(visit::Root::Local(_)));
            own |= array && local && names(body, place, l.var);
        });
        let turns = trips::constant(types, body, l).filter(|_| own).unwrap_or(0);
        longest = longest.max(turns.clamp(0, 1 << 20) as u32);
    });
    longest
}

fn names(body: &Body, e: Handle<Expr>, local: Handle<Local>) -> bool {
    let mut found = false;
    visit::for_each_operand(&body.exprs, e, &mut |operand| {
        found |= matches!(body.exprs[operand].kind, ExprKind::Local(named) if named == local);
    });
    found
}

/// This is so of an innermost loop of a thread.
fn any_innermost(kernel: &Kernel, is_so: impl Fn(&Loop) -> bool) -> bool {
    let mut found = false;
    visit::for_each_stmt(&kernel.body.block, &mut |node| {
        if let Stmt::For(l) = &node.kind {
            found |= l.is_innermost_of_thread(&kernel.body) && is_so(l);
        }
    });
    found
}

fn has_updates(l: &Loop) -> bool {
    let mut found = false;
    visit::for_each_stmt(&l.body, &mut |node| found |= matches!(node.kind, Stmt::Atomic(_)));
    found
}

/// Bytes that memory moves for an iteration, how many accesses do not advance by an element with x, and the bytes that are the same
/// for all iterations of each loop of the launch.
fn traffic(types: &Types, kernel: &Kernel, block: [u32; 3]) -> (f64, f64, Vec<(String, f64)>) {
    let body = &kernel.body;
    let (loops, _) = grid_mapping::nest(&body.block);
    let var = |dim: u8| loops.iter().map(|(l, _)| *l).find(|l| grid_mapping::dim(l) == dim).map(|l| l.var);
    let definitions = Definitions::of(body, &body.block);
    let (mut moved, mut strided) = (0.0, 0.0);
    let mut invariant: Vec<(String, f64)> =
        loops.iter().map(|(l, _)| (source_name(body, l.var), 0.0)).collect();
    visit::for_each_place(body, &body.block, &mut |place, access| {
        if matches!(visit::root_of(body, place), Some(visit::Root::Local(_))) {
            return;
        }
        let size = types.size_of(body.exprs[place].ty).unwrap_or(4) as f64;
        let count = f64::from(u8::from(access.reads()) + u8::from(access.writes()));
        let along =
            |dim: u8| var(dim).map_or(Advance::Not, |var| advance::of_place(body, &definitions, place, var));
        let bytes = count * bytes_of_thread(along(0), along(1), size, block[0]);
        moved += bytes;
        for ((l, _), (_, same)) in loops.iter().zip(&mut invariant) {
            if advance::of_place(body, &definitions, place, l.var) == Advance::Not {
                *same += bytes;
            }
        }
        strided += if along(0) == Advance::Far { count } else { 0.0 };
    });
    (moved, strided, invariant)
}

/// What memory moves for a thread's access: sectors that its warp touches, over its threads.
fn bytes_of_thread(x: Advance, y: Advance, size: f64, block_x: u32) -> f64 {
    let columns = f64::from(block_x.clamp(1, 32));
    let rows = WARP / columns;
    let sectors = |side: Advance, count: f64| match side {
        Advance::Not => 1.0,
        Advance::Next => (count * size / SECTOR).max(1.0),
        Advance::Far => count * (size / SECTOR).max(1.0),
    };
    let all = match (x, y) {
        // Rows that are neighbours may share a sector where columns are far apart, and the other way round.
        (Advance::Far, Advance::Next) | (Advance::Next, Advance::Far) => {
            sectors(x, columns) * sectors(y, rows)
        }
        (Advance::Far, _) => WARP * (size / SECTOR).max(1.0),
        _ => sectors(x, columns) * sectors(y, rows),
    };
    all * SECTOR / WARP
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost() -> Cost {
        Cost {
            threads: 256,
            iterations: 1,
            loads: 2.0,
            stores: 1.0,
            useful: 12.0,
            moved: 12.0,
            strided: 0.0,
            wide: 1,
            unrolled: 1,
            written: 1.0 / 3.0,
            strides: false,
            scarce: false,
            launch: None,
            fills: false,
            serial: 0,
            recurs: false,
            lines: Lines::default(),
            few_blocks: false,
            updates: false,
            repeated: REPEATED,
            own_turns: 0,
            own_in_memory: false,
            lanes: None,
            blocks: 1,
            short_rows: false,
            bytes: 4.0,
            loads_under_way: 2,
            registers: 32,
            shared_loads: 1.0,
            sums: 1,
            chunk: 1,
            turns: 1.0,
            invariant: vec![],
            shared: 0,
        }
    }

    #[test]
    fn registers_and_shared_memory_limit_the_threads() {
        let device = DeviceModel::named("sm_90").unwrap();
        assert_eq!(cost().occupancy(device), 1.0);
        assert_eq!(Cost { registers: 128, ..cost() }.occupancy(device), 0.25);
        assert_eq!(Cost { shared: 57 << 10, ..cost() }.occupancy(device), 0.5);
    }

    #[test]
    fn memory_moves_more_where_threads_are_apart() {
        use Advance::{Far, Next, Not};
        let bytes = |x, y, block_x| bytes_of_thread(x, y, 4.0, block_x);
        assert_eq!((bytes(Next, Far, 64), bytes(Not, Not, 64), bytes(Far, Next, 64)), (4.0, 1.0, 32.0));
        // Blocks of 16 by 16 read two neighbours of each column at once.
        assert_eq!((bytes(Next, Far, 16), bytes(Far, Next, 16), bytes(Far, Far, 16)), (4.0, 16.0, 32.0));
    }

    #[test]
    fn small_blocks_and_serial_loops_cost() {
        let device = DeviceModel::named("sm_90").unwrap();
        let seconds = |cost: Cost| cost.seconds(device);
        assert!(seconds(Cost { threads: 64, ..cost() }) > 1.2 * seconds(cost()));
        assert!(seconds(Cost { serial: 1, ..cost() }) > 1.5 * seconds(cost()));
        assert!(seconds(Cost { moved: 96.0, ..cost() }) > 1.5 * seconds(cost()));
    }

    #[test]
    fn of_a_launch_of_few_iterations_threads_count_and_bytes_do_not() {
        let device = DeviceModel::named("sm_90").unwrap();
        let seconds = |cost: Cost| cost.seconds(device);
        let few = || Cost { launch: Some(10.0), lanes: Some(256), turns: TURNS, ..cost() };
        assert!(seconds(Cost { blocks: 8, ..few() }) < 0.5 * seconds(few()));
        assert_eq!(seconds(Cost { moved: 96.0, ..few() }), seconds(few()));
        let small = || Cost { launch: Some(1000.0), ..cost() };
        assert!(seconds(Cost { iterations: 16, chunk: 16, ..small() }) > 2.0 * seconds(small()));
    }

    #[test]
    fn lines_cost_where_the_cache_does_not_keep_them() {
        let device = DeviceModel::named("sm_90").unwrap();
        let lines = Lines { arrays: 4, bytes: 8.0, ..Lines::default() };
        let beyond = |change: fn(&mut Cost)| {
            let mut cost = Cost { lines, recurs: true, ..cost() };
            change(&mut cost);
            cost.lines_beyond_cache(device).exp().round()
        };
        let threads = f64::from(device.threads_per_multiprocessor);
        assert_eq!(beyond(|_| {}), threads * 4.0 / LINES_IN_CACHE);
        assert_eq!(beyond(|cost| cost.repeated = 16), threads * 16.0 / LINES_IN_CACHE);
        assert_eq!(beyond(|cost| cost.chunk = 4), threads / LINES_IN_CACHE);
        assert_eq!(beyond(|cost| (cost.few_blocks, cost.threads) = (true, 128)), 1.0);
    }

    #[test]
    fn steps_change_what_an_iteration_costs() {
        let schedule: Schedule = "block(128) vectorize(4)".parse().unwrap();
        let with = cost().under(&schedule);
        assert_eq!((with.threads, with.iterations, with.loads, with.loads_under_way), (128, 4, 0.5, 8));
        let device = DeviceModel::named("sm_90").unwrap();
        assert!(with.bytes_under_way(device) > cost().bytes_under_way(device));
    }
}
