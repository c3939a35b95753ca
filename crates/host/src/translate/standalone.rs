//! Directives without a statement.

use super::editor::Editor;
use super::tokens::CodeFragment;
use super::{PortLanguage, Refused, clauses, refuse};
use accl_ir::{HostExpr, Standalone, StandaloneKind};
use std::ops::Range;

pub fn edit(editor: &mut Editor, directive: &Standalone) -> Result<(), Refused> {
    let range = editor.directive(directive.directive_span)?;
    if editor.input.target == PortLanguage::C {
        editor.replace(&range, String::new());
        return Ok(());
    }
    if directive.kind == StandaloneKind::Declare {
        return declare(editor, directive, &range);
    }
    let lines = statement(editor, directive)?;
    let indent = indent_of_neighbour(editor, &range);
    put(editor, directive, &range, &indent, lines);
    Ok(())
}

fn put(editor: &mut Editor, directive: &Standalone, range: &Range<usize>, indent: &str, lines: Vec<String>) {
    let mut all = vec![editor.remark(range)];
    match &directive.if_ {
        Some(condition) if !lines.is_empty() => {
            all.push(format!("if ({}) {{", condition.text));
            all.extend(lines.iter().flat_map(|l| l.lines()).map(|l| format!("    {l}")));
            all.push("}".into());
        }
        _ => all.extend(lines),
    }
    if editor.original.takes_one_statement(range.start) {
        all.insert(0, "{".into());
        all.push("}".into());
    }
    let text = editor.lines(indent, &all);
    editor.replace(range, text);
}

/// Directives often stand at the margin: the next line that is not a directive shows the indentation.
fn indent_of_neighbour(editor: &Editor, range: &Range<usize>) -> String {
    let next = crate::lexer::skip_blank(editor.input.text, range.end);
    let text = &editor.input.text[next..];
    let own = editor.original.indent(range.start);
    let found = editor.original.indent(next.min(editor.input.text.len()));
    match text.chars().next() {
        Some('}') => format!("{found}    "),
        Some(_) if found.len() > own.len() => found.to_owned(),
        _ => own.to_owned(),
    }
}

fn statement(editor: &Editor, directive: &Standalone) -> Result<Vec<String>, Refused> {
    let input = editor.input;
    Ok(match &directive.kind {
        StandaloneKind::EnterData | StandaloneKind::ExitData => {
            let of = |item| clauses::unstructured(input, item, directive.finalize);
            directive.data.iter().flat_map(of).collect()
        }
        StandaloneKind::Update => {
            directive.data.iter().flat_map(|i| clauses::update(input, i, directive.if_present)).collect()
        }
        StandaloneKind::Wait => vec!["port_wait();".into()],
        // Devices initialise themselves, and with one queue there is nothing to choose.
        StandaloneKind::Init { .. } | StandaloneKind::Shutdown { .. } => Vec::new(),
        StandaloneKind::Set { device_num, device_types, .. } => {
            let first = |n: &HostExpr| n.value == Some(0);
            if !device_types.is_empty() || !device_num.as_ref().is_none_or(first) {
                return Err(refuse("a port uses one device, so none is chosen", directive.directive_span));
            }
            Vec::new()
        }
        StandaloneKind::Declare => Vec::new(),
    })
}

/// In a function: from the directive to the end of the block, which must be the only way out.
fn declare(editor: &mut Editor, directive: &Standalone, range: &Range<usize>) -> Result<(), Refused> {
    let (before, after) = clauses::around_all(editor.input, &directive.data);
    let indent = indent_of_neighbour(editor, range);
    put(editor, directive, range, &indent, before);
    if after.is_empty() {
        return Ok(());
    }
    let end = editor.original.end_of_block(range.end);
    let end = end.ok_or_else(|| refuse("the end of the block is not found", directive.directive_span))?;
    let rest = CodeFragment::new(&editor.input.text[range.end..end], editor.input.cplusplus);
    if ["return", "goto", "break", "continue", "throw"].iter().any(|word| rest.has_word(word)) {
        let what = "a jump leaves the block that the declare directive's data live in";
        return Err(refuse(what, directive.directive_span));
    }
    let text = editor.lines(&indent, &after);
    let line_start = end - editor.original.indent(end).len();
    editor.insert(line_start, text);
    Ok(())
}

/// At file scope: as long as the program runs, from before `main`.
pub fn file_scope(editor: &mut Editor, directive: &Standalone) -> Result<(), Refused> {
    let range = editor.directive(directive.directive_span)?;
    let input = editor.input;
    let calls: Vec<String> =
        directive.data.iter().flat_map(|item| clauses::unstructured(input, item, false)).collect();
    if input.target == PortLanguage::C || calls.is_empty() {
        editor.replace(&range, String::new());
        return Ok(());
    }
    let line = editor.original.line_of(range.start);
    let mut lines = vec![editor.remark(&range)];
    lines.push(format!("__attribute__((constructor)) static void declare_{line}(void)"));
    lines.push("{".into());
    lines.extend(calls.iter().map(|c| format!("    {c}")));
    lines.push("}".into());
    let text = editor.lines("", &lines);
    editor.replace(&range, text);
    Ok(())
}
