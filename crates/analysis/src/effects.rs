//! What functions do besides returning a value.

use accl_ir::calls::{calls, reaches};
use accl_ir::{Access, Block, Body, Function, Handle, Module, Stmt, visit};
use std::collections::BTreeSet;

/// The block, or a function that it calls, prints.
pub fn prints(module: &Module, body: &Body, block: &Block) -> bool {
    reaches(module, body, block, |stmt| matches!(stmt, Stmt::Print { .. }))
}

/// The function, and those that it calls, write no memory except their own variables.
pub fn only_reads(module: &Module, function: Handle<Function>) -> bool {
    reads(module, function, &mut BTreeSet::new())
}

fn reads(module: &Module, function: Handle<Function>, seen: &mut BTreeSet<Handle<Function>>) -> bool {
    if !seen.insert(function) {
        return true;
    }
    let Some(body) = &module.functions[function].body else { return false };
    let is_own = |place| matches!(visit::root_of(body, place), Some(visit::Root::Local(_)));
    let mut own = true;
    visit::for_each_stmt(&body.block, &mut |node| {
        own &= node.kind.operands().into_iter().all(|(e, access)| match access {
            Access::Write | Access::ReadWrite => is_own(e),
            Access::Value | Access::Read | Access::Address => true,
        });
    });
    own && calls(body, &body.block).into_iter().all(|(f, _)| reads(module, f, seen))
}
