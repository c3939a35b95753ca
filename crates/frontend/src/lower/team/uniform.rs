//! Which variables of a block that each thread of a team runs have the same value in all of them.
//!
//! A variable differs between threads if it is given a value that does, under a condition that does, or from within a loop that
//! threads share. Under a condition around barriers, which all threads meet or none, that goes for variables of outside alone. Values read from memory at the same address are taken to be equal: where they are not, threads race.

use super::THREAD_QUERIES;
use crate::ast::{DeclId, Expr, ExprKind, Stmt as Ast, StmtKind};
use crate::lower::walk;
use std::collections::BTreeSet;

#[derive(Debug, Default)]
pub struct Uniform {
    /// Variables whose values may differ between threads.
    pub differing: BTreeSet<DeclId>,
    /// Variables that are declared in the block.
    pub own: BTreeSet<DeclId>,
}

impl Uniform {
    /// `differing`: variables of which threads have copies, declared around the block.
    /// `meets`: whether threads meet barriers in a statement.
    pub fn of(block: &Ast, differing: BTreeSet<DeclId>, meets: &dyn Fn(&Ast) -> bool) -> Uniform {
        let mut found = Uniform { differing, own: BTreeSet::new() };
        walk::vars(block, &mut |var| {
            found.own.insert(var.id);
        });
        // Each round adds a variable or is the last.
        loop {
            let before = found.differing.len();
            found.statement(block, &Around::Alike, meets);
            if found.differing.len() == before {
                return found;
            }
        }
    }

    pub fn differs(&self, e: &Expr) -> bool {
        let mut differs = false;
        walk::within(e, &mut |e| match &e.kind {
            ExprKind::Var(id, _) => differs |= self.differing.contains(id),
            ExprKind::Call { callee, .. } => {
                let name = walk::library_name(callee);
                differs |= name.is_none_or(|name| !is_same_for_all(name) && !is_math(name));
            }
            _ => {}
        });
        differs
    }

    fn statement(&mut self, s: &Ast, around: &Around, meets: &dyn Fn(&Ast) -> bool) {
        match &s.kind {
            StmtKind::Decl(vars) => {
                for var in vars {
                    let init = var.init.as_ref();
                    init.into_iter().for_each(|e| self.effects(e, around));
                    if around.differs(var.id) || init.is_some_and(|e| self.differs(e)) {
                        self.differing.insert(var.id);
                    }
                }
            }
            StmtKind::Directed { body: Some(body), .. } => self.statement(body, &Around::Apart, meets),
            _ => {
                let own = walk::own_exprs(s);
                let branches = !matches!(s.kind, StmtKind::Expr(_));
                let inner = match branches && own.iter().any(|e| self.differs(e)) {
                    true if meets(s) => Some(Around::within(s)),
                    true => Some(Around::Apart),
                    false => None,
                };
                let inside = inner.as_ref().unwrap_or(around);
                own.into_iter().for_each(|e| self.effects(e, inside));
                walk::children(s).into_iter().for_each(|child| self.statement(child, inside, meets));
            }
        }
    }

    fn effects(&mut self, e: &Expr, around: &Around) {
        let mut changed: Vec<(&Expr, bool)> = vec![];
        walk::within(e, &mut |e| match &e.kind {
            ExprKind::Assign { place, value } | ExprKind::CompoundAssign { place, value, .. } => {
                changed.push((place, self.differs(value) || self.differs(place)));
            }
            ExprKind::Step { operand, .. } => changed.push((operand, self.differs(operand))),
            ExprKind::AddrOf(place) => changed.push((place, true)),
            ExprKind::Call { args, .. } => changed.extend(args.iter().filter(|a| a.place).map(|a| (a, true))),
            _ => {}
        });
        for (place, differs) in changed {
            // The team has what is declared around the block: a thread that reads it without a race finds what others do.
            if let Some(id) = walk::root(place).filter(|id| self.own.contains(id))
                && (differs || around.differs(id))
            {
                self.differing.insert(id);
            }
        }
    }
}

/// Who runs a statement.
enum Around {
    /// All threads.
    Alike,
    /// Some of them.
    Apart,
    /// Some of them, who meet barriers with these variables.
    Met(BTreeSet<DeclId>),
}

impl Around {
    fn within(s: &Ast) -> Around {
        let mut own = BTreeSet::new();
        walk::vars(s, &mut |var| {
            own.insert(var.id);
        });
        Around::Met(own)
    }

    /// A value that is given there may be one that not all threads have.
    fn differs(&self, id: DeclId) -> bool {
        match self {
            Around::Alike => false,
            Around::Apart => true,
            Around::Met(own) => !own.contains(&id),
        }
    }
}

/// A routine that tells all threads of a team the same.
fn is_same_for_all(name: &str) -> bool {
    let of_each = [THREAD_QUERIES[0], "omp_get_ancestor_thread_num", "omp_get_wtime"];
    name.starts_with("omp_get_") && !of_each.contains(&name)
        || matches!(name, "omp_in_parallel" | "omp_in_final" | "omp_is_initial_device")
}

fn is_math(name: &str) -> bool {
    matches!(
        name,
        "min"
            | "max"
            | "fmin"
            | "fmax"
            | "fminf"
            | "fmaxf"
            | "abs"
            | "fabs"
            | "fabsf"
            | "sqrt"
            | "sqrtf"
            | "log2"
            | "log2f"
            | "floor"
            | "floorf"
            | "ceil"
            | "ceilf"
            | "pow"
            | "powf"
            | "exp"
            | "expf"
    )
}
