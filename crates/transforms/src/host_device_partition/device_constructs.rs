//! Makes constructs of the parts that stay on the device.

use super::facts::Facts;
use super::source_statements::{leaves, span_of};
use super::{Refusal, refuse};
use accl_ir::{Block, Compressed, DataItem, Region, RegionClauses, RegionKind, Stmt, StmtNode};
use accl_source::Span;

/// A kernels construct of the nodes, which are whole statements of the source.
pub fn of_nodes(facts: &Facts<'_>, around: &Region, nodes: &[StmtNode]) -> Result<StmtNode, Refusal> {
    let body = with_semicolon(facts, span_of(nodes));
    if leaves(nodes) {
        return refuse(body, "control leaves a statement that needs the device's memory");
    }
    let directive = own_directive(facts, nodes).unwrap_or(Span { end: body.start, ..body });
    if !is_statement(facts, directive.to(body)) {
        return refuse(body, "a part of a statement needs the device's memory");
    }
    Ok(construct(around, directive, body, nodes.to_vec()))
}

/// A construct that computes a value ahead of the statement at `at`.
pub fn ahead_of(around: &Region, at: Span, body: Block) -> StmtNode {
    let at = Span { end: at.start, ..at };
    construct(around, at, at, body)
}

fn construct(around: &Region, directive_span: Span, body_span: Span, body: Block) -> StmtNode {
    let outer = &around.clauses;
    let clauses = RegionClauses {
        async_: outer.async_.clone(),
        num_gangs: outer.num_gangs.clone(),
        num_workers: outer.num_workers.clone(),
        vector_length: outer.vector_length.clone(),
        compression: outer
            .compression
            .iter()
            .cloned()
            .chain(outer.data.iter().filter_map(compressed))
            .collect(),
        ..RegionClauses::default()
    };
    let span = directive_span.to(body_span);
    let kind = RegionKind::Kernels;
    let copy = around.copy;
    let region =
        Region { kind, combined: false, clauses, body, directive_span, copy, body_span, kernels: vec![] };
    StmtNode { kind: Stmt::Region(Box::new(region)), span }
}

/// What the whole construct keeps compressed, its kernels decode.
fn compressed(item: &DataItem) -> Option<Compressed> {
    let c = item.compression.as_ref()?;
    let (var, name) = (item.var.clone(), item.name.clone());
    Some(Compressed { var, name, ty: item.ty, format: Some(c.format), span: c.span })
}

/// An expression's span ends before its semicolon.
fn with_semicolon(facts: &Facts<'_>, span: Span) -> Span {
    let Some(files) = facts.files.filter(|_| !span.is_nowhere()) else { return span };
    let after = files.text(Span { start: span.end, end: span.end + 64, ..span });
    let blank = after.len() - after.trim_start().len();
    match after[blank..].starts_with(';') && !files.text(span).ends_with([';', '}']) {
        true => Span { end: span.end + blank as u32 + 1, ..span },
        false => span,
    }
}

/// The loop directive in front of the first statement.
fn own_directive(facts: &Facts<'_>, nodes: &[StmtNode]) -> Option<Span> {
    let Stmt::For(l) = &nodes.first()?.kind else { return None };
    let d = l.directive.as_ref()?;
    let before = d.span != facts.directive && d.span.end <= nodes[0].span.start;
    (before && !d.span.is_nowhere()).then_some(d.span)
}

/// The text consists of one or more whole statements, and stands where a statement may. The IR also has statements
/// for parts of loop headers.
fn is_statement(facts: &Facts<'_>, span: Span) -> bool {
    let Some(files) = facts.files.filter(|_| !span.is_nowhere()) else { return true };
    let ends = files.text(span).trim_end().ends_with([';', '}']);
    let before = files.text(Span { start: 0, end: span.start, ..span });
    let mut lines = before.lines().rev().map(str::trim);
    let code = lines.find(|l| !l.is_empty() && !l.starts_with('#')).unwrap_or("");
    let word = code.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
    ends && (code.ends_with(['{', '}', ';', ')', ':']) || matches!(word, "else" | "do"))
}
