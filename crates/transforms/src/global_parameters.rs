//! Functions that use variables at file scope get these as arguments where they cannot become part of the kernel.
//!
//! A kernel knows such a variable by a parameter, so a function that uses one is inlined (`inline_routines`). That does not
//! go for a function that returns before its end, calls itself, or is called in the condition of a loop. These are given the
//! addresses of the variables, or of a pointer its value, as further arguments, and so are the functions that they call.

use crate::context::Context;
use crate::outline::data_params;
use crate::pass::Pass;
use crate::returns;
use accl_analysis::provenance::Root;
use accl_ir::calls::{calls, reached};
use accl_ir::{
    Body, Expr, ExprKind, Function, Global, Handle, Level, LocalKind, Module, Stmt, TypeKind, visit,
};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

pub const PASS: Pass = Pass {
    name: "global_parameters",
    promise: "Functions that cannot become part of a kernel use no variables at file scope.",
    run,
};

type Variables = BTreeSet<Handle<Global>>;

fn run(module: &mut Module, cx: &mut Context<'_>) {
    let given = functions(module);
    if given.is_empty() {
        return;
    }
    cx.analyses.forget_all();
    for function in module.functions.handles() {
        let Some(mut body) = module.functions[function].body.take() else { continue };
        pass_arguments(module, &mut body, &given);
        module.functions[function].body = Some(body);
    }
    for (function, variables) in &given {
        let Some(mut body) = module.functions[*function].body.take() else { continue };
        let mut block = std::mem::take(&mut body.block);
        for variable in variables {
            let Global { name, ty, .. } = module.globals[*variable].clone();
            let root = Root::Global(*variable);
            let param = data_params::bind(module, &mut body, &mut block, &root, ty, &name);
            body.locals[param].kind = LocalKind::Param;
            module.functions[*function].params.push(param);
        }
        body.block = block;
        module.functions[*function].body = Some(body);
    }
}

/// The functions that get arguments, with the variables that they or functions that they call use.
fn functions(module: &Module) -> BTreeMap<Handle<Function>, Variables> {
    let device = || module.functions.iter().filter(|(_, f)| !f.has_regions);
    let mut used = BTreeMap::new();
    for (handle, function) in device() {
        let Some(body) = &function.body else { continue };
        let all = [handle].into_iter().chain(reached(module, body, &body.block));
        let all: Variables = all.flat_map(|f| own_variables(module, f)).collect();
        if !all.is_empty() && all.iter().all(|variable| can_be_passed(module, *variable)) {
            used.insert(handle, all);
        }
    }
    let conditions = called_in_conditions(module);
    let stays = |handle: &Handle<Function>| {
        let function = &module.functions[*handle];
        let Some(body) = &function.body else { return false };
        let shares = matches!(function.routine, Some(Level::Gang | Level::Worker | Level::Vector));
        let recursive = || reached(module, body, &body.block).contains(handle);
        !shares && (conditions.contains(handle) || returns::are_early(&body.block) || recursive())
    };
    let mut given: BTreeSet<Handle<Function>> = used.keys().copied().filter(stays).collect();
    // What these call stays a function, too.
    let mut next: Vec<Handle<Function>> = given.iter().copied().collect();
    while let Some(function) = next.pop() {
        let Some(body) = &module.functions[function].body else { continue };
        let callees = calls(body, &body.block).into_iter().map(|(callee, _)| callee);
        next.extend(callees.filter(|callee| used.contains_key(callee) && given.insert(*callee)));
    }
    used.retain(|function, _| given.contains(function));
    used
}

/// Variables that are no known constants.
fn own_variables(module: &Module, function: Handle<Function>) -> Variables {
    let mut found = Variables::new();
    if let Some(body) = &module.functions[function].body {
        visit::all_exprs(&body.exprs, &body.block, &mut |e| {
            if let ExprKind::Global(global) = body.exprs[e].kind {
                found.extend(Some(global).filter(|g| module.globals[*g].value.is_none()));
            }
        });
    }
    found
}

/// A pointer is passed by its value: nothing may change it. Data items stand for the object of a reference, not for the reference.
fn can_be_passed(module: &Module, variable: Handle<Global>) -> bool {
    if module.globals[variable].reference {
        return false;
    }
    if !matches!(module.types.kind(module.globals[variable].ty), TypeKind::Pointer { .. }) {
        return true;
    }
    let only_read = |body: &Body| {
        let (mut uses, mut reads) = (0, 0);
        visit::all_exprs(&body.exprs, &body.block, &mut |e| match body.exprs[e].kind {
            ExprKind::Global(global) => uses += usize::from(global == variable),
            ExprKind::Load(place) => {
                reads += usize::from(body.exprs[place].kind == ExprKind::Global(variable))
            }
            _ => {}
        });
        uses == reads
    };
    module
        .functions
        .iter()
        .filter(|(_, f)| !f.has_regions)
        .all(|(_, f)| f.body.as_ref().is_none_or(only_read))
}

fn called_in_conditions(module: &Module) -> BTreeSet<Handle<Function>> {
    let mut found = BTreeSet::new();
    for body in module.functions.iter().filter_map(|(_, f)| f.body.as_ref()) {
        visit::for_each_stmt(&body.block, &mut |node| {
            if let Stmt::While { cond: Some(cond), .. } = &node.kind {
                visit::for_each_operand(&body.exprs, *cond, &mut |e| {
                    if let ExprKind::Call { function, .. } = body.exprs[e].kind {
                        found.insert(function);
                    }
                });
            }
        });
    }
    found
}

/// Calls of the functions pass what they get.
fn pass_arguments(module: &mut Module, body: &mut Body, given: &BTreeMap<Handle<Function>, Variables>) {
    for e in body.exprs.handles() {
        let Expr { kind: ExprKind::Call { function, .. }, span, .. } = body.exprs[e] else { continue };
        let more = arguments(module, body, given.get(&function), span);
        if let ExprKind::Call { args, .. } = &mut body.exprs[e].kind {
            args.extend(more);
        }
    }
    let mut block = std::mem::take(&mut body.block);
    visit::for_each_stmt_mut(&mut block, &mut |node| {
        let span = node.span;
        if let Stmt::Call { function, args, .. } = &mut node.kind {
            args.extend(arguments(module, body, given.get(function), span));
        }
    });
    body.block = block;
}

fn arguments(
    module: &mut Module,
    body: &mut Body,
    variables: Option<&Variables>,
    span: Span,
) -> Vec<Handle<Expr>> {
    let mut argument = |variable: &Handle<Global>| {
        let ty = module.globals[*variable].ty;
        let place = body.expr(ExprKind::Global(*variable), ty, span);
        match *module.types.kind(ty) {
            TypeKind::Pointer { .. } => body.expr(ExprKind::Load(place), ty, span),
            TypeKind::Array { of, .. } => {
                let pointer = module.types.pointer(of);
                body.expr(ExprKind::Decay(place), pointer, span)
            }
            _ => {
                let pointer = module.types.pointer(ty);
                body.expr(ExprKind::AddrOf(place), pointer, span)
            }
        }
    };
    variables.into_iter().flatten().map(&mut argument).collect()
}
