//! How an iteration's sequential loops walk through memory, and what they accumulate.

use super::plan::Group;
use super::wide;
use accl_analysis::provenance::touched_places;
use accl_ir::rewrite::mentions;
use accl_ir::{Block, Body, Expr, ExprKind, Handle, Local, Loop, Stmt, StmtNode, visit};

/// How many accesses in sequential loops advance with both the iteration and such a loop, by where they lead.
#[derive(Clone, Copy, Default)]
pub struct Strides {
    /// Neighbouring iterations access neighbouring elements.
    pub columns: u32,
    /// The innermost loop goes from each element to its neighbour.
    pub rows: u32,
    pub others: u32,
}

impl Strides {
    /// Of the iterations that `var` counts.
    pub fn of(body: &Body, groups: &[Group], var: Handle<Local>) -> Strides {
        let mut all = Strides::default();
        all.collect(body, groups, var, &mut vec![]);
        all
    }

    /// Iterations side by side go through memory as it lies.
    pub fn favour_columns(&self) -> bool {
        self.columns > self.rows + self.others
    }

    fn collect(&mut self, body: &Body, groups: &[Group], var: Handle<Local>, open: &mut Vec<Handle<Local>>) {
        for group in groups {
            match group {
                Group::Each { block, .. } => visit::for_each_place(body, block, &mut |place, _| {
                    self.count(body, place, var, open);
                }),
                Group::Inner { shell, body: groups, .. } => {
                    open.push(shell.var);
                    self.collect(body, groups, var, open);
                    open.pop();
                }
                Group::Branch { then, otherwise, .. } => {
                    self.collect(body, then, var, open);
                    self.collect(body, otherwise, var, open);
                }
            }
        }
    }

    fn count(&mut self, body: &Body, place: Handle<Expr>, var: Handle<Local>, open: &[Handle<Local>]) {
        let Some(innermost) = open.last() else { return };
        if matches!(body.exprs[place].kind, ExprKind::Local(_))
            || !mentions(body, place, var)
            || !open.iter().any(|l| mentions(body, place, *l))
        {
            return;
        }
        if wide::is_contiguous(body, place, var) {
            self.columns += 1;
        } else if wide::is_contiguous(body, place, *innermost) {
            self.rows += 1;
        } else {
            self.others += 1;
        }
    }
}

/// Turns of some innermost loop add up in one place, such as a sum, or may wait for the turn before: compilers do not vectorise it.
pub fn turns_meet(body: &Body, block: &Block) -> bool {
    let mut found = false;
    visit::for_each_stmt(block, &mut |node| {
        let Stmt::For(l) = &node.kind else { return };
        let innermost = !l.body.iter().any(has_loop);
        found |= innermost && (!accumulators(body, l).is_empty() || recurs(body, l));
    });
    found
}

fn has_loop(node: &StmtNode) -> bool {
    let mut found = false;
    visit::for_each_stmt(std::slice::from_ref(node), &mut |inner| {
        found |= matches!(inner.kind, Stmt::For(_))
    });
    found
}

/// The loop reads other elements of an array that it writes: perhaps those of the turn before.
fn recurs(body: &Body, l: &Loop) -> bool {
    let (mut read, mut written) = (vec![], vec![]);
    visit::for_each_place(body, &l.body, &mut |place, access| {
        if let Some(array) = array(body, place) {
            if access.reads() { &mut read } else { &mut written }.push((array, place));
        }
    });
    written.iter().any(|(array, to)| {
        read.iter().any(|(of, from)| {
            visit::same_expr(body, *of, *array)
                && !visit::same_expr(body, *from, *to)
                && !own_element(body, l, *from, *to)
        })
    })
}

/// Both places have the same subscript in some dimension, which goes from each turn of the loop to another element.
fn own_element(body: &Body, l: &Loop, a: Handle<Expr>, b: Handle<Expr>) -> bool {
    match (&body.exprs[a].kind, &body.exprs[b].kind) {
        (ExprKind::Index { base: a_base, index: a }, ExprKind::Index { base: b_base, index: b }) => {
            visit::same_expr(body, *a, *b) && wide::advances(body, *a, l.var)
                || own_element(body, l, *a_base, *b_base)
        }
        _ => false,
    }
}

/// What an element's place is indexed from in the end.
fn array(body: &Body, place: Handle<Expr>) -> Option<Handle<Expr>> {
    let ExprKind::Index { base, .. } = body.exprs[place].kind else { return None };
    Some(array(body, base).unwrap_or(base))
}

/// The places that stay the same while the loop runs, that it stores to, and that it reads before.
pub fn accumulators(body: &Body, l: &Loop) -> Vec<Handle<Expr>> {
    let mut found = fixed_stores(body, l);
    found.retain(|place| read_first(body, &l.body, *place));
    found
}

/// The places that the loop stores to and that stay the same while it runs.
fn fixed_stores(body: &Body, l: &Loop) -> Vec<Handle<Expr>> {
    let mut changed = visit::written_locals(body, &l.body);
    changed.insert(l.var);
    let declared = visit::declared_locals(&l.body);
    let mut found: Vec<Handle<Expr>> = vec![];
    visit::for_each_stmt(&l.body, &mut |node| {
        let Stmt::Store { place, .. } = &node.kind else { return };
        let fixed = match body.exprs[*place].kind {
            ExprKind::Local(local) => !declared.contains(&local),
            _ => !changed.iter().any(|local| mentions(body, *place, *local)),
        };
        if fixed && !found.iter().any(|known| visit::same_expr(body, *known, *place)) {
            found.push(*place);
        }
    });
    found
}

/// The first statement of the block that touches the place reads it.
fn read_first(body: &Body, block: &[StmtNode], place: Handle<Expr>) -> bool {
    let mut first = None;
    visit::for_each_stmt(block, &mut |node| {
        let touched = node.kind.operands().into_iter().flat_map(|used| touched_places(body, used));
        let own: Vec<bool> =
            touched.filter(|t| visit::same_expr(body, t.0, place)).map(|(_, read, _)| read).collect();
        if first.is_none() && !own.is_empty() {
            first = Some(own.contains(&true));
        }
    });
    first == Some(true)
}
