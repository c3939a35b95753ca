//! Compute constructs that the host runs: where their condition is false, or since they cannot be translated.
//!
//! Threads of the host run the statement, with OpenMP's directives as its compiler reads them, or one thread does, without
//! directives and with copies of the variables that these make private.

use crate::Result;
use crate::data;
use crate::edits::{Edits, host_version};
use crate::region::{SYNC, async_text, begin, end, offload_condition, replace, task_lines, wait_lines};
use crate::unit::HostSource;
use accl_ir::{Block, HOST_DIRECTIVE, HostCopies, HostCopy, Module, Region, Stmt};
use accl_source::Span;

/// A target construct is a task of its own, with its own internal control variables, run by a thread with the number 0.
const OWN_THREAD: &str = "#pragma omp parallel num_threads(1) default(shared)";

/// What the host runs where the construct's condition is false, in lines of its own.
pub fn of(unit: &HostSource, region: &Region) -> Result<String> {
    let copies = copies(unit, region);
    let Statement { directive, body } = statement(unit, region, &copies)?;
    let [open, close] = scope_of(copies_outside(&copies));
    // What its threads share may stand in it without a directive of its own.
    let own_thread = copies.numbered || copies.threads.is_some() && directive.is_none();
    let before = if own_thread { format!("{OWN_THREAD}\n{{\n") } else { String::new() };
    let behind = if own_thread { "}" } else { "" };
    let marker = unit.marker(region.body_span.start);
    Ok(match directive {
        None => format!("{before}{marker}{open}{body}{close}{behind}\n"),
        Some(line) => {
            let line = unit.generated(region.directive_span, &[line]);
            format!("{before}{open}\n{line}{marker}{body}{close}{behind}\n")
        }
    })
}

/// What stands before and behind a statement that has these copies.
pub fn scope_of(copies: &[HostCopy]) -> [String; 2] {
    if copies.is_empty() {
        return Default::default();
    }
    let (outer, inner) = declared_copies(copies);
    let restored = restored(copies);
    // The statement may begin with a directive, which needs a line of its own.
    match outer.is_empty() {
        true => [format!("{{ {inner}\n"), "\n}".into()],
        false => [format!("{{ {outer}{{ {inner}\n"), format!("\n}} {restored}}}")],
    }
}

/// The host alone runs the construct.
pub fn alone(unit: &mut HostSource, region: &Region, site: usize) -> Result<()> {
    let mut before = vec!["{".to_owned()];
    before.extend(wait_lines(&region.clauses.waits, &unit.site_address(site), SYNC));
    let body = of(unit, region)?;
    let mut text = unit.generated(region.directive_span, &before);
    text.push_str(&body);
    text.push_str(&unit.generated(region.directive_span, &["}".to_owned()]));
    replace(unit, region, text)
}

/// The copies of statements that the host runs where they stand, in a construct that is divided between it and the device.
pub fn copies_where_they_stand(unit: &mut HostSource, region: &Region) {
    for (statement, copies) in host_copies(unit.module, region).inside {
        if is_run_by_host(&region.body, statement) {
            let [open, close] = scope_of(&copies);
            unit.edits.insert(statement.start, open);
            unit.edits.insert(statement.end, close);
        }
    }
}

/// The statement is in the block, and in no construct for the device there.
pub fn is_run_by_host(block: &Block, statement: Span) -> bool {
    block.iter().any(|node| match &node.kind {
        Stmt::Region(_) => false,
        _ if node.span == statement => true,
        kind => kind.blocks().into_iter().any(|inner| is_run_by_host(inner, statement)),
    })
}

fn copies(unit: &HostSource, region: &Region) -> HostCopies {
    let copies = host_copies(unit.module, region);
    HostCopies { threads: copies.threads.filter(|_| unit.options.host_threads), ..copies }
}

pub fn host_copies(module: &Module, region: &Region) -> HostCopies {
    module.host_copies.get(&region.directive_span.end).cloned().unwrap_or_default()
}

/// What the host runs: the construct's own directive, unless one thread does without, and its statement.
struct Statement {
    directive: Option<String>,
    body: String,
}

fn statement(unit: &HostSource, region: &Region, copies: &HostCopies) -> Result<Statement> {
    let Some(threads) = &copies.threads else {
        let body = host_version(&with_copies_inside(unit, region, copies)?);
        return Ok(Statement { directive: None, body });
    };
    let line = |text: &str| (!text.is_empty()).then(|| format!("#pragma omp {HOST_DIRECTIVE} {text}"));
    let mut edits = Edits::default();
    for (span, text) in &threads.directives {
        let [start, end] = [span.start, span.end].map(|at| at - region.body_span.start);
        edits.replace(start, end, line(text).unwrap_or_default());
    }
    let body = edits.apply(unit.text(region.body_span)?)?;
    Ok(Statement { directive: line(&threads.directive), body })
}

/// The copies that the construct's own directive does not make.
fn copies_outside(copies: &HostCopies) -> &[HostCopy] {
    copies.threads.as_ref().map_or(&copies.of_construct, |threads| &threads.copies)
}

/// The construct's statement, with the copies of those in it.
fn with_copies_inside(unit: &HostSource, region: &Region, copies: &HostCopies) -> Result<String> {
    let text = unit.text(region.body_span)?;
    let mut edits = Edits::default();
    for (statement, copies) in &copies.inside {
        let [start, end] = [statement.start, statement.end].map(|at| at - region.body_span.start);
        let [open, close] = scope_of(copies);
        edits.insert(start, open);
        edits.insert(end, close);
    }
    edits.apply(text)
}

/// Declarations outside and inside of the scope in which the names mean the copies.
fn declared_copies(copies: &[HostCopy]) -> (String, String) {
    let (mut outer, mut inner) = (String::new(), String::new());
    for (at, HostCopy { name, is_array, starts, restored }) in copies.iter().enumerate() {
        let copy = name_of_copy(at);
        let bytes = |to: &str, from: &str| {
            format!("__builtin_memcpy((void *){to}, (const void *){from}, sizeof {to}); ")
        };
        if *restored {
            outer += &format!("__typeof__({name}) {copy} = {name}; ");
            continue;
        }
        match (is_array, starts) {
            (true, _) => {
                outer += &format!("__typeof__({name}) {copy}; {}", bytes(&copy, name));
                inner += &format!("__typeof__({copy}) {name}; ");
                if *starts {
                    inner += &bytes(name, &copy);
                }
            }
            (false, true) => {
                outer += &format!("__typeof__({name}) {copy} = {name}; ");
                inner += &format!("__typeof__({copy}) {name} = {copy}; ");
            }
            (false, false) => inner += &format!("__typeof__({name}) {name}; "),
        }
    }
    (outer, inner)
}

/// What gives variables that no copy can stand for their values back.
fn restored(copies: &[HostCopy]) -> String {
    let copies = copies.iter().enumerate().filter(|(_, copy)| copy.restored);
    copies.map(|(at, copy)| format!("{} = {}; ", copy.name, name_of_copy(at))).collect()
}

fn name_of_copy(at: usize) -> String {
    format!("accl_copy_{at}")
}

/// The host runs the construct where it stands, between the two ends of its data.
pub fn in_place(unit: &mut HostSource, region: &Region, site: usize) -> Result<()> {
    let clauses = &region.clauses;
    let site = unit.site_address(site);
    let async_ = async_text(&clauses.async_);
    let copies = copies(unit, region);
    let (outer, inner) = declared_copies(copies_outside(&copies));
    let restored = restored(copies_outside(&copies));
    let Statement { directive, body } = statement(unit, region, &copies)?;
    let language = data::language(clauses.if_.as_ref());
    let is_openmp = language & accl_abi::data_flags::OPENMP != 0;
    let vars = data::declare(unit, &clauses.data, language);
    let never = matches!(clauses.self_, Some(None)).then(|| "0".to_owned());
    let condition = never.or_else(|| offload_condition(clauses.if_.as_ref(), clauses.self_.as_ref()));
    let guard = if condition.is_some() { "if (accl_if) " } else { "" };
    let guarded = |line: String| format!("{guard}{line}");
    let mut before = vec!["{".to_owned()];
    before.extend(task_lines(&clauses.waits));
    before.extend(condition.map(|c| format!("int accl_if = accl_offload({site}, {c});")));
    before.extend(vars.lines.clone());
    let waits = wait_lines(&clauses.waits, &site, &async_);
    if !waits.is_empty() {
        before.push(guarded("{".into()));
        before.extend(waits);
        before.push("}".into());
    }
    // Copies have the host's values, whatever the device's are.
    before.push(outer);
    before.extend(begin(&vars, &site, &async_).map(guarded));
    before.push(guarded(format!("accl_host_begin({site}, {}, {}, {async_});", vars.name, vars.count)));
    before.extend(is_openmp.then(|| OWN_THREAD.to_owned()));
    before.push(format!("{{ {inner}"));
    before.extend(directive);
    let mut after = vec!["}".to_owned(), guarded(format!("accl_host_end({site});"))];
    after.push(restored);
    after.extend(end(&vars, &site, &async_).map(guarded));
    after.push("}".into());
    let mut text = unit.generated(region.directive_span, &before);
    text.push_str(&unit.marker(region.body_span.start));
    text.push_str(&body);
    text.push('\n');
    text.push_str(&unit.generated(region.directive_span, &after));
    replace(unit, region, text)
}
