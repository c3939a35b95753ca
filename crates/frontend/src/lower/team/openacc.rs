//! Reductions of arrays in OpenACC (3.3 §2.5.15, §2.9.11).
//!
//! Where a `parallel loop` divides one loop among all threads, its gangs and lanes are numbered, and threads have copies, as in
//! OpenMP. Elsewhere elements are updated atomically where they are, which is right at any level, as often as loops are nested.

use super::ArrayReduction;
use super::array_reductions::only_updates;
use crate::ast::{Expr, ExprKind, Stmt as Ast, StmtKind, Ty};
use crate::lower::function::{Binding, Fun, Variable};
use crate::lower::scope::Named;
use crate::lower::target::Joined;
use crate::lower::walk;
use accl_directives::{
    Clause, ClauseKind, Construct, Directive, DirectiveKind, Reduction, ReductionOp, Section,
};
use accl_ir::{ExprKind as Ir, TypeKind};
use std::collections::BTreeSet;

impl Fun<'_, '_> {
    /// The construct's directive without reductions of arrays, and these. A loop of which threads have copies is for all gangs and
    /// lanes.
    pub fn construct_without_array_reductions(
        &mut self,
        joined: &Joined<'_>,
        body: &Ast,
    ) -> (Directive, Vec<ArrayReduction>) {
        let d = &joined.directive;
        let sections = d.clauses.iter().filter_map(|c| match &c.kind {
            ClauseKind::Reduction(reduction) => Some(&reduction.vars),
            _ => None,
        });
        let copies = joined.loop_
            && joined.construct == Construct::Parallel
            && self.is_for_all(d, body)
            && !sections.flatten().any(|section| self.is_in_place_only(section));
        match joined.construct {
            Construct::Serial => (self.in_order_of_program(d), vec![]),
            _ => self.array_reductions_of(d, body, copies),
        }
    }

    /// Takes scalars out of a `parallel` construct's directive that its gangs read, or write otherwise than by updates: what a gang reads
    /// is its own. Those that loops reduce are not among them, since a loop's result is that of all gangs, nor those that loops count with,
    /// which have no value to reduce.
    pub fn scalars_of_gangs(&mut self, d: &mut Directive, body: &Ast) -> Vec<ArrayReduction> {
        let mut of_loops = BTreeSet::new();
        self.reduced_or_counted(body, &mut of_loops);
        let may_be = |section: &Section| section.as_variable().is_some_and(|name| !of_loops.contains(name));
        self.take_scalars(d, body, &may_be)
    }

    fn reduced_or_counted(&self, s: &Ast, found: &mut BTreeSet<String>) {
        if let StmtKind::Directed { directive, .. } = &s.kind {
            for clause in &self.cx.pragmas[*directive].directive.clauses {
                if let ClauseKind::Reduction(reduction) = &clause.kind {
                    found.extend(reduction.vars.iter().map(|section| section.base.root.name.clone()));
                }
            }
        }
        if let StmtKind::For { init: Some(init), .. } = &s.kind
            && let StmtKind::Expr(Expr { kind: ExprKind::Assign { place, .. }, .. }) = &init.kind
            && let ExprKind::Var(_, name) = &place.kind
        {
            found.insert(name.to_string());
        }
        walk::children(s).into_iter().for_each(|inner| self.reduced_or_counted(inner, found));
    }

    /// A loop's directive without reductions of arrays, whose elements are updated in place.
    pub fn loop_without_array_reductions(
        &mut self,
        d: &Directive,
        body: &Ast,
    ) -> (Directive, Vec<ArrayReduction>) {
        match d.clauses.iter().any(|c| c.kind == ClauseKind::Seq) {
            true => (self.in_order_of_program(d), vec![]),
            false => self.array_reductions_of(d, body, false),
        }
    }

    /// A member, or rows that a pointer leads to: of these nobody has copies.
    pub(super) fn is_in_place_only(&mut self, section: &Section) -> bool {
        let base = &section.base;
        let named = self.lookup(&base.root.name);
        let rows = match &named {
            Some(Named::Variable(_, v)) => {
                section.dims.len() > 1 && matches!(*v.ty.referred().ty, Ty::Pointer { .. })
            }
            _ => false,
        };
        let member = !base.path.is_empty() || matches!(named, Some(Named::Member));
        (rows || member) && !self.is_reduced_part(section)
    }

    /// The same, where the loop only updates elements.
    pub(super) fn reduction_in_place(
        &mut self,
        op: ReductionOp,
        section: &Section,
        body: &Ast,
    ) -> Option<ArrayReduction> {
        if section.base.derefs > 0 {
            return None;
        }
        let (_, place) = self.try_block(|f| f.lvalue(&section.base)).ok()?;
        let (id, original) =
            match (self.body.exprs[place].kind.clone(), self.lookup(&section.base.root.name)?) {
                (Ir::Member { base, field }, _) => {
                    let record = self.cx.record_of(self.ty_of(base))?;
                    let own = field.checked_sub(self.cx.base_count(record))?;
                    let member = record.fields.get(own as usize)?;
                    let (binding, ty) = (Binding::Argument(place), member.ty.clone());
                    (member.id, Variable { binding, ty, value: None, extent: None })
                }
                (_, Named::Variable(id, original)) => (id, original),
                _ => return None,
            };
        let mut ty = self.ty_of(place);
        let mut pointers = section.dims.len();
        loop {
            match self.cx.module.types.kind(ty) {
                TypeKind::Array { .. } => {}
                TypeKind::Pointer { .. } if pointers > 0 => pointers -= 1,
                _ => break,
            }
            ty = self.cx.module.types.element(ty)?;
        }
        let bitwise = matches!(op, ReductionOp::BitAnd | ReductionOp::BitOr | ReductionOp::BitXor);
        let fits = match self.cx.module.types.kind(ty) {
            TypeKind::Int { .. } => true,
            TypeKind::Float { .. } => !bitwise,
            _ => false,
        };
        (fits && only_updates(body, id, op)).then(|| ArrayReduction::in_place(section, op, id, original))
    }

    /// One thread runs the iterations: nothing has to be done for a reduction of an array.
    fn in_order_of_program(&mut self, d: &Directive) -> Directive {
        let mut rest = d.clone();
        for clause in &mut rest.clauses {
            let ClauseKind::Reduction(Reduction { vars, .. }) = &mut clause.kind else { continue };
            vars.retain(|section| self.is_reduced_part(section) || !self.is_more_than_a_scalar(section));
        }
        rest.clauses.retain(|c| !matches!(&c.kind, ClauseKind::Reduction(r) if r.vars.is_empty()));
        rest
    }

    /// One loop, which no clause keeps from gangs or lanes, and with none inside that has a directive.
    fn is_for_all(&self, d: &Directive, body: &Ast) -> bool {
        let has = |wanted: fn(&ClauseKind) -> bool| d.clauses.iter().any(|c| wanted(&c.kind));
        let gang = has(|c| matches!(c, ClauseKind::Gang(_)));
        let vector = has(|c| matches!(c, ClauseKind::Vector(_)));
        let plain = |c: &Clause| match &c.kind {
            ClauseKind::Gang(args) => args.num.is_none() && args.static_.is_none() && args.dim.is_none(),
            ClauseKind::Vector(length) | ClauseKind::Worker(length) => length.is_none(),
            ClauseKind::Seq | ClauseKind::Auto | ClauseKind::Tile(_) => false,
            _ => true,
        };
        let levels = gang == vector && (gang || !has(|c| matches!(c, ClauseKind::Worker(_))));
        levels && d.clauses.iter().all(plain) && !self.has_inner_loop(body)
    }

    fn has_inner_loop(&self, s: &Ast) -> bool {
        let here = matches!(&s.kind, StmtKind::Directed { directive, .. }
            if self.cx.pragmas[*directive].directive.kind == DirectiveKind::Loop);
        here || walk::children(s).into_iter().any(|inner| self.has_inner_loop(inner))
    }
}
