//! Calls of a function of another unit pass what its parameters are: a unit may know a structure by its name alone, and
//! points to it. Where a call passes something else, the units declare the function differently, and it has no body here.

use crate::{Body, Expr, ExprKind, Function, Handle, Module, Stmt, Type, TypeKind, Types, visit};
use std::collections::{BTreeMap, BTreeSet};

type Parameters = BTreeMap<Handle<Function>, Vec<Handle<Type>>>;

/// Adapts the arguments of all calls of the functions.
pub fn adapt(module: &mut Module, linked: &BTreeSet<Handle<Function>>) {
    let parameters: Parameters =
        linked.iter().map(|f| (*f, types_of_parameters(&module.functions[*f]))).collect();
    let mut wrong = BTreeSet::new();
    for function in module.functions.handles() {
        let Some(mut body) = module.functions[function].body.take() else { continue };
        let mut block = std::mem::take(&mut body.block);
        for e in body.exprs.handles() {
            let ExprKind::Call { function, args } = body.exprs[e].kind.clone() else { continue };
            let Some(params) = parameters.get(&function) else { continue };
            match adapted(&module.types, &mut body, &args, params) {
                Some(args) => body.exprs[e].kind = ExprKind::Call { function, args },
                None => drop(wrong.insert(function)),
            }
        }
        visit::for_each_stmt_mut(&mut block, &mut |node| {
            if let Stmt::Call { function, args, .. } = &mut node.kind
                && let Some(params) = parameters.get(function)
            {
                match adapted(&module.types, &mut body, args, params) {
                    Some(new) => *args = new,
                    None => drop(wrong.insert(*function)),
                }
            }
        });
        body.block = block;
        module.functions[function].body = Some(body);
    }
    for function in wrong {
        module.functions[function].body = None;
        module.functions[function].params.clear();
    }
}

fn types_of_parameters(function: &Function) -> Vec<Handle<Type>> {
    let types = |body: &Body| function.params.iter().map(|param| body.locals[*param].ty).collect();
    function.body.as_ref().map(types).unwrap_or_default()
}

fn adapted(
    types: &Types,
    body: &mut Body,
    args: &[Handle<Expr>],
    params: &[Handle<Type>],
) -> Option<Vec<Handle<Expr>>> {
    if args.len() != params.len() {
        return None;
    }
    let arg = |(arg, param): (&Handle<Expr>, &Handle<Type>)| {
        let own = body.exprs[*arg].ty;
        if own == *param {
            return Some(*arg);
        }
        let is_pointer = |ty: Handle<Type>| matches!(types.kind(ty), TypeKind::Pointer { .. });
        let span = body.exprs[*arg].span;
        (is_pointer(own) && is_pointer(*param)).then(|| body.expr(ExprKind::Cast(*arg), *param, span))
    };
    args.iter().zip(params).map(arg).collect()
}
