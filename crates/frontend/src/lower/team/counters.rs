//! Variables that count in several loops of a block of threads.
//!
//! ```text
//! int i;                                     for (int i = …) each thread's own
//! for (i = …) each thread's own    becomes   for (int i = …) barrier
//! for (i = …) barrier
//! ```
//!
//! The counter of a loop around barriers is the team's, that of another loop each thread's. So a variable that is used within
//! loops alone, each of which begins by giving it a value, becomes a variable of each loop.

use crate::ast::{DeclId, Expr, ExprKind, Stmt as Ast, StmtKind, Storage, Ty, Var};
use crate::lower::walk;

/// The block with each such variable declared by its loops.
pub fn of_each_loop(block: &Ast) -> Ast {
    let addressed = walk::addressed(block);
    let mut counters = vec![];
    walk::vars(block, &mut |var| {
        let counts = matches!(*var.ty.ty, Ty::Int { .. }) && var.storage == Storage::Auto;
        if counts && var.init.is_none() && !addressed.contains(&var.id) {
            counters.push(var.clone());
        }
    });
    let mut made = block.clone();
    for counter in counters {
        let mut divided = made.clone();
        divide(&mut divided, &counter);
        if walk::uses_within(&divided, counter.id) == 0 {
            made = divided;
        }
    }
    made
}

fn divide(s: &mut Ast, counter: &Var) {
    match first_value(s, counter.id) {
        Some(value) => {
            // No declaration of the program's lies so high.
            let own = DeclId(u64::MAX / 2 - u64::from(s.span.start));
            let var = Var { id: own, init: Some(value), ..counter.clone() };
            let span = s.span;
            if let StmtKind::For { init: Some(init), .. } = &mut s.kind {
                **init = Ast { kind: StmtKind::Decl(vec![var]), span };
            }
            rename(s, counter.id, own);
        }
        // What a directive says of its loop's variable is said of the program's.
        None if matches!(s.kind, StmtKind::Directed { .. }) => {}
        None => walk::children_mut(s, &mut |inner| divide(inner, counter)),
    }
}

/// What the loop gives the variable to begin with.
fn first_value(s: &Ast, id: DeclId) -> Option<Expr> {
    let StmtKind::For { init: Some(init), .. } = &s.kind else { return None };
    let StmtKind::Expr(e) = &init.kind else { return None };
    let ExprKind::Assign { place, value } = &e.kind else { return None };
    let counts = matches!(place.kind, ExprKind::Var(of, _) if of == id);
    (counts && walk::uses(value, id) == 0).then(|| (**value).clone())
}

pub fn rename(s: &mut Ast, from: DeclId, to: DeclId) {
    for e in walk::own_exprs_mut(s) {
        rename_in(e, from, to);
    }
    walk::children_mut(s, &mut |inner| rename(inner, from, to));
}

fn rename_in(e: &mut Expr, from: DeclId, to: DeclId) {
    if let ExprKind::Var(id, _) = &mut e.kind
        && *id == from
    {
        *id = to;
    }
    walk::operands_mut(e).into_iter().for_each(|operand| rename_in(operand, from, to));
}
