//! How the element that an access names changes with a loop: which element the loop's next iteration has.
//!
//! Locals that are declared once and not changed stand for what they are declared with, as in `int at = i * n + j; a[at]`.

use accl_ir::{BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, Stmt, visit};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// The same one.
    Not,
    /// The next one.
    Next,
    /// One that is far away, or anywhere.
    Far,
}

/// What locals stand for.
pub struct Definitions(BTreeMap<Handle<Local>, Handle<Expr>>);

impl Definitions {
    pub fn of(body: &Body, block: &Block) -> Definitions {
        let mut all = BTreeMap::new();
        let mut changed = vec![];
        visit::for_each_stmt(block, &mut |node| {
            if let Stmt::Declare { local, init: Some(value) } = &node.kind
                && all.insert(*local, *value).is_some()
            {
                changed.push(*local);
            }
        });
        visit::for_each_place(body, block, &mut |place, access| {
            if let (true, Some(visit::Root::Local(local))) = (access.writes(), visit::root_of(body, place)) {
                changed.push(local);
            }
        });
        changed.iter().for_each(|local| _ = all.remove(local));
        Definitions(all)
    }
}

/// The element of an access, with the loop of a variable.
pub fn of_place(body: &Body, definitions: &Definitions, place: Handle<Expr>, var: Handle<Local>) -> Advance {
    LoopAdvance { body, definitions, var, known: BTreeMap::new() }.place(place)
}

struct LoopAdvance<'a> {
    body: &'a Body,
    definitions: &'a Definitions,
    var: Handle<Local>,
    known: BTreeMap<Handle<Local>, Advance>,
}

impl LoopAdvance<'_> {
    fn place(&mut self, place: Handle<Expr>) -> Advance {
        match self.body.exprs[place].kind {
            ExprKind::Local(local) => self.local(local),
            ExprKind::Index { base, index } => match (self.place(base), self.value(index)) {
                (Advance::Not, of_index) => of_index,
                _ => Advance::Far,
            },
            _ => self.operands(place),
        }
    }

    fn value(&mut self, e: Handle<Expr>) -> Advance {
        match self.body.exprs[e].kind {
            ExprKind::Load(place) if matches!(self.body.exprs[place].kind, ExprKind::Local(_)) => {
                self.place(place)
            }
            ExprKind::Cast(inner) => self.value(inner),
            ExprKind::Binary { op: BinaryOp::Add, left, right } => {
                match (self.value(left), self.value(right)) {
                    (Advance::Not, other) | (other, Advance::Not) => other,
                    _ => Advance::Far,
                }
            }
            ExprKind::Binary { op: BinaryOp::Sub, left, right } => {
                match (self.value(left), self.value(right)) {
                    (other, Advance::Not) => other,
                    _ => Advance::Far,
                }
            }
            _ => self.operands(e),
        }
    }

    /// An expression that is something else wherever an operand is.
    fn operands(&mut self, e: Handle<Expr>) -> Advance {
        let operands: Vec<Handle<Expr>> = self.body.exprs[e].kind.operands().into_iter().collect();
        let changes = operands.into_iter().any(|operand| self.place(operand) != Advance::Not);
        if changes { Advance::Far } else { Advance::Not }
    }

    fn local(&mut self, local: Handle<Local>) -> Advance {
        if local == self.var {
            return Advance::Next;
        }
        if let Some(known) = self.known.get(&local) {
            return *known;
        }
        // One that is declared by way of itself is not followed for ever.
        self.known.insert(local, Advance::Far);
        let advance = match self.definitions.0.get(&local) {
            Some(value) => self.value(*value),
            None => Advance::Not,
        };
        self.known.insert(local, advance);
        advance
    }
}
