//! Arrays of pointers that constructs follow: `a[i][j]` of `float **a`, without data clauses.
//!
//! An item with the flag `ACCL_FOLLOWED` is an array of pointers that kernels only read. What its pointers lead to are
//! objects like any other: tracked ones are resident, and many small ones that lie one after the other are a tracked one, too
//! ([`row_stretches`]); other small ones travel together in one block and come back after kernels that may have written them. Kernels get a *translated* copy of the array, whose
//! pointers lead to the device's copies. The host's array is read at each construct, so whatever the program did to it is seen;
//! a copy that would be the same as the last one is not sent again. A large array that is followed again, and leads to tracked objects
//! alone, is protected as if the device had it: while nobody has written to it, it is not read ([`KnownRows`]).
//!
//! Invariants: each object has one place on the device in a construct, whichever items lead to it; the host's pointers are never
//! written.

use super::device_copy::{bring, host_call, last_change, written};
use super::objects::{HostObject, ObjectAt, find, small_at, tracked_at};
use super::row_stretches;
use crate::call::CallContext;
use crate::device::SYNC_QUEUE;
use crate::pool::Block;
use crate::present::Presence;
use crate::state::DeviceState;
use crate::variable::{first, name};
use crate::{data, transfer};
use accl_abi::{Var, data_flags, data_kind};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

const POINTER: usize = size_of::<u64>();
/// What the C library aligns allocations to.
const ALIGNMENT: usize = 16;
/// Translated copies that are kept.
const KEPT: usize = 64;

pub fn is_followed(var: &Var) -> bool {
    var.flags & data_flags::FOLLOWED != 0
}

fn levels(var: &Var) -> u32 {
    if var.flags & data_flags::FOLLOWED_TWICE != 0 { 2 } else { 1 }
}

fn writes(var: &Var) -> bool {
    matches!(var.kind, data_kind::COPY | data_kind::COPYOUT)
}

/// What the followed items of a construct lead to.
#[derive(Default)]
struct Reached {
    /// The arrays of pointers, with how many levels they have, those behind others after these.
    tables: Vec<(Range<usize>, u32)>,
    objects: BTreeMap<usize, ReachedObject>,
    small: BTreeMap<usize, SmallObject>,
    block: Option<Block>,
    /// The contents of the small objects, one after the other, as the device has them.
    contents: Vec<u8>,
    small_written: bool,
    /// Of arrays that were followed before, what their pointers lead to, by where they begin.
    rows: BTreeMap<usize, KnownRows>,
    /// The host's memory of the construct's other items; `None` where it is not known of one.
    others: Option<Vec<Range<usize>>>,
    /// See [`rows_are_distinct`]: found out when a launch asks.
    distinct: OnceCell<bool>,
}

struct ReachedObject {
    object: Arc<HostObject>,
    written: bool,
    device: u64,
}

struct SmallObject {
    extent: Range<usize>,
    /// Where it begins in the block.
    offset: usize,
    written: bool,
}

thread_local! {
    /// Constructs of this thread that are under way.
    static UNDER_WAY: RefCell<Vec<Reached>> = const { RefCell::new(Vec::new()) };
}

/// Gives the followed items of a construct their translated copies, and small objects that these lead to one place. True where there are any.
pub fn enter(call: &CallContext, vars: &mut [Var]) -> bool {
    if !vars.iter().any(is_followed) || call.state.shared() || call.state.uses_host_memory() {
        return false;
    }
    if let Err(error) = call.state.device.prepare_for_pointers() {
        call.state.fail(call.location, None, "following pointers", &error);
    }
    for var in vars.iter_mut().filter(|var| is_followed(var) && !var.base.is_null()) {
        // A data clause has put the array on the device, and decides.
        if call.find(first(var), POINTER).1 != Presence::Absent {
            var.flags &= !data_flags::FOLLOWED;
            super::use_present(call, var);
        }
    }
    if !vars.iter().any(is_followed) {
        return false;
    }
    let mut reached = Reached { others: others(vars), ..Reached::default() };
    for var in vars.iter().filter(|var| is_followed(var) && !var.base.is_null()) {
        match table_of(var) {
            Some(table) => reached.table(call, var, table, levels(var)),
            None => super::refuse(call, var),
        }
    }
    reached.join_small();
    for var in vars.iter().filter(|var| is_followed(var)) {
        reached.bring_objects(call, var);
    }
    if let Some(var) = vars.iter().find(|var| is_followed(var)).copied() {
        reached.bring_small(call, &var, vars);
    }
    let translated = reached.translate(call, vars);
    for var in vars.iter_mut() {
        if is_followed(var) {
            let at = table_of(var).map(|table| (table.start, translated.get(&table.start)));
            if let Some((start, Some(device))) = at {
                put(var, device + (var.base as usize).wrapping_sub(start) as u64);
            }
            var.kind = data_kind::DEVICEPTR;
        } else if super::is_resident(var)
            && let Some(device) = reached.small_address(first(var))
        {
            let offset = first(var).wrapping_sub(var.base as usize) as u64;
            put(var, device.wrapping_sub(offset));
        }
    }
    UNDER_WAY.with(|all| all.borrow_mut().push(reached));
    true
}

/// The item's base is an address of the device, and nothing is left to do with it.
fn put(var: &mut Var, device: u64) {
    var.base = device as *mut _;
    var.kind = data_kind::DEVICEPTR;
    var.reserved = FOUND;
}

/// `Var::reserved` of an item that was found here.
const FOUND: i32 = -1;

pub fn was_found(var: &Var) -> bool {
    super::is_resident(var) && var.kind == data_kind::DEVICEPTR && var.reserved == FOUND
}

/// After the kernels of a construct with followed items were launched.
pub fn exit(call: &CallContext, vars: &[Var]) {
    if !vars.iter().any(is_followed) || call.state.shared() || call.state.uses_host_memory() {
        return;
    }
    let Some(reached) = UNDER_WAY.with(|all| all.borrow_mut().pop()) else { return };
    for one in reached.objects.values() {
        if one.written {
            written(call, &one.object, one.object.start..one.object.end());
        }
        one.object.end_use();
    }
    reached.small_home(call);
}

/// Where the host has what the other items of a construct name.
fn others(vars: &[Var]) -> Option<Vec<Range<usize>>> {
    let others = vars.iter().filter(|var| !is_followed(var) && !var.base.is_null());
    let memory = |var: &Var| match (var.kind, var.bytes) {
        (data_kind::DEVICEPTR, _) => None,
        (_, 0) => extent(find(first(var), None), first(var)),
        (_, bytes) => Some(first(var)..first(var) + bytes),
    };
    others.map(memory).collect()
}

/// Everything that the pointers of the construct under way lead to is an allocation of its own, or an array, which nothing else of
/// the construct leads to or names. Then no two iterations that use different pointers use the same memory.
pub fn rows_are_distinct() -> bool {
    UNDER_WAY.with(|all| {
        all.borrow()
            .last()
            .is_some_and(|reached| *reached.distinct.get_or_init(|| reached.are_rows_distinct()))
    })
}

/// The object itself; of a stretch of rows, the row at this address.
fn extent(object: ObjectAt, address: usize) -> Option<Range<usize>> {
    match object {
        ObjectAt::Tracked(object) if object.is_stretch() => small_at(address),
        ObjectAt::Tracked(object) => Some(object.start..object.end()),
        ObjectAt::Small(extent) => Some(extent),
        ObjectAt::Nothing => None,
    }
}

/// What the pointers of an array lead to, in the order of addresses, if each leads to another object.
fn distinct_rows(table: &Range<usize>) -> Option<Vec<Range<usize>>> {
    let rows = pointers(table).filter(|row| *row != 0);
    let mut extents = rows.map(|row| extent(row_at(row), row)).collect::<Option<Vec<_>>>()?;
    extents.sort_unstable_by_key(|extent| extent.start);
    extents.windows(2).all(|pair| pair[0].end <= pair[1].start).then_some(extents)
}

/// Two lists of ranges in the order of addresses have nothing in common.
fn are_apart(a: &[Range<usize>], b: &[Range<usize>]) -> bool {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let (Some(first), Some(last)) = (many.first(), many.last()) else { return true };
    let within = few.iter().filter(|range| range.start < last.end && first.start < range.end);
    within.into_iter().all(|range| {
        let at = many.partition_point(|other| other.end <= range.start);
        many.get(at).is_none_or(|other| range.end <= other.start)
    })
}

/// Where the array of pointers of an item lies: the variable itself, or the object that it points into.
fn table_of(var: &Var) -> Option<Range<usize>> {
    if var.bytes > 0 {
        return Some(first(var)..first(var) + var.bytes);
    }
    table_at(first(var))
}

/// The object around an array of pointers, from its first to its last whole pointer.
fn table_at(pointer: usize) -> Option<Range<usize>> {
    let extent = match find(pointer, None) {
        ObjectAt::Tracked(object) => object.start..object.end(),
        ObjectAt::Small(extent) => extent,
        ObjectAt::Nothing => return None,
    };
    let start = extent.start + (pointer - extent.start) % POINTER;
    Some(start..start + (extent.end - start) / POINTER * POINTER)
}

/// What a row's pointer leads to. One behind an object's end may lead to the next.
fn row_at(pointer: usize) -> ObjectAt {
    match tracked_at(pointer) {
        Some(object) if pointer < object.end() => ObjectAt::Tracked(object),
        at_end => match small_at(pointer) {
            Some(extent) => ObjectAt::Small(extent),
            None => at_end.map_or(ObjectAt::Nothing, ObjectAt::Tracked),
        },
    }
}

fn pointers(table: &Range<usize>) -> impl Iterator<Item = usize> + use<> {
    table.clone().step_by(POINTER).map(|at| {
        // SAFETY: an array of pointers of the program's, which construct uses.
        unsafe { (at as *const usize).read_unaligned() }
    })
}

/// Whether everything that pointers in an array lead to is known, so that constructs can follow them.
/// `bytes` is 0 where the array's length is not known.
pub fn are_known(call: &CallContext, array: usize, bytes: usize, levels: u32) -> bool {
    if array == 0 || call.state.shared() || call.state.uses_host_memory() {
        return true;
    }
    let table = if bytes > 0 { Some(array..array + bytes) } else { table_at(array) };
    let can_follow = call.state.device.prepare_for_pointers().is_ok();
    can_follow
        && table.is_some_and(|table| known_rows(call, &table).is_some() || rows_are_known(&table, levels))
}

fn rows_are_known(table: &Range<usize>, levels: u32) -> bool {
    let mut known = 0..0;
    pointers(table).all(|row| {
        if row == 0 || known.contains(&row) {
            return true;
        }
        known = match row_at(row) {
            ObjectAt::Tracked(object) => object.start..object.end(),
            ObjectAt::Small(extent) => extent,
            ObjectAt::Nothing => return false,
        };
        levels == 1 || table_at(row).is_some_and(|inner| rows_are_known(&inner, levels - 1))
    })
}

impl Reached {
    fn table(&mut self, call: &CallContext, var: &Var, table: Range<usize>, levels: u32) {
        match self.tables.iter().find(|(known, _)| known.start == table.start) {
            Some((_, of)) if *of != levels => {
                let message = format!("{} is an array of pointers to data and to pointers", name(var));
                call.fatal(var.line, &message, &[]);
            }
            Some(_) => {}
            None => self.tables.push((table.clone(), levels)),
        }
        if levels == 1 && self.rows_as_before(call, var, &table) {
            return;
        }
        self.small_written |= writes(var);
        // From here on it is noticed where the host writes another pointer.
        let watched = if levels == 1 { self.watch(call, var, &table) } else { None };
        let mut rows = vec![];
        let mut only_objects = true;
        let mut last = 0..0;
        for row in pointers(&table) {
            if row == 0 || last.contains(&row) {
                continue;
            }
            if levels > 1 {
                if let Some(inner) = table_at(row) {
                    last = inner.clone();
                    self.table(call, var, inner, levels - 1);
                }
                continue;
            }
            last = self.row(call, var, row);
            match self.objects.get(&last.start) {
                Some(one) => rows.push((one.object.clone(), 0)),
                None => only_objects = false,
            }
        }
        if let Some((array, changed)) = watched.filter(|_| only_objects) {
            let known = KnownRows { array, bytes: table.len(), changed, rows, distinct: Arc::default() };
            self.rows.insert(table.start, known);
        }
    }

    fn are_rows_distinct(&self) -> bool {
        let Some(others) = &self.others else { return false };
        let new = || Arc::new(OnceLock::new());
        let known = |table: &Range<usize>| self.rows.get(&table.start).map(|known| known.distinct.clone());
        let lists: Vec<_> =
            self.tables.iter().map(|(table, _)| (table, known(table).unwrap_or_else(new))).collect();
        let lists: Option<Vec<_>> =
            lists.iter().map(|(table, list)| list.get_or_init(|| distinct_rows(table)).as_deref()).collect();
        let Some(lists) = lists.filter(|_| self.tables.iter().all(|(_, levels)| *levels == 1)) else {
            return false;
        };
        let apart = |at: usize| lists[at + 1..].iter().all(|other| are_apart(lists[at], other));
        (0..lists.len()).all(apart)
            && others
                .iter()
                .all(|other| lists.iter().all(|list| are_apart(std::slice::from_ref(other), list)))
    }

    /// Takes over what the pointers of an array lead to, where neither has changed. False where that is not known.
    fn rows_as_before(&mut self, call: &CallContext, var: &Var, table: &Range<usize>) -> bool {
        let Some(known) = known_rows(call, table) else { return false };
        self.use_object(&known.array, false);
        known.rows.iter().for_each(|(object, _)| self.use_object(object, writes(var)));
        self.rows.insert(table.start, known);
        true
    }

    /// Brings an array that was followed before to the device as it is, for which its pages are protected. Gives its last change.
    fn watch(
        &mut self,
        call: &CallContext,
        var: &Var,
        table: &Range<usize>,
    ) -> Option<(Arc<HostObject>, u64)> {
        let array = tracked_at(table.start).filter(|object| table.start < object.end())?;
        let is_repeated = copies().iter().any(|copy| copy.is_of(call, table.start));
        if !is_repeated || !super::is_free_of_clauses(call, &array) {
            return None;
        }
        self.use_object(&array, false);
        self.bring_objects(call, var);
        let changed = last_change(call.state, &array)?;
        Some((array, changed))
    }

    fn use_object(&mut self, object: &Arc<HostObject>, writes: bool) {
        let new = || ReachedObject { object: object.clone(), written: false, device: 0 };
        self.objects.entry(object.start).or_insert_with(new).written |= writes;
    }

    /// Notes what a row's pointer leads to. Where nobody knows it stays as it is.
    fn row(&mut self, call: &CallContext, var: &Var, row: usize) -> Range<usize> {
        match super::single(call, row_at(row), || row_at(row)) {
            ObjectAt::Tracked(object) => {
                let extent = object.start..object.end();
                // A data clause that has put the rows on the device decides.
                if super::is_free_of_clauses(call, &object) {
                    self.use_object(&object, writes(var));
                }
                extent
            }
            ObjectAt::Small(extent) => {
                if call.find(extent.start, extent.len()).1 == Presence::Absent {
                    let new = || SmallObject { extent: extent.clone(), offset: 0, written: false };
                    self.small.entry(extent.start).or_insert_with(new).written |= writes(var);
                }
                extent
            }
            ObjectAt::Nothing => 0..0,
        }
    }

    /// Small objects that lie one after the other become one that is tracked.
    fn join_small(&mut self) {
        for stretch in row_stretches::of(self.small.values().map(|one| &one.extent)) {
            let mut rows = self.small.split_off(&stretch.start);
            let mut behind = rows.split_off(&stretch.end());
            self.small.append(&mut behind);
            self.use_object(&stretch, rows.values().any(|one| one.written));
        }
    }

    fn bring_objects(&mut self, call: &CallContext, var: &Var) {
        for one in self.objects.values_mut().filter(|one| one.device == 0) {
            let kind = if one.written { data_kind::COPY } else { data_kind::COPYIN };
            let whole = one.object.start..one.object.end();
            one.device = bring(call, &one.object, &Var { kind, ..*var }, whole);
        }
    }

    /// Sends the small objects, all at once.
    fn bring_small(&mut self, call: &CallContext, var: &Var, vars: &[Var]) {
        if self.small.is_empty() {
            return;
        }
        let mut bytes = 0usize;
        for one in self.small.values_mut() {
            one.offset = bytes.next_multiple_of(ALIGNMENT) + one.extent.start % ALIGNMENT;
            bytes = one.offset + one.extent.len();
        }
        let plain = vars.iter().filter(|var| super::is_resident(var) && !is_followed(var));
        for other in plain.filter(|var| writes(var)) {
            self.small_written |= self.small_around(first(other)).is_some();
        }
        self.contents = vec![0; bytes];
        for one in self.small.values() {
            let to = &mut self.contents[one.offset..one.offset + one.extent.len()];
            // SAFETY: an allocation of the program's, or a static array.
            unsafe {
                std::ptr::copy_nonoverlapping(one.extent.start as *const u8, to.as_mut_ptr(), to.len())
            };
        }
        let block = spare_block(call, bytes).unwrap_or_else(|| data::take_block(call, var, bytes));
        let from = self.contents.as_ptr() as usize;
        transfer::send_current(call, name(var), var.line, from, block.address, bytes);
        call.state.finish(call.location, call.queue);
        self.block = Some(block);
    }

    fn small_around(&self, address: usize) -> Option<&SmallObject> {
        let (_, one) = self.small.range(..=address).next_back()?;
        (address <= one.extent.end).then_some(one)
    }

    fn small_address(&self, address: usize) -> Option<u64> {
        let one = self.small_around(address)?;
        Some(self.block?.address + (one.offset + address - one.extent.start) as u64)
    }

    /// Brings small objects home that kernels may have written.
    fn small_home(&self, call: &CallContext) {
        let Some(block) = self.block else { return };
        if self.small_written {
            let mut now = vec![0u8; self.contents.len()];
            let to = now.as_mut_ptr() as usize;
            let name = crate::location::Name(c"rows".as_ptr());
            transfer::receive_current(call, name, 0, to, block.address, now.len());
            call.state.finish(call.location, call.queue);
            for one in self.small.values() {
                let part = one.offset..one.offset + one.extent.len();
                if now[part.clone()] != self.contents[part.clone()] {
                    // SAFETY: as in `bring_small`; the program waits for what the construct writes.
                    unsafe {
                        let to = one.extent.start as *mut u8;
                        std::ptr::copy_nonoverlapping(now[part].as_ptr(), to, one.extent.len());
                    }
                }
            }
        }
        // Translated copies may lead there: where the next construct has the block again, they stay as they are.
        call.state.finish(call.location, call.queue);
        let mut spare = spare();
        spare.push((call.state, block));
        if spare.len() > SPARE {
            let (state, block) = spare.remove(0);
            state.pool.give(block, SYNC_QUEUE);
        }
    }

    /// The device's address of a row. `last`: the tracked object in which the row before lies, and where it begins on the device.
    fn row_address(&self, call: &CallContext, row: usize, last: &mut (Range<usize>, u64)) -> u64 {
        if last.0.contains(&row) {
            return last.1 + (row - last.0.start) as u64;
        }
        let tracked = self.objects.range(..=row).next_back().map(|(_, one)| one);
        if let Some(one) = tracked.filter(|one| row < one.object.end()) {
            *last = (one.object.start..one.object.end(), one.device);
            return one.device + (row - one.object.start) as u64;
        }
        let at_end = || tracked.filter(|one| row == one.object.end());
        self.small_address(row)
            .or_else(|| at_end().map(|one| one.device + one.object.bytes as u64))
            .or_else(|| call.on_device(row, 1))
            .unwrap_or(row as u64)
    }

    /// Makes the translated copies. Gives their addresses by where the host's arrays begin.
    fn translate(&self, call: &CallContext, vars: &[Var]) -> BTreeMap<usize, u64> {
        let var = vars.iter().find(|var| is_followed(var));
        let mut addresses = BTreeMap::new();
        // Those that others lead to come first.
        let mut tables: Vec<_> = self.tables.iter().collect();
        tables.sort_by_key(|(_, levels)| *levels);
        for (table, levels) in tables {
            let rows = self.rows.get(&table.start).map(|known| known.on_device(self));
            if let Some(rows) = &rows
                && let Some(device) = TranslatedCopy::with_rows(call, table.start, rows)
            {
                addresses.insert(table.start, device);
                continue;
            }
            let inner = |row: usize| {
                let inner = table_at(row)?;
                addresses.get(&inner.start).map(|device: &u64| device + (row - inner.start) as u64)
            };
            let mut last = (0..0, 0);
            let words: Vec<u64> = pointers(table)
                .map(|row| match (row, levels) {
                    (0, _) => 0,
                    (row, 1) => self.row_address(call, row, &mut last),
                    (row, _) => inner(row).unwrap_or(row as u64),
                })
                .collect();
            if let Some(var) = var {
                addresses.insert(table.start, TranslatedCopy::of(call, var, table.start, words, rows));
            }
        }
        addresses
    }
}

/// Blocks of small objects that no construct uses.
static SPARE_BLOCKS: Mutex<Vec<(&'static DeviceState, Block)>> = Mutex::new(Vec::new());
const SPARE: usize = 8;

fn spare() -> MutexGuard<'static, Vec<(&'static DeviceState, Block)>> {
    SPARE_BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A block that is large enough, and not twice as large.
fn spare_block(call: &CallContext, bytes: usize) -> Option<Block> {
    let mut spare = spare();
    let fits = |(state, block): &(&'static DeviceState, Block)| {
        std::ptr::eq(*state, call.state) && (bytes..bytes * 2 + 1024).contains(&block.bytes)
    };
    let at = spare.iter().rposition(fits)?;
    Some(spare.remove(at).1)
}

/// A translated array of pointers on the device.
struct TranslatedCopy {
    state: &'static DeviceState,
    start: usize,
    words: Vec<u64>,
    block: Block,
    rows: Option<KnownRows>,
}

/// What the pointers of an array that is an object of its own lead to: other such objects, and nothing else. So the array need not be
/// read again while neither it nor one of them has changed.
#[derive(Clone)]
struct KnownRows {
    array: Arc<HostObject>,
    /// How much of it the construct's item has.
    bytes: usize,
    /// The number of the last change of the array's contents.
    changed: u64,
    rows: Vec<KnownRow>,
    /// See [`distinct_rows`].
    distinct: Arc<OnceLock<Option<Vec<Range<usize>>>>>,
}

/// An object, and where it begins on the device.
type KnownRow = (Arc<HostObject>, u64);

impl KnownRows {
    fn on_device(&self, reached: &Reached) -> KnownRows {
        let device =
            |object: &Arc<HostObject>| reached.objects.get(&object.start).map_or(0, |one| one.device);
        let rows = self.rows.iter().map(|(object, _)| (object.clone(), device(object))).collect();
        KnownRows { rows, ..self.clone() }
    }

    fn same_as(&self, other: &KnownRows) -> bool {
        let same = |(a, b): (&KnownRow, &KnownRow)| Arc::ptr_eq(&a.0, &b.0) && a.1 == b.1;
        Arc::ptr_eq(&self.array, &other.array)
            && (self.bytes, self.changed) == (other.bytes, other.changed)
            && self.rows.len() == other.rows.len()
            && self.rows.iter().zip(&other.rows).all(same)
    }

    fn hold(&self, call: &CallContext) -> bool {
        let is_there = |object: &Arc<HostObject>| {
            tracked_at(object.start).is_some_and(|now| Arc::ptr_eq(&now, object))
                && super::is_free_of_clauses(call, object)
        };
        last_change(call.state, &self.array) == Some(self.changed)
            && is_there(&self.array)
            && self.rows.iter().all(|(object, _)| is_there(object))
    }
}

/// What the pointers of an array lead to, if that is as it was when it was followed the last time.
fn known_rows(call: &CallContext, table: &Range<usize>) -> Option<KnownRows> {
    let known = copies().iter().find(|copy| copy.is_of(call, table.start))?.rows.clone()?;
    (known.bytes == table.len() && known.hold(call)).then_some(known)
}

static COPIES: Mutex<Vec<TranslatedCopy>> = Mutex::new(Vec::new());

fn copies() -> MutexGuard<'static, Vec<TranslatedCopy>> {
    COPIES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TranslatedCopy {
    fn is_of(&self, call: &CallContext, start: usize) -> bool {
        std::ptr::eq(self.state, call.state) && self.start == start
    }

    /// The address of the copy that was made when the pointers led to these objects at these places.
    fn with_rows(call: &CallContext, start: usize, rows: &KnownRows) -> Option<u64> {
        let mut copies = copies();
        let at = copies.iter().position(|copy| copy.is_of(call, start))?;
        let is_same = copies[at].rows.as_ref().is_some_and(|known| known.same_as(rows));
        let copy = is_same.then(|| copies.remove(at))?;
        let address = copy.block.address;
        copies.push(copy);
        Some(address)
    }

    /// The address of a copy with these contents, which is made where there is none.
    fn of(call: &CallContext, var: &Var, start: usize, words: Vec<u64>, rows: Option<KnownRows>) -> u64 {
        let mut copies = copies();
        if let Some(at) = copies.iter().position(|copy| copy.is_of(call, start)) {
            let mut copy = copies.remove(at);
            if copy.words == words {
                let address = copy.block.address;
                copy.rows = rows;
                copies.push(copy);
                return address;
            }
            copy.release(call);
        }
        let bytes = size_of_val(&words[..]);
        let block = data::take_block(call, var, bytes.max(POINTER));
        let from = words.as_ptr() as usize;
        if bytes > 0 {
            transfer::send_current(call, name(var), var.line, from, block.address, bytes);
            call.state.finish(call.location, call.queue);
        }
        if copies.len() >= KEPT {
            copies.remove(0).release(call);
        }
        copies.push(TranslatedCopy { state: call.state, start, words, block, rows });
        block.address
    }

    /// Work on any queue may still follow its pointers.
    fn release(self, call: &CallContext) {
        for queue in self.state.queues.all() {
            self.state.finish(call.location, queue);
        }
        self.state.pool.give(self.block, SYNC_QUEUE);
    }
}

/// Nothing of a device is kept.
pub fn leave(state: &'static DeviceState) {
    let gone: Vec<TranslatedCopy> = copies().extract_if(.., |copy| std::ptr::eq(copy.state, state)).collect();
    gone.into_iter().for_each(|copy| copy.release(&host_call(state)));
    for (_, block) in spare().extract_if(.., |(of, _)| std::ptr::eq(*of, state)) {
        state.pool.give(block, SYNC_QUEUE);
    }
}
