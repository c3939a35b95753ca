//! Compute and data constructs.

use super::editor::Editor;
use super::launch::{self, Launch};
use super::section;
use super::spelling::operand;
use super::tokens::{CodeFragment, names};
use super::{Input, PortLanguage, Refused, clauses, refuse, spelling};
use crate::host_version::{self, host_copies};
use accl_ir::{DataItem, DataKind, DataVar, Function, ParamKind, Region, RegionKind, TypeKind};
use accl_source::Span;
use std::ops::Range;

/// The construct's place in the text.
struct Site {
    directive: Range<usize>,
    statement: Range<usize>,
    indent: String,
    /// Several statements need `{` and `}` around them.
    braces: bool,
}

impl Site {
    fn of(editor: &mut Editor, region: &Region) -> Result<Site, Refused> {
        let (directive, statement) = if is_own(editor.input, region) {
            let directive = editor.directive(region.directive_span)?;
            let statement = editor.original.statement(&directive, region.body_span)?;
            (directive, statement)
        } else {
            let statement = editor.original.statements(editor.input.buffer, region.body_span)?;
            (statement.start..statement.start, statement)
        };
        let indent = editor.original.indent(statement.start).to_owned();
        let braces = editor.original.takes_one_statement(directive.start);
        Ok(Site { directive, statement, indent, braces })
    }
}

/// The construct has a directive; parts of a partitioned one (`RegionKind::Partitioned`) may have none.
fn is_own(input: &Input, region: &Region) -> bool {
    let Span { start, end, .. } = region.directive_span;
    input.buffer.get(start as usize..end as usize).is_none_or(|text| !text.trim().is_empty())
}

pub fn edit(editor: &mut Editor, function: &Function, region: &Region) -> Result<(), Refused> {
    if region.kind.is_compute() {
        return compute(editor, region);
    }
    let site = Site::of(editor, region)?;
    let (before, after) = match region.kind {
        _ if editor.input.target == PortLanguage::C => (Vec::new(), Vec::new()),
        RegionKind::HostData => host_data(editor.input, region)?,
        _ => data(editor.input, region, &site, editor.original.line_of(site.directive.start)),
    };
    let remark = editor.remark(&site.directive);
    if region.kind == RegionKind::Partitioned {
        copies_inside(editor, region, |statement| host_version::is_run_by_host(&region.body, statement))?;
    }
    keep_body(editor, site, remark, before, after);
    editor.block(function, &region.body)
}

/// The construct becomes calls that launch its kernels, between those for its data.
fn compute(editor: &mut Editor, region: &Region) -> Result<(), Refused> {
    let clauses = &region.clauses;
    if let Some(None) = clauses.self_ {
        let site = Site::of(editor, region)?;
        editor.replace(&site.directive, String::new());
        return with_copies_of_host(editor, region, &site);
    }
    let site = Site::of(editor, region)?;
    let mut lines: Vec<String> =
        is_own(editor.input, region).then(|| editor.remark(&site.directive)).into_iter().collect();
    let body = device_lines(editor, region)?;
    match condition(region) {
        Some(condition) => {
            with_copies_of_host(editor, region, &site)?;
            with_fallback(editor, site, &condition, lines, &body);
        }
        None => {
            lines.extend(body);
            in_place_of_statement(editor, region, site, &lines)?;
        }
    }
    Ok(())
}

/// The host runs the statement, with what the construct and directives in it have copies of.
fn with_copies_of_host(editor: &mut Editor, region: &Region, site: &Site) -> Result<(), Refused> {
    let [open, close] = host_version::scope_of(&host_copies(editor.input.module, region).of_construct);
    editor.insert(site.statement.start, open);
    copies_inside(editor, region, |_| true)?;
    editor.insert(site.statement.end, close);
    Ok(())
}

fn copies_inside(editor: &mut Editor, region: &Region, of: impl Fn(Span) -> bool) -> Result<(), Refused> {
    for (statement, copies) in host_copies(editor.input.module, region).inside {
        if !copies.is_empty() && of(statement) {
            let place = editor.original.statements(editor.input.buffer, statement)?;
            let [open, close] = host_version::scope_of(&copies);
            editor.insert(place.start, open);
            editor.insert(place.end, close);
        }
    }
    Ok(())
}

/// The condition for running on the device (OpenACC 3.3 §2.5.6, §2.5.7).
fn condition(region: &Region) -> Option<String> {
    let wanted = region.clauses.if_.as_ref().map(|e| e.text.clone());
    let refused =
        region.clauses.self_.as_ref().and_then(Option::as_ref).map(|e| format!("!{}", operand(&e.text)));
    match (wanted, refused) {
        (Some(wanted), Some(refused)) => Some(format!("({wanted}) && {refused}")),
        (wanted, refused) => wanted.or(refused),
    }
}

fn device_lines(editor: &mut Editor, region: &Region) -> Result<Vec<String>, Refused> {
    let input = editor.input;
    let (mut lines, mut after) = clauses::around_all(input, &region.clauses.data);
    if input.target != PortLanguage::C {
        let results = results(input, region);
        lines.extend(results.iter().map(|r| format!("port_copyin(&{r}, sizeof {r});")));
        after.splice(0..0, results.iter().map(|r| format!("port_copyout(&{r}, sizeof {r});")));
    }
    for kernel in &region.kernels {
        let launch = Launch::new(input, region, *kernel)?;
        lines.push(launch::call(input, &launch));
        editor.launches.push(launch);
    }
    lines.extend(after);
    Ok(lines)
}

/// Reduction variables: their values go to the device and come back.
fn results(input: &Input, region: &Region) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for param in region.kernels.iter().flat_map(|k| &input.module.kernels[*k].params) {
        if let ParamKind::Reduction { host, .. } = &param.kind {
            let text = operand(&host.text);
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

fn in_place_of_statement(
    editor: &mut Editor,
    region: &Region,
    site: Site,
    lines: &[String],
) -> Result<(), Refused> {
    if editor.original.is_divided(&site.statement) {
        return Err(refuse("an #if or #define divides the statement", region.body_span));
    }
    drop_pragmas(editor, &site);
    let inner = if site.braces { format!("{}    ", site.indent) } else { site.indent.clone() };
    let text = editor.lines(&inner, lines);
    let text = match site.braces {
        true => format!("{{\n{text}{}}}", site.indent),
        false => text.trim().to_owned(),
    };
    editor.replace(&site.statement, text);
    Ok(())
}

/// The directive, and OpenMP pragmas between it and the statement, which no longer apply.
fn drop_pragmas(editor: &mut Editor, site: &Site) {
    if !site.directive.is_empty() {
        editor.replace(&site.directive, String::new());
    }
    for range in editor.original.pragmas_between(site.directive.end, site.statement.start) {
        editor.replace(&range, String::new());
    }
}

/// `if (condition) { launch } else statement`
fn with_fallback(editor: &mut Editor, site: Site, condition: &str, remark: Vec<String>, body: &[String]) {
    let mut lines = remark;
    lines.push(format!("if ({condition}) {{"));
    lines.extend(body.iter().flat_map(|l| l.lines()).map(|l| format!("    {l}")));
    lines.push("} else".into());
    let text = editor.lines(&site.indent, &lines);
    editor.replace(&site.directive, text);
}

/// The statement stays, between two groups of lines.
fn keep_body(editor: &mut Editor, site: Site, remark: String, before: Vec<String>, after: Vec<String>) {
    if before.is_empty() && after.is_empty() {
        editor.replace(&site.directive, String::new());
        return;
    }
    let declares = before.iter().any(|l| l.starts_with("const ") || l.starts_with("void *const"));
    let braces = (site.braces || declares) && before.first().is_none_or(|l| l != "{");
    let (open, close) =
        if braces { (vec!["{".to_owned()], vec!["}".to_owned()]) } else { Default::default() };
    let before: Vec<String> = [remark].into_iter().chain(open).chain(before).collect();
    let after: Vec<String> = after.into_iter().chain(close).collect();
    let text = editor.lines(&site.indent, &before);
    editor.replace(&site.directive, text);
    let text = editor.lines(&site.indent, &after);
    editor.insert(site.statement.end, format!("\n{}", text.trim_end_matches('\n')));
}

/// Lines before and after the body of a data construct.
fn data(input: &Input, region: &Region, site: &Site, line: u32) -> (Vec<String>, Vec<String>) {
    let body = input.buffer.get(region.body_span.start as usize..region.body_span.end as usize).unwrap_or("");
    let body = CodeFragment::new(body, input.cplusplus);
    let (mut constants, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
    for item in &region.clauses.data {
        let Some((start, bytes)) = clauses::arguments(input, item) else { continue };
        let (start, bytes) = if may_change(input, &body, item, &start, &bytes) {
            hoist(&mut constants, item, line, &start, &bytes)
        } else {
            (start, bytes)
        };
        let (first, last) = clauses::around(item, &start, &bytes);
        before.extend(first);
        after.splice(0..0, last);
    }
    if let Some(condition) = &region.clauses.if_ {
        let name = format!("on_device_{line}");
        constants.push(format!("const int {name} = ({}) != 0;", condition.text));
        before = under(&name, before);
        after = under(&name, after);
    }
    let _ = site;
    constants.extend(before);
    (constants, after)
}

fn under(name: &str, lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    let inner = lines.into_iter().map(|l| format!("    {l}"));
    [format!("if ({name}) {{")].into_iter().chain(inner).chain(["}".to_owned()]).collect()
}

/// Whether the address or the size may have another value after the body.
fn may_change(input: &Input, body: &CodeFragment, item: &DataItem, start: &str, bytes: &str) -> bool {
    let words: Vec<&str> = names(start).into_iter().chain(names(bytes)).collect();
    let words = words.into_iter().filter(|w| *w != "sizeof");
    let is_global = |w: &str| input.module.globals.iter().any(|(_, g)| g.name == w && !g.constant);
    let pointer = matches!(input.module.types.kind(item.ty), TypeKind::Pointer { .. });
    let reaches = !matches!(item.var, DataVar::Local(_)) && pointer || start.contains("->");
    let calls = body.calls();
    words.into_iter().any(|w| body.changes(w) || calls && is_global(w) && (pointer || w != item.base))
        || reaches && calls
        || bytes.contains('(') && calls && bytes.contains("->")
}

fn hoist(
    constants: &mut Vec<String>,
    item: &DataItem,
    line: u32,
    start: &str,
    bytes: &str,
) -> (String, String) {
    let word: String = item.base.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let (address, size) = (format!("{word}_{line}"), format!("{word}_{line}_bytes"));
    constants.push(format!("void *const {address} = (void *){};", operand_address(start)));
    constants.push(format!("const size_t {size} = {bytes};"));
    (address, size)
}

fn operand_address(start: &str) -> String {
    if start.starts_with('&') { format!("({start})") } else { operand(start) }
}

/// In the body the variables are device addresses (OpenACC 3.3 §2.8).
fn host_data(input: &Input, region: &Region) -> Result<(Vec<String>, Vec<String>), Refused> {
    if input.target == PortLanguage::OpenCl {
        let what = "host_data hands out device addresses, which OpenCL does not have";
        return Err(refuse(what, region.directive_span));
    }
    let (mut before, mut shadows, mut after) = (vec!["{".to_owned()], vec!["{".to_owned()], Vec::new());
    for (at, item) in region.clauses.data.iter().enumerate() {
        let ty = pointer_type(input, item);
        let base = operand(&item.base);
        let address = device_address(input, region, item);
        let address = match &region.clauses.if_ {
            Some(condition) => format!("({}) ? ({ty}){address} : ({ty}){base}", condition.text),
            None => format!("({ty}){address}"),
        };
        let name = match item.var {
            DataVar::Member(_) => format!("device_{at}"),
            DataVar::Local(_) | DataVar::Global(_) => format!("device_{base}"),
        };
        before.push(format!("    {ty} {name} = {address};"));
        if let DataVar::Member(_) = item.var {
            before.push(format!("    {ty} host_{at} = {base};"));
            shadows.push(format!("    {base} = {name};"));
            after.push(format!("    {base} = host_{at};"));
        } else {
            shadows.push(format!("    {ty} {base} = {name};"));
        }
    }
    before.extend(shadows);
    after.extend(["}".to_owned(), "}".to_owned()]);
    Ok((before, after))
}

fn device_address(input: &Input, region: &Region, item: &DataItem) -> String {
    let section = section::of(input, item, false);
    match (&section.first, region.clauses.if_present) {
        (_, true) => format!("port_device_or_host({})", section.base),
        (Some(first), false) => format!("port_device_at({}, {first})", section.base),
        (None, false) => format!("port_device({})", section.base),
    }
}

fn pointer_type(input: &Input, item: &DataItem) -> String {
    let base = operand(&item.base);
    match input.module.types.kind(item.ty) {
        TypeKind::Pointer { constant, .. } => {
            let declared =
                spelling::pointer_parameter(&input.module.types, item.ty, "", *constant, input.cplusplus);
            if declared.contains("void") { format!("__typeof__({base} + 0)") } else { declared }
        }
        TypeKind::Array { .. } => format!("__typeof__(&{base}[0])"),
        _ => format!("__typeof__(&{base})"),
    }
}

/// Items whose kinds a port cannot express.
pub fn is_attachment(item: &DataItem) -> bool {
    matches!(item.kind, DataKind::Attach | DataKind::Detach)
}
