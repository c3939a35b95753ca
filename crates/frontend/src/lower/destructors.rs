//! Destructors of objects that code for devices declares.
//!
//! An object's end shows where its destructor does more than to change the object: it is called behind the last statement of the
//! block that declares the object, the last object first. Temporaries, arguments passed by value among them, end with the full
//! expression. An object that such a destructor would end elsewhere, as behind a jump, is refused.

use super::expr::unsupported;
use super::function::Fun;
use super::scope::short_name;
use super::{Lowered, walk};
use crate::ast::{
    CastKind, DeclId, Expr, ExprKind, Function, FunctionKind, Qual, Record, Stmt as Ast, StmtKind, Ty, Var,
};
use accl_ir::{Block, Expr as IrExpr, Handle, Stmt};
use accl_source::Span;

type Value = Handle<IrExpr>;

/// The addresses of the temporaries that a full expression has made, with their destructors.
pub type Temporaries<'p> = Vec<(Value, &'p Function, Span)>;

impl<'p> Fun<'_, 'p> {
    /// The objects that a list of statements declares and that are destroyed at its end, the last one first.
    pub(super) fn destroyed_behind<'s>(&mut self, items: &'s [Ast]) -> Vec<&'s Var> {
        let mut found = vec![];
        if !self.device {
            return found;
        }
        for (at, item) in items.iter().enumerate() {
            let StmtKind::Decl(vars) = &item.kind else { continue };
            let buffer = self.cx.source.buffer;
            let jumps = |s: &Ast| walk::leaves_loop(s, buffer).is_some() || walk::continues(s);
            for var in vars {
                if self.destructor(&var.ty).is_some() && !items[at..].iter().any(jumps) {
                    found.push(var);
                }
            }
        }
        found.reverse();
        self.destroyed.extend(found.iter().map(|var| var.id));
        found
    }

    /// Calls a variable's destructor.
    pub(super) fn destroy(&mut self, var: &Var) {
        let Some(destructor) = self.destructor(&var.ty) else { return };
        let expr = |kind, ty| Expr { kind, ty, span: var.span, place: false };
        let object = Expr { place: true, ..expr(ExprKind::Var(var.id, (*var.name).into()), var.ty.clone()) };
        let name = short_name(&destructor.name).into();
        let callee = ExprKind::Member { base: Box::new(object), arrow: false, member: destructor.id, name };
        let void = Qual::new(Ty::Void);
        let call = ExprKind::Call { callee: Box::new(expr(callee, void.clone())), args: vec![] };
        if let Err(refused) = self.effect(&expr(call, void)) {
            self.report(refused);
        }
    }

    /// A full expression whose value is used behind the end of its temporaries.
    pub fn full_expression(&mut self, value: impl FnOnce(&mut Self) -> Lowered<Value>) -> Lowered<Value> {
        self.with_temporaries(|f| {
            let value = value(f)?;
            if f.temporaries.as_ref().is_none_or(Vec::is_empty) {
                return Ok(value);
            }
            let span = f.body.exprs[value].span;
            let kept = f.spill("value", value, span);
            Ok(f.load_local(kept, span))
        })
    }

    /// A full expression: its temporaries are destroyed at its end, the last one first.
    pub fn with_temporaries<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let around = self.temporaries.replace(vec![]);
        let result = lower(self);
        let own = std::mem::replace(&mut self.temporaries, around);
        let value = result?;
        for (object, destructor, span) in own.into_iter().flatten().rev() {
            let function = self.cx.function(destructor);
            self.emit(Stmt::Call { dest: None, function, args: vec![object] }, span);
        }
        Ok(value)
    }

    /// Part of a full expression that may not be evaluated: whether its temporaries are there at the end nothing tells.
    pub fn try_branch<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<(Block, T)> {
        let around = self.temporaries.take();
        let result = self.try_block(lower);
        self.temporaries = around;
        result
    }

    /// Whether an expression makes an object whose end shows.
    pub fn ends_seen(&self, e: &Expr) -> bool {
        self.device && !e.place && matches!(*e.ty.ty, Ty::Record(_)) && self.is_destroyed(&e.ty)
    }

    /// Makes an object that ends with the full expression.
    pub fn temporary(&mut self, e: &Expr) -> Lowered<Value> {
        let object = match &e.kind {
            ExprKind::Cast { kind: CastKind::NoOp | CastKind::Class, operand, .. } => {
                return self.value(operand);
            }
            ExprKind::Comma(..) => return self.value_itself(e),
            _ => self.owned_value(e)?,
        };
        let destructor = self.destructor(&e.ty).filter(|f| f.body.is_some() && self.temporaries.is_some());
        let Some(destructor) = destructor else {
            return Err(unsupported(
                "a temporary object whose destructor has effects and that ends here",
                e.span,
            ));
        };
        let local = self.spill("object", object, e.span);
        let place = self.local_place(local, e.span);
        let address = self.address_of(place, e.span)?;
        self.temporaries.get_or_insert_default().push((address, destructor, e.span));
        Ok(self.load_local(local, e.span))
    }

    /// The value of an expression that initialises an object: it is that object, and no temporary.
    pub fn owned_value(&mut self, e: &Expr) -> Lowered<Value> {
        if !self.ends_seen(e) {
            return self.value(e);
        }
        match &e.kind {
            ExprKind::Cast { kind: CastKind::NoOp | CastKind::Class, operand, .. } => {
                self.owned_value(operand)
            }
            ExprKind::Construct { .. } | ExprKind::InitList(_) | ExprKind::Zero | ExprKind::Call { .. } => {
                self.value_itself(e)
            }
            _ => Err(unsupported("a choice of objects whose destructors have effects", e.span)),
        }
    }

    /// The caller destroys what it passes by value, so the function may not have changed its copy of that.
    pub fn argument_ends(&mut self, function: &Function, param: &Var, span: Span) -> Lowered<()> {
        if !self.device || !matches!(*param.ty.ty, Ty::Record(_)) || !self.is_destroyed(&param.ty) {
            return Ok(());
        }
        let mut changed = function.body.is_none();
        if let Some(body) = &function.body {
            walk::each_change(body, &mut |id, _| changed |= id == param.id);
            walk::exprs(body, &mut |e| {
                if let ExprKind::Call { callee, .. } = &e.kind
                    && let ExprKind::Member { base, member, .. } = &callee.kind
                {
                    changed |= walk::root(base) == Some(param.id) && !self.cx.pure(*member);
                }
            });
        }
        match changed {
            true => Err(unsupported(
                format_args!(
                    "a parameter whose destructor has effects and that `{}` may change",
                    function.name
                ),
                span,
            )),
            false => Ok(()),
        }
    }

    /// Objects are declared only where their end is in sight.
    pub(super) fn has_end(&self, var: &Var) -> Lowered<()> {
        let is_object = matches!(*var.ty.ty, Ty::Record(_) | Ty::Array { .. });
        if is_object && self.device && !self.destroyed.contains(&var.id) && self.is_destroyed(&var.ty) {
            return Err(unsupported("an object whose destructor has effects and that ends here", var.span));
        }
        Ok(())
    }

    /// Whether what ends with an object shows.
    fn is_destroyed(&self, ty: &Qual) -> bool {
        match &*ty.ty {
            Ty::Array { of, .. } => self.is_destroyed(of),
            Ty::Record(id) => self.cx.record(*id).is_some_and(|record| {
                self.destructor_of(record).is_some_and(|f| self.has_effects(f, record))
                    || record.bases.iter().any(|base| self.is_destroyed(base))
                    || record.fields.iter().any(|field| self.is_destroyed(&field.ty))
            }),
            _ => false,
        }
    }

    /// The destructor whose call is all that happens at an object's end, where that shows.
    fn destructor(&self, ty: &Qual) -> Option<&'p Function> {
        let Ty::Record(id) = &*ty.ty else { return None };
        let record = self.cx.record(*id)?;
        let destructor = self.destructor_of(record)?;
        let more =
            record.bases.iter().chain(record.fields.iter().map(|f| &f.ty)).any(|ty| self.is_destroyed(ty));
        (!more && self.has_effects(destructor, record)).then_some(destructor)
    }

    fn destructor_of(&self, record: &Record) -> Option<&'p Function> {
        self.cx.program.functions.iter().find(|f| {
            matches!(f.kind, FunctionKind::Method { record: of, .. } if of == record.id)
                && short_name(&f.name).starts_with('~')
        })
    }

    /// Whether it does more than to change numbers of the object.
    fn has_effects(&self, destructor: &Function, record: &Record) -> bool {
        let Some(body) = &destructor.body else { return !destructor.defaulted };
        let is_own = |member: DeclId| record.fields.iter().any(|f| f.id == member && !f.ty.is_reference());
        let mut effects = false;
        walk::exprs(body, &mut |e| {
            effects |= match &e.kind {
                ExprKind::Call { .. }
                | ExprKind::Construct { .. }
                | ExprKind::Deref(_)
                | ExprKind::Index { .. }
                | ExprKind::Unsupported(..) => true,
                ExprKind::Member { member, .. } => !is_own(*member),
                ExprKind::Assign { place, .. } | ExprKind::CompoundAssign { place, .. } => {
                    !matches!(place.kind, ExprKind::Member { .. })
                }
                ExprKind::Step { operand, .. } => !matches!(operand.kind, ExprKind::Member { .. }),
                _ => false,
            }
        });
        effects
    }
}
