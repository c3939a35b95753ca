//! What an object carries for the link step of `accl`: a record in a section that linkers leave out of programs.
//!
//! Objects that other tools have joined (`ld -r`) hold several records, one behind the other.

use super::address_symbol;
use crate::cc::Session;
use crate::cc::compile::{self, Compiled, Source};
use crate::cc::unit::Compilation;
use crate::invocation::Front;
use accl_source::{LineMap, Span};
use anyhow::Result;
use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::Read;

pub const SECTION: &str = ".accl.unit";

/// How a record begins; its length follows. Other versions of the compiler write the IR differently.
fn mark() -> Vec<u8> {
    format!("accl unit {}\n", env!("CARGO_PKG_VERSION")).into_bytes()
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    /// The unit's, by which its symbols end.
    pub id: String,
    pub exports: Option<Exports>,
    pub deferred: Option<Deferred>,
    /// Variables of threads that the unit has as scratch memory at most.
    pub scratch: BTreeSet<String>,
}

/// Functions for the device code of other units.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Exports {
    /// The text form of their IR.
    pub module: String,
    pub addresses: Vec<String>,
    pub declared: BTreeSet<usize>,
    /// Functions that cannot be translated, with the reasons.
    pub refused: Vec<(String, String)>,
}

/// What it takes to compile the unit again, since constructs of it call functions of other units, or have variables of threads as
/// scratch memory that others could read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Deferred {
    pub calls: Vec<Call>,
    /// The texts of these constructs.
    pub constructs: Vec<(u32, u32)>,
    /// What is said where the functions are not found.
    pub messages: String,
    pub warnings_are_errors: bool,
    pub cplusplus: bool,
    /// The command line that compiled it.
    pub words: Vec<String>,
    pub path: String,
    pub language: String,
    pub text: String,
    pub by_gcc: bool,
}

/// A call of a function that the unit does not define.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Call {
    pub link_name: String,
    pub name: String,
    /// file:line
    pub place: String,
}

/// Statements for the assembler that put the unit's record into its section; nothing where there is nothing to tell.
pub fn assembly(session: &Session, unit: &Compilation, compiled: &Compiled) -> Result<String> {
    let exports = exports(&compiled.source);
    let deferred = deferred(session, unit, compiled);
    let scratch = compiled.source.unit.scratch.clone();
    packed(&Record { id: compiled.source.id(), exports, deferred, scratch })
}

/// The same for a unit without directives.
pub fn of_exports(source: &Source) -> Result<String> {
    packed(&Record { id: source.id(), exports: exports(source), deferred: None, scratch: BTreeSet::new() })
}

fn packed(record: &Record) -> Result<String> {
    if record.exports.is_none() && record.deferred.is_none() {
        return Ok(String::new());
    }
    let mut packed = ZlibEncoder::new(vec![], Compression::fast());
    serde_json::to_writer(&mut packed, record)?;
    let packed = packed.finish()?;
    let length = (packed.len() as u64).to_le_bytes();
    let bytes = [&mark()[..], &length, &packed].concat();
    let mut text = format!("__asm__(\".pushsection {SECTION},\\\"e\\\",@progbits\\n\"\n");
    for line in bytes.chunks(64) {
        let line: String = line.iter().map(|byte| format!("\\\\{byte:03o}")).collect();
        text.push_str(&format!("    \".ascii \\\"{line}\\\"\\n\"\n"));
    }
    text.push_str("    \".popsection\\n\");\n");
    Ok(text)
}

fn exports(source: &Source) -> Option<Exports> {
    let unit = &source.unit;
    let accl_frontend::Exports { module, refused, nameable, declared } = &unit.exports;
    if module.functions.is_empty() && refused.is_empty() {
        return None;
    }
    let id = source.id();
    // A unit without directives is compiled as it is, and tells no addresses.
    let nameable = |at: usize| unit.has_directives && nameable.contains(&at);
    let address = |at| if nameable(at) { address_symbol(&id, at) } else { String::new() };
    Some(Exports {
        module: module.to_text(),
        addresses: (0..module.globals.len()).map(address).collect(),
        declared: declared.clone(),
        refused: refused.clone(),
    })
}

fn deferred(session: &Session, unit: &Compilation, compiled: &Compiled) -> Option<Deferred> {
    let waiting = &compiled.deferred;
    let read = &compiled.source.unit;
    if waiting.undefined.is_empty() && read.scratch.is_empty() || unit.at_link.is_some() {
        return None;
    }
    let mut messages = vec![];
    compile::show(session, compiled.files(), &waiting.diagnostics, &waiting.remarks, &mut messages);
    let call = |u: &accl_frontend::Undefined| Call {
        link_name: u.link_name.clone(),
        name: u.name.clone(),
        place: place(&read.line_map, u.call),
    };
    let front = session.front_for(&unit.language);
    Some(Deferred {
        calls: waiting.undefined.iter().map(call).collect(),
        constructs: waiting.constructs.iter().map(|span| (span.start, span.end)).collect(),
        messages: String::from_utf8_lossy(&messages).into_owned(),
        warnings_are_errors: session.invocation.has_option(|o| o == "-Werror"),
        cplusplus: front == Front::Cxx,
        words: session.words.clone(),
        path: unit.path.display().to_string(),
        language: unit.language.preprocessed().option().unwrap_or_default().to_owned(),
        text: read.preprocessed.text.to_string(),
        by_gcc: read.preprocessed.by_gcc,
    })
}

fn place(lines: &LineMap, span: Span) -> String {
    let at = lines.locate(span.start);
    format!("{}:{}", at.file, at.line)
}

/// The records of a section.
pub fn read(mut section: &[u8]) -> Vec<Record> {
    let mark = mark();
    let mut records = vec![];
    while let Some(at) = section.windows(mark.len()).position(|window| window == mark) {
        let rest = &section[at + mark.len()..];
        let Some((length, rest)) = rest.split_first_chunk::<8>() else { break };
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let Some(packed) = rest.get(..length) else { break };
        section = &rest[length..];
        let mut text = String::new();
        if ZlibDecoder::new(packed).read_to_string(&mut text).is_ok()
            && let Ok(record) = serde_json::from_str(&text)
        {
            records.push(record);
        }
    }
    records
}
