//! What a link consists of: objects, and members of archives, with the records of their units.

use super::record::{self, Record};
use crate::invocation::{Class, Invocation, Item};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A unit in a file that is linked.
pub struct UnitFile {
    pub record: Record,
    /// The object or archive, as the command names it.
    pub file: PathBuf,
    pub member: Option<Member>,
    /// The object holds other units, too, which another tool has joined with it.
    pub joined: bool,
}

impl UnitFile {
    /// Another object can take the unit's place.
    pub fn is_replaceable(&self) -> bool {
        !self.joined && self.member.as_ref().is_none_or(|member| member.replaceable)
    }
}

/// A member of an archive.
pub struct Member {
    pub name: String,
    /// It can be replaced: it lies in the archive, and no other member has its name.
    pub replaceable: bool,
}

/// The objects and archives that a command line names, in order. `compiled` are those of its own sources.
pub fn files(invocation: &Invocation, compiled: &[PathBuf]) -> Vec<PathBuf> {
    let named = invocation.items.iter().filter_map(|item| match item {
        Item::Object(path) => Some(path.clone()),
        Item::Option { words, class: Class::Link } => library(invocation, words),
        Item::Option { .. } | Item::Source { .. } => None,
    });
    let mut files: Vec<PathBuf> = compiled.iter().cloned().chain(named).collect();
    let mut met = BTreeSet::new();
    files.retain(|file| met.insert(file.clone()));
    files
}

/// The archive that `-lname` stands for; a shared library of that name in the same folder comes first.
pub fn library(invocation: &Invocation, words: &[String]) -> Option<PathBuf> {
    let name = words[0].strip_prefix("-l")?;
    let name = if name.is_empty() { words.get(1)? } else { name };
    let fixed = invocation.has_option(|o| o == "-static");
    folders(invocation).into_iter().find_map(|dir| {
        if let Some(file) = name.strip_prefix(':') {
            return Some(dir.join(file)).filter(|path| path.is_file());
        }
        let shared = dir.join(format!("lib{name}.so"));
        let archive = dir.join(format!("lib{name}.a"));
        if !fixed && shared.is_file() { Some(shared) } else { archive.is_file().then_some(archive) }
    })
}

fn folders(invocation: &Invocation) -> Vec<PathBuf> {
    let options = invocation.items.iter().filter_map(|item| match item {
        Item::Option { words, .. } => words[0].strip_prefix("-L").map(|dir| (dir, words.get(1))),
        Item::Object(_) | Item::Source { .. } => None,
    });
    let folder = |(joined, separate): (&str, Option<&String>)| match joined {
        "" => separate.map(PathBuf::from),
        dir => Some(PathBuf::from(dir)),
    };
    options.filter_map(folder).collect()
}

/// The units of a file; none where it is no object and no archive.
pub fn units(path: &Path) -> Vec<UnitFile> {
    if !may_hold_units(path) {
        return vec![];
    }
    let Ok(bytes) = std::fs::read(path) else { return vec![] };
    if !bytes.starts_with(b"!<") {
        return in_object(&bytes, path, None);
    }
    let Ok(archive) = ArchiveFile::parse(&*bytes) else { return vec![] };
    let members: Vec<_> = archive.members().flatten().collect();
    let mut units = vec![];
    for member in &members {
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let alone = members.iter().filter(|other| other.name() == member.name()).count() == 1;
        let data = match member.is_thin() {
            true => std::fs::read(path.parent().unwrap_or(Path::new("")).join(&name)).unwrap_or_default(),
            false => member.data(&*bytes).map(<[u8]>::to_vec).unwrap_or_default(),
        };
        let replaceable = alone && !member.is_thin();
        units.extend(in_object(&data, path, Some(&|| Member { name: name.clone(), replaceable })));
    }
    units
}

/// An archive, or a relocatable object by its header: shared libraries may be large, and are not read.
fn may_hold_units(path: &Path) -> bool {
    let mut header = [0; 18];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut header));
    let kind = u16::from_le_bytes([header[16], header[17]]);
    read.is_ok()
        && (header.starts_with(b"!<") || header.starts_with(b"\x7fELF") && kind == object::elf::ET_REL)
}

fn in_object(bytes: &[u8], path: &Path, member: Option<&dyn Fn() -> Member>) -> Vec<UnitFile> {
    let Ok(object) = object::File::parse(bytes) else { return vec![] };
    if object.kind() != object::ObjectKind::Relocatable {
        return vec![];
    }
    let sections = object.sections().filter(|s| s.name() == Ok(record::SECTION));
    let data: Vec<&[u8]> = sections.filter_map(|s| s.data().ok()).collect();
    let records: Vec<Record> = data.iter().flat_map(|data| record::read(data)).collect();
    if records.is_empty() && !data.is_empty() {
        let text =
            "was compiled by another version of accl: device code of it and of other files stays apart";
        crate::cc::show(format!("accl: note: '{}' {text}\n", path.display()).as_bytes());
    }
    // Each unit has a module that is called by its id alone.
    let is_id = |rest: &str| rest.starts_with('u') && !rest.contains('_');
    let modules = object.symbols().filter(|s| {
        s.is_definition() && s.name().is_ok_and(|n| n.strip_prefix("accl_module_").is_some_and(is_id))
    });
    let joined = modules.count() > 1;
    let unit = |record| UnitFile { record, file: path.to_owned(), member: member.map(|m| m()), joined };
    records.into_iter().map(unit).collect()
}

/// The variables of threads that every object which names them has as scratch memory at most.
pub fn scratch(files: &[PathBuf], units: &[UnitFile]) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = units.iter().flat_map(|unit| unit.record.scratch.clone()).collect();
    if found.is_empty() {
        return found;
    }
    for file in files {
        let Ok(bytes) = std::fs::read(file) else { continue };
        match ArchiveFile::parse(&*bytes) {
            Ok(archive) => archive.members().flatten().for_each(|member| match member.data(&*bytes) {
                Ok(data) if !member.is_thin() => keep_scratch(data, &mut found),
                _ => found.clear(),
            }),
            Err(_) => keep_scratch(&bytes, &mut found),
        }
    }
    found
}

/// Takes away what an object names and does not answer for.
fn keep_scratch(bytes: &[u8], scratch: &mut BTreeSet<String>) {
    let Ok(object) = object::File::parse(bytes) else { return };
    let sections = object.sections().filter(|s| s.name() == Ok(record::SECTION));
    let records: Vec<Record> = sections.filter_map(|s| s.data().ok()).flat_map(record::read).collect();
    let answers = |name: &str| !records.is_empty() && records.iter().all(|r| r.scratch.contains(name));
    for name in object.symbols().chain(object.dynamic_symbols()).filter_map(|symbol| symbol.name().ok()) {
        if scratch.contains(name) && !answers(name) {
            scratch.remove(name);
        }
    }
}

/// The file is a shared library.
pub fn is_shared(path: &Path) -> bool {
    let read = std::fs::read(path);
    read.is_ok_and(|bytes| {
        object::File::parse(&*bytes).is_ok_and(|o| o.kind() == object::ObjectKind::Dynamic)
    })
}

/// The first of the files that defines the symbol.
pub fn defining<'f>(files: &'f [PathBuf], symbol: &str) -> Option<&'f PathBuf> {
    let defines = |bytes: &[u8]| {
        let Ok(object) = object::File::parse(bytes) else { return false };
        let is = |s: object::Symbol<'_, '_>| s.is_definition() && s.is_global() && s.name() == Ok(symbol);
        object.symbols().any(is) || object.dynamic_symbols().any(is)
    };
    files.iter().find(|path| {
        let Ok(bytes) = std::fs::read(path) else { return false };
        match ArchiveFile::parse(&*bytes) {
            Ok(archive) => archive.members().flatten().any(|m| m.data(&*bytes).is_ok_and(defines)),
            Err(_) => defines(&bytes),
        }
    })
}
