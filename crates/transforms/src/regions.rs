//! Visiting the constructs of a module, with what encloses them.

use crate::liveness::Reads;
use accl_analysis::walk;
use accl_ir::{Block, Body, DataItem, DataKind, Function, Handle, Module, Region, StandaloneKind, Stmt};
use accl_source::Files;

/// Where a construct stands.
pub struct Site {
    pub function: Handle<Function>,
    pub name: String,
    /// Items of the enclosing data constructs and of `declare` directives, innermost last.
    pub visible: Vec<DataItem>,
    /// What the function reads, and where.
    pub reads: Reads,
}

/// Calls `f` on each compute construct. The body is the host function's, without its block; the module lacks the
/// function's body meanwhile.
pub fn each_compute(
    module: &mut Module,
    files: Option<&Files>,
    f: &mut dyn FnMut(&mut Module, &mut Body, &mut Region, &Site),
) {
    let handles: Vec<_> = module.functions.handles().collect();
    for function in handles {
        let Some(mut body) = module.functions[function].body.take() else { continue };
        let mut block = std::mem::take(&mut body.block);
        let name = module.functions[function].name.clone();
        let reads = Reads::of(&body, &block, files);
        let mut site = Site { function, name, visible: declared(&block), reads };
        visit(module, &mut body, &mut block, &mut site, f);
        body.block = block;
        module.functions[function].body = Some(body);
    }
}

fn visit(
    module: &mut Module,
    body: &mut Body,
    block: &mut Block,
    site: &mut Site,
    f: &mut dyn FnMut(&mut Module, &mut Body, &mut Region, &Site),
) {
    for node in block {
        let Stmt::Region(region) = &mut node.kind else {
            for inner in walk::blocks_mut(&mut node.kind) {
                visit(module, body, inner, site, f);
            }
            continue;
        };
        if region.kind.is_compute() {
            f(module, body, region, site);
            continue;
        }
        let depth = site.visible.len();
        site.visible.extend(region.clauses.data.iter().filter(|i| is_data(i.kind)).cloned());
        visit(module, body, &mut region.body, site, f);
        site.visible.truncate(depth);
    }
}

fn is_data(kind: DataKind) -> bool {
    match kind {
        DataKind::Copy
        | DataKind::Copyin
        | DataKind::Copyout
        | DataKind::Create
        | DataKind::Present
        | DataKind::Deviceptr => true,
        DataKind::NoCreate
        | DataKind::Delete
        | DataKind::Attach
        | DataKind::Detach
        | DataKind::UpdateSelf
        | DataKind::UpdateDevice
        | DataKind::UseDevice => false,
    }
}

fn declared(block: &Block) -> Vec<DataItem> {
    let mut items = vec![];
    walk::stmts(block, &mut |node| {
        if let Stmt::Directive(d) = &node.kind
            && d.kind == StandaloneKind::Declare
        {
            items.extend(d.data.iter().cloned());
        }
    });
    items
}
