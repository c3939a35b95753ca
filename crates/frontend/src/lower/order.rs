//! The order of evaluation.
//!
//! A value is an expression, which is evaluated where it is used: after every statement emitted until then. Code
//! that C++ evaluates later and that emits statements may change what the value reads. [`Fun::after`] detects such
//! values and keeps them in temporaries; others stay as they are.
//!
//! Operands are evaluated from the left to the right, the right side of an assignment before its left side. That is the order
//! of C++17 where it has one, and one of those that it allows elsewhere, as does C.

use super::Lowered;
use super::function::{Binding, Fun};
use crate::ast::DeclId;
use accl_ir::visit::{self, Root};
use accl_ir::{Access, Block, Body, Expr as IrExpr, ExprKind as Ir, Handle, Local, Stmt};
use std::collections::HashSet;

type Value = Handle<IrExpr>;

/// What statements may change of the values that existed before them.
#[derive(Debug, Default)]
pub struct Changes {
    locals: HashSet<Handle<Local>>,
    /// Globals, what pointers point to, and locals whose address was taken.
    memory: bool,
}

/// Locals whose address was taken; expressions before `seen` have been examined.
#[derive(Debug, Default)]
pub struct Addressed {
    locals: HashSet<Handle<Local>>,
    seen: usize,
}

impl Fun<'_, '_> {
    /// Lowers code that is evaluated after values (or places) which were lowered before and are used later; those
    /// that the code may change are kept in temporaries.
    pub fn after<T>(
        &mut self,
        earlier: &mut [Value],
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let (effects, result) = self.try_block(lower)?;
        if !effects.is_empty() {
            let changes = self.changes_of(&effects);
            for value in earlier {
                *value = self.kept(*value, &changes);
            }
            self.extend(effects);
        }
        Ok(result)
    }

    /// Values that are evaluated one after another and used together, after those in `values`.
    pub fn in_order<A>(
        &mut self,
        mut values: Vec<Value>,
        items: impl IntoIterator<Item = A>,
        mut lower: impl FnMut(&mut Self, A) -> Lowered<Value>,
    ) -> Lowered<Vec<Value>> {
        for item in items {
            let value = self.after(&mut values, |f| lower(f, item))?;
            values.push(value);
        }
        Ok(values)
    }

    /// Two values that are evaluated one after the other and used together.
    pub fn pair(
        &mut self,
        first: impl FnOnce(&mut Self) -> Lowered<Value>,
        second: impl FnOnce(&mut Self) -> Lowered<Value>,
    ) -> Lowered<(Value, Value)> {
        let mut first = [first(self)?];
        let second = self.after(&mut first, second)?;
        Ok((first[0], second))
    }

    /// A place that is accessed again after something was stored into it.
    pub fn kept_from_itself(&mut self, place: Value) -> Value {
        self.kept_from(place, place)
    }

    /// A value or place that is used after something was stored into `place`.
    pub fn kept_from(&mut self, place: Value, e: Value) -> Value {
        let mut changes = Changes::default();
        changes.write(&self.body, place);
        self.kept(e, &changes)
    }

    /// Whether a call may change which object a place denotes.
    pub fn call_moves(&mut self, place: Value) -> bool {
        self.is_changed(place, &Changes { memory: true, ..Changes::default() })
    }

    pub fn changes_of(&self, block: &Block) -> Changes {
        let mut changes = Changes::default();
        visit::for_each_place(&self.body, block, &mut |place, access| {
            if access.writes() {
                changes.write(&self.body, place);
            }
        });
        visit::for_each_stmt(block, &mut |node| match &node.kind {
            Stmt::Call { .. } => changes.memory = true,
            Stmt::For(l) if !l.declared_here => {
                changes.locals.insert(l.var);
            }
            _ => {}
        });
        changes
    }

    /// The value as it is before the statements that change it; for a place or an address, the values it is
    /// computed from.
    pub fn kept(&mut self, e: Value, changes: &Changes) -> Value {
        if !self.is_changed(e, changes) {
            return e;
        }
        let IrExpr { mut kind, ty, span } = self.body.exprs[e].clone();
        if self.names_object(e) {
            kind.operands_mut(|operand| *operand = self.kept(*operand, changes));
            return self.expr(kind, ty, span);
        }
        let local = self.spill("value", e, span);
        self.load_local(local, span)
    }

    /// Whether a variable is a reference, or one may refer to it.
    pub fn has_other_names(&mut self, id: DeclId) -> bool {
        self.addressed_locals.update(&self.body);
        self.vars.get(&id).is_none_or(|variable| {
            variable.ty.is_reference()
                || matches!(variable.binding, Binding::Local(local) if self.addressed_locals.locals.contains(&local))
        })
    }

    /// Whether the expression is a place, or its address.
    fn names_object(&self, e: Value) -> bool {
        match &self.body.exprs[e].kind {
            Ir::AddrOf(_) | Ir::Decay(_) => true,
            Ir::Cast(of) => self.names_object(*of),
            kind => kind.is_place(),
        }
    }

    /// Whether the expression has another value after the changes. For a place it matters which object it is, and
    /// not what that contains.
    pub fn is_changed(&mut self, e: Value, changes: &Changes) -> bool {
        self.addressed_locals.update(&self.body);
        let (body, addressed) = (&self.body, &self.addressed_locals.locals);
        let memory = changes.memory || changes.locals.iter().any(|local| addressed.contains(local));
        let mut changed = false;
        visit::walk_expr(body, e, Access::Address, &mut |part, _| match body.exprs[part].kind {
            Ir::Load(place) => {
                changed |= match visit::root_of(body, place) {
                    Some(Root::Local(local)) => {
                        changes.locals.contains(&local) || changes.memory && addressed.contains(&local)
                    }
                    Some(Root::Global(_) | Root::Pointer(_)) | None => memory,
                }
            }
            Ir::Call { .. } => changed |= memory,
            _ => {}
        });
        changed
    }
}

impl Changes {
    fn write(&mut self, body: &Body, place: Value) {
        match visit::root_of(body, place) {
            Some(Root::Local(local)) => {
                self.locals.insert(local);
            }
            Some(Root::Global(_) | Root::Pointer(_)) | None => self.memory = true,
        }
    }
}

impl Addressed {
    fn update(&mut self, body: &Body) {
        for index in self.seen..body.exprs.len() {
            if let Ir::AddrOf(place) | Ir::Decay(place) = body.exprs[Handle::from_index(index)].kind
                && let Some(Root::Local(local)) = visit::root_of(body, place)
            {
                self.locals.insert(local);
            }
        }
        self.seen = body.exprs.len();
    }
}
