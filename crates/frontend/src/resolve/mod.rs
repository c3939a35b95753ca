//! Directives of OpenMP that are settled before the program is read: the text gets what they stand for, in the words of
//! directives that the host's compiler and the rest of the front end know.
//!
//! | directive | what stands in its place |
//! |---|---|
//! | `metadirective` | the directive that fits, or a choice between statements where only the running program can tell |
//! | `declare variant`, with what the host's compiler does not read, and `begin declare variant` | functions with names of their own |
//! | `declare reduction` in a program with code for devices | the same, and functions that do what it says |
//! | `dispatch` | the call of the variant, with pointers that the device knows |
//! | `interop` | calls of the runtime |
//! | `teams` and `distribute` for the host | the same, marked |
//! | `requires unified_shared_memory` | the same, and a function that tells the runtime before `main` |
//! | `in_reduction` of `target` | a task of the host's around the construct |
//! | `tile` | loops over tiles |
//! | scans of `target` | three constructs, of which the first adds up parts and the last goes on from them |
//! | calls in `num_teams`, `thread_limit` and `num_threads` of `target` | variables before the construct |
//! | `task` in a program that asks for `omp_in_explicit_task`, or with `omp_all_memory` | the same, and what tells the runtime or waits |
//! | `allocate` for the host | attributes of the declarations |
//! | `error` in device code | printing, and the end of the program |
//! | words of OpenMP 5.1 and 5.2 in directives for the host | those of OpenMP 5.0 |
//!
//! Directives are taken from the last to the first, so that what precedes one still stands where it stood when the
//! constructs around it were found. Every line keeps its number.

mod allocate;
mod assumptions;
mod declared_mappers;
pub mod declared_reductions;
mod dispatch;
mod errors_at_run_time;
pub mod extents;
mod host_teams;
mod in_reduction;
mod interop;
mod metadirective;
mod requires;
mod scan;
pub mod selector;
mod sizes;
mod spelling;
mod tasks;
pub mod tile;
pub mod variants;
pub mod words;

use accl_source::{Diagnostic, FileId, LineMap, Span, codes::frontend as codes};
use std::ops::Range;
use variants::Variant;
use words::{Word, statement_end, words};

pub struct Resolved {
    pub buffer: String,
    pub diagnostics: Vec<Diagnostic>,
    /// The functions that calls of others may mean.
    pub variants: Vec<Variant>,
    pub changed: bool,
    /// The user's own text has a `begin declare variant`.
    pub has_enclosed_variants: bool,
}

impl Resolved {
    pub fn unchanged(buffer: String) -> Resolved {
        Resolved {
            buffer,
            diagnostics: vec![],
            variants: vec![],
            changed: false,
            has_enclosed_variants: false,
        }
    }
}

/// Settles the directives of a preprocessed text. `openmpc`: loops of parallel regions become constructs for devices.
pub fn resolve(buffer: String, name: &str, file: FileId, cplusplus: bool, openmpc: bool) -> Resolved {
    let before = buffer.len();
    let buffer = allocate::settled(buffer, name);
    let allocated = buffer.len() != before;
    let lines = pragma_lines(&buffer);
    let for_devices = openmpc
        || lines.iter().any(|line| is_for_devices(&buffer[line.clone()]))
        || buffer.lines().any(|line| line.trim_start().starts_with("#pragma acc"));
    let asks_for_tasks = tasks::asks(&buffer);
    let concerns = |line: &Range<usize>| {
        let written = &buffer[line.clone()];
        concerns(written)
            || sizes::concerns(&buffer, line)
            || for_devices && host_teams::concerns(rest(written))
            || for_devices && declared_reductions::concerns(rest(written))
            || for_devices && declared_mappers::concerns(rest(written))
            || tasks::concerns(rest(written), asks_for_tasks)
    };
    if !lines.iter().any(concerns) {
        return Resolved { changed: allocated, ..Resolved::unchanged(buffer) };
    }
    let mut text = EditedText { cplusplus, ..EditedText::new(&buffer, name, &lines) };
    for line in lines.iter().rev() {
        if concerns(line)
            && let Err(message) = directive(&mut text, line.clone())
        {
            text.refuse(line.clone(), &message);
        }
    }
    let encloses = |line: &Range<usize>| {
        first_words(&buffer[line.clone()]).starts_with(&["begin", "declare", "variant"])
    };
    let has_enclosed_variants = lines.iter().any(encloses);
    let changed = allocated || text.buffer != buffer;
    let EditedText { buffer: resolved, refused, variants, prototypes, .. } = text;
    let buffer = if prototypes { with_prototypes(resolved, name, cplusplus) } else { resolved };
    let end = buffer.len();
    let diagnostics = refused.into_iter().rev().map(|Refused { from_end, length, message }| {
        let start = (end - from_end) as u32;
        Diagnostic::error(codes::UNRESOLVED, message).at(Span::new(file, start, start + length as u32))
    });
    let diagnostics: Vec<Diagnostic> = diagnostics.collect();
    Resolved { diagnostics, variants, changed, buffer, has_enclosed_variants }
}

/// The places of the lines `#pragma omp …`.
fn pragma_lines(buffer: &str) -> Vec<Range<usize>> {
    let mut lines = vec![];
    let mut at = 0;
    for line in buffer.split_inclusive('\n') {
        let text = line.trim();
        if text.starts_with("#pragma omp") {
            let start = at + (line.len() - line.trim_start().len());
            lines.push(start..start + text.len());
        }
        at += line.len();
    }
    lines
}

/// What follows `#pragma omp`.
fn rest(line: &str) -> &str {
    line.trim_start_matches("#pragma").trim_start().trim_start_matches("omp").trim_start()
}

fn first_words(line: &str) -> Vec<&str> {
    rest(line).split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).take(4).collect()
}

fn is_for_devices(line: &str) -> bool {
    matches!(
        first_words(line)[..],
        ["target", ..]
            | ["declare", "target", ..]
            | ["begin", "declare", "target", ..]
            | ["metadirective", ..]
    )
}

fn concerns(line: &str) -> bool {
    match first_words(line)[..] {
        ["metadirective" | "interop" | "dispatch" | "error" | "requires" | "tile", ..]
        | ["begin" | "end", "metadirective" | "assumes", ..]
        | ["declare", "variant", ..]
        | ["begin" | "end", "declare", "variant", ..] => true,
        _ => {
            let directive = rest(line);
            spelling::concerns(directive) || in_reduction::concerns(directive) || scan::concerns(directive)
        }
    }
}

fn directive(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let written = text.buffer[line.clone()].to_owned();
    match first_words(&written)[..] {
        ["metadirective", ..] => metadirective::standing(text, line),
        ["begin", "metadirective", ..] => metadirective::begin(text, line),
        ["begin" | "end", "assumes", ..] => assumptions::drop(text, line),
        ["interop", ..] => interop::calls(text, line),
        ["dispatch", ..] => dispatch::call(text, line),
        ["requires", ..] => requires::tell(text, line),
        ["tile", ..] => tile::split_nest(text, line),
        ["error", ..] => errors_at_run_time::print(text, line),
        ["declare", "reduction", ..] => {
            declared_reductions::define(text, line);
            Ok(())
        }
        ["declare", "mapper", ..] => {
            declared_mappers::name_type(text, line);
            Ok(())
        }
        ["declare", "variant", ..] => variants::declared(text, line),
        ["begin", "declare", "variant", ..] => variants::begin(text, line),
        ["teams" | "distribute", ..] => host_teams::mark(text, line),
        ["target", ..] => {
            if spelling::concerns(rest(&written)) {
                spelling::older(text, line.clone())?;
            }
            let line = directive_at(&text.buffer, line.start);
            if sizes::concerns(&text.buffer, &line) {
                sizes::computed_before(text, line.clone())?;
            }
            if scan::concerns(rest(&written)) {
                scan::divide(text, target_behind(&text.buffer, line.start));
            }
            match in_reduction::concerns(rest(&written)) {
                true => in_reduction::as_task(text, target_behind(&text.buffer, line.start)),
                false => Ok(()),
            }
        }
        // The beginning takes its end away.
        ["end", ..] => Ok(()),
        _ => {
            let words = rest(&written);
            if spelling::concerns(words) {
                spelling::older(text, line.clone())?;
            }
            match tasks::concerns(words, tasks::asks(&text.buffer)) {
                true => tasks::settle(text, directive_at(&text.buffer, line.start)),
                false => Ok(()),
            }
        }
    }
}

/// The line of a directive that begins there.
fn directive_at(buffer: &str, start: usize) -> Range<usize> {
    start..buffer[start..].find('\n').map_or(buffer.len(), |end| start + end)
}

/// The line of the first `target` directive from this place on.
fn target_behind(buffer: &str, start: usize) -> Range<usize> {
    let at = buffer[start..].find("#pragma omp target").map_or(start, |at| start + at);
    directive_at(buffer, at)
}

struct Refused {
    /// The distance of the place from the end of the text, which edits before it do not change.
    from_end: usize,
    length: usize,
    message: String,
}

/// The text being changed.
pub struct EditedText<'n> {
    pub buffer: String,
    name: &'n str,
    refused: Vec<Refused>,
    pub variants: Vec<Variant>,
    constructs: Constructs,
    device_regions: Vec<Range<usize>>,
    requires: Vec<String>,
    /// Functions of the runtime are called.
    prototypes: bool,
    cplusplus: bool,
}

impl<'n> EditedText<'n> {
    fn new(buffer: &str, name: &'n str, lines: &[Range<usize>]) -> EditedText<'n> {
        EditedText {
            buffer: buffer.to_owned(),
            name,
            refused: vec![],
            variants: variants::all(buffer, lines),
            constructs: Constructs::of(buffer),
            device_regions: device_regions(buffer, lines),
            requires: lines.iter().flat_map(|line| requirements(&buffer[line.clone()])).collect(),
            prototypes: false,
            cplusplus: false,
        }
    }

    fn refuse(&mut self, line: Range<usize>, message: &str) {
        let from_end = self.buffer.len() - line.start;
        let length = line.len().min(from_end);
        self.refused.push(Refused { from_end, length, message: message.to_owned() });
    }

    /// What a selector can ask of a place.
    pub fn world(&self, at: usize) -> selector::World {
        let around = constructs_around(&self.constructs, at);
        let device = self.device_regions.iter().any(|region| region.contains(&at));
        let on_device = device || around.iter().any(|name| name == "target");
        selector::World { on_device, constructs: around, requires: self.requires.clone() }
    }

    /// Replaces text by some that may have more lines; what follows keeps its line's number.
    pub fn replace(&mut self, range: Range<usize>, by: &str) {
        let one_line = !by.contains('\n') && !self.buffer[range.clone()].contains('\n');
        let mut by = by.to_owned();
        if !one_line {
            let (line, file) = self.place(range.end);
            by.push_str(&match self.buffer[range.end..].starts_with('\n') {
                true => format!("\n# {} \"{file}\"", line + 1),
                false => format!("\n# {line} \"{file}\"\n"),
            });
        }
        self.buffer.replace_range(range, &by);
    }

    /// The user's line of a place, and the file's name as a marker has it.
    fn place(&self, at: usize) -> (u32, String) {
        let lines = LineMap::from_preprocessed(self.name, &self.buffer);
        let place = lines.locate(at as u32);
        (place.line, quoted(place.file))
    }

    /// A line that gives what follows it the number of the line at a place.
    pub fn marker(&self, at: usize) -> String {
        let (line, file) = self.place(at);
        format!("# {line} \"{file}\"")
    }

    /// The statement behind a line.
    pub fn statement(&self, line: &Range<usize>) -> Result<Range<usize>, String> {
        // A statement that is longer is none that a person wrote.
        const MOST: usize = 1 << 20;
        let words: Vec<Word<'_>> = words(&self.buffer, line.end).take(MOST).collect();
        let end = statement_end(&words, 0).ok_or("no statement follows the directive")?;
        Ok(line.end..words[end - 1].range.end)
    }

    pub fn needs_prototypes(&mut self) {
        self.prototypes = true;
    }
}

fn quoted(file: &str) -> String {
    file.replace('\\', "\\\\").replace('"', "\\\"")
}

fn with_prototypes(buffer: String, name: &str, cplusplus: bool) -> String {
    const PROTOTYPES: [&str; 10] = [
        "int accl_omp_device_is(int, const char *, const char *, const char *);",
        "void *accl_omp_device_pointer(const void *);",
        "int accl_omp_default_device(void);",
        "void accl_omp_set_default_device(int);",
        "void accl_omp_requires_shared_memory(void);",
        "void accl_omp_task_begins(int);",
        "void accl_omp_task_ends(void);",
        "void accl_omp_interop_init(void *, int, int, const char *);",
        "void accl_omp_interop_use(void *);",
        "void accl_omp_interop_destroy(void *);",
    ];
    let linkage = if cplusplus { "extern \"C\" " } else { "" };
    let prototypes: String = PROTOTYPES.iter().map(|one| format!("{linkage}{one}\n")).collect();
    format!("# 1 \"accl_omp.h\" 3\n{prototypes}# 1 \"{}\"\n{buffer}", quoted(name))
}

/// The constructs that selectors can name, with the words of each and what it governs.
#[derive(Default)]
pub struct Constructs(Vec<(Range<usize>, Vec<String>)>);

impl Constructs {
    pub fn of(buffer: &str) -> Constructs {
        Constructs(constructs(buffer, &pragma_lines(buffer)))
    }
}

fn constructs(buffer: &str, lines: &[Range<usize>]) -> Vec<(Range<usize>, Vec<String>)> {
    const NAMES: [&str; 6] = ["target", "teams", "parallel", "for", "simd", "dispatch"];
    const OTHERS: [&str; 3] = ["distribute", "loop", "masked"];
    let mut found = vec![];
    let all: Vec<Word<'_>> = match lines.is_empty() {
        true => vec![],
        false => words(buffer, lines[0].start).collect(),
    };
    for line in lines {
        let written = first_words_all(&buffer[line.clone()]);
        if let ["target", "data" | "enter" | "exit" | "update", ..] = written[..] {
            continue;
        }
        let leaves = written.iter().take_while(|w| NAMES.contains(w) || OTHERS.contains(w));
        let names: Vec<String> = leaves.filter(|w| NAMES.contains(w)).map(|w| (*w).to_owned()).collect();
        let at = all.partition_point(|w| w.range.start <= line.start);
        if !names.is_empty()
            && let Some(end) = statement_end(&all, at)
        {
            found.push((line.start..all[end - 1].range.end, names));
        }
    }
    found
}

fn first_words_all(line: &str) -> Vec<&str> {
    let separate = |c: char| !c.is_alphanumeric() && c != '_';
    rest(line).split(separate).filter(|w| !w.is_empty()).take(8).collect()
}

/// The names of the constructs around a place, outermost first.
pub fn constructs_around(constructs: &Constructs, at: usize) -> Vec<String> {
    let around = constructs.0.iter().filter(|(range, _)| range.start < at && at < range.end);
    around.flat_map(|(_, names)| names.iter().cloned()).collect()
}

/// What stands between `declare target` and its end.
fn device_regions(buffer: &str, lines: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut open = vec![];
    let mut found = vec![];
    for line in lines {
        let written = &buffer[line.clone()];
        match first_words(written)[..] {
            ["begin", "declare", "target", ..] | ["declare", "target"] => open.push(line.end),
            ["end", "declare", "target"] => found.extend(open.pop().map(|start| start..line.start)),
            _ => {}
        }
    }
    found
}

fn requirements(line: &str) -> Vec<String> {
    match rest(line).strip_prefix("requires") {
        Some(clauses) => {
            let separate = |c: char| !c.is_alphanumeric() && c != '_';
            clauses.split(separate).filter(|w| !w.is_empty()).map(str::to_owned).collect()
        }
        None => vec![],
    }
}
