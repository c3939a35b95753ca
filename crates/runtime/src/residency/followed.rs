//! Arrays with pointers that constructs follow: `a[i][j]` of `float **a`, `a[i].u[j]` of an array of structures, without data clauses.
//!
//! An item with the flag `ACCL_FOLLOWED` is a *table* ([`tables`](super::tables)), an array whose elements are or hold pointers, which kernels
//! only read. What its pointers lead to are objects like any other: tracked ones are resident, and many small ones that lie one after the
//! other are a tracked one, too ([`row_stretches`]); other small ones travel together in one block and come back after kernels that may
//! have written them; or they are tables themselves. Kernels get a *translated* copy of the table ([`translated`]), whose pointers lead to
//! the device's copies. The host's table is read at each construct, so whatever the program did to it is seen; a copy that would be the
//! same as the last one is not sent again. What kernels may have written beside the pointers comes back. A large array that is followed
//! again, and leads to tracked objects alone, is protected as if the device had it: while nobody has written to it, it is not read
//! ([`KnownRows`]). What a construct found is [`remembered`] for the next one like it.
//!
//! Invariants: each object has one place on the device in a construct, whichever items lead to it; the host's pointers are never
//! written.

use super::device_copy::{self, TranslatedTable, bring, ends_arrived, last_change, written};
use super::objects::{HostObject, ObjectAt, are_there, find, small_at, tracked_at};
use super::remembered::{self, Items, Moment, Proof};
use super::row_stretches;
use super::tables::{ElementTypes, POINTER, Table, TableKey, row_at, tables_from};
use super::translated::{
    self, ALIGNMENT, DistinctRows, KnownRow, KnownRows, TranslatedCopy, can_be_watched, copies, is_alone,
    known_rows, make_room_for,
};
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
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub fn is_followed(var: &Var) -> bool {
    var.flags & data_flags::FOLLOWED != 0
}

fn writes(var: &Var) -> bool {
    matches!(var.kind, data_kind::COPY | data_kind::COPYOUT)
}

/// Kernels may write what the pointers of a followed item lead to.
fn writes_rows(var: &Var) -> bool {
    writes(var) && var.flags & data_flags::ROWS_READ == 0
}

/// What the followed items of a construct lead to.
#[derive(Default)]
pub(super) struct Reached {
    pub(super) items: Items,
    /// While it and the known rows hold, everything here is as it was found. `None` where that is not known.
    proof: Option<Proof>,
    /// Another one for each time that pointers were followed.
    number: u64,
    /// Some pointer leads to nothing that is known.
    is_incomplete: bool,
    tables: BTreeMap<TableKey, Table>,
    /// Where the translated copy of each begins, those that travel together, and the block of these.
    places: BTreeMap<TableKey, u64>,
    together: Vec<TableKey>,
    translated: u64,
    objects: BTreeMap<usize, ReachedObject>,
    small: BTreeMap<usize, SmallObject>,
    block: Option<Block>,
    /// The contents of the small objects, one after the other, as the device has them.
    contents: Vec<u8>,
    small_written: bool,
    /// Of tables that were followed before, what their pointers lead to.
    rows: BTreeMap<TableKey, KnownRows>,
    /// The host's memory of the construct's other items; `None` where it is not known of one.
    others: Option<Vec<Range<usize>>>,
    /// See [`rows_are_distinct`]: found out when a launch asks for all rows, or for those of each element.
    distinct: [OnceCell<bool>; 2],
}

struct ReachedObject {
    object: Arc<HostObject>,
    written: bool,
    /// It is a table that is as it was, of which kernels use the translated copy alone.
    watched: bool,
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
    let items = Items::of(call, vars);
    let mut reached =
        remembered::take(call, &items, vars).unwrap_or_else(|| Reached::find(call, vars, items));
    for var in vars.iter().filter(|var| is_followed(var)) {
        reached.bring_objects(call, var);
    }
    if let Some(var) = vars.iter().find(|var| is_followed(var)).copied() {
        reached.bring_small(call, &var, vars);
    }
    reached.translate(call, vars);
    for var in vars.iter_mut() {
        if is_followed(var) {
            if let Some(table) = Table::of(var)
                && let Some(device) = reached.table_address(&table, var.base as usize)
            {
                put(var, device);
            }
            var.kind = data_kind::DEVICEPTR;
        } else if super::is_resident(var)
            && let Some(device) =
                reached.inside_table(first(var)).or_else(|| reached.small_address(first(var)))
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
    let whole = |one: &ReachedObject| one.object.start..one.object.end();
    let all = reached.objects.values();
    let arriving: Vec<_> = all.filter(|one| one.written && written(call, &one.object, &whole(one))).collect();
    if !arriving.is_empty() {
        call.state.finish(call.location, call.queue);
        arriving.iter().for_each(|one| ends_arrived(&one.object, &whole(one)));
    }
    reached.objects.values().for_each(|one| one.object.end_use());
    reached.small_home(call);
    reached.tables_home(call);
    if reached.proof.is_some() {
        remembered::keep(reached.without_places());
    }
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
/// the construct leads to or names. Then no two iterations that use different pointers use the same memory. `in_elements`: pointers in
/// different elements of an array may lead to the same.
pub fn rows_are_distinct(in_elements: bool) -> bool {
    UNDER_WAY.with(|all| {
        let distinct = |reached: &Reached| {
            let known = &reached.distinct[usize::from(in_elements)];
            *known.get_or_init(|| reached.are_rows_distinct(in_elements))
        };
        all.borrow().last().is_some_and(distinct)
    })
}

/// The object itself; of a stretch of rows, the row at this address.
pub(super) fn extent(object: ObjectAt, address: usize) -> Option<Range<usize>> {
    match object {
        ObjectAt::Tracked(object) if object.is_stretch() => small_at(address),
        ObjectAt::Tracked(object) => Some(object.start..object.end()),
        ObjectAt::Small(extent) => Some(extent),
        ObjectAt::Nothing => None,
    }
}

/// What the pointers of a table lead to, in the order of addresses, if each leads to another object.
fn distinct_rows(table: &Table) -> Option<Vec<Range<usize>>> {
    let extents = table.rows().map(|row| extent(row_at(row), row)).collect::<Option<Vec<_>>>()?;
    in_order_if_distinct(extents)
}

/// The same, if each of an element leads to another object than the others of that.
fn distinct_in_elements(table: &Table) -> Option<Vec<Range<usize>>> {
    let pointers: Vec<usize> = table.pointers().map(|(.., value)| value).collect();
    let mut all: Vec<Range<usize>> = vec![];
    for element in pointers.chunks(table.types.element().pointers.len()) {
        let rows = element.iter().filter(|row| **row != 0);
        all.extend(in_order_if_distinct(rows.map(|row| extent(row_at(*row), *row)).collect::<Option<_>>()?)?);
    }
    all.sort_unstable_by_key(|extent| (extent.start, extent.end));
    all.dedup();
    in_order_if_distinct(all)
}

fn in_order_if_distinct(mut extents: Vec<Range<usize>>) -> Option<Vec<Range<usize>>> {
    extents.sort_unstable_by_key(|extent| extent.start);
    extents.windows(2).all(|pair| pair[0].end <= pair[1].start).then_some(extents)
}

/// Two lists of ranges in the order of addresses have nothing in common.
fn are_apart(a: &[Range<usize>], b: &[Range<usize>]) -> bool {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let (Some(first), Some(last)) = (many.first(), many.last()) else { return true };
    let begin = few.partition_point(|range| range.end <= first.start);
    let end = few.partition_point(|range| range.start < last.end);
    // None lies between them where all of one list lie before the other's.
    few.get(begin..end).unwrap_or_default().iter().all(|range| {
        let at = many.partition_point(|other| other.end <= range.start);
        many.get(at).is_none_or(|other| range.end <= other.start)
    })
}

/// Whether everything that pointers in an array lead to is known, so that constructs can follow them.
/// `bytes` is 0 where the array's length is not known, `types` says where the pointers lie.
pub fn are_known(call: &CallContext, array: usize, bytes: usize, types: &str) -> bool {
    if array == 0 || call.state.shared() || call.state.uses_host_memory() {
        return true;
    }
    let table = ElementTypes::of(types).and_then(|types| Table::of_array(array, bytes, types));
    let Some(table) = table.filter(|_| call.state.device.prepare_for_pointers().is_ok()) else {
        return false;
    };
    if remembered::is_known(call, &table) {
        return true;
    }
    let (tables, complete) = tables_from(vec![table]);
    complete && tables.values().all(|table| known_rows(call, table).is_some() || rows_are_known(table))
}

fn rows_are_known(table: &Table) -> bool {
    let mut known = 0..0;
    table.rows().all(|row| {
        if known.contains(&row) {
            return true;
        }
        known = match row_at(row) {
            ObjectAt::Tracked(object) => object.start..object.end(),
            ObjectAt::Small(extent) => extent,
            ObjectAt::Nothing => return false,
        };
        true
    })
}

/// One for each time that pointers were followed.
static FOLLOWED: AtomicU64 = AtomicU64::new(0);

/// Objects whose places are compared before a translated copy is made again.
const COMPARED: usize = 4096;

impl Reached {
    /// Follows the pointers.
    fn find(call: &CallContext, vars: &[Var], items: Items) -> Reached {
        let moment = Moment::now();
        let number = FOLLOWED.fetch_add(1, Ordering::Relaxed);
        let mut reached = Reached { items, number, others: others(vars), ..Reached::default() };
        let followed = || vars.iter().filter(|var| is_followed(var) && !var.base.is_null());
        let table = |var: &Var| Table::of(var).unwrap_or_else(|| super::refuse(call, var));
        let complete;
        (reached.tables, complete) = tables_from(followed().map(table).collect());
        reached.is_incomplete = !complete;
        if let Some(var) = followed().next().copied() {
            let written = tables_from(followed().filter(|var| writes_rows(var)).map(table).collect()).0;
            for (key, table) in reached.tables.clone() {
                reached.rows_of(call, &var, &table, written.contains_key(&key));
            }
            for other in vars.iter().filter(|var| super::is_resident(var) && !is_followed(var) && writes(var))
            {
                reached.write_table(first(other));
            }
            reached.refuse_two_views(call, &var);
        }
        reached.join_small();
        if !reached.is_incomplete {
            let is_compared = |table: &&Table| !reached.rows.contains_key(&table.key());
            reached.proof = Proof::of(moment, reached.tables.values().filter(is_compared));
        }
        reached
    }

    /// What was found, without where the device had it.
    fn without_places(mut self) -> Reached {
        self.places.clear();
        self.objects.values_mut().for_each(|one| one.device = 0);
        (self.block, self.contents) = (None, vec![]);
        self
    }

    /// The moment at which everything was still as it was found.
    pub(super) fn holds(&self, call: &CallContext) -> Option<Moment> {
        let objects = self.objects.values().map(|one| &one.object);
        let are_there = || are_there(objects, self.small.values().map(|one| &one.extent));
        let moment = self.proof.as_ref()?.holds(are_there)?;
        self.rows.values().all(|known| known.hold(call)).then_some(moment)
    }

    /// It, for the same construct, where it still holds.
    pub(super) fn renewed(mut self, call: &CallContext, vars: &[Var]) -> Option<Reached> {
        let moment = self.holds(call)?;
        let proof = self.proof.as_mut()?;
        if proof.moment != moment && others(vars) != self.others {
            return None;
        }
        proof.moment = moment;
        Some(self)
    }

    pub(super) fn has_table(&self, table: &Table) -> bool {
        self.tables.get(&table.key()).is_some_and(|known| known.extent.end >= table.extent.end)
    }

    /// Where the device has everything, if that is not too much to compare.
    fn all_places(&self) -> Option<Vec<u64>> {
        let objects = self.objects.values().map(|one| one.device);
        let blocks = self.block.iter().map(|block| block.address);
        let all = || objects.chain(blocks).chain(self.places.values().copied()).collect();
        (self.objects.len() + self.places.len() <= COMPARED).then(all)
    }

    /// Notes what the table's pointers to data lead to, where kernels may write.
    fn rows_of(&mut self, call: &CallContext, var: &Var, table: &Table, is_written: bool) {
        if self.rows_as_before(call, table, is_written) {
            return;
        }
        self.small_written |= is_written;
        // From here on it is noticed where the host writes another pointer.
        let watched = self.watch(call, var, table);
        let mut rows = vec![];
        let mut only_objects = true;
        let mut last = 0..0;
        for row in table.rows() {
            if last.contains(&row) {
                continue;
            }
            if let Some(around) = self.table_around(row) {
                last = around.extent.clone();
                only_objects = false;
                if is_written {
                    self.write_table(row);
                }
                continue;
            }
            last = self.row(call, row, is_written);
            match self.objects.get(&last.start) {
                Some(one) => rows.push((one.object.clone(), 0)),
                None => only_objects = false,
            }
        }
        if let Some((array, changed)) = watched.filter(|_| only_objects) {
            rows.sort_unstable_by_key(|(object, _): &KnownRow| object.start);
            rows.dedup_by_key(|(object, _)| object.start);
            // From now on its plain copy is not used.
            self.objects.entry(array.start).and_modify(|one| one.watched = true);
            let bytes = table.extent.len();
            let known = KnownRows { array, bytes, changed, rows, distinct: Arc::default() };
            self.rows.insert(table.key(), known);
        }
    }

    fn table_around(&self, address: usize) -> Option<&Table> {
        let before = self.tables.range(..=(address, usize::MAX)).next_back().map(|(_, table)| table);
        before.filter(|table| table.extent.contains(&address))
    }

    /// Kernels may write to this address, where it lies in a table.
    fn write_table(&mut self, address: usize) {
        if let Some(key) = self.table_around(address).map(Table::key)
            && let Some(table) = self.tables.get_mut(&key)
        {
            table.written = true;
        }
    }

    /// Each of two tables of one memory would have its own copy, of which kernels write one.
    fn refuse_two_views(&self, call: &CallContext, var: &Var) {
        let mut last: Option<&Table> = None;
        for table in self.tables.values() {
            if let Some(last) = last
                && last.extent.end > table.extent.start
                && (last.written || table.written)
            {
                let message = format!(
                    "{} leads to memory whose pointers have two types, and that kernels write",
                    name(var)
                );
                call.fatal(var.line, &message, &[]);
            }
            last = Some(table);
        }
    }

    fn are_rows_distinct(&self, in_elements: bool) -> bool {
        let Some(others) = &self.others else { return false };
        let new = || Arc::new([DistinctRows::new(), DistinctRows::new()]);
        let rows: fn(&Table) -> _ = if in_elements { distinct_in_elements } else { distinct_rows };
        let known = |table: &Table| self.rows.get(&table.key()).map(|known| known.distinct.clone());
        let lists: Vec<_> =
            self.tables.values().map(|table| (table, known(table).unwrap_or_else(new))).collect();
        let lists: Option<Vec<_>> = lists
            .iter()
            .map(|(table, lists)| lists[usize::from(in_elements)].get_or_init(|| rows(table)).as_deref())
            .collect();
        let Some(lists) = lists.filter(|_| self.tables.values().all(Table::leads_to_data)) else {
            return false;
        };
        let apart = |at: usize| lists[at + 1..].iter().all(|other| are_apart(lists[at], other));
        (0..lists.len()).all(apart)
            && others
                .iter()
                .all(|other| lists.iter().all(|list| are_apart(std::slice::from_ref(other), list)))
    }

    /// Takes over what the pointers of a table lead to, where neither has changed. False where that is not known.
    fn rows_as_before(&mut self, call: &CallContext, table: &Table, is_written: bool) -> bool {
        let Some(known) = known_rows(call, table) else { return false };
        let array = &known.array;
        let new = || ReachedObject { object: array.clone(), written: false, watched: true, device: 0 };
        self.objects.entry(array.start).or_insert_with(new);
        known.rows.iter().for_each(|(object, _)| self.use_object(object, is_written));
        self.rows.insert(table.key(), known);
        true
    }

    /// Brings a table that was followed before to the device as it is, for which its pages are protected. Gives its last change.
    fn watch(&mut self, call: &CallContext, var: &Var, table: &Table) -> Option<(Arc<HostObject>, u64)> {
        let start = table.extent.start;
        let array = tracked_at(start).filter(|object| start < object.end() && can_be_watched(table))?;
        let is_repeated = copies().iter().any(|copy| copy.is_of(call) && copy.tables.contains(&table.extent));
        if !is_repeated || !super::is_free_of_clauses(call, &array) {
            return None;
        }
        self.use_object(&array, false);
        self.bring_objects(call, var);
        let changed = last_change(call.state, &array)?;
        Some((array, changed))
    }

    fn use_object(&mut self, object: &Arc<HostObject>, writes: bool) {
        let new = || ReachedObject { object: object.clone(), written: false, watched: false, device: 0 };
        let one = self.objects.entry(object.start).or_insert_with(new);
        (one.written, one.watched) = (one.written | writes, false);
    }

    /// Notes what a row's pointer leads to. Where nobody knows it stays as it is.
    fn row(&mut self, call: &CallContext, row: usize, is_written: bool) -> Range<usize> {
        match super::single(call, row_at(row), || row_at(row)) {
            ObjectAt::Tracked(object) => {
                let extent = object.start..object.end();
                // A data clause that has put the rows on the device decides.
                if super::is_free_of_clauses(call, &object) {
                    self.use_object(&object, is_written);
                }
                extent
            }
            ObjectAt::Small(extent) => {
                if call.find(extent.start, extent.len()).1 == Presence::Absent {
                    let new = || SmallObject { extent: extent.clone(), offset: 0, written: false };
                    self.small.entry(extent.start).or_insert_with(new).written |= is_written;
                }
                extent
            }
            ObjectAt::Nothing => {
                self.is_incomplete = true;
                0..0
            }
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
            let watched = one.watched.then(|| device_copy::watch(call, &one.object)).flatten();
            one.device = watched.unwrap_or_else(|| bring(call, &one.object, &Var { kind, ..*var }, whole));
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
        self.inside_table(row)
            .or_else(|| self.small_address(row))
            .or_else(|| at_end().map(|one| one.device + one.object.bytes as u64))
            .or_else(|| call.on_device(row, 1))
            .unwrap_or(row as u64)
    }

    /// Where the device has an address in a table's translated copy.
    fn table_address(&self, table: &Table, address: usize) -> Option<u64> {
        let begin = *self.places.get(&table.key())?;
        Some(begin.wrapping_add(address.wrapping_sub(table.extent.start) as u64))
    }

    fn inside_table(&self, address: usize) -> Option<u64> {
        self.table_address(self.table_around(address)?, address)
    }

    /// Makes the translated copies. Small ones travel together in one block; a large one has its own, so that it stays where others
    /// come and go.
    fn translate(&mut self, call: &CallContext, vars: &[Var]) {
        let Some(var) = vars.iter().find(|var| is_followed(var)) else { return };
        let has_own = |key: &&TableKey| {
            is_alone(&self.tables[key]) && (!self.tables[key].written || self.rows.contains_key(key))
        };
        let (alone, together): (Vec<TableKey>, Vec<TableKey>) = self.tables.keys().partition(has_own);
        self.together.clone_from(&together);
        let groups = alone.into_iter().map(|key| vec![key]).chain([together]).filter(|keys| !keys.is_empty());
        let mut made = vec![];
        for keys in groups {
            let copy = TranslatedCopy::of(
                call,
                var,
                keys.iter().map(|key| self.tables[key].extent.clone()).collect(),
            );
            let begins = copy.places().into_iter().map(|place| copy.block.address + place as u64);
            self.places.extend(keys.iter().copied().zip(begins));
            self.translated = copy.block.address;
            made.push((keys, copy));
        }
        make_room_for(call, made.iter().map(|(_, copy)| copy));
        // All places are known now, to which pointers may lead.
        let device = |object: &HostObject| self.objects.get(&object.start).map_or(0, |one| one.device);
        let made_of = self.all_places().map(|places| (self.number, places));
        for (keys, mut copy) in made {
            if made_of.is_some() && copy.made_of == made_of {
                copy.keep();
                continue;
            }
            copy.made_of.clone_from(&made_of);
            let rows: Vec<_> = keys.iter().map(|key| Some(self.rows.get(key)?.on_device(device))).collect();
            for ((at, key), place) in keys.iter().enumerate().zip(copy.places()) {
                // There may be millions of pointers in it.
                if !copy.has_rows(at, &rows[at]) {
                    copy.send(call, var, place, &self.translated_table(call, &self.tables[key]));
                }
            }
            copy.rows = rows;
            copy.keep();
        }
    }

    /// The table's contents with pointers that lead to the device's memory.
    fn translated_table(&self, call: &CallContext, table: &Table) -> Vec<u8> {
        let mut contents = table.bytes().to_vec();
        let mut last_row = (0..0, 0);
        let mut last_table: Option<Table> = None;
        for (at, to, value) in table.pointers().filter(|(.., value)| *value != 0) {
            let device = match to.map(|to| table.types.seen_from(to)) {
                None => self.row_address(call, value, &mut last_row),
                Some(types) => {
                    if !last_table.as_ref().is_some_and(|last| last.holds(value, types)) {
                        last_table = Table::at(value, types);
                    }
                    let inner = last_table.as_ref().and_then(|inner| self.table_address(inner, value));
                    inner.unwrap_or(value as u64)
                }
            };
            contents[at..at + POINTER].copy_from_slice(&device.to_ne_bytes());
        }
        contents
    }

    /// Brings home what kernels wrote beside the pointers; of tables with a copy of their own, when the host accesses them.
    fn tables_home(&self, call: &CallContext) {
        let written = self.tables.iter().filter(|(_, table)| table.written);
        let (together, alone): (Vec<_>, Vec<_>) = written.partition(|(key, _)| self.together.contains(key));
        for (key, table) in alone {
            let (array, device) = (&self.rows[key].array, self.places[key]);
            device_copy::written_translated(call, array, TranslatedTable { table: table.clone(), device });
            let own = |copy: &&mut TranslatedCopy| copy.is_of(call) && copy.tables == [table.extent.clone()];
            copies().iter_mut().filter(own).for_each(|copy| copy.is_newer = true);
        }
        if together.is_empty() {
            return;
        }
        let at = |copy: &mut TranslatedCopy| copy.is_of(call) && copy.block.address == self.translated;
        let copy = copies().extract_if(.., at).next();
        let Some(mut copy) = copy else { return };
        // There may be many small ones.
        let mut now = vec![0u8; copy.contents.len()];
        let (name, to) = (crate::location::Name(c"rows".as_ptr()), now.as_mut_ptr() as usize);
        transfer::receive_current(call, name, 0, to, copy.block.address, now.len());
        call.state.finish(call.location, call.queue);
        for (key, table) in together {
            let place = (self.places[key] - copy.block.address) as usize;
            let part = place..place + table.extent.len();
            let pairs = now[part.clone()].iter().zip(&copy.contents[part.clone()]);
            for (at, (new, _)) in pairs.enumerate().filter(|(_, (new, old))| new != old) {
                // SAFETY: memory of the program's; the pointers in it are as they were.
                unsafe { ((table.extent.start + at) as *mut u8).write(*new) };
            }
            copy.contents[part.clone()].copy_from_slice(&now[part]);
        }
        // The program may set back what a kernel has changed.
        copy.made_of = None;
        copy.keep();
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

/// Nothing of a device is kept.
pub fn leave(state: &'static DeviceState) {
    translated::leave(state);
    for (_, block) in spare().extract_if(.., |(of, _)| std::ptr::eq(*of, state)) {
        state.pool.give(block, SYNC_QUEUE);
    }
}
