//! Launching a kernel: addresses of its arguments, the variant, the shape of the grid.
//!
//! The compiler emits a kernel in one or more variants, each with what it needs of the launch
//! (no aliases, alignment, 32-bit extents); the first whose needs hold is taken. Each distributed
//! dimension has a rule by which its extent of the grid follows from the trip count.
//!
//! Invariants: nothing is launched and nothing logged where a trip count is 0; this path takes no
//! heap memory for usual numbers of arguments, since small kernels are launched by the thousand.

use crate::areas::Areas;
use crate::compress::block::plain;
use crate::compress::{Stored, advice, check, copies};
use crate::config::config;
use crate::data::{Held, Task, absent, first, partial};
use crate::device::{Argument, Function, Kind, Launch, Limits, Target};
use crate::log;
use crate::present::{Found, Mapping};
use crate::profile::{Label, Work, wanted};
use crate::reduction;
use crate::site::{Name, Place};
use accl_abi::{
    Arg, Kernel, LaunchInfo, Module, Var, Variant, arg_flags, arg_kind, data_kind, grid_rule, kernel_flags,
    needs, slice, text,
};
use smallvec::SmallVec;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// Arguments that fit on the stack, and reductions.
const USUAL: usize = 24;
const USUAL_REDUCTIONS: usize = 4;

/// A variant that was compiled for a device, with what was found out about it.
pub struct Loaded {
    kernel: &'static Kernel,
    position: u32,
    /// Another one in the same bucket, or null.
    next: *const Loaded,
    pub function: Function,
    /// Block size, and the resident blocks for it: `threads << 32 | blocks`.
    resident: AtomicU64,
}

/// Variants in use on a device: a hash table that only grows and is read without a lock.
pub struct Functions {
    buckets: [AtomicPtr<Loaded>; BUCKETS],
    /// Held while a variant is compiled.
    loading: Mutex<()>,
}

const BUCKETS: usize = 128;

impl Default for Functions {
    fn default() -> Functions {
        Functions {
            buckets: [const { AtomicPtr::new(std::ptr::null_mut()) }; BUCKETS],
            loading: Mutex::default(),
        }
    }
}

impl Functions {
    fn bucket(&self, kernel: &'static Kernel, position: u32) -> &AtomicPtr<Loaded> {
        let address = std::ptr::from_ref(kernel) as usize;
        &self.buckets[(address / align_of::<Kernel>() + address / 4096 + position as usize) % BUCKETS]
    }

    fn find(&self, kernel: &'static Kernel, position: u32) -> Option<&'static Loaded> {
        let mut next = self.bucket(kernel, position).load(Ordering::Acquire).cast_const();
        // SAFETY: null, or an entry that was whole when it was put here and lives for ever.
        while let Some(entry) = unsafe { next.as_ref() } {
            if std::ptr::eq(entry.kernel, kernel) && entry.position == position {
                return Some(entry);
            }
            next = entry.next;
        }
        None
    }

    /// Adds a variant; `loading` is held.
    fn add(&self, kernel: &'static Kernel, position: u32, function: Function) -> &'static Loaded {
        let bucket = self.bucket(kernel, position);
        let next = bucket.load(Ordering::Relaxed);
        let loaded = Loaded { kernel, position, next, function, resident: AtomicU64::new(0) };
        let loaded: &'static Loaded = Box::leak(Box::new(loaded));
        bucket.store(std::ptr::from_ref(loaded).cast_mut(), Ordering::Release);
        loaded
    }
}

/// The extent in device memory of an argument that a kernel reads or writes.
#[derive(Clone, Copy)]
pub struct Range {
    pub begin: u64,
    pub end: u64,
    pub flags: u32,
    pub base: u64,
    /// Bytes from base to the end, as far as known.
    pub reach: u64,
    pub known: bool,
}

/// Of an argument that is no array.
const NOTHING: Range = Range { begin: 0, end: 0, flags: 0, base: 0, reach: 0, known: true };

/// Starts a kernel; waits for it only where a reduction's result has to be on the host.
///
/// # Safety
/// `info` and all it points to are as `accl_abi.h` says.
pub unsafe fn launch(info: &LaunchInfo) {
    // SAFETY: constant tables of the program.
    let (kernel, module): (&'static Kernel, &'static Module) = unsafe { (&*info.kernel, &*info.module) };
    if info.trips.iter().take(kernel.n_dims as usize).any(|trips| *trips <= 0) {
        return;
    }
    // SAFETY: as above.
    let place = unsafe { Place::new(kernel.site) };
    let task = Task::new(place, info.async_);
    // SAFETY: as above.
    let reductions = unsafe { slice(kernel.reductions, kernel.n_reductions) };

    let mut arguments: SmallVec<[Argument; USUAL]> = SmallVec::new();
    // SAFETY: a constant table.
    let variants = unsafe { slice(kernel.variants, kernel.n_variants) };
    // SAFETY: the caller's promise.
    let areas = unsafe { Areas::of(&task, kernel, info) };
    let skipped = areas.as_ref().map_or(0, |areas| areas.without_room(kernel, variants));
    let variants = &variants[skipped..];
    let mut ranges: SmallVec<[Range; USUAL]> = SmallVec::new();
    let mut keys: SmallVec<[[u8; 8]; USUAL]> = SmallVec::new();
    // SAFETY: the caller's promise.
    unsafe { resolve(&task, info, kernel, &mut arguments, &mut ranges, &mut keys) };

    if kernel.flags & kernel_flags::DISTINCT != 0 && !no_alias(&ranges) {
        overlapping(&task);
    }

    let targets = reductions.iter().enumerate().map(|(r, reduction)| {
        // SAFETY: one address for each reduction.
        let variable = unsafe { *info.reduction_vars.add(r) };
        target(&task, variable, reduction::size(*reduction))
    });
    let targets: SmallVec<[Target; USUAL_REDUCTIONS]> = targets.collect();
    let awaited = targets.iter().any(|target| matches!(target, Target::Host(_)));

    let half_full = config().resident_threads.unwrap_or(task.state.device.limits().resident_threads) / 2;
    // SAFETY: a constant table.
    let table = unsafe { slice(kernel.args, kernel.n_args) };
    let trips = &info.trips[..kernel.n_dims as usize];
    let shape = (trips, info.num_gangs, half_full);
    let writes_groups = variants.iter().any(|v| v.needs & needs::WHOLE != 0)
        && task.state.device.info().kind != Kind::Cpu
        && choose(variants, &ranges, shape, Form::Whole).is_some();
    let decoded = !writes_groups
        && variants.iter().position(|v| v.needs & needs::DECODED != 0).is_some_and(|at| {
            // What comes before decodes each element once.
            let (before, reused) = (&variants[..at], variants[at].needs & needs::REUSED != 0);
            (before.is_empty() || choose(before, &ranges, shape, Form::Plain).is_none())
                && copies::provide(&task, info, table, reused, &mut arguments, &mut ranges)
        });
    let behind = match writes_groups {
        true => plain::wait(&task, info, table),
        false => plain::hand(&task, info, table, &mut arguments, &mut ranges),
    };
    let form = match (writes_groups, decoded) {
        (true, _) => Form::Whole,
        (_, true) => Form::Decoded,
        (false, false) => Form::Plain,
    };
    advice::on_launch(&task, info, table, &ranges, decoded);
    let (chosen, variant) = choose(variants, &ranges, shape, form).unwrap_or_else(|| last(variants));
    let chosen = chosen + skipped as u32;
    let loaded = load(&task, module, kernel, chosen, variant);
    let sized = areas.map(|areas| areas.sized(&task, kernel, chosen, variant));
    let variant = sized.as_ref().unwrap_or(variant);
    let block = block(&task, kernel, variant, info, &loaded.function);
    let grid = grid(&task, kernel, variant, info, block, loaded);
    let launch = Launch {
        module,
        kernel,
        arguments: &arguments,
        targets: &targets,
        trips: info.trips,
        gangs: info.num_gangs,
        grid,
        block,
        shared_bytes: variant.shared_bytes,
    };
    start(&task, &loaded.function, &launch);
    plain::encode(&task, behind);
    if (awaited && task.queue.is_sync()) || config().blocking {
        task.state.finish(place, task.queue);
    }
}

fn start(task: &Task, function: &Function, launch: &Launch) {
    let state = task.state;
    log::launch(state, task.place, task.queue, launch);
    task.queue.launched(task.place);
    task.put("a launch", |queue| {
        if wanted() {
            let label = Label {
                work: Work::Kernel,
                place: task.place,
                line: 0,
                name: Name(task.place.0.directive),
                bytes: 0,
                queue: task.queue.value,
            };
            // SAFETY: addresses were looked up or are the user's; the rest is the compiler's table.
            return state.profile.timed(&*state.device, queue, label, || unsafe {
                state.device.launch(queue, function, launch)
            });
        }
        // SAFETY: as above.
        unsafe { state.device.launch(queue, function, launch) }
    });
}

/// Finds the arguments and, for arrays, their extents on the device.
///
/// # Safety
/// As for [`launch`].
unsafe fn resolve(
    task: &Task,
    info: &LaunchInfo,
    kernel: &Kernel,
    arguments: &mut SmallVec<[Argument; USUAL]>,
    ranges: &mut SmallVec<[Range; USUAL]>,
    keys: &mut SmallVec<[[u8; 8]; USUAL]>,
) {
    // SAFETY: a constant table.
    let table = unsafe { slice(kernel.args, kernel.n_args) };
    let mut firsts: SmallVec<[Option<First>; USUAL]> = SmallVec::new();
    let mut held = None;
    for (i, arg) in table.iter().enumerate() {
        let mut range = NOTHING;
        arguments.push(match arg.kind {
            arg_kind::DATA => {
                // SAFETY: the index is within the launch's variables.
                let var = unsafe { &*info.vars.add(arg.index as usize) };
                let (argument, of_array, first) = data(task, &mut held, var, arg.flags, arg.size as usize);
                if first.is_some() {
                    firsts.resize(firsts.len().max(arg.index as usize + 1), None);
                    firsts[arg.index as usize] = first;
                }
                range = of_array;
                argument
            }
            // SAFETY: one value's address for each argument.
            arg_kind::VALUE => Argument::Value { address: unsafe { *info.values.add(i) }, size: arg.size },
            arg_kind::REDUCTION => Argument::Reduction(arg.index),
            arg_kind::KEY => {
                let first = firsts.get(arg.index as usize).copied().flatten();
                let key = first.and_then(|f| Some(f.stored(&held)?.key(arg.flags, f.element)));
                // A kernel that has no iteration, or an array that is not there: nothing is decoded.
                keys.push(key.unwrap_or_default());
                Argument::Value { address: std::ptr::null(), size: arg.size }
            }
            arg_kind::EXTENT => {
                // SAFETY: as for DATA.
                let var = unsafe { &*info.vars.add(arg.index as usize) };
                Argument::Trips(extent(task, &mut held, var, arg))
            }
            _ => Argument::Trips(info.trips[arg.index.min(2) as usize]),
        });
        ranges.push(range);
    }
    // The list moves no more.
    let mut next = keys.iter();
    for (argument, arg) in arguments.iter_mut().zip(table) {
        if let (Argument::Value { address, .. }, arg_kind::KEY) = (argument, arg.kind) {
            *address = next.next().map_or(std::ptr::null(), |key| key.as_ptr().cast());
        }
    }
}

/// True where the user gave no section.
fn is_bare(var: &Var) -> bool {
    // SAFETY: names are constants of the program.
    !var.name.is_null() && !unsafe { text(var.name) }.contains('[')
}

/// Where the device's part of a variable begins or ends, counted in elements from its base.
fn extent(task: &Task, held: &mut Held, var: &Var, arg: &Arg) -> i64 {
    let cpu = task.state.device.info().kind == Kind::Cpu;
    if cpu && arg.flags & arg_flags::ON_CPU == 0 {
        return 0;
    }
    let (_, range, first) = data(task, held, var, 0, 0);
    if let Some(pitch) = first.and_then(|first| first.stored(held).map(Stored::pitch)) {
        return extent_on_host(task, held, var, arg, pitch);
    }
    if !range.known {
        // SAFETY: a name of the program's.
        let name = if var.name.is_null() { "an array".into() } else { unsafe { text(var.name) } };
        let message =
            format!("how much of {name} is on the device is not known, and a window (fcw) of it is fetched");
        task.fatal(
            0,
            &message,
            &["help: give the array a section in a data clause: present(a[0:n])".to_owned()],
        );
    }
    let size = i64::from(arg.size.max(1));
    let at = if arg.flags & arg_flags::END != 0 { range.end } else { range.begin };
    (at as i64 - range.base as i64).div_euclid(size)
}

/// As [`extent`], of a compressed array, whose elements are counted on the host.
fn extent_on_host(task: &Task, held: &mut Held, var: &Var, arg: &Arg, pitch: usize) -> i64 {
    let (begin, end) = if var.bytes > 0 {
        (first(var), first(var) + var.bytes)
    } else {
        let Found::Inside(start) = task.find_in(held, first(var), 0) else { return 0 };
        let mapping = held.as_ref().and_then(|table| table.get(start));
        mapping.map_or((start, start), |mapping| (mapping.host, mapping.end()))
    };
    let at = if arg.flags & arg_flags::END != 0 { end } else { begin };
    (at as i64 - var.base as i64).div_euclid((arg.size as usize * pitch) as i64)
}

/// Windows that are written stand for their arrays, so no other argument may lie in these.
fn overlapping(task: &Task) -> ! {
    let message =
        "the kernel keeps windows (fcw) of arrays that it writes, and arrays of this launch overlap";
    let help = "help: give the arrays sections that do not overlap, or use another window type";
    task.fatal(0, message, &[help.to_owned()])
}

/// The first element of a compressed array: where its mapping begins, and the element's number.
#[derive(Clone, Copy)]
struct First {
    start: usize,
    element: i64,
}

impl First {
    fn stored(self, held: &Held) -> Option<&Stored> {
        held.as_ref()?.get(self.start)?.stored.as_ref()
    }
}

/// An array's argument and range, and where a compressed one begins.
type Resolved = (Argument, Range, Option<First>);

/// The device address of one variable.
fn data(task: &Task, held: &mut Held, var: &Var, flags: u32, plane: usize) -> Resolved {
    let host = first(var);
    let reach = (var.offset + var.bytes) as u64;
    if var.kind == data_kind::PRESENT && var.bytes == 0 && is_bare(var) && !var.base.is_null() {
        // `present(p)`, extent unknown: absence shows only here, where a kernel would use it.
        if task.find_in(held, host, 0) == Found::Absent {
            absent(task, var, held.get_or_insert_with(|| task.state.table()));
        }
    }
    let compressed = !var.format.is_null() || check::PRESENT.load(Ordering::Relaxed) > 0;
    if var.kind == data_kind::DEVICEPTR || task.state.shared() && !compressed {
        return on_host(var, flags);
    }
    if let Some(mapping) = task.mapping(held, host, var.bytes) {
        check::argument(task, var, flags, mapping);
        return present(var, flags, plane, mapping);
    }
    let found = task.find_in(held, host, var.bytes);
    let table = held.get_or_insert_with(|| task.state.table());
    match found {
        Found::Inside(_) => unreachable!("the lock is held"),
        Found::Partial(start) => partial(task, var, table, start),
        // A local of the kernel's own constructs, or one that declares: the host's memory.
        Found::Absent if task.state.shared() && var.format.is_null() => on_host(var, flags),
        Found::Absent if var.bytes > 0 && var.kind != data_kind::NO_CREATE => absent(task, var, table),
        Found::Absent => {
            let range = Range { begin: 0, end: 0, flags, base: 0, reach, known: true };
            (Argument::Data { base: 0, inside: 0 }, range, None)
        }
    }
}

fn present(var: &Var, flags: u32, plane: usize, mapping: &mut Mapping) -> Resolved {
    if flags & arg_flags::WRITTEN != 0 {
        mapping.copies.outdate();
    }
    let (base, element) = mapping.locate(var.base as usize);
    let host = first(var);
    let inside = mapping.translate(host);
    let start = mapping.stored.is_some().then_some(First { start: mapping.host, element });
    if let Some(stored) = mapping.stored.as_ref().filter(|stored| stored.plane > 0) {
        let (argument, range) = in_plane(flags, stored, element, base, inside, plane);
        return (argument, range, start);
    }
    // An empty section stands for a pointer whose extent the compiler does not know.
    let (begin, end, reach) = if var.bytes > 0 {
        (inside, mapping.translate(host + var.bytes), (var.offset + var.bytes) as u64)
    } else {
        (mapping.device, mapping.device + mapping.device_bytes() as u64, mapping.bytes as u64)
    };
    let inside =
        if inside == mapping.device + mapping.device_bytes() as u64 { mapping.device } else { inside };
    let place = mapping.stored.as_ref().map_or(0, |stored| stored.place_in_group(element));
    // Elements in the middle of a group are not aligned, whatever the address.
    let range = Range { begin, end, flags, base: base | u64::from(place != 0), reach, known: true };
    (Argument::Data { base, inside }, range, start)
}

/// A member's plane of an array of structures.
fn in_plane(
    flags: u32,
    stored: &Stored,
    element: i64,
    base: u64,
    inside: u64,
    plane: usize,
) -> (Argument, Range) {
    let start = stored.plane_start(plane);
    let (begin, reach) = (inside + start, stored.plane_start(1));
    let aligned = (base + start) | u64::from(stored.place_in_group(element) != 0);
    let range = Range { begin, end: begin + reach, flags, base: aligned, reach, known: true };
    (Argument::Data { base: base + start, inside: begin }, range)
}

/// A device address, or memory that the device shares.
fn on_host(var: &Var, flags: u32) -> Resolved {
    let (base, begin) = (var.base as u64, first(var) as u64);
    let reach = (var.offset + var.bytes) as u64;
    let range = Range { begin, end: begin + var.bytes as u64, flags, base, reach, known: var.bytes > 0 };
    (Argument::Data { base, inside: begin }, range, None)
}

/// A reduction variable that is present is reduced into on the device (section 2.5.15).
fn target(task: &Task, variable: *mut c_void, bytes: usize) -> Target {
    if task.state.shared() {
        return Target::Host(variable);
    }
    let (table, found) = task.find(variable as usize, bytes);
    match found {
        Found::Inside(start) => match table.get(start) {
            Some(mapping) => Target::Device(mapping.translate(variable as usize)),
            None => Target::Host(variable),
        },
        Found::Absent | Found::Partial(_) => Target::Host(variable),
    }
}

/// The first variant whose needs hold.
fn choose(
    variants: &'static [Variant],
    ranges: &[Range],
    (trips, num_gangs, half_full): (&[i64], i64, u64),
    form: Form,
) -> Option<(u32, &'static Variant)> {
    let fits = |variant: &&Variant| {
        let need = |bit| variant.needs & bit != 0;
        need(needs::DECODED) == (form == Form::Decoded)
            && need(needs::WHOLE) == (form == Form::Whole)
            && (!need(needs::NOALIAS) || no_alias(ranges))
            && (!need(needs::ALIGN16) || aligned(ranges))
            && (!need(needs::INT32) || small(ranges, trips, variant))
            && (!need(needs::EVEN) || even(variant, trips))
            && (!need(needs::FEW) || threads(variant, trips) <= half_full / 4)
            && (!need(needs::FILLS) || threads(variant, trips) >= enough(variant, half_full))
            && (!need(needs::GANGS) || num_gangs <= 0 || blocks(variant, trips) <= num_gangs as u64)
            && trips.iter().zip(variant.per_thread).all(|(trips, each)| each <= 1 || !near_wrap(*trips))
    };
    let position = variants.iter().position(|variant| fits(&variant))?;
    Some((position as u32, &variants[position]))
}

/// The variant that needs nothing.
fn last(variants: &'static [Variant]) -> (u32, &'static Variant) {
    static PLAIN: Variant =
        Variant { symbol: std::ptr::null(), needs: 0, block: [1; 3], per_thread: [1; 3], shared_bytes: 0 };
    (variants.len().saturating_sub(1) as u32, variants.last().unwrap_or(&PLAIN))
}

/// How a launch's compressed arrays are handed to the kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As they are held, but for block arrays that it writes, which are plain copies.
    Plain,
    /// Those that it only reads are plain copies too.
    Decoded,
    /// All as they are held.
    Whole,
}

/// No written array overlaps another argument. An unknown extent may overlap anything.
fn no_alias(ranges: &[Range]) -> bool {
    ranges.iter().enumerate().filter(|(_, range)| range.flags & arg_flags::WRITTEN != 0).all(
        |(i, written)| {
            ranges.iter().enumerate().filter(|(j, other)| *j != i && other.flags != 0).all(|(_, other)| {
                written.known && other.known && (written.end <= other.begin || other.end <= written.begin)
            })
        },
    )
}

fn aligned(ranges: &[Range]) -> bool {
    ranges.iter().all(|range| range.flags & arg_flags::VECTOR == 0 || range.base % 16 == 0)
}

/// What a grid has at least in y and z, on any device.
const GRID_YZ: i64 = 65535;

/// Subscripts of type int suffice, and the grid has all blocks in y and z.
fn small(ranges: &[Range], trips: &[i64], variant: &Variant) -> bool {
    let most = i64::from(i32::MAX);
    let each = |d: usize| i64::from(variant.block[d].max(1)) * i64::from(variant.per_thread[d].max(1));
    trips.iter().enumerate().all(|(d, trips)| *trips <= if d == 0 { most } else { GRID_YZ * each(d) })
        && ranges.iter().all(|range| range.known && range.reach <= most as u64)
}

/// Blocks are full.
fn even(variant: &Variant, trips: &[i64]) -> bool {
    let each = |d: usize| i64::from(variant.block[d].max(1)) * i64::from(variant.per_thread[d].max(1));
    trips.iter().enumerate().all(|(d, trips)| trips % each(d) == 0)
}

/// Those that have something to do.
fn threads(variant: &Variant, trips: &[i64]) -> u64 {
    let along = |(trips, each): (&i64, u32)| (*trips.max(&0) as u64).div_ceil(u64::from(each.max(1)));
    trips.iter().zip(variant.per_thread).map(along).fold(1, u64::saturating_mul)
}

/// The grid's, of the blocks that the compiler chose.
fn blocks(variant: &Variant, trips: &[i64]) -> u64 {
    let along = |d: usize| {
        let each = u64::from(variant.block[d].max(1)) * u64::from(variant.per_thread[d].max(1));
        (trips[d].max(0) as u64).div_ceil(each)
    };
    (0..trips.len()).map(along).fold(1, u64::saturating_mul)
}

/// Threads that fill a device: fewer of those that each take a tile of iterations and keep it busy by themselves.
fn enough(variant: &Variant, half_full: u64) -> u64 {
    if variant.needs & needs::BUSY != 0 { half_full / 8 } else { half_full }
}

/// A thread of a coarsened variant runs ahead of the bound by up to a grid's stride; an index of type int would wrap.
fn near_wrap(trips: i64) -> bool {
    let most = i64::from(i32::MAX);
    (most - (1 << 24)..=most).contains(&trips)
}

/// The compiled variant; compiles it at its first launch.
fn load(
    task: &Task,
    module: &'static Module,
    kernel: &'static Kernel,
    position: u32,
    variant: &'static Variant,
) -> &'static Loaded {
    try_load(task, module, kernel, position, variant).unwrap_or_else(|error| {
        // SAFETY: a constant of the program.
        let symbol = unsafe { text(variant.symbol) };
        let kind = task.state.device.info().kind.name();
        task.fatal(0, &format!("kernel {symbol} could not be made ready for the {kind} device: {error}"), &[])
    })
}

/// As [`load`], of kernels that the program can do without.
pub fn try_load(
    task: &Task,
    module: &'static Module,
    kernel: &'static Kernel,
    position: u32,
    variant: &'static Variant,
) -> crate::error::Result<&'static Loaded> {
    let functions = &task.state.functions;
    if let Some(loaded) = functions.find(kernel, position) {
        return Ok(loaded);
    }
    let _loading = functions.loading.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(loaded) = functions.find(kernel, position) {
        return Ok(loaded);
    }
    let function = task.state.device.function(module, kernel, variant)?;
    Ok(functions.add(kernel, position, function))
}

/// Of a block, whatever the device.
const MOST_THREADS: u32 = 1024;

/// The threads of a block.
fn block(
    task: &Task,
    kernel: &Kernel,
    variant: &Variant,
    info: &LaunchInfo,
    function: &Function,
) -> [u32; 3] {
    if task.state.device.info().kind == Kind::Cpu {
        return [1; 3];
    }
    let mut block = variant.block.map(|extent| extent.max(1));
    let most = function.block_threads.min(task.state.device.limits().block_threads);
    let free = kernel.flags & kernel_flags::VECTOR_X != 0;
    if free && info.vector_length > 0 {
        // What a block shares is made for this many.
        let fitting = most.min(MOST_THREADS);
        block = lanes(kernel, block, info.vector_length.min(i64::from(fitting)) as u32);
    }
    if kernel.flags & kernel_flags::WORKERS_Y != 0 && info.num_workers > 0 {
        let fitting = block[1].min(most / block[0]).max(1);
        block[1] = info.num_workers.min(i64::from(fitting)) as u32;
    }
    if kernel.flags & kernel_flags::FREE_X != 0 && variant.per_thread[0] <= 1 {
        block[0] = spread(block[0], info.trips[0], task.state.device.info().compute_units);
    }
    let others = block[1].saturating_mul(block[2]);
    let threads = u64::from(block[0]) * u64::from(others);
    if threads > u64::from(most) {
        if !free || others > most {
            let message =
                format!("the kernel needs blocks of {threads} threads; the device runs at most {most} of it");
            task.fatal(0, &message, &["help: give a smaller vector_length or tile".to_owned()]);
        }
        let fitting = most / others;
        block[0] = if fitting >= 32 { fitting / 32 * 32 } else { fitting };
    }
    block
}

/// The block of so many lanes; in several dimensions x has a warp of them.
fn lanes(kernel: &Kernel, block: [u32; 3], length: u32) -> [u32; 3] {
    match kernel.n_dims {
        0 | 1 => [length, block[1], block[2]],
        _ => [length.min(32), (length / 32).max(1), 1],
    }
}

/// Smaller blocks where there would be fewer than multiprocessors.
fn spread(mut threads: u32, trips: i64, compute_units: u32) -> u32 {
    while threads > 64 && (trips.max(0) as u64).div_ceil(u64::from(threads)) < u64::from(compute_units) {
        threads /= 2;
    }
    threads
}

/// The blocks of the grid.
fn grid(
    task: &Task,
    kernel: &Kernel,
    variant: &Variant,
    info: &LaunchInfo,
    block: [u32; 3],
    loaded: &Loaded,
) -> [u32; 3] {
    if task.state.device.info().kind == Kind::Cpu {
        return [task.state.device.threads_for(kernel, &info.trips, info.num_gangs), 1, 1];
    }
    let limits = task.state.device.limits();
    let resident = || resident(task, loaded, block.iter().product(), variant.shared_bytes);
    let mut grid = [1; 3];
    for (d, extent) in grid.iter_mut().enumerate() {
        *extent = extent_of(kernel, variant, info, block, limits, d, &resident);
    }
    let strided = |d: &usize| kernel.grid[*d] == grid_rule::TRIPS && variant.per_thread[*d] > 1;
    if let Some(d) = (0..3).find(strided).filter(|_| kernel.n_reductions > 0) {
        // This loop strides over the grid: one wave of blocks fills the device and leaves few partial results.
        let others: u32 = (0..3).filter(|e| *e != d).map(|e| grid[e]).product();
        let most = (info.trips[d].max(1) as u64).div_ceil(u64::from(block[d]));
        grid[d] = u64::from((resident() / others).max(1)).min(most).min(u64::from(limits.grid[d])) as u32;
    }
    if variant.needs & needs::GANGS == 0 {
        limit(&mut grid, info.num_gangs);
    }
    grid
}

/// No more gangs than the user wants, x first; kernels to which that matters stride over every dimension.
fn limit(grid: &mut [u32; 3], num_gangs: i64) {
    let mut left = if num_gangs > 0 { num_gangs as u64 } else { u64::MAX };
    for extent in grid {
        *extent = u64::from(*extent).min(left.max(1)) as u32;
        left /= u64::from(*extent);
    }
}

fn extent_of(
    kernel: &Kernel,
    variant: &Variant,
    info: &LaunchInfo,
    block: [u32; 3],
    limits: Limits,
    d: usize,
    resident: &dyn Fn() -> u32,
) -> u32 {
    let trips = if d < kernel.n_dims as usize { info.trips[d].max(1) as u64 } else { 1 };
    let wanted = match kernel.grid[d] {
        grid_rule::TRIPS => {
            let each = u64::from(block[d]) * u64::from(variant.per_thread[d].max(1));
            trips.div_ceil(each)
        }
        grid_rule::GANGS if info.num_gangs > 0 => info.num_gangs as u64,
        // With a reduction the last block adds up all partial results: no more blocks than run at once.
        grid_rule::GANGS if kernel.n_reductions > 0 => trips.min(u64::from(resident()) * 4),
        grid_rule::GANGS => trips.min(1 << 20),
        grid_rule::FIXED if info.num_gangs > 0 => info.num_gangs as u64,
        grid_rule::FIXED => u64::from(resident()),
        _ => 1,
    };
    // Kernels stride over y and z, and over x where the rule is GANGS or FIXED.
    wanted.clamp(1, u64::from(limits.grid[d])) as u32
}

/// Blocks of this size that run at once, asked of the device once for each size.
fn resident(task: &Task, loaded: &Loaded, threads: u32, shared_bytes: u32) -> u32 {
    let known = loaded.resident.load(Ordering::Relaxed);
    if known >> 32 == u64::from(threads) {
        return known as u32;
    }
    let blocks = task.state.device.resident_blocks(&loaded.function, threads, shared_bytes).max(1);
    loaded.resident.store(u64::from(threads) << 32 | u64::from(blocks), Ordering::Relaxed);
    blocks
}

/// host_data: the device address that stands for a variable's base. The caller hands it to code
/// the runtime knows nothing of, so everything before it is finished.
pub fn use_device(task: &Task, var: &Var) -> *mut c_void {
    let host = first(var);
    task.state.finish(task.place, task.state.queues.sync());
    let (table, found) = task.find(host, var.bytes);
    match found {
        Found::Inside(start) => {
            if let Some(stored) = table.get(start).and_then(|mapping| mapping.stored) {
                drop(table);
                check::refuse_address(task, var.line, &format!("name={}", crate::data::name(var)), &stored);
            }
            table.get(start).map_or(var.base, |mapping| mapping.translate(var.base as usize) as *mut c_void)
        }
        _ if var.flags & accl_abi::data_flags::IF_PRESENT != 0 => var.base,
        Found::Absent => absent(task, var, &table),
        Found::Partial(start) => partial(task, var, &table, start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(begin: u64, end: u64, flags: u32) -> Range {
        Range { begin, end, flags, base: begin, reach: end - begin, known: true }
    }

    fn variant(needs: u32) -> Variant {
        Variant { symbol: std::ptr::null(), needs, block: [128, 1, 1], per_thread: [1; 3], shared_bytes: 0 }
    }

    #[test]
    fn written_arrays_must_not_overlap() {
        let (read, written) = (arg_flags::READ, arg_flags::WRITTEN);
        assert!(no_alias(&[range(0, 10, written), range(10, 20, read)]));
        assert!(!no_alias(&[range(0, 11, written), range(10, 20, read)]));
        assert!(no_alias(&[range(0, 11, read), range(10, 20, read)]));
        let unknown = Range { known: false, ..range(50, 50, read) };
        assert!(!no_alias(&[range(0, 10, written), unknown]));
    }

    #[test]
    fn the_first_variant_that_fits_is_taken() {
        let variants: &'static [Variant] = Box::leak(Box::new([
            variant(needs::NOALIAS | needs::ALIGN16),
            variant(needs::INT32),
            variant(0),
        ]));
        let trips = [100, 0, 0];
        let aligned = [
            range(0, 16, arg_flags::WRITTEN | arg_flags::VECTOR),
            range(16, 32, arg_flags::READ | arg_flags::VECTOR),
        ];
        assert_eq!(choose(variants, &aligned, (&trips, 0, 0), Form::Plain).map(|v| v.0), Some(0));
        let odd = [range(4, 16, arg_flags::WRITTEN | arg_flags::VECTOR), range(16, 32, arg_flags::READ)];
        assert_eq!(choose(variants, &odd, (&trips, 0, 0), Form::Plain).map(|v| v.0), Some(1));
        assert_eq!(choose(variants, &odd, (&[1 << 40, 0, 0], 0, 0), Form::Plain).map(|v| v.0), Some(2));
        assert_eq!(choose(&[], &odd, (&trips, 0, 0), Form::Plain).map(|v| v.0), None);
    }

    #[test]
    fn no_more_gangs_than_wanted() {
        let variants: &'static [Variant] = Box::leak(Box::new([variant(needs::GANGS), variant(0)]));
        let chosen = |trips: i64, gangs| {
            choose(variants, &[], (&[trips], gangs, 0), Form::Plain).unwrap_or_else(|| last(variants)).0
        };
        assert_eq!([chosen(1000, 0), chosen(1000, 8), chosen(1025, 8)], [0, 0, 1]);
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
