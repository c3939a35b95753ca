//! A module for a port: one version of each kernel, no parameter that nothing uses.

use super::PortLanguage;
use accl_ir::{
    ArrayLen, Block, Body, Handle, Kernel, Local, Module, ParamKind, Stmt, TypeKind, Types, visit,
};
use std::collections::BTreeSet;

/// The module with its kernels made ready for code generation.
pub fn prepare(module: &Module, target: PortLanguage) -> Module {
    let mut module = module.clone();
    let handles: Vec<_> = module.kernels.handles().collect();
    for handle in handles {
        let kernel = &mut module.kernels[handle];
        keep_plain_variant(kernel);
        let used = match target {
            PortLanguage::Cuda | PortLanguage::OpenCl => {
                kernel.variants.last().map(|v| used(&module.types, &v.body)).unwrap_or_default()
            }
            PortLanguage::C => {
                let mut locals = used(&module.types, &kernel.body);
                locals.extend(kernel.cpu.iter().flat_map(|body| used(&module.types, body)));
                locals
            }
        };
        drop_parameters(kernel, &used);
        for body in
            kernel.variants.iter_mut().map(|v| &mut v.body).chain(&mut kernel.cpu).chain([&mut kernel.body])
        {
            give_own_names(body);
        }
    }
    module
}

/// The front end distinguishes variables of one name by suffixes, in a whole function; a kernel needs few of these.
fn give_own_names(body: &mut Body) {
    let mut used: BTreeSet<Handle<Local>> = BTreeSet::new();
    visit::for_each_local(body, &body.block, &mut |local, _| {
        used.insert(local);
    });
    let mut taken: BTreeSet<String> = used.iter().map(|l| body.locals[*l].name.clone()).collect();
    for local in used {
        let Local { name, span, .. } = &body.locals[local];
        let own =
            name.rsplit_once('_').filter(|(own, _)| own.len() == span.len() as usize && !own.is_empty());
        let Some((own, _)) = own.filter(|(own, end)| end.parse::<u32>().is_ok() && !taken.contains(*own))
        else {
            continue;
        };
        let own = own.to_owned();
        taken.insert(own.clone());
        body.locals[local].name = own;
    }
}

/// The last variant requires nothing of the launch.
fn keep_plain_variant(kernel: &mut Kernel) {
    let others = kernel.variants.len().saturating_sub(1);
    kernel.variants.drain(..others);
    for variant in &mut kernel.variants {
        variant.symbol = kernel.name.clone();
    }
}

fn used(types: &Types, body: &Body) -> BTreeSet<Handle<Local>> {
    let mut found = BTreeSet::new();
    visit::for_each_local(body, &body.block, &mut |local, _| {
        found.insert(local);
    });
    // Extents of variable-length arrays are no statement's operands.
    for (_, local) in body.locals.iter() {
        let mut ty = Some(local.ty);
        while let Some(TypeKind::Array { of, len }) = ty.map(|t| types.kind(t)) {
            if let ArrayLen::Expr(extent) = len {
                visit::walk_expr(body, *extent, accl_ir::Access::Value, &mut |e, _| {
                    if let accl_ir::ExprKind::Local(l) = body.exprs[e].kind {
                        found.insert(l);
                    }
                });
            }
            ty = Some(*of);
        }
    }
    found
}

fn drop_parameters(kernel: &mut Kernel, used: &BTreeSet<Handle<Local>>) {
    let keeps = |p: &accl_ir::Param| match p.kind {
        ParamKind::Data { .. }
        | ParamKind::Value { .. }
        | ParamKind::Codec { .. }
        | ParamKind::Extent { .. }
        | ParamKind::Stride { .. } => used.contains(&p.local),
        ParamKind::Reduction { .. } => true,
    };
    let mut positions = Vec::new();
    let mut next = 0;
    for param in &kernel.params {
        positions.push(next);
        next += usize::from(keeps(param));
    }
    kernel.params.retain(keeps);
    let bodies = kernel.variants.iter_mut().map(|v| &mut v.body).chain(&mut kernel.cpu);
    for body in bodies {
        renumber(&mut body.block, &positions);
    }
}

/// Reductions name their parameter by its position.
fn renumber(block: &mut Block, positions: &[usize]) {
    visit::for_each_stmt_mut(block, &mut |node| {
        if let Stmt::ReduceGrid { param, .. } = &mut node.kind
            && let Some(new) = positions.get(*param)
        {
            *param = *new;
        }
    });
}
