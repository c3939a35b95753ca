//! Arrays with pointers that constructs follow: `a[i][j]` of `float **a`, `a[i].u[j]` of an array of structures, without data clauses.
//!
//! An item with the flag `ACCL_FOLLOWED` is a *table*, an array whose elements are or hold pointers, which kernels only read. What its pointers lead to are
//! objects like any other: tracked ones are resident, and many small ones that lie one after the other are a tracked one, too
//! ([`row_stretches`]); other small ones travel together in one block and come back after kernels that may have written them; or they are tables themselves. Kernels get a *translated* copy of the table, whose
//! pointers lead to the device's copies. The host's table is read at each construct, so whatever the program did to it is seen;
//! a copy that would be the same as the last one is not sent again. What kernels may have written beside the pointers comes back. A large array that is followed again, and leads to tracked objects
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
use accl_abi::pointers::{PointerType, PointerTypes};
use accl_abi::{Var, data_flags, data_kind, text};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

const POINTER: usize = size_of::<u64>();
/// What the C library aligns allocations to.
const ALIGNMENT: usize = 16;
/// Translated copies that are kept.
const KEPT: usize = 64;
const KEPT_BYTES: usize = 256 << 20;
/// Bytes of a table from which on it travels alone.
const ALONE: usize = 64 << 10;

pub fn is_followed(var: &Var) -> bool {
    var.flags & data_flags::FOLLOWED != 0
}

/// Where pointers lie in the elements of a table, and from there on.
struct ElementTypes {
    types: PointerTypes,
    /// The same, seen from each of these types.
    from: OnceLock<Vec<Types>>,
}

/// There is one of each.
type Types = &'static ElementTypes;

impl ElementTypes {
    /// What a text of the program's describes.
    fn of(text: &str) -> Option<Types> {
        static KNOWN: Mutex<Option<HashMap<String, Types>>> = Mutex::new(None);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if !known.contains_key(text) {
            let of = ElementTypes { types: PointerTypes::parse(text)?, from: OnceLock::new() };
            known.insert(text.to_owned(), Box::leak(Box::new(of)));
        }
        known.get(text).copied()
    }

    fn element(&'static self) -> &'static PointerType {
        &self.types.0[0]
    }

    fn seen_from(&'static self, number: usize) -> Types {
        let find = |number| ElementTypes::of(&self.types.from(number).to_string()).unwrap_or(self);
        self.from.get_or_init(|| (0..self.types.0.len()).map(find).collect())[number]
    }
}

/// A table: its memory, whole elements, and the type of these.
#[derive(Clone)]
struct Table {
    extent: Range<usize>,
    types: Types,
    /// Kernels may write what lies beside its pointers.
    written: bool,
}

/// Where it begins, and the type: two of one memory are the same only if they have the same type.
type TableKey = (usize, usize);

impl Table {
    /// The one that the pointer leads into: the object around it, from its first to its last whole element.
    fn at(pointer: usize, types: Types) -> Option<Table> {
        let extent = match row_at(pointer) {
            ObjectAt::Tracked(object) => object.start..object.end(),
            ObjectAt::Small(extent) => extent,
            ObjectAt::Nothing => return None,
        };
        let size = types.element().size;
        let start = extent.start + (pointer - extent.start) % size;
        let end = start + extent.end.saturating_sub(start) / size * size;
        Some(Table { extent: start..end, types, written: false })
    }

    /// The one of an item.
    fn of(var: &Var) -> Option<Table> {
        // SAFETY: a constant of the program.
        let types = ElementTypes::of(&unsafe { text(var.pointers) })?;
        let table = Table::of_array(first(var), var.bytes, types)?;
        Some(Table { written: var.flags & data_flags::FOLLOWED_WRITTEN != 0, ..table })
    }

    /// A variable that is an array itself, or, where `bytes` is 0, the object that a pointer leads into.
    fn of_array(array: usize, bytes: usize, types: Types) -> Option<Table> {
        match bytes {
            0 => Table::at(array, types),
            _ => {
                let bytes = bytes / types.element().size * types.element().size;
                Some(Table { extent: array..array + bytes, types, written: false })
            }
        }
    }

    fn key(&self) -> TableKey {
        (self.extent.start, std::ptr::from_ref(self.types) as usize)
    }

    /// All its pointers lead to data.
    fn leads_to_data(&self) -> bool {
        self.types.element().pointers.iter().all(|pointer| pointer.to.is_none())
    }

    /// Where in the table each pointer lies, what it leads to, and its value.
    fn pointers(&self) -> impl Iterator<Item = (usize, Option<usize>, usize)> + use<> {
        let (extent, element) = (self.extent.clone(), self.types.element());
        extent.clone().step_by(element.size).flat_map(move |at| {
            element.pointers.iter().map(move |pointer| {
                let at = at + pointer.offset;
                // SAFETY: memory of the program's, which the construct uses.
                (at - extent.start, pointer.to, unsafe { (at as *const usize).read_unaligned() })
            })
        })
    }

    /// The pointers that lead to data.
    fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        self.pointers().filter(|(_, to, value)| to.is_none() && *value != 0).map(|(.., value)| value)
    }

    /// The tables that its pointers lead to. `None` for a pointer that leads nowhere.
    fn tables(&self) -> impl Iterator<Item = Option<Table>> + use<> {
        let (types, mut last) = (self.types, None::<Table>);
        self.pointers().filter_map(move |(_, to, value)| {
            let types = types.seen_from(to.filter(|_| value != 0)?);
            if last.as_ref().is_some_and(|last| last.holds(value, types)) {
                return None;
            }
            last = Table::at(value, types);
            Some(last.clone())
        })
    }

    fn holds(&self, pointer: usize, types: Types) -> bool {
        std::ptr::eq(self.types, types)
            && self.extent.contains(&pointer)
            && (pointer - self.extent.start).is_multiple_of(types.element().size)
    }
}

/// These tables, and all that they lead to. False: a pointer leads nowhere.
fn tables_from(mut todo: Vec<Table>) -> (BTreeMap<TableKey, Table>, bool) {
    let (mut found, mut complete) = (BTreeMap::<TableKey, Table>::new(), true);
    while let Some(table) = todo.pop() {
        if let Some(known) = found.get(&table.key()).filter(|known| known.extent.end >= table.extent.end)
            && known.written >= table.written
        {
            continue;
        }
        // There may be millions of pointers to data.
        for inner in (!table.leads_to_data()).then(|| table.tables()).into_iter().flatten() {
            complete &= inner.is_some();
            todo.extend(inner.map(|inner| Table { written: table.written, ..inner }));
        }
        let known = found.entry(table.key()).or_insert_with(|| table.clone());
        known.extent.end = known.extent.end.max(table.extent.end);
        known.written |= table.written;
    }
    (found, complete)
}

fn writes(var: &Var) -> bool {
    matches!(var.kind, data_kind::COPY | data_kind::COPYOUT)
}

/// What the followed items of a construct lead to.
#[derive(Default)]
struct Reached {
    tables: BTreeMap<TableKey, Table>,
    /// Where the translated copy of each begins, and the block of those that travel together.
    places: BTreeMap<TableKey, u64>,
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
    let followed = || vars.iter().filter(|var| is_followed(var) && !var.base.is_null());
    let table = |var: &Var| Table::of(var).unwrap_or_else(|| super::refuse(call, var));
    reached.tables = tables_from(followed().map(table).collect()).0;
    if let Some(var) = followed().next().copied() {
        let written = tables_from(followed().filter(|var| writes(var)).map(table).collect()).0;
        for (key, table) in reached.tables.clone() {
            reached.rows_of(call, &var, &table, written.contains_key(&key));
        }
        for other in vars.iter().filter(|var| super::is_resident(var) && !is_followed(var) && writes(var)) {
            reached.write_table(first(other));
        }
        reached.refuse_two_views(call, &var);
    }
    reached.join_small();
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
    for one in reached.objects.values() {
        if one.written {
            written(call, &one.object, one.object.start..one.object.end());
        }
        one.object.end_use();
    }
    reached.small_home(call);
    reached.tables_home(call);
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

/// What the pointers of a table lead to, in the order of addresses, if each leads to another object.
fn distinct_rows(table: &Table) -> Option<Vec<Range<usize>>> {
    let mut extents = table.rows().map(|row| extent(row_at(row), row)).collect::<Option<Vec<_>>>()?;
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

impl Reached {
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

    fn are_rows_distinct(&self) -> bool {
        let Some(others) = &self.others else { return false };
        let new = || Arc::new(OnceLock::new());
        let known = |table: &Table| self.rows.get(&table.key()).map(|known| known.distinct.clone());
        let lists: Vec<_> =
            self.tables.values().map(|table| (table, known(table).unwrap_or_else(new))).collect();
        let lists: Option<Vec<_>> =
            lists.iter().map(|(table, list)| list.get_or_init(|| distinct_rows(table)).as_deref()).collect();
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
        self.use_object(&known.array, false);
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
        let new = || ReachedObject { object: object.clone(), written: false, device: 0 };
        self.objects.entry(object.start).or_insert_with(new).written |= writes;
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
        let is_alone = |table: &Table| table.extent.len() >= ALONE && can_be_watched(table);
        let (alone, together): (Vec<TableKey>, Vec<TableKey>) =
            self.tables.keys().partition(|key| is_alone(&self.tables[key]));
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
        for (keys, mut copy) in made {
            let rows: Vec<_> = keys.iter().map(|key| Some(self.rows.get(key)?.on_device(self))).collect();
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
        // SAFETY: memory of the program's, which the construct uses.
        let mut contents =
            unsafe { std::slice::from_raw_parts(table.extent.start as *const u8, table.extent.len()) }
                .to_vec();
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

    /// Brings home what kernels wrote beside the pointers.
    fn tables_home(&self, call: &CallContext) {
        if !self.tables.values().any(|table| table.written) {
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
        for (key, table) in self.tables.iter().filter(|(_, table)| table.written) {
            let place = (self.places[key] - copy.block.address) as usize;
            let part = place..place + table.extent.len();
            let pairs = now[part.clone()].iter().zip(&copy.contents[part.clone()]);
            for (at, (new, _)) in pairs.enumerate().filter(|(_, (new, old))| new != old) {
                // SAFETY: memory of the program's; the pointers in it are as they were.
                unsafe { ((table.extent.start + at) as *mut u8).write(*new) };
            }
            copy.contents[part.clone()].copy_from_slice(&now[part]);
        }
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

/// The translated tables of a construct, on the device.
struct TranslatedCopy {
    state: &'static DeviceState,
    tables: Vec<Range<usize>>,
    contents: Vec<u8>,
    block: Block,
    /// Where they are known, what each table leads to.
    rows: Vec<Option<KnownRows>>,
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

/// Its pointers lead to data, and nothing but the program changes it.
fn can_be_watched(table: &Table) -> bool {
    table.leads_to_data() && !table.written
}

/// What the pointers of a table lead to, if that is as it was when it was followed the last time.
fn known_rows(call: &CallContext, table: &Table) -> Option<KnownRows> {
    let copies = copies();
    let at = |copy: &TranslatedCopy| copy.tables.iter().position(|extent| *extent == table.extent);
    let of = copies.iter().filter(|copy| copy.is_of(call));
    let known = of.into_iter().find_map(|copy| copy.rows.get(at(copy)?)?.clone())?;
    drop(copies);
    (can_be_watched(table) && known.hold(call)).then_some(known)
}

static COPIES: Mutex<Vec<TranslatedCopy>> = Mutex::new(Vec::new());

fn copies() -> MutexGuard<'static, Vec<TranslatedCopy>> {
    COPIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives back the copies that were not used longest, where they and those that a construct has taken out for itself are too many.
fn make_room_for<'c>(call: &CallContext, taken: impl Iterator<Item = &'c TranslatedCopy>) {
    let bytes_of = |copy: &TranslatedCopy| copy.contents.len();
    let (count, bytes) = taken.fold((0, 0), |(count, bytes), copy| (count + 1, bytes + bytes_of(copy)));
    let mut copies = copies();
    let mut all = bytes + copies.iter().map(bytes_of).sum::<usize>();
    while !copies.is_empty() && (copies.len() + count > KEPT || all > KEPT_BYTES) {
        let oldest = copies.remove(0);
        all -= bytes_of(&oldest);
        oldest.release(call);
    }
}

/// Where tables begin that travel in one block, and its bytes.
fn places_of(tables: &[Range<usize>]) -> (Vec<usize>, usize) {
    let mut bytes = 0usize;
    let place = |extent: &Range<usize>| {
        let place = bytes.next_multiple_of(ALIGNMENT) + extent.start % ALIGNMENT;
        bytes = place + extent.len();
        place
    };
    (tables.iter().map(place).collect(), bytes)
}

impl TranslatedCopy {
    /// Where its tables begin in the block.
    fn places(&self) -> Vec<usize> {
        places_of(&self.tables).0
    }

    fn is_of(&self, call: &CallContext) -> bool {
        std::ptr::eq(self.state, call.state)
    }

    /// The copy of these tables, if there is one, or a new one with nothing in it.
    fn of(call: &CallContext, var: &Var, tables: Vec<Range<usize>>) -> TranslatedCopy {
        let same = |copy: &mut TranslatedCopy| copy.is_of(call) && copy.tables == tables;
        if let Some(copy) = copies().extract_if(.., same).next() {
            return copy;
        }
        let bytes = places_of(&tables).1;
        let block = data::take_block(call, var, bytes.max(POINTER));
        TranslatedCopy { state: call.state, tables, contents: vec![0; bytes], block, rows: vec![] }
    }

    /// The part of this table was made when its pointers led to these objects at these places.
    fn has_rows(&self, table: usize, rows: &Option<KnownRows>) -> bool {
        let known = self.rows.get(table).and_then(Option::as_ref);
        known.zip(rows.as_ref()).is_some_and(|(known, rows)| known.same_as(rows))
    }

    /// Sends the part of a table, if it has changed.
    fn send(&mut self, call: &CallContext, var: &Var, place: usize, contents: &[u8]) {
        let before = &mut self.contents[place..place + contents.len()];
        if !self.rows.is_empty() && *before == *contents {
            return;
        }
        before.copy_from_slice(contents);
        if !self.rows.is_empty() {
            self.finish_work(call);
        }
        let (from, device) = (contents.as_ptr() as usize, self.block.address + place as u64);
        transfer::send_current(call, name(var), var.line, from, device, contents.len());
        call.state.finish(call.location, call.queue);
    }

    fn keep(self) {
        copies().push(self);
    }

    /// Work on any queue may still follow its pointers.
    fn finish_work(&self, call: &CallContext) {
        for queue in self.state.queues.all() {
            self.state.finish(call.location, queue);
        }
    }

    fn release(self, call: &CallContext) {
        self.finish_work(call);
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
