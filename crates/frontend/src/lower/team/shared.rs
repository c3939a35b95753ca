//! Scalars that the threads of a team share and change in a `parallel` block: the team has one of each, in memory that all its
//! threads see.

use crate::ast::{DeclId, Expr, ExprKind, Qual, Stmt as Ast, StmtKind, Ty, Var};
use crate::lower::Lowered;
use crate::lower::function::{Binding, Fun, Variable};
use crate::lower::walk;
use accl_directives::{AtomicKind, Clause, ClauseKind, Directive, DirectiveKind, Section, ThreadsKind};
use accl_ir::{DataItem, DataVar, Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind, Stmt};
use accl_source::Span;
use std::collections::BTreeSet;

impl Fun<'_, '_> {
    /// The variables that blocks of the construct change though they are declared outside of them.
    pub fn changed_in_blocks(&mut self, d: &Directive, body: &Ast) -> BTreeSet<DeclId> {
        let mut found = BTreeSet::new();
        if d.kind == DirectiveKind::Threads(ThreadsKind::Parallel) {
            self.changed_by_threads(d, body, &mut found);
        }
        self.in_blocks_of(body, &mut found);
        found
    }

    fn in_blocks_of(&mut self, s: &Ast, found: &mut BTreeSet<DeclId>) {
        if let StmtKind::Directed { directive, body: Some(inner) } = &s.kind {
            let d = self.cx.pragmas[*directive].directive.clone();
            if d.kind == DirectiveKind::Threads(ThreadsKind::Parallel) {
                self.changed_by_threads(&d, inner, found);
            }
        }
        walk::children(s).into_iter().for_each(|inner| self.in_blocks_of(inner, found));
    }

    fn changed_by_threads(&mut self, d: &Directive, body: &Ast, found: &mut BTreeSet<DeclId>) {
        let d = &self.with_default_copies(d, body);
        let mut own = BTreeSet::new();
        walk::vars(body, &mut |var| {
            own.insert(var.id);
        });
        let mut copied: Vec<&str> =
            d.clauses.iter().flat_map(copies).filter_map(Section::as_variable).collect();
        self.copied_inside(body, &mut copied);
        walk::exprs(body, &mut |e| {
            // Names in clauses are texts, so variables are compared by these.
            if let ExprKind::Var(id, name) = &e.kind
                && copied.contains(&&**name)
            {
                own.insert(*id);
            }
        });
        walk::each_change(body, &mut |id, _| {
            if !own.contains(&id) {
                found.insert(id);
            }
        });
    }

    fn copied_inside<'s>(&'s self, s: &Ast, names: &mut Vec<&'s str>) {
        if let StmtKind::Directed { directive, .. } = &s.kind {
            let clauses = &self.cx.pragmas[*directive].directive.clauses;
            names.extend(clauses.iter().flat_map(copies).filter_map(Section::as_variable));
        }
        walk::children(s).into_iter().for_each(|inner| self.copied_inside(inner, names));
    }

    /// Variables that statements under `atomic` change. What is captured is none of them.
    fn changed_atomically(&self, s: &Ast, found: &mut BTreeSet<DeclId>) {
        if let StmtKind::Directed { directive, body: Some(body) } = &s.kind
            && let DirectiveKind::Atomic(kind) = self.cx.pragmas[*directive].directive.kind
            && kind != AtomicKind::Read
        {
            let mut changed = BTreeSet::new();
            walk::each_change(body, &mut |id, _| {
                changed.insert(id);
            });
            let mut captured = vec![];
            walk::exprs(body, &mut |e| {
                let ExprKind::Assign { place, value } = &e.kind else { return };
                let value = walk::bare(value);
                let is_old = walk::root(value).is_some_and(|id| changed.contains(&id));
                if is_old || changes(value) {
                    captured.extend(walk::root(place));
                }
            });
            captured.iter().for_each(|id| _ = changed.remove(id));
            found.extend(changed);
        }
        walk::children(s).into_iter().for_each(|inner| self.changed_atomically(inner, found));
    }

    /// The team's own of those that the construct has by value, which begin with the values outside. There is one for all teams of
    /// what has no clause and changes atomically: it is firstprivate on `target` alone (OpenMP 5.2 §5.1.1), so that `teams` shares it.
    pub fn share_scalars_of_host(&mut self, mapped: &[DataItem], d: &Directive, body: &Ast) -> Lowered<()> {
        let mut of_all_teams = BTreeSet::new();
        if d.kind != DirectiveKind::Threads(ThreadsKind::Parallel) {
            self.changed_atomically(body, &mut of_all_teams);
        }
        let copied: Vec<&str> = d.clauses.iter().flat_map(copies).filter_map(Section::as_variable).collect();
        walk::exprs(body, &mut |e| {
            if let ExprKind::Var(id, name) = &e.kind
                && copied.contains(&&**name)
            {
                of_all_teams.remove(id);
            }
        });
        for id in self.shared_scalars.difference(&of_all_teams).copied().collect::<Vec<_>>() {
            let Some(variable) = self.vars.get(&id).cloned() else { continue };
            let Binding::Local(local) = variable.binding else { continue };
            let is_mapped = mapped.iter().any(|item| item.var == DataVar::Local(local));
            if is_mapped || !is_scalar(&variable.ty) {
                continue;
            }
            let span = self.body.locals[local].span;
            let value = self.load_local(local, span);
            let name = self.body.locals[local].name.clone();
            let address = self.shared_cell(&name, &variable.ty, span, Some(value));
            self.vars.insert(id, reference(&variable, address));
        }
        Ok(())
    }

    /// Declares the variable as the team's, if its threads change it.
    pub fn declare_shared(&mut self, var: &Var) -> Lowered<bool> {
        if self.in_threads || !self.shared_scalars.contains(&var.id) || !is_scalar(&var.ty) {
            return Ok(false);
        }
        let value = var.init.as_ref().map(|init| self.value(init)).transpose()?;
        let address = self.shared_cell(&var.name, &var.ty, var.decl_span, value);
        let shared = Var { init: None, ty: Qual::new(Ty::Reference(var.ty.clone())), ..var.clone() };
        self.bring(&shared, Binding::Argument(address));
        Ok(true)
    }

    /// The address of an array of one element, which lies in the team's memory as arrays do.
    fn shared_cell(
        &mut self,
        name: &str,
        ty: &Qual,
        span: Span,
        value: Option<Handle<IrExpr>>,
    ) -> Handle<IrExpr> {
        let element = self.ty(ty);
        let one = self.cx.module.types.array(element, 1);
        let array = self.local(&format!("{name}_of_team"), one, LocalKind::Auto, span);
        self.emit(Stmt::Declare { local: array, init: None }, span);
        let place = self.only_element(array, span);
        if let Some(value) = value {
            let value = self.convert(value, element, span);
            self.emit(Stmt::Store { place, op: None, value }, span);
        }
        let pointer = self.cx.module.types.pointer(element);
        self.expr(Ir::AddrOf(place), pointer, span)
    }

    /// The element of an array of one.
    pub(super) fn only_element(&mut self, array: Handle<Local>, span: Span) -> Handle<IrExpr> {
        let (base, int) = (self.local_place(array, span), self.i32());
        let ty = self.ty_of(base);
        let element = self.cx.module.types.element(ty).unwrap_or(ty);
        let index = self.int(0, int, span);
        self.expr(Ir::Index { base, index }, element, span)
    }
}

fn changes(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Step { .. } | ExprKind::CompoundAssign { .. } | ExprKind::Assign { .. })
}

fn is_scalar(ty: &Qual) -> bool {
    matches!(*ty.ty, Ty::Int { .. } | Ty::Float { .. } | Ty::Bool | Ty::Pointer { .. })
}

pub(super) fn reference(variable: &Variable, address: Handle<IrExpr>) -> Variable {
    let ty = Qual::new(Ty::Reference(variable.ty.clone()));
    Variable { binding: Binding::Argument(address), ty, value: None, extent: None }
}

/// The variables of which the clause makes copies.
fn copies(c: &Clause) -> &[Section] {
    match &c.kind {
        ClauseKind::Private(list) | ClauseKind::Firstprivate(list) => list,
        ClauseKind::Reduction(reduction) => &reduction.vars,
        _ => &[],
    }
}
