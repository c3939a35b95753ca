//! `declare target` (OpenMP 5.2 §7.8): variables of the file that exist on devices, with the values that they start with.
//!
//! Functions need no mention: what a construct calls is compiled for devices.

use super::context::Context;
use super::scope::short_name;
use super::standalone::{global_item, push_declared};
use super::walk;
use crate::ast::{ExprKind, Function, Len, Storage, Ty, Var};
use crate::pragmas::Pragma;
use accl_directives::{ClauseKind, DataKind as Named, DirectiveKind, Section};
use accl_ir::{DataFlags, DataKind};
use accl_source::{Diagnostic, Span, codes::frontend as codes};
use std::collections::BTreeSet;

/// The directive with this number.
pub fn declare(cx: &mut Context<'_>, index: usize) {
    let pragma = &cx.pragmas[index];
    // Where the variables are registered: behind their declarations.
    let (sections, place) = match pragma.directive.clauses.is_empty() {
        true => match up_to_end(cx, index) {
            Some(found) => found,
            None => {
                let message = "the block that `declare target` begins has no end";
                let error = Diagnostic::error(codes::MISPLACED, message).at(pragma.directive.name_span);
                return cx.error(
                    error.with_help("write `#pragma omp end declare target` behind the declarations"),
                );
            }
        },
        false => (named(cx, index), pragma.span),
    };
    let mut data = vec![];
    let follows = |section: &Section| cx.source.auto_data && follows_its_data(cx, section);
    let sections: Vec<Section> = sections.into_iter().filter(|section| !follows(section)).collect();
    for section in sections {
        let is_declared = |item: &accl_ir::DataItem| item.name == section.to_string();
        let before = cx.module.declares.iter().flat_map(|d| &d.data);
        if before.chain(&data).any(is_declared) {
            continue;
        }
        match global_item(cx, (DataKind::Copyin, DataFlags::default()), &section, section.span.at_end()) {
            Some(item) => data.push(item),
            None if pragma.directive.clauses.is_empty() => {}
            None => {
                let message = format!("`{section}` is no global array, scalar or function declared before");
                cx.error(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(section.span));
            }
        }
    }
    if !data.is_empty() {
        push_declared(cx, data, place);
    }
}

/// With `-gpu=autodata`: whether the host's contents of an array and the device's are to be the same. They are of arrays that no
/// directive moves. What functions for the constructs of other files use is on the device for all of them.
fn follows_its_data(cx: &Context<'_>, section: &Section) -> bool {
    let Some(name) = section.as_variable().map(short_name) else { return false };
    let is_it = |global: &&Var| short_name(&global.name) == name;
    let Some(global) = cx.program.globals.iter().find(is_it) else { return false };
    let is_array = matches!(*global.ty.ty, Ty::Array { len: Len::Const(_), .. });
    let declares = |p: &Pragma| {
        matches!(p.directive.kind, DirectiveKind::DeclareTarget { .. } | DirectiveKind::EndDeclareTarget)
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let text = |p: &Pragma| &cx.source.buffer[p.span.start as usize..p.span.end as usize];
    let names = |p: &Pragma| text(p).split(|c| !is_word(c)).any(|word| word == name);
    let moves = cx.pragmas.iter().any(|p| !declares(p) && names(p));
    is_array && !moves && !is_used_by_exports(cx, global)
}

/// Whether a function that a directive marks, or one that it calls, names the variable.
fn is_used_by_exports(cx: &Context<'_>, global: &Var) -> bool {
    let mut todo: Vec<&Function> = cx.program.functions.iter().filter(|f| names_function(cx, f)).collect();
    let mut seen = BTreeSet::new();
    while let Some(function) = todo.pop() {
        let Some(body) = function.body.as_ref().filter(|_| seen.insert(function.id)) else { continue };
        if walk::uses_within(body, global.id) > 0 {
            return true;
        }
        todo.extend(walk::called(body).into_iter().filter_map(|id| cx.function_decl(id)));
    }
    false
}

/// Whether a directive says that the function exists on devices.
pub fn names_function(cx: &Context<'_>, function: &Function) -> bool {
    let declarations = || cx.program.functions.iter().filter(|f| f.id == function.id);
    let by_name = |s: &Section| s.as_variable().is_some_and(|n| short_name(n) == short_name(&function.name));
    cx.pragmas.iter().enumerate().any(|(index, pragma)| {
        let DirectiveKind::DeclareTarget { .. } = pragma.directive.kind else { return false };
        let mut lists = pragma.directive.clauses.iter().filter_map(|c| match &c.kind {
            ClauseKind::Data(data) => Some(&data.sections),
            _ => None,
        });
        match block_of(cx, index) {
            Some(block) => declarations().any(|f| crate::bind::is_inside(block, f.span)),
            None => lists.any(|list| list.iter().any(by_name)),
        }
    })
}

/// The text between a directive without lists and its end.
fn block_of(cx: &Context<'_>, index: usize) -> Option<Span> {
    let begin = &cx.pragmas[index];
    if !begin.directive.clauses.is_empty() {
        return None;
    }
    let mut depth = 0;
    let end = cx.pragmas[index..].iter().find(|p| {
        depth += opens(p);
        depth == 0
    })?;
    Some(Span { start: begin.span.end, end: end.span.start, ..begin.span })
}

/// An `end declare target` ends a block.
pub fn end(cx: &mut Context<'_>, index: usize) {
    if cx.pragmas[..=index].iter().map(opens).sum::<i32>() < 0 {
        let message = "nothing that `declare target` begins ends here";
        let at = cx.pragmas[index].directive.name_span;
        cx.error(Diagnostic::error(codes::MISPLACED, message).at(at));
    }
}

/// By how much the nesting of blocks grows at a directive.
fn opens(pragma: &Pragma) -> i32 {
    match pragma.directive.kind {
        DirectiveKind::DeclareTarget { .. } if pragma.directive.clauses.is_empty() => 1,
        DirectiveKind::EndDeclareTarget => -1,
        _ => 0,
    }
}

pub fn refused_in_function(pragma: &Pragma) -> Diagnostic {
    Diagnostic::error(codes::MISPLACED, "a `declare target` directive stands in a function")
        .at(pragma.directive.name_span)
        .with_note("an automatic variable ends with its block; for static variables of functions this is not implemented")
        .with_help("put the variable and the directive before the function")
}

/// The variables of the lists. Functions, and what is linked, need nothing: a variable that is linked is on the device while it
/// is mapped, as any other.
fn named(cx: &Context<'_>, index: usize) -> Vec<Section> {
    let clauses = &cx.pragmas[index].directive.clauses;
    let lists = clauses.iter().filter_map(|c| match &c.kind {
        ClauseKind::Data(data) if data.kind != Named::Link => Some(&data.sections),
        _ => None,
    });
    let is_function = |s: &&Section| {
        s.as_variable()
            .is_some_and(|n| cx.program.functions.iter().any(|f| short_name(&f.name) == short_name(n)))
    };
    lists.flatten().filter(|s| !is_function(s)).cloned().collect()
}

/// The variables that are defined between the directive and its end, and the place of that.
fn up_to_end(cx: &Context<'_>, index: usize) -> Option<(Vec<Section>, Span)> {
    let block = block_of(cx, index)?;
    let inside = |span: Span| !span.is_nowhere() && crate::bind::is_inside(block, span);
    let globals = cx.program.globals.iter().filter(|g| {
        inside(g.span) && !g.ty.constant && (g.storage != Storage::Extern || is_sized_and_used(cx, g))
    });
    let end = cx.pragmas.iter().find(|p| p.span.start == block.end)?;
    Some((globals.map(|g| Section::variable(&g.name, g.span)).collect(), end.span))
}

/// A variable of another file, which registers it, too: whoever comes first brings its value. A declaration in a header may be
/// of a variable that the program does not have.
fn is_sized_and_used(cx: &Context<'_>, global: &Var) -> bool {
    let bodies = cx.program.functions.iter().filter_map(|f| f.body.as_ref());
    let mut used = false;
    for body in bodies {
        walk::exprs(body, &mut |e| used |= matches!(e.kind, ExprKind::Var(id, _) if id == global.id));
    }
    used && !matches!(*global.ty.ty, Ty::Array { len: Len::Unknown, .. })
}
