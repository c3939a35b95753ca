//! What the last launches of each kernel decided, for launches that would be decided the same way again.
//!
//! Programs launch small kernels by the thousand, with the same arrays, trip counts and queue. Resolving the arguments and
//! choosing the variant and the grid then takes longer than all the rest. So each host thread keeps what it decided, a
//! few launches for each kernel, since arrays that take turns come in several orders. A launch like one of them brings
//! its values and goes to the device.
//!
//! What a decision rests on: the kernel, the queue (and with it the device), trip counts and clauses ([`Key`]); the
//! variables ([`Section`]), those of reductions and the areas' reaches; the present table and its arrays' plain copies,
//! for all of which stands [`generation`]. A section may move within its mapping where nothing depends on its place
//! ([`Room`]): rows of a matrix, one a launch.
//!
//! What a launch does beside deciding (log, profile, order of queues, results that the host waits for) is done for
//! every launch, by [`start`] and who called it. A launch behind which arrays are encoded is not kept.
//!
//! Invariants: an entry has the generation from before it was decided, so what changed anything itself (made a copy,
//! outdated one, counted towards one) is decided again; entries that have moved are as if decided where they are now.

use super::arguments::Range;
use super::choose::no_alias;
use super::{Decided, USUAL, start};
use crate::areas;
use crate::data::{Held, Task, first};
use crate::device::Argument;
use crate::present::generation;
use crate::queues::Queue;
use accl_abi::{Arg, Format, Kernel, LaunchInfo, Var, arg_flags, arg_kind, data_kind, slice};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::ffi::c_void;

/// Kernels with places of their own.
const PLACES: usize = 64;
/// Launches that are kept of one place.
const WAYS: usize = 4;
/// Where so many more are not found than come again four times over, only one of as many is kept.
const IN_VAIN: u32 = 16;
/// Variables of a launch that need no heap.
const USUAL_SECTIONS: usize = 8;

thread_local! {
    static MEMO: RefCell<Memo> = const { RefCell::new(Memo { places: Vec::new() }) };
}

/// Launches as one like it was decided. True where the host is to have a result; `None` where there is none like it: nothing
/// was done. The caller lets no other thread change the forms of compressed arrays meanwhile.
///
/// # Safety
/// `info` and all it points to are as `accl_abi.h` says.
pub(super) unsafe fn repeat(task: &Task, info: &LaunchInfo) -> Option<bool> {
    let repeat = |memo: &RefCell<Memo>| {
        let mut memo = memo.try_borrow_mut().ok()?;
        // SAFETY: the caller's promise.
        let decided = unsafe { memo.find(task, info, generation())? };
        // SAFETY: as above; nothing changed since it was decided.
        unsafe { start(task, info, decided) };
        Some(decided.awaited)
    };
    // A thread that is ending keeps none.
    MEMO.try_with(repeat).ok().flatten()
}

/// Keeps what was decided, with `ranges` of its arguments, since the tables had the generation.
///
/// # Safety
/// As for [`repeat`].
pub(super) unsafe fn keep(task: &Task, info: &LaunchInfo, since: u64, ranges: &[Range], decided: &Decided) {
    if since != generation() {
        return;
    }
    _ = MEMO.try_with(|memo| {
        if let Ok(mut memo) = memo.try_borrow_mut() {
            // SAFETY: the caller's promise.
            unsafe { memo.keep(task, info, since, ranges, decided) };
        }
    });
}

/// What does not move.
///
/// Generation, kernel, queue, trip counts, clauses: words, so that all are compared at once.
#[derive(Clone, Copy)]
struct Key([u64; 9]);

impl Key {
    fn new(task: &Task, info: &LaunchInfo, generation: u64) -> Key {
        let (kernel, queue) = (info.kernel as u64, std::ptr::from_ref::<Queue>(task.queue) as u64);
        let [x, y, z] = info.trips.map(|trips| trips as u64);
        let clauses = [info.num_gangs, info.num_workers, info.vector_length];
        let [gangs, workers, lanes] = clauses.map(|clause| clause as u64);
        Key([generation, kernel, queue, x, y, z, gangs, workers, lanes])
    }

    #[inline]
    fn is(&self, other: &Key) -> bool {
        self.0.iter().zip(&other.0).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

struct Memo {
    /// None before the first launch.
    places: Vec<Place>,
}

/// The launches of a kernel, or of several that share a place.
#[derive(Default)]
struct Place {
    entries: Vec<Entry>,
    /// The one that is replaced next.
    next: usize,
    /// Launches that were not found.
    missed: u32,
    /// Of late, less four for each that was found; at most 4 * `IN_VAIN`.
    in_vain: u32,
}

impl Memo {
    fn place(&mut self, kernel: *const Kernel) -> &mut Place {
        if self.places.is_empty() {
            self.places.resize_with(PLACES, Place::default);
        }
        let address = kernel as usize;
        &mut self.places[(address / align_of::<Kernel>() + address / 4096) % PLACES]
    }

    /// # Safety
    /// As for [`repeat`].
    unsafe fn find(&mut self, task: &Task, info: &LaunchInfo, generation: u64) -> Option<&Decided> {
        let key = Key::new(task, info, generation);
        let place = self.place(info.kernel);
        // SAFETY: the caller's promise; the kernel is the same.
        let fits = |entry: &mut Entry| entry.key.is(&key) && unsafe { entry.fits(info) };
        let found = place.entries.iter_mut().position(fits)?;
        place.in_vain = place.in_vain.saturating_sub(4);
        Some(&place.entries[found].decided)
    }

    /// # Safety
    /// As for [`repeat`].
    unsafe fn keep(
        &mut self,
        task: &Task,
        info: &LaunchInfo,
        generation: u64,
        ranges: &[Range],
        decided: &Decided,
    ) {
        let place = self.place(info.kernel);
        if place.is_due() {
            // SAFETY: the caller's promise.
            place.put(unsafe { Entry::new(task, info, generation, ranges, decided) });
        }
    }
}

impl Place {
    /// True where a launch is to be kept: kernels that never repeat one shall not pay for it each time.
    fn is_due(&mut self) -> bool {
        self.missed = self.missed.wrapping_add(1);
        self.in_vain = (self.in_vain + 1).min(4 * IN_VAIN);
        self.in_vain <= IN_VAIN || self.missed.is_multiple_of(IN_VAIN)
    }

    fn put(&mut self, entry: Entry) {
        if self.entries.len() < WAYS {
            self.entries.push(entry);
        } else {
            self.entries[self.next] = entry;
            self.next = (self.next + 1) % WAYS;
        }
    }
}

struct Entry {
    key: Key,
    sections: SmallVec<[Section; USUAL_SECTIONS]>,
    reductions: SmallVec<[*mut c_void; 2]>,
    reaches: Vec<i64>,
    decided: Decided,
}

impl Entry {
    /// # Safety
    /// As for [`repeat`].
    unsafe fn new(
        task: &Task,
        info: &LaunchInfo,
        generation: u64,
        ranges: &[Range],
        decided: &Decided,
    ) -> Entry {
        // SAFETY: constant tables, and the launch's lists are as long.
        unsafe {
            let kernel = &*info.kernel;
            Entry {
                key: Key::new(task, info, generation),
                sections: sections(task, info, slice(kernel.args, kernel.n_args), ranges),
                reductions: slice(info.reduction_vars, kernel.n_reductions).into(),
                reaches: areas::reaches(kernel, info).collect(),
                decided: decided.clone(),
            }
        }
    }

    /// True where the launch, of the same kernel, would be decided like this one, which has then moved with its sections.
    ///
    /// # Safety
    /// As for [`repeat`].
    unsafe fn fits(&mut self, info: &LaunchInfo) -> bool {
        // SAFETY: a constant table.
        let kernel = unsafe { &*info.kernel };
        for section in &mut self.sections {
            // SAFETY: the kernel's variables are as many for every launch.
            let var = unsafe { &*info.vars.add(section.index as usize) };
            let Some(by) = section.follow(var) else { return false };
            if by != 0 {
                // SAFETY: a constant table.
                let table = unsafe { slice(kernel.args, kernel.n_args) };
                shift(&mut self.decided.arguments, table, section.index, by);
            }
        }
        // SAFETY: as in `new`.
        unsafe {
            *self.reductions == *slice(info.reduction_vars, kernel.n_reductions)
                && (self.reaches.is_empty() || areas::reaches(kernel, info).eq(self.reaches.iter().copied()))
        }
    }
}

/// A variable, as the launch's arguments were made of it.
#[derive(Clone, Copy)]
struct Section {
    /// Among the launch's variables.
    index: u32,
    kind: u32,
    base: usize,
    offset: usize,
    bytes: usize,
    format: Option<Format>,
    room: Option<Room>,
}

/// Host addresses among which a section may move.
#[derive(Clone, Copy)]
struct Room {
    begin: usize,
    end: usize,
    /// What it may move by is a multiple of one more than this.
    odd: usize,
}

impl Section {
    fn new(index: u32, var: &Var) -> Section {
        // SAFETY: null, or alive for the call.
        let format = unsafe { var.format.as_ref() }.copied();
        let (base, offset, bytes) = (var.base as usize, var.offset, var.bytes);
        Section { index, kind: var.kind, base, offset, bytes, format, room: None }
    }

    /// How far the base has moved, if the variable would make the same arguments but for that; the section is then where
    /// the variable is.
    #[inline]
    fn follow(&mut self, var: &Var) -> Option<usize> {
        // SAFETY: null, or alive for the call.
        let format = unsafe { var.format.as_ref() };
        if self.bytes != var.bytes || self.kind != var.kind || self.format.as_ref() != format {
            return None;
        }
        if self.base == var.base as usize && self.offset == var.offset {
            return Some(0);
        }
        let by = (var.base as usize).wrapping_sub(self.base);
        if !self.room.is_some_and(|room| room.has(var) && by & room.odd == 0) {
            return None;
        }
        (self.base, self.offset) = (var.base as usize, var.offset);
        Some(by)
    }
}

impl Room {
    fn has(&self, var: &Var) -> bool {
        let begin = first(var);
        self.begin <= begin && begin.saturating_add(var.bytes) <= self.end && is_near(var)
    }
}

/// Subscripts of type int reach all of it.
fn is_near(var: &Var) -> bool {
    var.offset.saturating_add(var.bytes) <= i32::MAX as usize
}

/// The variables that the arguments are made of, each once.
///
/// # Safety
/// As for [`repeat`].
unsafe fn sections(
    task: &Task,
    info: &LaunchInfo,
    table: &[Arg],
    ranges: &[Range],
) -> SmallVec<[Section; USUAL_SECTIONS]> {
    let mut sections: SmallVec<[Section; USUAL_SECTIONS]> = SmallVec::new();
    let mut widest: SmallVec<[Range; USUAL]> = ranges.into();
    let mut held = None;
    for arg in table {
        let of_variable = matches!(arg.kind, arg_kind::DATA | arg_kind::CODEC | arg_kind::EXTENT);
        if !of_variable || sections.iter().any(|section| section.index == arg.index) {
            continue;
        }
        // SAFETY: the index is within the launch's variables.
        let var = unsafe { &*info.vars.add(arg.index as usize) };
        let mut section = Section::new(arg.index, var);
        section.room = room(task, &mut held, arg.index, var, table, &mut widest);
        sections.push(section);
    }
    // Where sections keep out of each other's rooms they never overlap. How compressed arrays are read may depend on the
    // others' sizes.
    if !no_alias(&widest) || sections.iter().any(|section| section.format.is_some()) {
        sections.iter_mut().for_each(|section| section.room = None);
    }
    sections
}

/// The room of a variable that is held plain, if nothing but addresses depends on its place; its arguments' ranges become
/// all of it.
fn room(
    task: &Task,
    held: &mut Held,
    index: u32,
    var: &Var,
    table: &[Arg],
    ranges: &mut [Range],
) -> Option<Room> {
    let its = |arg: &Arg, kind| arg.kind == kind && arg.index == index;
    let is_placed = var.kind == data_kind::DEVICEPTR || table.iter().any(|arg| its(arg, arg_kind::EXTENT));
    if is_placed || var.bytes == 0 || !is_near(var) {
        return None;
    }
    let mapping = task.mapping(held, first(var), var.bytes).filter(|mapping| mapping.stored.is_none())?;
    let mut odd = 0;
    for (range, arg) in ranges.iter_mut().zip(table).filter(|(_, arg)| its(arg, arg_kind::DATA)) {
        (range.begin, range.end) = (mapping.device, mapping.device + mapping.bytes as u64);
        if arg.flags & arg_flags::VECTOR != 0 {
            odd = 15;
        }
    }
    Some(Room { begin: mapping.host, end: mapping.end(), odd })
}

/// Moves the arguments that are a variable's address.
fn shift(arguments: &mut [Argument], table: &[Arg], index: u32, by: usize) {
    for (argument, arg) in arguments.iter_mut().zip(table) {
        if let (Argument::Data { base, .. }, arg_kind::DATA) = (argument, arg.kind)
            && arg.index == index
        {
            *base = base.wrapping_add(by as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::device::Function;
    use crate::device::cpu::CpuDevice;
    use crate::present::Mapping;
    use crate::site::Place as Site;
    use crate::state::DeviceState;
    use accl_abi::{Site as AbiSite, scheme};

    const READ: u32 = arg_flags::READ;
    const WRITTEN: u32 = arg_flags::WRITTEN;

    /// A device with arrays at `(host, bytes, device)`, and its sync queue.
    fn task(arrays: &[(usize, usize, u64)]) -> Task {
        static SITE: AbiSite = crate::site::routine(c"test");
        let config = Config::from_environment(&|_| None);
        let state: &'static DeviceState =
            Box::leak(Box::new(DeviceState::new(Box::new(CpuDevice::open(&config)))));
        for (host, bytes, device) in arrays {
            state.table().insert(Mapping::new(*host, *bytes, *device, std::ptr::null()));
        }
        Task { state, place: Site(&SITE), queue: state.queues.sync() }
    }

    fn var(base: usize, offset: usize, bytes: usize) -> Var {
        Var {
            name: std::ptr::null(),
            base: base as *mut c_void,
            offset,
            bytes,
            kind: data_kind::PRESENT,
            flags: 0,
            elem_size: 4,
            n_dims: 0,
            dims: std::ptr::null(),
            line: 0,
            reserved: 0,
            format: std::ptr::null(),
        }
    }

    fn data(index: u32, flags: u32) -> Arg {
        Arg { kind: arg_kind::DATA, index, size: 0, flags }
    }

    /// A kernel with these arguments, launched.
    struct Launched {
        kernel: &'static Kernel,
        vars: Vec<Var>,
        info: LaunchInfo,
    }

    impl Launched {
        fn new(table: &[Arg], vars: &[Var]) -> Launched {
            let table: &'static [Arg] = Box::leak(table.to_vec().into());
            let kernel: &'static Kernel = Box::leak(Box::new(Kernel {
                site: std::ptr::null(),
                cpu: None,
                flags: 0,
                n_dims: 1,
                grid: [1, 0, 0],
                n_variants: 0,
                variants: std::ptr::null(),
                n_args: table.len() as u32,
                n_reductions: 0,
                n_indirect_pointers: 0,
                indirect_pointers: std::ptr::null(),
                args: table.as_ptr(),
                reductions: std::ptr::null(),
            }));
            let info = LaunchInfo {
                module: std::ptr::null(),
                kernel,
                vars: std::ptr::null_mut(),
                values: std::ptr::null(),
                reduction_vars: std::ptr::null(),
                trips: [100, 1, 1],
                num_gangs: 0,
                num_workers: 0,
                vector_length: 0,
                async_: -1,
                dynamic_tiles: std::ptr::null(),
                halo_extents: std::ptr::null(),
                n_dynamic_tiles: 0,
            };
            Launched { kernel, vars: vars.to_vec(), info }
        }

        fn info(&mut self) -> LaunchInfo {
            LaunchInfo { vars: self.vars.as_mut_ptr(), ..self.info }
        }

        /// What `resolve` makes of plain arrays in one piece of device memory with the host's addresses.
        fn ranges(&self) -> Vec<Range> {
            // SAFETY: a table of `new`.
            let table = unsafe { slice(self.kernel.args, self.kernel.n_args) };
            let range = |arg: &Arg| {
                let var = &self.vars[arg.index as usize];
                let (base, begin) = (var.base as u64, first(var) as u64);
                let end = begin + var.bytes as u64;
                let flags = if arg.kind == arg_kind::DATA { arg.flags } else { 0 };
                Range { begin, end, flags, base, reach: end - base, known: true }
            };
            table.iter().map(range).collect()
        }

        fn keep(&mut self, memo: &mut Memo, task: &Task, generation: u64) {
            let function = Box::leak(Box::new(Function {
                raw: 0,
                block_threads: 1,
                symbol: String::new(),
                awaits: false,
                cost: 0.into(),
            }));
            let ranges = self.ranges();
            let decided = Decided {
                function,
                variant: 0,
                arguments: ranges.iter().map(|r| Argument::Data { base: r.base, inside: r.begin }).collect(),
                targets: SmallVec::new(),
                awaited: false,
                grid: [1; 3],
                block: [1; 3],
                shared_bytes: 0,
            };
            // SAFETY: lists of `new`.
            unsafe { memo.keep(task, &self.info(), generation, &ranges, &decided) };
        }

        /// The bases of the arguments, if the launch is found.
        fn found(&mut self, memo: &mut Memo, task: &Task, generation: u64) -> Option<Vec<u64>> {
            // SAFETY: lists of `new`.
            let decided = unsafe { memo.find(task, &self.info(), generation)? };
            let base = |argument: &Argument| match argument {
                Argument::Data { base, .. } => *base,
                _ => 0,
            };
            Some(decided.arguments.iter().map(base).collect())
        }
    }

    fn memo() -> Memo {
        Memo { places: Vec::new() }
    }

    const APART: [(usize, usize, u64); 2] = [(0x1000, 0x1000, 0x1000), (0x4000, 0x1000, 0x4000)];

    fn two_arrays() -> Launched {
        let vars = [var(0x1000, 0, 400), var(0x4000, 0, 400)];
        Launched::new(&[data(0, READ), data(1, WRITTEN)], &vars)
    }

    #[test]
    fn the_same_launch_is_found_until_anything_changes() {
        let (task, mut memo, mut one) = (task(&APART), memo(), two_arrays());
        assert_eq!(one.found(&mut memo, &task, 7), None);
        one.keep(&mut memo, &task, 7);
        assert_eq!(one.found(&mut memo, &task, 7), Some(vec![0x1000, 0x4000]));
        assert_eq!(one.found(&mut memo, &task, 8), None, "a table changed");
        assert_eq!(two_arrays().found(&mut memo, &task, 7), None, "another kernel");

        let changes: [fn(&mut Launched); 8] = [
            |l| l.info.trips[0] += 1,
            |l| l.info.trips[2] += 1,
            |l| l.info.num_gangs = 1,
            |l| l.info.num_workers = 1,
            |l| l.info.vector_length = 1,
            |l| l.vars[0].bytes = 396,
            |l| l.vars[1].kind = data_kind::COPY,
            |l| l.vars[1].base = l.vars[0].base,
        ];
        for change in changes {
            let before = (one.info, one.vars.clone());
            change(&mut one);
            assert_eq!(one.found(&mut memo, &task, 7), None);
            (one.info, one.vars) = before;
        }
        let queue = task.state.queues.get(&*task.state.device, 3).unwrap();
        let elsewhere = Task { queue, ..task };
        assert_eq!(one.found(&mut memo, &elsewhere, 7), None, "another queue");
        assert!(one.found(&mut memo, &elsewhere, 7).is_none());
    }

    #[test]
    fn a_format_is_compared_by_what_it_says() {
        let (task, mut memo, mut one) = (task(&APART), memo(), two_arrays());
        let format = Format {
            scheme: scheme::RANGE,
            bits: 16,
            type_: 9,
            members: 1,
            layout: 1,
            has_range: 0,
            min: 0.0,
            max: 0.0,
            checked: 0,
            reserved: 0,
        };
        let (same, other) = (format, Format { bits: 12, ..format });
        one.vars[0].format = &raw const format;
        one.keep(&mut memo, &task, 7);
        one.vars[0].format = &raw const same;
        assert!(one.found(&mut memo, &task, 7).is_some());
        one.vars[0].base = 0x1010 as *mut c_void;
        assert!(one.found(&mut memo, &task, 7).is_none(), "compressed arrays do not move");
        one.vars[0].base = 0x1000 as *mut c_void;
        one.vars[0].format = &raw const other;
        assert!(one.found(&mut memo, &task, 7).is_none());
        one.vars[0].format = std::ptr::null();
        assert!(one.found(&mut memo, &task, 7).is_none());
    }

    #[test]
    fn arrays_that_take_turns_are_found_in_each_order() {
        let (task, mut memo, mut one) = (task(&APART), memo(), two_arrays());
        for _ in 0..2 {
            one.keep(&mut memo, &task, 7);
            one.vars.swap(0, 1);
        }
        assert_eq!(one.found(&mut memo, &task, 7), Some(vec![0x1000, 0x4000]));
        one.vars.swap(0, 1);
        assert_eq!(one.found(&mut memo, &task, 7), Some(vec![0x4000, 0x1000]));
    }

    #[test]
    fn sections_move_within_their_arrays() {
        let (task, mut memo, mut one) = (task(&APART), memo(), two_arrays());
        one.keep(&mut memo, &task, 7);
        one.vars[0] = var(0x1000 + 404, 0, 400);
        assert_eq!(one.found(&mut memo, &task, 7), Some(vec![0x1000 + 404, 0x4000]));
        // By the offset: what the kernel indexes from stays.
        one.vars[0] = var(0x1000, 800, 400);
        assert_eq!(one.found(&mut memo, &task, 7), Some(vec![0x1000, 0x4000]));
        for outside in [var(0x2000 - 396, 0, 400), var(0x1000, 0x1000, 400), var(0xffc, 0, 400)] {
            one.vars[0] = outside;
            assert_eq!(one.found(&mut memo, &task, 7), None);
        }
    }

    #[test]
    fn parts_of_one_array_do_not_move() {
        let whole = [(0x1000, 0x4000, 0x1000)];
        let (task, mut memo, mut one) = (task(&whole), memo(), two_arrays());
        one.keep(&mut memo, &task, 7);
        assert!(one.found(&mut memo, &task, 7).is_some());
        one.vars[0] = var(0x1000 + 400, 0, 400);
        assert!(one.found(&mut memo, &task, 7).is_none(), "the written one might be met");
    }

    #[test]
    fn sections_of_wide_accesses_move_by_whole_ones_and_windows_stay() {
        let task = task(&APART);
        let extent = Arg { kind: arg_kind::EXTENT, index: 0, size: 4, flags: 0 };
        let vector = [data(0, READ | arg_flags::VECTOR), data(1, WRITTEN)];
        let window = [data(0, READ), data(1, WRITTEN), extent];
        for (table, by, is_found) in [(&vector[..], 16, true), (&vector, 4, false), (&window, 16, false)] {
            let mut memo = memo();
            let mut one = Launched::new(table, &two_arrays().vars);
            one.keep(&mut memo, &task, 7);
            assert!(one.found(&mut memo, &task, 7).is_some());
            one.vars[0] = var(0x1000 + by, 0, 400);
            assert_eq!(one.found(&mut memo, &task, 7).is_some(), is_found);
        }
    }

    #[test]
    fn launches_that_never_come_again_are_seldom_kept() {
        let mut place = Place::default();
        let kept = (0..1000).filter(|_| place.is_due()).count();
        assert!((16..100).contains(&kept), "{kept}");
        place.in_vain = 0;
        assert!(place.is_due());
    }
}
