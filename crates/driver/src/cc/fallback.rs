//! Constructs that cannot be translated run on the host, with a warning.
//!
//! Whatever stage refuses a construct for a limit of the compiler's (`codes::is_limit`), the file is translated once more with
//! that construct marked as the host's. Each round marks at least one, so there are no more rounds than constructs.

use super::Session;
use super::compile::{self, Compiled, ForHost, Reading, Source};
use super::unit::Compilation;
use accl_codegen::Style;
use accl_frontend::{RegionsOnCpu, TranslatedRegion, TranslationUnit, Undefined};
use accl_ir::{Module, RegionKind, Stmt, calls, visit};
use accl_source::{Diagnostic, Remark, RemarkKind, Span, codes};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

/// The directive of each construct that runs on the host, by where it ends, and why it does.
type OnHost = BTreeMap<u32, (Span, Diagnostic)>;

/// As [`compile::compile`]; the mistakes of the program are those that it has for devices.
pub fn compile_with_fallback(session: &Session, unit: &Compilation, source: Box<Source>) -> Result<Compiled> {
    let mut regions = RegionsOnCpu::new();
    let undefined = source.unit.undefined.clone();
    let mut first = compile::compile(session, source, Style::Embedded)?;
    // Regions that were written for threads of the host stay with them.
    while let Some(refused) =
        refused_regions(&first).filter(|found| found.keys().any(|r| !regions.contains_key(r)))
    {
        regions.extend(refused);
        let host = ForHost { regions: regions.clone(), ..ForHost::default() };
        let Reading::Directives(source) = compile::read_with_host_constructs(session, unit, host)? else {
            break;
        };
        first = compile::compile(session, source, Style::Embedded)?;
    }
    let strict = session.invocation.has_option(|o| o == "-Werror");
    // What other files may have is known when the program is linked.
    let waits = |reason: &Diagnostic| {
        let calls = |u: &Undefined| reason.labels.iter().any(|(span, _)| *span == u.call);
        unit.at_link.is_none() && undefined.iter().any(calls)
    };
    let mut on_host = OnHost::new();
    let mut found = refused(&first, &on_host);
    if strict {
        found = found.filter(|found| found.values().all(|(_, reason)| waits(reason)));
    }
    while let Some(refused_now) = found {
        on_host.extend(refused_now);
        let host = ForHost { constructs: on_host.keys().copied().collect(), regions: regions.clone() };
        let Reading::Directives(source) = compile::read_with_host_constructs(session, unit, host)? else {
            break;
        };
        let mut again = compile::compile(session, source, Style::Embedded)?;
        if !again.has_errors() {
            tell(&mut again, &on_host, &waits);
            if !again.deferred.constructs.is_empty() || !regions.is_empty() {
                again.deferred.undefined = undefined;
            }
            return Ok(again);
        }
        tracing::debug!(errors = ?again.diagnostics, "constructs on the host");
        found = refused(&again, &on_host);
    }
    // A region that stays with the threads may have done so for what other files have.
    if !regions.is_empty() {
        first.deferred.undefined = undefined;
    }
    Ok(first)
}

/// The parallel regions that errors concern, with what these say. A kernel that one device's language cannot express is an
/// error, too: the program would end where it runs on such a device.
fn refused_regions(compiled: &Compiled) -> Option<RegionsOnCpu> {
    let unit = &compiled.source.unit;
    let mut found = regions_of_errors(unit, &compiled.diagnostics, &compiled.concerned).unwrap_or_default();
    for directive in with_host_pointers(&unit.module) {
        for region in regions_at(unit, directive) {
            found.entry(region.clone()).or_insert_with(|| "it follows pointers that lie in memory".into());
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The directives of constructs whose kernels follow pointers in memory that residency does not bring to the device: in a program for the
/// host's threads nobody else does.
fn with_host_pointers(module: &Module) -> Vec<Span> {
    let mut found = vec![];
    for (_, function) in module.functions.iter() {
        visit::for_each_stmt(function.body.as_ref().map_or(&[], |body| &body.block), &mut |node| {
            let Stmt::Region(region) = &node.kind else { return };
            let follows_host_s =
                region.clauses.data.iter().any(|item| item.flags.indirect && !item.flags.followed);
            found.extend(follows_host_s.then_some(region.directive_span));
        });
    }
    found
}

/// The same of a unit; `concerned`: the directives of constructs that errors concern.
pub fn regions_of_errors(
    unit: &TranslationUnit,
    diagnostics: &[Diagnostic],
    concerned: &BTreeMap<usize, BTreeSet<Span>>,
) -> Option<RegionsOnCpu> {
    let mut found = RegionsOnCpu::new();
    // One thread of a device is slower than those of the host.
    let in_one_thread = |d: &Diagnostic| d.code == codes::frontend::IN_ORDER;
    let concerns =
        |d: &Diagnostic| d.is_error() || d.code == codes::codegen::NOT_IN_THIS_LANGUAGE || in_one_thread(d);
    for (number, error) in diagnostics.iter().enumerate().filter(|(_, d)| concerns(d)) {
        let constructs = concerned.get(&number).into_iter().flatten();
        for span in constructs.chain(error.labels.iter().map(|(span, _)| span)) {
            for region in regions_at(unit, *span) {
                let why = error.labels.first().filter(|_| in_one_thread(error)).map(|(_, why)| why);
                found.entry(region.clone()).or_insert_with(|| why.unwrap_or(&error.message).clone());
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

fn regions_at(unit: &TranslationUnit, span: Span) -> impl Iterator<Item = &TranslatedRegion> {
    let place = unit.line_map.locate(span.start);
    let holds = move |r: &&TranslatedRegion| r.file == place.file && (r.first..=r.last).contains(&place.line);
    unit.translated.iter().filter(holds)
}

/// Constructs that the host could run: `None` where there is an error that this would not help.
fn refused(compiled: &Compiled, known: &OnHost) -> Option<OnHost> {
    let mut found = OnHost::new();
    for (number, error) in compiled.diagnostics.iter().enumerate().filter(|(_, d)| d.is_error()) {
        let constructs =
            compiled.concerned.get(&number).filter(|c| !c.is_empty() && codes::is_limit(error.code))?;
        for directive in constructs {
            if known.contains_key(&directive.end) {
                return None;
            }
            found.entry(directive.end).or_insert_with(|| (*directive, error.clone()));
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The warnings and remarks about constructs that run on the host; those of constructs that `wait` for the link are said then.
fn tell(compiled: &mut Compiled, on_host: &OnHost, waits: &dyn Fn(&Diagnostic) -> bool) {
    for (end, (directive, reason)) in on_host {
        let message = format!("{}: the construct runs on the host", reason.message);
        let mut warning = Diagnostic::warning(codes::frontend::ON_HOST, message);
        warning.labels.extend(reason.labels.iter().cloned());
        warning.labels.push((*directive, "the host runs this construct".into()));
        warning.notes.extend(reason.notes.iter().cloned());
        warning.notes.push(format!("`accl help {}` tells more of what cannot be translated", reason.code));
        warning.help = reason.help.clone();
        let message = format!("Construct runs on the host: {}", reason.message);
        let (function, text) = construct_on_host(&compiled.source.unit, *end).unzip();
        let function = function.unwrap_or_default();
        let remark = Remark::new(codes::remarks::ON_HOST, RemarkKind::Missed, function, *directive, message);
        let remark = Remark { help: reason.help.clone(), ..remark };
        let Compiled { diagnostics, remarks, deferred, .. } = compiled;
        let construct = text.filter(|_| waits(reason));
        deferred.constructs.extend(construct);
        match construct {
            Some(_) => (deferred.diagnostics.push(warning), deferred.remarks.push(remark)),
            None => (diagnostics.push(warning), remarks.push(remark)),
        };
    }
}

/// The function around a construct that the host runs, and the construct's text.
fn construct_on_host(unit: &TranslationUnit, end: u32) -> Option<(String, Span)> {
    unit.module.functions.iter().find_map(|(_, function)| {
        let mut found = None;
        visit::for_each_stmt(&function.body.as_ref()?.block, &mut |node| {
            if let Stmt::Region(r) = &node.kind
                && (r.kind, r.directive_span.end) == (RegionKind::OnHost, end)
            {
                found = Some(whole_lines(&unit.buffer, r.directive_span).to(r.body_span));
            }
        });
        Some((function.name.clone(), found?))
    })
}

/// From the beginning of the line: a construct may begin behind its directive, where it has a data construct around.
fn whole_lines(buffer: &str, directive: Span) -> Span {
    let start = buffer[..directive.end as usize].rfind('\n').map_or(0, |at| at as u32 + 1);
    Span { start, ..directive }
}

/// The compute constructs of a module, to find those that an error of a later stage concerns.
pub struct Constructs(Vec<Construct>);

struct Construct {
    directive: Span,
    /// The construct's text and those of the functions that it calls, and that these call.
    texts: Vec<Span>,
}

impl Constructs {
    pub fn of(module: &Module, buffer: &str) -> Constructs {
        let mut all = vec![];
        for (_, function) in module.functions.iter().filter(|(_, f)| f.has_regions) {
            let Some(body) = &function.body else { continue };
            visit::for_each_stmt(&body.block, &mut |node| {
                if let Stmt::Region(region) = &node.kind
                    && region.kind.is_compute()
                {
                    let directive = whole_lines(buffer, region.directive_span);
                    let mut texts = vec![directive.to(region.body_span)];
                    for function in calls::reached(module, body, &region.body) {
                        let body = module.functions[function].body.iter();
                        texts.extend(body.flat_map(|body| &body.block).map(|node| node.span));
                    }
                    all.push(Construct { directive, texts });
                }
            });
        }
        Constructs(all)
    }

    /// The directives of those that the error concerns.
    pub fn concerned(&self, error: &Diagnostic) -> BTreeSet<Span> {
        let concerns = |c: &&Construct| {
            error.labels.iter().any(|(span, _)| c.texts.iter().any(|text| text.contains(*span)))
        };
        self.0.iter().filter(concerns).map(|c| c.directive).collect()
    }
}
