//! What the iterations of a loop read and write: variables, and memory by subscripts.

use super::canonical::CanonicalLoop;
use super::unit::SourceFile;
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Stmt, StmtKind, Storage, Ty};
use crate::lower::{is_plain_math, walk};
use std::collections::{BTreeMap, BTreeSet};

/// How a loop uses a variable, or the array that it is or leads to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Use {
    written: bool,
    /// Elements that other iterations do not touch: the first subscript is the counter.
    by_counter: bool,
    /// The loop's header needs it.
    in_header: bool,
}

#[derive(Default)]
pub struct Accesses {
    /// Of a pointer its own value is another thing than what it leads to, which is noted as `true`.
    uses: BTreeMap<(DeclId, bool), Use>,
    pub inner_loops: bool,
    pub inner_loops_write: bool,
}

impl Accesses {
    /// `None`: the loop does something of which nobody knows what it reads and writes.
    pub fn of(unit: &SourceFile<'_>, s: &Stmt, l: &CanonicalLoop<'_>) -> Option<Accesses> {
        let mut own = BTreeSet::new();
        let mut has_static = false;
        walk::vars(l.body, &mut |var| {
            has_static |= var.storage == Storage::Static;
            own.insert(var.id);
        });
        let counts = unit.var(l.counter).is_some_and(|var| matches!(&*var.ty.ty, Ty::Int { .. }));
        let jumps = walk::continues(l.body) || walk::leaves_loop(l.body, unit.buffer).is_some();
        if has_static || !counts || jumps {
            return None;
        }
        let mut finder = Finder { unit, counter: l.counter, own, loops: 0, found: Accesses::default() };
        walk::own_exprs(s).into_iter().chain([l.from]).try_for_each(|e| finder.header(e))?;
        finder.stmt(l.body)?;
        Some(finder.found)
    }

    pub fn add(&mut self, id: DeclId, one: Use) {
        self.insert((id, false), one);
    }

    fn insert(&mut self, key: (DeclId, bool), one: Use) {
        let all = self.uses.entry(key).or_insert(one);
        all.written |= one.written;
        all.by_counter &= one.by_counter;
        all.in_header |= one.in_header;
    }

    pub fn extend(&mut self, others: Accesses) {
        others.uses.into_iter().for_each(|(key, one)| self.insert(key, one));
    }

    /// The variable itself.
    pub fn writes(&self, id: DeclId) -> bool {
        self.uses.get(&(id, false)).is_some_and(|one| one.written)
    }

    /// What is used in both loops under one name, and written in one, is the same iteration's in both. `is_own`: a scalar that each
    /// iteration of both writes before it reads it.
    pub fn meet_in_one_iteration(&self, other: &Accesses, is_own: &dyn Fn(DeclId) -> bool) -> bool {
        self.uses.iter().all(|(key, a)| {
            other.uses.get(key).is_none_or(|b| {
                let stays = !a.written && !b.written;
                let in_header = a.in_header || b.in_header;
                stays || !in_header && (a.by_counter && b.by_counter || is_own(key.0))
            })
        })
    }

    /// What is written under one name is not used under another, where `apart` says so of two names.
    pub fn apart(&self, other: &Accesses, apart: &dyn Fn(DeclId, DeclId) -> bool) -> bool {
        self.uses.iter().all(|((a, _), first)| {
            let meets = |((b, _), second): (&(DeclId, bool), &Use)| {
                a != b && (first.written || second.written) && !apart(*a, *b)
            };
            !other.uses.iter().any(meets)
        })
    }
}

struct Finder<'u, 's> {
    unit: &'u SourceFile<'s>,
    counter: DeclId,
    /// Variables that each iteration declares.
    own: BTreeSet<DeclId>,
    /// Loops around, in the loop's body.
    loops: u32,
    found: Accesses,
}

impl Finder<'_, '_> {
    fn header(&mut self, e: &Expr) -> Option<()> {
        let mut plain = true;
        walk::within(e, &mut |e| match &e.kind {
            ExprKind::Var(id, _) if *id != self.counter => {
                plain &= self.unit.is_scalar(*id);
                self.found.add(*id, Use { in_header: true, ..Use::default() });
            }
            ExprKind::Var(..)
            | ExprKind::Int(_)
            | ExprKind::Cast { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::SizeOf(_) => {}
            // The counter's own step.
            ExprKind::Step { .. } | ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } => {}
            _ => plain = false,
        });
        plain.then_some(())
    }

    fn stmt(&mut self, s: &Stmt) -> Option<()> {
        let is_loop =
            matches!(s.kind, StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. });
        match &s.kind {
            StmtKind::Compound(_)
            | StmtKind::Decl(_)
            | StmtKind::Expr(_)
            | StmtKind::If { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Null => {}
            _ if is_loop => {}
            _ => return None,
        }
        self.loops += u32::from(is_loop);
        self.found.inner_loops |= is_loop;
        walk::own_exprs(s).into_iter().try_for_each(|e| self.expr(e))?;
        walk::children(s).into_iter().try_for_each(|s| self.stmt(s))?;
        self.loops -= u32::from(is_loop);
        Some(())
    }

    fn expr(&mut self, e: &Expr) -> Option<()> {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::SizeOf(_) | ExprKind::Zero => Some(()),
            ExprKind::Var(..) | ExprKind::Index { .. } | ExprKind::Member { .. } | ExprKind::Deref(_) => {
                self.place(e, false)
            }
            ExprKind::Cast { kind: CastKind::Load | CastKind::NoOp, operand, .. } => self.expr(operand),
            ExprKind::Cast {
                kind: CastKind::Convert | CastKind::ToBool | CastKind::ToVoid, operand, ..
            } => self.expr(operand),
            ExprKind::Assign { place, value } | ExprKind::CompoundAssign { place, value, .. } => {
                self.place(place, true)?;
                self.expr(value)
            }
            ExprKind::Step { operand, .. } => self.place(operand, true),
            ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Comma(..)
            | ExprKind::Conditional { .. }
            | ExprKind::InitList(_) => walk::operands(e).into_iter().try_for_each(|e| self.expr(e)),
            ExprKind::Call { callee, args } => {
                let is_users = walk::callee(callee)
                    .and_then(|id| self.unit.function(id))
                    .is_some_and(|f| f.body.is_some());
                let is_math = walk::library_name(callee).is_some_and(is_plain_math);
                (is_math && !is_users).then_some(())?;
                args.iter().try_for_each(|e| self.expr(e))
            }
            _ => None,
        }
    }

    fn place(&mut self, place: &Expr, written: bool) -> Option<()> {
        let mut steps = vec![];
        let (id, through) = self.root(place, &mut steps)?;
        let var = self.unit.var(id)?;
        let is_known =
            matches!(&*var.ty.ty, Ty::Bool | Ty::Int { .. } | Ty::Float { .. } | Ty::Pointer { .. })
                || matches!(&*var.ty.ty, Ty::Array { .. } | Ty::Record(_))
                    && !self.unit.type_holds_pointers(&var.ty.ty);
        if !is_known || var.type_text.contains("volatile") || self.unit.of_threads.contains(&id) {
            return None;
        }
        let memory = !steps.is_empty();
        let by_counter = steps.first().is_some_and(|first| self.is_counter(first));
        self.found.inner_loops_write |= written && memory && self.loops > 0;
        steps.into_iter().try_for_each(|index| self.expr(index))?;
        if id == self.counter || self.own.contains(&id) && !through {
            return Some(());
        }
        if through {
            self.found.add(id, Use::default());
        }
        self.found.insert((id, through), Use { written, by_counter, in_header: false });
        Some(())
    }

    /// The variable that a place is a part of, and whether it is a pointer that leads there; with the subscripts.
    fn root<'e>(&self, place: &'e Expr, steps: &mut Vec<&'e Expr>) -> Option<(DeclId, bool)> {
        match &place.kind {
            ExprKind::Var(id, _) => Some((*id, false)),
            ExprKind::Cast { kind: CastKind::NoOp, operand, .. } => self.root(operand, steps),
            ExprKind::Member { base, arrow: false, member, .. } if !self.unit.is_in_union(*member) => {
                self.root(base, steps)
            }
            ExprKind::Index { base, index } => {
                let found = match &base.kind {
                    ExprKind::Cast { kind: CastKind::Decay, operand, .. } => self.root(operand, steps)?,
                    ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
                        match walk::same_place(operand).kind {
                            ExprKind::Var(id, _) if self.unit.is_pointer(id) => (id, true),
                            _ => return None,
                        }
                    }
                    _ => return None,
                };
                steps.push(index);
                Some(found)
            }
            _ => None,
        }
    }

    /// The counter's value, in a type that has all of its values.
    fn is_counter(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(id, _) => *id == self.counter,
            ExprKind::Cast { kind: CastKind::Load | CastKind::NoOp, operand, .. } => self.is_counter(operand),
            ExprKind::Cast { kind: CastKind::Convert, operand, .. } => match (&*e.ty.ty, &*operand.ty.ty) {
                (Ty::Int { bits: wide, .. }, Ty::Int { bits, .. }) => {
                    wide >= bits && self.is_counter(operand)
                }
                _ => false,
            },
            _ => false,
        }
    }
}
