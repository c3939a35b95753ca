//! Private, firstprivate and reduced variables, and the locals that stand for globals and references among them.

use super::Lowered;
use super::function::{Binding, Fun, Original, Variable};
use super::one_thread::no_scalar;
use super::scope::Named;
use crate::ast::{DeclId, Library};
use accl_directives::{self as acc, Section};
use accl_ir::{Handle, Local, LocalKind, Reduction, ReductionOp, TypeKind};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

impl Fun<'_, '_> {
    /// Locals, or locals that stand for globals: a construct's private copy of a global is a local.
    pub(super) fn privates<'s>(
        &mut self,
        sections: impl Iterator<Item = &'s Section>,
        clause: &str,
    ) -> Vec<Handle<Local>> {
        let mut locals = Vec::new();
        for section in sections {
            if self.is_private_section(section) {
                if let Err(refused) = self.private_section(section, clause) {
                    self.cx.error(*refused);
                }
                continue;
            }
            match self.private(section, clause) {
                Ok(local) if locals.contains(&local) => {}
                Ok(local) => locals.push(local),
                Err(refused) => self.cx.error(*refused),
            }
        }
        locals
    }

    fn private(&mut self, section: &Section, clause: &str) -> Lowered<Handle<Local>> {
        let bad = |message: String| {
            Box::new(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(section.span))
        };
        if clause == "reduction" && !(section.as_variable().is_some() && section.is_whole()) {
            return Err(no_scalar(section));
        }
        let Some(name) = section.as_variable() else {
            return Err(bad(format!("`{section}` is part of a variable; `{clause}` takes whole variables")));
        };
        if !section.is_whole() && !self.is_array(name) {
            let refused = bad(format!("`{section}` is part of `{name}`; `{clause}` takes whole variables"));
            return Err(Box::new(refused.with_help("name the variable without brackets")));
        }
        let (id, variable) = match self.lookup(name) {
            Some(Named::Variable(id, variable)) => (id, variable),
            Some(Named::Member) if clause != "reduction" => return self.private_member(section),
            _ => return Err(Box::new(self.unknown_name(name, section.span))),
        };
        // A copy of what a reference refers to (§2.5.13 to §2.5.15 say of C++ references what they say of variables).
        let ty =
            if variable.ty.is_reference() { variable.ty.referred().clone() } else { variable.ty.clone() };
        if ty.constant && clause == "private" {
            return Err(bad(format!("`{name}` is const, so a private copy could never be written")));
        }
        self.usable(&ty, section.span)?;
        let original = match variable.binding {
            Binding::Local(local) if !variable.ty.is_reference() => return Ok(local),
            Binding::Local(reference) => Original::Referred(reference),
            Binding::Global(global) => Original::Global(global),
            // A reference that the construct declares.
            Binding::Argument(_) if self.region && clause == "private" => {
                let ir = self.ty(&ty);
                let local = self.local(name, ir, LocalKind::Auto, section.span);
                self.vars.insert(id, Variable { binding: Binding::Local(local), ty, ..variable });
                return Ok(local);
            }
            Binding::Argument(_) => return Err(bad(format!("`{name}` is an argument"))),
        };
        Ok(self.stand_in(original, id, Variable { ty, ..variable }, section.span))
    }

    /// A local that has the name of another variable from here to the end of the construct. `span`: of the name.
    pub fn stand_in(&mut self, of: Original, id: DeclId, variable: Variable, span: Span) -> Handle<Local> {
        let local = match self.stand_ins.get(&of) {
            Some(local) => *local,
            None => {
                let ty = self.ty(&variable.ty);
                let name = self.text(span);
                self.local(&name, ty, LocalKind::Auto, span)
            }
        };
        self.stand_ins.insert(of, local);
        self.vars.insert(id, Variable { binding: Binding::Local(local), ..variable });
        local
    }

    pub(super) fn reductions(&mut self, clauses: &[&acc::Reduction]) -> Vec<Reduction> {
        let mut reductions: Vec<Reduction> = Vec::new();
        for acc::Reduction { op: operator, vars } in clauses.iter().copied() {
            let op = reduction_op(*operator);
            for section in vars {
                let mut locals = self.reduced_parts_of(section);
                if locals.is_empty() {
                    match self.private(section, "reduction") {
                        Ok(local) => locals.push(local),
                        Err(refused) => self.cx.error(*refused),
                    }
                }
                for local in locals {
                    match self.reduction(op, operator.symbol(), local, section) {
                        Ok(again) if reductions.iter().any(|r| r.local == again.local) => {}
                        Ok(reduction) => reductions.push(reduction),
                        Err(refused) => self.cx.error(*refused),
                    }
                }
            }
        }
        reductions
    }

    /// Scalars of arithmetic type (§2.5.15). Arrays, of which threads have copies, are no longer in the clauses here.
    fn reduction(
        &mut self,
        op: ReductionOp,
        symbol: &str,
        local: Handle<Local>,
        section: &Section,
    ) -> Lowered<Reduction> {
        let ty = self.body.locals[local].ty;
        let bitwise = matches!(op, ReductionOp::BitAnd | ReductionOp::BitOr | ReductionOp::BitXor);
        let fits = match self.cx.module.types.kind(ty) {
            TypeKind::Int { .. } | TypeKind::Bool => true,
            TypeKind::Float { .. } => !bitwise,
            TypeKind::Void
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Struct(_)
            | TypeKind::Compressed { .. }
            | TypeKind::Opaque(_) => false,
        };
        if fits {
            return Ok(Reduction { op, local, span: section.span });
        }
        let diagnostic = Diagnostic::error(
            codes::REDUCTION_TYPE,
            format!("`{section}` cannot be reduced with `{symbol}`"),
        )
        .label(section.span, format!("its type is `{}`", self.cx.c_name(ty)));
        let complex = self.cx.record_of(ty).is_some_and(|r| r.library == Some(Library::Complex));
        Err(Box::new(match self.cx.module.types.kind(ty) {
            TypeKind::Float { .. } => diagnostic
                .with_note(format!("`{symbol}` works on the bits of integers (OpenACC 3.3 §2.5.15)"))
                .with_help("use `+`, `*`, `max` or `min`, or make the variable an integer"),
            TypeKind::Array { .. } => *no_scalar(section),
            TypeKind::Pointer { .. } => diagnostic
                .with_note(
                    "a reduction variable is a scalar of integer or floating type, or an array of these",
                )
                .with_help("name what the pointer leads to, as in `p[0:n]`"),
            _ if complex => *no_scalar(section),
            _ => diagnostic
                .with_note("a reduction variable is a scalar of integer or floating type")
                .with_help("reduce into a scalar variable for each member"),
        }))
    }
}

fn reduction_op(op: acc::ReductionOp) -> ReductionOp {
    match op {
        acc::ReductionOp::Add => ReductionOp::Add,
        acc::ReductionOp::Mul => ReductionOp::Mul,
        acc::ReductionOp::Max => ReductionOp::Max,
        acc::ReductionOp::Min => ReductionOp::Min,
        acc::ReductionOp::BitAnd => ReductionOp::BitAnd,
        acc::ReductionOp::BitOr => ReductionOp::BitOr,
        acc::ReductionOp::BitXor => ReductionOp::BitXor,
        acc::ReductionOp::And => ReductionOp::LogicalAnd,
        acc::ReductionOp::Or => ReductionOp::LogicalOr,
    }
}
