//! A unit as it stands in the user's file, with all its data directives: for `accl translate --to openmp` and `openacc`.

use super::compile::{self, Reading, Source};
use super::fallback::{self, Constructs};
use super::unit::Compilation;
use super::{Session, render_options};
use accl_frontend::{
    ConstructData, DataWords, Map, Pieces, Port, RegionsOnCpu, TextEdit, TranslatedRegion, TranslationUnit,
    UnknownSection,
};
use accl_host::translate::explicit::{self, Written};
use accl_ir::{DataItem, DataKind, Module, Region, Stmt, TypeKind, visit};
use accl_source::{Diagnostic, LineMap, codes, render};
use accl_transforms::context::Context;
use accl_transforms::pipeline;
use anyhow::{Context as _, Result, bail};
use std::collections::BTreeMap;

/// A file with directives that say all of it, or why there is none.
pub enum Ported {
    Text(String),
    /// It has no directives.
    Unchanged,
    /// With the messages.
    Refused(String),
}

/// The directives of a port that the user's text does not have, each with the user's line before which it stands.
pub fn added_directives(text: &str, port: &str) -> Vec<(usize, String)> {
    let (lines, mut at) = (text.lines().collect::<Vec<_>>(), 0);
    let ported: Vec<&str> = port.lines().collect();
    let mut added = vec![];
    for (number, line) in ported.iter().enumerate() {
        if lines.get(at) == Some(line) {
            at += 1;
            continue;
        }
        if line.trim_start().starts_with("#pragma") {
            added.push((at + 1, line.trim().to_owned()));
        }
        // A line that was changed: the next ones are the same again.
        let next = ported.get(number + 1);
        if next.is_some() && next == lines.get(at + 1) && next != lines.get(at) {
            at += 1;
        }
    }
    added
}

/// Regions that cannot be written down stay with the threads of the host, so each round has fewer.
pub fn ported(session: &Session, unit: &Compilation, words: DataWords, port: Port) -> Result<Ported> {
    let mut regions = RegionsOnCpu::new();
    loop {
        let mut source = match compile::read_for_port(session, unit, regions.clone(), port)? {
            Reading::Directives(source) => source,
            Reading::Plain | Reading::PlainWithExports(_) => return Ok(Ported::Unchanged),
            Reading::Rejected(why) => return Ok(Ported::Refused(why)),
        };
        let Some(changes) = source.unit.changes.take() else {
            bail!(
                "{}: a program cannot be translated whose directives of OpenMP choose others, are newer than the host's \
                 compiler, or stand in templates; `accl cc` compiles it",
                unit.path.display()
            );
        };
        let (diagnostics, concerned) = analysed(session, &mut source);
        if diagnostics.iter().any(Diagnostic::is_error) {
            let refused = fallback::regions_of_errors(&source.unit, &diagnostics, &concerned);
            if grows(&mut regions, refused) {
                continue;
            }
            return Ok(Ported::Refused(render::text::render(&source.files, &diagnostics, &render_options())));
        }
        let constructs = constructs(&source.unit.module, &source.unit.buffer);
        if let Some(construct) = constructs.iter().find(|c| !is_in(words, &source.unit.buffer, c)) {
            let error = Diagnostic::error(codes::host::NOT_PORTABLE, "the construct is in the other language's words")
                .at(construct.directive)
                .with_help("`--to openmp` writes data directives for constructs of OpenMP, `--to openacc` for those of OpenACC");
            return Ok(Ported::Refused(render::text::render(&source.files, &[error], &render_options())));
        }
        match written(session, unit, &source.unit, &changes, &constructs, words, port)? {
            Ok(text) => return Ok(Ported::Text(text)),
            Err(reason) => {
                if !grows(&mut regions, regions_at(&source.unit, &reason)) {
                    return Ok(Ported::Refused(refusal(&source, &reason)));
                }
            }
        }
    }
}

fn refusal(source: &Source, reason: &NotWritten) -> String {
    let error = match reason {
        NotWritten::Line { file, number } => Diagnostic::error(
            codes::host::NOT_PORTABLE,
            format!(
                "{file}:{number}: no port is written of this program: a macro or a header makes what is to be changed"
            ),
        ),
        NotWritten::Section(unknown) => {
            Diagnostic::error(codes::transforms::UNKNOWN_SECTION, unknown_section(unknown))
                .label(unknown.span, "used here")
                .with_help("give the construct a data clause for it")
        }
    };
    render::text::render(&source.files, &[error], &render_options())
}

fn unknown_section(unknown: &UnknownSection) -> String {
    format!("nothing tells which section of `{}` the construct uses", unknown.name)
}

fn grows(regions: &mut RegionsOnCpu, refused: Option<RegionsOnCpu>) -> bool {
    let before = regions.len();
    regions.extend(refused.into_iter().flatten());
    regions.len() > before
}

/// Why a text could not be written.
enum NotWritten {
    /// A line of the user's that a macro or a header makes.
    Line {
        file: String,
        number: u32,
    },
    Section(UnknownSection),
}

fn regions_at(unit: &TranslationUnit, reason: &NotWritten) -> Option<RegionsOnCpu> {
    let (file, line, why) = match reason {
        NotWritten::Line { file, number } => {
            (file.clone(), *number, "a macro or a header makes what would have to be changed".to_owned())
        }
        NotWritten::Section(unknown) => {
            let place = unit.line_map.locate(unknown.construct.start);
            (place.file.to_owned(), place.line, unknown_section(unknown))
        }
    };
    let holds = |r: &&TranslatedRegion| r.file == file && (r.first..=r.last).contains(&line);
    let found: Vec<_> = unit.translated.iter().filter(holds).collect();
    (!found.is_empty()).then(|| found.into_iter().map(|region| (region.clone(), why.clone())).collect())
}

type Concerned = BTreeMap<usize, std::collections::BTreeSet<accl_source::Span>>;

/// Runs the passes up to the one that finds what constructs need.
fn analysed(session: &Session, source: &mut Source) -> (Vec<Diagnostic>, Concerned) {
    let mut diagnostics = std::mem::take(&mut source.unit.diagnostics);
    let mut concerned = std::mem::take(&mut source.unit.concerned);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (diagnostics, concerned);
    }
    let constructs = Constructs::of(&source.unit.module, &source.unit.buffer);
    let options = accl_transforms::Options {
        auto_data: false,
        explicit_data: true,
        partition_kernels: false,
        ..compile::transform_options(session, Some(&source.files))
    };
    let last = pipeline::PASSES.iter().position(|pass| pass.name == "implicit_data").unwrap_or_default();
    let (read, mut remarks) = (diagnostics.len(), vec![]);
    let mut cx = Context::new(&options, &mut diagnostics, &mut remarks);
    pipeline::run_passes(&pipeline::PASSES[..=last], &mut source.unit.module, &mut cx, &mut |_, _| {});
    each_region(&source.unit.module, &mut |module, region| {
        diagnostics.extend(region.clauses.data.iter().filter_map(|item| not_writable(module, item)));
    });
    for (number, error) in diagnostics.iter().enumerate().skip(read).filter(|(_, d)| d.is_error()) {
        concerned.insert(number, constructs.concerned(error));
    }
    (diagnostics, concerned)
}

fn each_region(module: &Module, visit: &mut dyn FnMut(&Module, &Region)) {
    for (_, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        visit::for_each_stmt(&body.block, &mut |node| {
            if let Stmt::Region(region) = &node.kind
                && region.kind.is_compute()
            {
                visit(module, region);
            }
        });
    }
}

/// The item brings data to the device, and no clause says so.
fn is_implicit(module: &Module, item: &DataItem) -> bool {
    let moves = matches!(item.kind, DataKind::Copy | DataKind::Copyin | DataKind::Copyout | DataKind::Create);
    let is_scalar =
        matches!(module.types.kind(item.ty), TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Bool);
    item.flags.implicit && !item.flags.private && moves && !is_scalar
}

/// Compilers do not agree about clauses for members of structures.
fn not_writable(module: &Module, item: &DataItem) -> Option<Diagnostic> {
    let is_name = item.base.chars().all(|c| c.is_alphanumeric() || c == '_') && item.base != "this";
    if !is_implicit(module, item) || is_name {
        return None;
    }
    let message = format!("`{}` lies in a structure, and no clause is written for it", item.base);
    Some(Diagnostic::error(codes::transforms::UNKNOWN_SECTION, message).label(item.span, "used here"))
}

/// What the constructs need, each once, though passes may have divided it.
fn constructs(module: &Module, buffer: &str) -> Vec<ConstructData> {
    let mut found: BTreeMap<(u32, u32), ConstructData> = BTreeMap::new();
    each_region(module, &mut |module, region| {
        let construct =
            found.entry((region.directive_span.start, region.body_span.end)).or_insert_with(|| {
                ConstructData {
                    directive: region.directive_span,
                    body: region.body_span,
                    is_conditional: has_condition(buffer, region.directive_span),
                    maps: vec![],
                }
            });
        for item in region.clauses.data.iter().filter(|item| is_implicit(module, item)) {
            let map = map(module, item);
            match construct.maps.iter_mut().find(|m| m.name == map.name && m.section == map.section) {
                Some(known) => {
                    known.read |= map.read;
                    known.written |= map.written;
                }
                None => construct.maps.push(map),
            }
        }
    });
    found.into_values().collect()
}

fn is_in(words: DataWords, buffer: &str, construct: &ConstructData) -> bool {
    let text = &buffer[construct.directive.start as usize..construct.directive.end as usize];
    let language = if words == DataWords::OpenMp { "omp" } else { "acc" };
    text.split_whitespace().nth(1) == Some(language)
}

/// The directive has a clause by which the host may run it.
fn has_condition(buffer: &str, directive: accl_source::Span) -> bool {
    let text = &buffer[directive.start as usize..directive.end as usize];
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.into_iter().any(|word| matches!(word, "if" | "self" | "device"))
}

fn map(module: &Module, item: &DataItem) -> Map {
    let text = |e: &Option<accl_ir::HostExpr>, none: &str| {
        e.as_ref().map_or(none.to_owned(), |e| e.text.trim().to_owned())
    };
    let section = item.section.first().map(|dim| (text(&dim.lower, "0"), text(&dim.length, "")));
    let shown = item.name.strip_prefix(&*item.base).and_then(accl_frontend::readable_section);
    let section = section.map(|section| shown.unwrap_or(section)).filter(|(_, length)| !length.is_empty());
    let is_unknown = section.is_none() && matches!(module.types.kind(item.ty), TypeKind::Pointer { .. });
    Map {
        name: item.base.clone(),
        section,
        read: item.kind != DataKind::Copyout,
        written: item.kind != DataKind::Copyin,
        is_unknown,
        span: item.span,
    }
}

/// The user's text with everything in it, or the line that it does not have.
fn written(
    session: &Session,
    unit: &Compilation,
    read: &TranslationUnit,
    changes: &[TextEdit],
    constructs: &[ConstructData],
    words: DataWords,
    port: Port,
) -> Result<Result<String, NotWritten>> {
    let options = frontend_options(session, unit, port);
    let mut more = match accl_frontend::explicit_data(&unit.source, &options, read, constructs, words)? {
        Ok(more) => more,
        Err(unknown) => return Ok(Err(NotWritten::Section(unknown))),
    };
    more.extend(regions_on_threads(read));
    let before = &*read.preprocessed.text;
    let mut pieces = Pieces::new(before);
    pieces.edit(changes);
    debug_assert!(pieces.text() == read.buffer);
    pieces.edit(&more);
    let text =
        std::fs::read(&unit.source).with_context(|| format!("cannot read '{}'", unit.path.display()))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let file = unit.path.display().to_string();
    let lines = LineMap::from_preprocessed(&file, before);
    let edits: Vec<_> = pieces.edits().into_iter().map(|edit| (edit.range, edit.text)).collect();
    let made = explicit::apply(&Written { file: &file, text: &text, buffer: before, lines: &lines }, &edits);
    Ok(made.map_err(|place| {
        let place = lines.locate(place.0 as u32);
        NotWritten::Line { file: place.file.to_owned(), number: place.line }
    }))
}

fn frontend_options(session: &Session, unit: &Compilation, port: Port) -> accl_frontend::Options {
    let options = compile::front_end_options(session, unit, None, compile::ForHost::default());
    accl_frontend::Options { port: Some(port), ..options }
}

/// A comment before each parallel region whose loops stay with the host's threads.
fn regions_on_threads(unit: &TranslationUnit) -> Vec<TextEdit> {
    let told = unit.remarks.iter().filter(|r| r.id == codes::remarks::REGION_ON_THREADS);
    let comment = |remark: &accl_source::Remark| {
        let start = remark.span.start as usize;
        // Lines of the preprocessor's may stand before it.
        let is_directive = |line: &&str| line.trim_start().starts_with("#pragma");
        let line = unit.buffer[start..].split_inclusive('\n').take(3).find(is_directive)?;
        let at =
            line.as_ptr() as usize - unit.buffer.as_ptr() as usize + line.len() - line.trim_start().len();
        let text = remark.message.replace("*/", "* /").replace('`', "");
        Some(TextEdit { range: at..at, text: format!("/* {text}. */\n") })
    };
    told.filter_map(comment).collect()
}

#[cfg(test)]
mod tests {
    use super::added_directives;

    #[test]
    fn directives_have_the_lines_of_the_users_text() {
        let text = "a\n#pragma omp parallel for\nb\n}\n";
        let port =
            "a\n  #pragma omp target data\n#pragma omp target teams\nb\n#pragma omp target exit data\n}\n";
        let found = added_directives(text, port);
        let lines: Vec<_> = found.iter().map(|(line, text)| (*line, &**text)).collect();
        assert_eq!(
            lines,
            [
                (2, "#pragma omp target data"),
                (2, "#pragma omp target teams"),
                (4, "#pragma omp target exit data")
            ]
        );
    }
}
