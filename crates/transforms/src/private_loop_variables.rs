//! Before all passes: loops declare their own variables where a `private` clause names these.
//!
//! `private(i)` on the loop over `i`, or on a loop or construct around it, states what is true anyway (OpenACC 3.3
//! §2.6.1): each loop has a variable of its own. So the clause is removed, and the header declares the variable, as
//! if the user had written `for (int i = ...)`. A variable that the construct also uses otherwise stays in the
//! clause. Even then the loop with the clause, and loops inside it that have a directive, get variables of their
//! own. So is a clause removed where only loops inside use the variable that have copies of it by clauses of their own.
//!
//! Invariant: afterwards no private clause names the variable of a loop that it covers, except those of loops that run in
//! order and leave their variable for what follows.

use crate::context::Context;
use crate::pass::Pass;
use accl_ir::rewrite::{Subst, mentions, substitute, with_block};
use accl_ir::{Block, Body, Handle, Local, Loop, Module, Reduction, Stmt, StmtNode};
use accl_source::Diagnostic;
use accl_source::codes::frontend::BAD_CLAUSE_VARIABLE;

pub const PASS: Pass = Pass {
    name: "private_loop_variables",
    promise: "Loops declare the variables that private clauses say are theirs.",
    run,
};

fn run(module: &mut Module, cx: &mut Context<'_>) {
    for function in module.functions.handles().collect::<Vec<_>>() {
        let Some(mut body) = module.functions[function].body.take() else { continue };
        with_block(&mut body, |body, block| visit(body, block, cx));
        module.functions[function].body = Some(body);
    }
}

fn visit(body: &mut Body, block: &mut Block, cx: &mut Context<'_>) {
    for node in block {
        match &mut node.kind {
            Stmt::For(l) => {
                refuse_reductions(body, l, cx);
                of_loop(body, l);
            }
            Stmt::Region(r) => {
                let reductions = r.clauses.reductions.iter();
                let counts = reductions.filter(|reduced| uses(body, &r.body, reduced.local).0);
                counts.for_each(|r| cx.diagnostics.push(counted(body, r)));
                let private = std::mem::take(&mut r.clauses.private);
                r.clauses.private = private.into_iter().filter(|p| keeps(body, &mut r.body, *p)).collect();
            }
            _ => {}
        }
        node.kind.blocks_mut().into_iter().for_each(|inner| visit(body, inner, cx));
    }
}

/// A loop's variable has no value that a reduction could combine.
fn refuse_reductions(body: &Body, l: &Loop, cx: &mut Context<'_>) {
    let reductions = l.directive.iter().flat_map(|d| &d.reductions);
    let counts = reductions.filter(|r| r.local == l.var || uses(body, &l.body, r.local).0);
    counts.for_each(|r| cx.diagnostics.push(counted(body, r)));
}

fn counted(body: &Body, r: &Reduction) -> Diagnostic {
    let name = &body.locals[r.local].name;
    Diagnostic::error(BAD_CLAUSE_VARIABLE, format!("`{name}` is a loop's variable, which cannot be reduced"))
        .label(r.span, "in a reduction here")
        .with_note("each loop has a variable of its own (OpenACC 3.3 §2.6.1): no other value comes out of it")
        .with_help("reduce into another variable, and count with this one")
}

fn of_loop(body: &mut Body, l: &mut Loop) {
    let Some(directive) = &mut l.directive else { return };
    let private = std::mem::take(&mut directive.private);
    let mut kept = Vec::new();
    for p in private {
        if l.var == p {
            own(body, l);
        } else if keeps(body, &mut l.body, p) {
            kept.push(p);
        }
    }
    if let Some(directive) = &mut l.directive {
        directive.private = kept;
    }
}

/// Whether a variable must stay private to the block. Loops over it declare it.
fn keeps(body: &mut Body, block: &mut Block, p: Handle<Local>) -> bool {
    let (counts, other) = uses(body, block, p);
    if counts {
        each_loop_over(block, p, &mut |l| {
            let parallel = l.directive.as_ref().is_some_and(|d| !d.seq);
            if !other || parallel {
                own(body, l);
            }
        });
    }
    (!counts || other) && !have_own_copies(body, block, p)
}

/// Loops inside have copies of the variable, and nothing else uses it.
fn have_own_copies(body: &Body, block: &[StmtNode], p: Handle<Local>) -> bool {
    let mut copied = false;
    let elsewhere = is_used(body, block, p, &mut copied);
    copied && !elsewhere
}

fn is_used(body: &Body, block: &[StmtNode], p: Handle<Local>, copied: &mut bool) -> bool {
    block.iter().any(|node| {
        let named = |e: Handle<accl_ir::Expr>| mentions(body, e, p);
        if node.kind.operands().into_iter().any(|(e, _)| named(e)) {
            return true;
        }
        match &node.kind {
            Stmt::For(l) if l.directive.as_ref().is_some_and(|d| d.private.contains(&p)) => {
                *copied = true;
                false
            }
            Stmt::For(l)
                if l.directive.as_ref().is_some_and(|d| d.reductions.iter().any(|r| r.local == p)) =>
            {
                true
            }
            kind => {
                kind.locals().into_iter().any(|(l, _)| l == p)
                    || kind.blocks().into_iter().any(|inner| is_used(body, inner, p, copied))
            }
        }
    })
}

/// Gives the loop a variable that is not known outside of it.
pub(crate) fn own(body: &mut Body, l: &mut Loop) {
    let mut copy = body.locals[l.var].clone();
    copy.name = body.unique_name(&copy.name);
    let copy = body.locals.append(copy);
    substitute(body, &mut l.body, l.var, Subst::Local(copy));
    l.var = copy;
    l.declared_here = true;
}

/// Whether loops count with the variable, and whether anything outside of these uses it.
fn uses(body: &Body, block: &[StmtNode], p: Handle<Local>) -> (bool, bool) {
    let (mut counts, mut other) = (false, false);
    for node in block {
        let named = |e: Handle<accl_ir::Expr>| mentions(body, e, p);
        other |= node.kind.operands().into_iter().any(|(e, _)| named(e));
        match &node.kind {
            Stmt::For(l) if l.var == p => {
                counts = true;
                continue;
            }
            // Another private clause that names the variable does not count as a use.
            Stmt::For(l) => {
                other |= l.directive.iter().flat_map(|d| &d.reductions).any(|r| r.local == p);
            }
            kind => other |= kind.locals().into_iter().any(|(l, _)| l == p),
        }
        for inner in node.kind.blocks() {
            let (inner_counts, inner_other) = uses(body, inner, p);
            counts |= inner_counts;
            other |= inner_other;
        }
    }
    (counts, other)
}

fn each_loop_over(block: &mut Block, p: Handle<Local>, f: &mut impl FnMut(&mut Loop)) {
    for node in block {
        match &mut node.kind {
            Stmt::For(l) if l.var == p => f(l),
            kind => kind.blocks_mut().into_iter().for_each(|inner| each_loop_over(inner, p, f)),
        }
    }
}
