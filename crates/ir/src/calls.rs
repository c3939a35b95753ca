//! The functions that a block calls, directly or through other functions.

use crate::{Block, Body, ExprKind, Function, Handle, Module, Stmt, visit};
use accl_source::Span;
use std::collections::BTreeSet;

type Call = (Handle<Function>, Span);

/// The functions that a block calls, with repetition.
pub fn calls(body: &Body, block: &Block) -> Vec<Call> {
    let mut found = vec![];
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Call { function, .. } = node.kind {
            found.push((function, node.span));
        }
    });
    visit::for_each_expr(body, block, &mut |e, _| {
        if let ExprKind::Call { function, .. } = body.exprs[e].kind {
            found.push((function, body.exprs[e].span));
        }
    });
    found
}

/// A recursive call: one, in the block or in a function that it calls, of a function that is running already.
pub fn recursive_call(module: &Module, body: &Body, block: &Block) -> Option<Call> {
    recursion_below(module, calls(body, block), &mut vec![], &mut BTreeSet::new())
}

fn recursion_below(
    module: &Module,
    calls_made: Vec<Call>,
    running: &mut Vec<Handle<Function>>,
    done: &mut BTreeSet<Handle<Function>>,
) -> Option<Call> {
    calls_made.into_iter().find_map(|call| {
        let (function, _) = call;
        if running.contains(&function) {
            return Some(call);
        }
        let body = module.functions[function].body.as_ref().filter(|_| done.insert(function))?;
        running.push(function);
        let found = recursion_below(module, calls(body, &body.block), running, done);
        running.pop();
        found
    })
}

/// The functions that a block calls, directly or through others.
pub fn reached(module: &Module, body: &Body, block: &Block) -> BTreeSet<Handle<Function>> {
    let mut seen = BTreeSet::new();
    let mut next = vec![(body, block)];
    while let Some((body, block)) = next.pop() {
        let new = calls(body, block).into_iter().filter(|(f, _)| seen.insert(*f));
        next.extend(new.filter_map(|(f, _)| module.functions[f].body.as_ref()).map(|b| (b, &b.block)));
    }
    seen
}

/// Whether `is` holds for a statement of the block, or of a function that it calls.
pub fn reaches(module: &Module, body: &Body, block: &Block, is: fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    let mut look = |block: &Block| visit::for_each_stmt(block, &mut |node| found |= is(&node.kind));
    look(block);
    let bodies = reached(module, body, block).into_iter().filter_map(|f| module.functions[f].body.as_ref());
    bodies.for_each(|body| look(&body.block));
    found
}
