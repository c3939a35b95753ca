//! Constructs in the words of OpenACC, for a port (`accl translate --to openacc`).

use super::WhyNot;
use super::edits::TextEdit;
use super::kernel::LoopClauses;
use super::lines::{self, OmpLine};
use super::unit::SourceFile;
use crate::ast::{Stmt, StmtKind};
use crate::lower::walk;
use accl_directives::omp::ast::{Leaf, OmpClauseKind, OmpName};

/// What OpenACC has no words for.
pub fn check(unit: &SourceFile<'_>, line: &OmpLine, clauses: &LoopClauses) -> Result<(), WhyNot> {
    let refuse = |why: &str| Err(WhyNot::new(line.directive.name_span, why.into()));
    if !clauses.last.is_empty() || !line.names(lines::lasts).is_empty() {
        return refuse("it needs `lastprivate`, which OpenACC does not have");
    }
    for clause in &line.directive.clauses {
        if let OmpClauseKind::Reduction { op, sections } = &clause.kind {
            if unit.text(clause.span).contains("(-") || op.symbol() == "-" {
                return refuse("OpenACC has no reduction by `-`");
            }
            let scalar = |name: &str| clauses_scalar(unit, name);
            if !sections.iter().all(|s| s.is_whole() && s.as_variable().is_some_and(scalar)) {
                return refuse("it reduces an array");
            }
        }
    }
    match clauses.reduced.values().flatten().all(|name| clauses_scalar(unit, name)) {
        true => Ok(()),
        false => refuse("it reduces an array"),
    }
}

/// No variable of that name is an array or a pointer.
fn clauses_scalar(unit: &SourceFile<'_>, name: &str) -> bool {
    unit.variables_named(name).into_iter().all(|id| unit.is_scalar(id))
}

/// Atomic operations are OpenACC's in a construct, and `simd` says nothing there.
pub fn inner_directives(unit: &SourceFile<'_>, body: &Stmt) -> Vec<TextEdit> {
    let mut edits = vec![];
    each_directive(body, &mut |index| {
        let line = &unit.lines[index];
        let range = line.span.start..line.span.end;
        if matches!(line.directive.name, OmpName::Atomic(_)) {
            edits.push(TextEdit::replace(range, unit.text(line.span).replacen("omp", "acc", 1)));
        } else if line.leaves() == [Leaf::Simd] {
            edits.push(TextEdit::replace(range, String::new()));
        }
    });
    edits
}

fn each_directive(s: &Stmt, visit: &mut dyn FnMut(usize)) {
    if let StmtKind::Directed { directive, .. } = &s.kind {
        visit(*directive);
    }
    walk::children(s).into_iter().for_each(|s| each_directive(s, visit));
}

/// What stands in the place of a region of one thread: its private variables are those of a block.
pub fn region(unit: &SourceFile<'_>, line: &OmpLine, body: &Stmt) -> Result<String, WhyNot> {
    let used = unit.used(body);
    let mut text = String::new();
    let mut declare = |name: &str, has_value: bool| {
        let var = used.iter().find(|(_, used, _)| used == name).and_then(|(id, ..)| unit.var(*id));
        let Some(var) = var else { return Ok(()) };
        let ty = &var.type_text;
        if ty.contains(['[', '(']) {
            let why = format!("`{name}` is an array that each thread has for itself");
            return Err(WhyNot::new(line.directive.name_span, why));
        }
        match has_value {
            true => text = format!("{ty} accl_{name} = {name}; {{ {ty} {name} = accl_{name}; {text}"),
            false => text += &format!("{ty} {name}; "),
        }
        Ok(())
    };
    for name in line.names(lines::privates) {
        declare(name, false)?;
    }
    for name in line.names(lines::firstprivates) {
        declare(name, true)?;
    }
    Ok(text.trim_end().to_owned())
}
