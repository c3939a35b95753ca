//! Static arrays that nobody has told the runtime of: those in functions, and those of files without directives.
//!
//! The program's file has a table of its symbols, unless it was stripped; then such arrays are unknown, and the host runs the
//! loops that are given pointers to them. The table is read when a construct first meets a pointer of which nothing is known.

use std::ops::Range;
use std::sync::OnceLock;

/// The object of the program's around an address, or the one that ends there.
pub fn array_at(address: usize) -> Option<Range<usize>> {
    static OBJECTS: OnceLock<Vec<Range<usize>>> = OnceLock::new();
    let objects = OBJECTS.get_or_init(|| read().unwrap_or_default());
    let next = objects.partition_point(|object| object.start <= address);
    let object = objects[..next].last()?;
    (address <= object.end).then(|| object.clone())
}

/// Whether an array with static storage may begin at an address where a known object ends. Nobody knows of those in libraries, and in
/// programs that were stripped.
pub fn may_begin(address: usize) -> bool {
    match array_at(address) {
        Some(array) => address < array.end,
        None => is_loaded(address),
    }
}

/// Whether an address lies in the program's file or in a library.
pub fn is_loaded(address: usize) -> bool {
    // SAFETY: the address is compared.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        libc::dladdr(address as *const _, &raw mut info) != 0
    }
}

fn read() -> Option<Vec<Range<usize>>> {
    let file = std::fs::read("/proc/self/exe").ok()?;
    let mut objects = writable_objects(&Elf { file: &file })?;
    let base = base()?;
    objects.iter_mut().for_each(|object| *object = object.start + base..object.end + base);
    Some(objects)
}

/// What is added to the addresses in the program's file.
fn base() -> Option<usize> {
    unsafe extern "C" fn first(
        info: *mut libc::dl_phdr_info,
        _: usize,
        base: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the C library's information, and the variable below.
        unsafe { *base.cast::<Option<usize>>() = usize::try_from((*info).dlpi_addr).ok() };
        1
    }
    let mut base: Option<usize> = None;
    // SAFETY: the program is the first object that is visited; the function stops there.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut base).cast()) };
    base
}

/// An ELF file of 64 bits (System V ABI, chapter 4).
struct Elf<'f> {
    file: &'f [u8],
}

const SYMBOL_TABLE: u64 = 2;
const WRITABLE: u64 = 1;
const OBJECT: u64 = 1;
const SECTION: usize = 64;
const SYMBOL: usize = 24;

impl Elf<'_> {
    fn number(&self, at: usize, bytes: usize) -> Option<u64> {
        let part = self.file.get(at..at.checked_add(bytes)?)?;
        Some(part.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn place(&self, at: usize) -> Option<usize> {
        usize::try_from(self.number(at, 8)?).ok()
    }
}

fn writable_objects(elf: &Elf<'_>) -> Option<Vec<Range<usize>>> {
    if elf.file.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (sections, count) = (elf.place(40)?, usize::try_from(elf.number(60, 2)?).ok()?);
    let section = |number: usize| number.checked_mul(SECTION)?.checked_add(sections);
    let mut objects = vec![];
    for number in 0..count {
        let at = section(number)?;
        if elf.number(at + 4, 4)? != SYMBOL_TABLE {
            continue;
        }
        let (from, bytes) = (elf.place(at + 24)?, elf.place(at + 32)?);
        for symbol in (0..bytes / SYMBOL).map(|i| from + i * SYMBOL) {
            let (kind, of) = (elf.number(symbol + 4, 1)? & 15, elf.number(symbol + 6, 2)?);
            let (start, bytes) = (elf.place(symbol + 8)?, elf.place(symbol + 16)?);
            let of = usize::try_from(of).ok()?;
            if kind != OBJECT || bytes == 0 || of >= count || elf.number(section(of)? + 8, 8)? & WRITABLE == 0
            {
                continue;
            }
            objects.push(start..start + bytes);
        }
    }
    objects.sort_by_key(|object| (object.start, object.end));
    Some(objects)
}

#[cfg(test)]
mod tests {
    use super::*;

    static ARRAY: std::sync::Mutex<[u64; 300]> = std::sync::Mutex::new([0; 300]);

    #[test]
    fn a_static_array_is_found_by_any_address_in_it() {
        let start = &raw const ARRAY as usize;
        let found = array_at(start + 8 * 20).expect("the test's program has its symbols");
        assert!(found.start <= start && found.end >= start + 2400);
        let local = 0u8;
        assert!(array_at(&raw const local as usize).is_none());
        assert!(may_begin(start) && !may_begin(&raw const local as usize));
    }

    #[test]
    fn a_file_of_another_kind_has_no_symbols() {
        assert!(writable_objects(&Elf { file: b"#!/bin/sh" }).is_none());
        assert!(writable_objects(&Elf { file: b"\x7fELF\x02\x01" }).is_none());
    }
}
