//! Tables: arrays whose elements are pointers, or hold some, and what these lead to.

use super::objects::{ObjectAt, small_at, tracked_at};
use crate::variable::first;
use accl_abi::pointers::{PointerAt, PointerType, PointerTypes};
use accl_abi::{Var, data_flags, text};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

pub(super) const POINTER: usize = size_of::<u64>();

/// Where pointers lie in the elements of a table, and from there on.
pub(super) struct ElementTypes {
    types: PointerTypes,
    /// The same, seen from each of these types.
    from: OnceLock<Vec<Types>>,
}

/// There is one of each.
pub(super) type Types = &'static ElementTypes;

impl ElementTypes {
    /// What a text of the program's describes.
    pub(super) fn of(text: &str) -> Option<Types> {
        static KNOWN: Mutex<Option<HashMap<String, Types>>> = Mutex::new(None);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if !known.contains_key(text) {
            let of = ElementTypes { types: PointerTypes::parse(text)?, from: OnceLock::new() };
            known.insert(text.to_owned(), Box::leak(Box::new(of)));
        }
        known.get(text).copied()
    }

    pub(super) fn element(&'static self) -> &'static PointerType {
        &self.types.0[0]
    }

    pub(super) fn seen_from(&'static self, number: usize) -> Types {
        let find = |number| ElementTypes::of(&self.types.from(number).to_string()).unwrap_or(self);
        self.from.get_or_init(|| (0..self.types.0.len()).map(find).collect())[number]
    }
}

/// A table: its memory, whole elements, and the type of these.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) extent: Range<usize>,
    pub(super) types: Types,
    /// Kernels may write what lies beside its pointers.
    pub(super) written: bool,
}

/// Where it begins, and the type: two of one memory are the same only if they have the same type.
pub(super) type TableKey = (usize, usize);

impl Table {
    /// The one that the pointer leads into: the object around it, from its first to its last whole element.
    pub(super) fn at(pointer: usize, types: Types) -> Option<Table> {
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
    pub(super) fn of(var: &Var) -> Option<Table> {
        // SAFETY: a constant of the program.
        let types = ElementTypes::of(&unsafe { text(var.pointers) })?;
        let table = Table::of_array(first(var), var.bytes, types)?;
        Some(Table { written: var.flags & data_flags::FOLLOWED_WRITTEN != 0, ..table })
    }

    /// A variable that is an array itself, or, where `bytes` is 0, the object that a pointer leads into.
    pub(super) fn of_array(array: usize, bytes: usize, types: Types) -> Option<Table> {
        match bytes {
            0 => Table::at(array, types),
            _ => {
                let bytes = bytes / types.element().size * types.element().size;
                Some(Table { extent: array..array + bytes, types, written: false })
            }
        }
    }

    pub(super) fn key(&self) -> TableKey {
        (self.extent.start, std::ptr::from_ref(self.types) as usize)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: memory of the program's, which the construct uses.
        unsafe { std::slice::from_raw_parts(self.extent.start as *const u8, self.extent.len()) }
    }

    /// All its pointers lead to data.
    pub(super) fn leads_to_data(&self) -> bool {
        self.types.element().pointers.iter().all(|pointer| pointer.to.is_none())
    }

    /// The memory of the pointers that have some of these bytes.
    pub(super) fn places_of_pointers(
        &self,
        bytes: &Range<usize>,
    ) -> impl Iterator<Item = Range<usize>> + use<> {
        let element = self.types.element();
        let first = bytes.start - (bytes.start - self.extent.start) % element.size;
        (first..bytes.end).step_by(element.size).flat_map(move |at| {
            let place = move |pointer: &PointerAt| at + pointer.offset..at + pointer.offset + POINTER;
            element.pointers.iter().map(place)
        })
    }

    /// Where in the table each pointer lies, what it leads to, and its value.
    pub(super) fn pointers(&self) -> impl Iterator<Item = (usize, Option<usize>, usize)> + use<> {
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
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        self.pointers().filter(|(_, to, value)| to.is_none() && *value != 0).map(|(.., value)| value)
    }

    /// The tables that its pointers lead to. `None` for a pointer that leads nowhere.
    pub(super) fn tables(&self) -> impl Iterator<Item = Option<Table>> + use<> {
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

    pub(super) fn holds(&self, pointer: usize, types: Types) -> bool {
        std::ptr::eq(self.types, types)
            && self.extent.contains(&pointer)
            && (pointer - self.extent.start).is_multiple_of(types.element().size)
    }
}

/// These tables, and all that they lead to. False: a pointer leads nowhere.
pub(super) fn tables_from(mut todo: Vec<Table>) -> (BTreeMap<TableKey, Table>, bool) {
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

/// What a row's pointer leads to. One behind an object's end may lead to the next.
pub(super) fn row_at(pointer: usize) -> ObjectAt {
    match tracked_at(pointer) {
        Some(object) if pointer < object.end() => ObjectAt::Tracked(object),
        at_end => match small_at(pointer) {
            Some(extent) => ObjectAt::Small(extent),
            None => at_end.map_or(ObjectAt::Nothing, ObjectAt::Tracked),
        },
    }
}
