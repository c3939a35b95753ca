//! What a port has no words for is refused before anything is written.

use super::constructs::is_attachment;
use super::source::Original;
use super::tokens::{Token, tokens};
use super::{Input, Refused, Target, refuse};
use accl_ir::{Body, DataItem, ExprKind, Module, Stmt, TypeKind, visit};
use accl_source::Span;

pub fn program(input: &Input) -> Result<(), Refused> {
    uses_runtime(input)?;
    if input.target == Target::C {
        return Ok(());
    }
    for (_, function) in input.module.functions.iter() {
        if let (Some(body), true) = (&function.body, function.has_regions) {
            clauses(input, body)?;
        }
    }
    for (_, kernel) in input.module.kernels.iter() {
        for variant in &kernel.variants {
            follows_stored_pointers(input.module, &variant.body, kernel.site.directive_span)?;
        }
    }
    Ok(())
}

/// The runtime's routines are not there.
fn uses_runtime(input: &Input) -> Result<(), Refused> {
    let included = |file: &str| file.rsplit('/').next() == Some("openacc.h");
    if !input.lines.file_names().any(included) {
        return Ok(());
    }
    let used = tokens(input.text).into_iter().find(|t| input.text[t.start..t.end].starts_with("acc_"));
    let Some(Token { start, end, .. }) = used else { return Ok(()) };
    let line = Original::new(input.file, input.text, input.lines).line_of(start);
    let word = &input.text[start..end];
    let what = format!("line {line} uses {word} of the OpenACC runtime, which a port does without");
    Err(refuse(what, Span::NOWHERE))
}

fn clauses(input: &Input, body: &Body) -> Result<(), Refused> {
    let mut found = Ok(());
    let mut look = |items: &[DataItem]| {
        for item in items {
            if is_attachment(item) && found.is_ok() {
                found = Err(refuse(format!("{} is attached", item.base), item.span));
            }
            if input.target == Target::OpenCl && item.kind == accl_ir::DataKind::Deviceptr && found.is_ok() {
                let what = format!("{} is a device address, which OpenCL does not have", item.base);
                found = Err(refuse(what, item.span));
            }
        }
    };
    visit::for_each_stmt(&body.block, &mut |node| match &node.kind {
        Stmt::Region(region) => look(&region.clauses.data),
        Stmt::Directive(directive) => look(&directive.data),
        _ => {}
    });
    found
}

/// A pointer in memory that was copied to the device still is the host's.
fn follows_stored_pointers(module: &Module, body: &Body, span: Span) -> Result<(), Refused> {
    let mut stored = false;
    visit::for_each_expr(body, &body.block, &mut |e, _| {
        let expr = &body.exprs[e];
        if let (ExprKind::Load(place), TypeKind::Pointer { .. }) = (&expr.kind, module.types.kind(expr.ty)) {
            stored |= !matches!(body.exprs[*place].kind, ExprKind::Local(_));
        }
    });
    if stored {
        return Err(refuse("the construct follows pointers that are stored in arrays or structures", span));
    }
    Ok(())
}
