//! Refuses, before anything is written, what a port cannot express.

use super::constructs::is_attachment;
use super::source::Original;
use super::tokens::{Token, tokens};
use super::{Input, PortLanguage, Refused, refuse};
use accl_ir::{Body, DataItem, ExprKind, Kernel, Module, ParamKind, Stmt, TypeKind, visit};
use accl_source::Span;

pub fn program(input: &Input) -> Result<(), Refused> {
    uses_runtime(input)?;
    for (_, kernel) in input.module.kernels.iter() {
        keeps_reductions(kernel)?;
    }
    for (_, function) in input.module.functions.iter() {
        if let Some(body) = &function.body {
            plain_data(body)?;
            no_rows(input, body)?;
        }
    }
    if input.target == PortLanguage::C {
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

/// The runtime's routines are not available in a port.
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
    each_item(body, &|item| {
        if is_attachment(item) {
            return Err(refuse(format!("{} is attached", item.base), item.span));
        }
        if input.target == PortLanguage::OpenCl && item.kind == accl_ir::DataKind::Deviceptr {
            let what = format!("{} is a device address, which OpenCL does not have", item.base);
            return Err(refuse(what, item.span));
        }
        Ok(())
    })
}

/// The first refusal of an item of the body's regions and directives.
fn each_item(body: &Body, look: &dyn Fn(&DataItem) -> Result<(), Refused>) -> Result<(), Refused> {
    let mut found = Ok(());
    visit::for_each_stmt(&body.block, &mut |node| {
        let items: &[DataItem] = match &node.kind {
            Stmt::Region(region) => &region.clauses.data,
            Stmt::Directive(directive) => &directive.data,
            _ => &[],
        };
        if found.is_ok() {
            found = items.iter().try_for_each(look);
        }
    });
    found
}

/// Rows of arrays of pointers are looked up one by one, in the runtime's table, and rows for iterations are its memory.
fn no_rows(input: &Input, body: &Body) -> Result<(), Refused> {
    each_item(body, &|item| match item.is_deep(&input.module.types) {
        _ if item.flags.rows => Err(refuse(
            format!("{} is private, and the runtime would give it its memory", item.name),
            item.span,
        )),
        false => Ok(()),
        true => Err(refuse(
            format!("{} goes through pointers, whose rows the runtime would have to keep", item.name),
            item.span,
        )),
    })
}

/// Compressed arrays need the runtime to encode and decode.
fn plain_data(body: &Body) -> Result<(), Refused> {
    each_item(body, &|item| match item.compression {
        None => Ok(()),
        Some(_) => Err(refuse(format!("{} is compressed, which needs the runtime", item.base), item.span)),
    })
}

/// A reduction of a kernel's outermost loop goes to the host, or into a variable of the kernel's own.
fn keeps_reductions(kernel: &Kernel) -> Result<(), Refused> {
    let block = &kernel.body.block;
    let own = |local| block.iter().any(|n| matches!(n.kind, Stmt::Declare { local: l, .. } if l == local));
    let given =
        |local| kernel.params.iter().any(|p| p.local == local && !matches!(p.kind, ParamKind::Value { .. }));
    let loops = block.iter().filter_map(|node| match &node.kind {
        Stmt::For(l) => Some(l),
        _ => None,
    });
    for reduction in loops.flat_map(|l| l.directive.iter()).flat_map(|d| &d.reductions) {
        if !own(reduction.local) && !given(reduction.local) {
            let name = &kernel.body.locals[reduction.local].name;
            return Err(refuse(format!("the result of the reduction into {name} is lost"), reduction.span));
        }
    }
    Ok(())
}

/// A pointer in memory that was copied to the device still holds a host address.
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
