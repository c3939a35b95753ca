//! `private` and `firstprivate` of constructs in a block of threads that are no loops (OpenMP 5.2 §11.1 to §11.3).
//!
//! Those who run such a construct have a variable of its own, which begins with the value outside for `firstprivate`:
//!
//! ```text
//! scope firstprivate(x)               scope
//!   x++;                   becomes    { int x' = x; x'++; }
//! ```
//!
//! A variable that a `scope` reduces is one of these. What each thread has in the end it adds to the variable outside, atomically,
//! before the barrier at the end.

use super::counters::rename;
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Qual, Stmt as Ast, StmtKind, Storage, Ty, Var};
use crate::lower::expr::unsupported;
use crate::lower::function::Fun;
use crate::lower::{Lowered, walk};
use accl_directives::{DeviceKind, DirectiveKind, ReductionOp, Section, ThreadsKind};
use accl_ir::BinaryOp;
use accl_source::Span;
use std::collections::BTreeSet;

impl Fun<'_, '_> {
    /// Declares the copies that constructs in the block have.
    pub(super) fn declare_copies(&mut self, s: &mut Ast) -> Lowered<()> {
        if let StmtKind::Directed { directive, body: Some(inner) } = &mut s.kind {
            let d = &self.cx.pragmas[*directive].directive;
            let is_block = matches!(
                d.kind,
                DirectiveKind::Threads(ThreadsKind::Scope | ThreadsKind::Single | ThreadsKind::Sections)
            );
            let privates = d.clauses_for(DeviceKind::Cuda).privates;
            let is_scope = d.kind == DirectiveKind::Threads(ThreadsKind::Scope);
            let reduced = privates.reductions.iter().filter(|_| is_scope);
            for (op, section) in reduced.flat_map(|r| r.vars.iter().map(|section| (r.op, section))) {
                self.combined_by_scopes.extend(reduce_copy(inner, section, op)?);
            }
            // What has its last value outside has no copy: one thread runs all sections.
            let is_last = |section: &&Section| {
                privates.lastprivate.iter().any(|last| last.as_variable() == section.as_variable())
            };
            let private = privates.private.iter().map(|s| (*s, false));
            let firstprivate = privates.firstprivate.iter().map(|s| (*s, true));
            let listed = private.chain(firstprivate).filter(|(section, _)| !is_last(section));
            for (section, starts) in listed.filter(|_| is_block) {
                declare_copy(inner, section, starts)?;
            }
        }
        let mut result = Ok(());
        walk::children_mut(s, &mut |inner| {
            if result.is_ok() {
                result = self.declare_copies(inner);
            }
        });
        result
    }
}

fn declare_copy(body: &mut Ast, section: &Section, starts: bool) -> Lowered<()> {
    let Some(name) = section.as_variable() else {
        return Err(unsupported("a copy of a part of a variable", section.span));
    };
    let Some((id, ty)) = meant_by(body, name).filter(|(id, _)| walk::may_change(body, *id)) else {
        return Ok(());
    };
    if starts && matches!(*ty.referred().ty, Ty::Array { .. }) {
        return Err(unsupported("a firstprivate array of a block", section.span));
    }
    let init = starts.then(|| variable(id, name, &ty, section.span));
    declare_own(body, (id, name, &ty), init, section.span, vec![]);
    Ok(())
}

/// The variable outside, if the block uses it.
fn reduce_copy(body: &mut Ast, section: &Section, op: ReductionOp) -> Lowered<Option<DeclId>> {
    let (span, named) = (section.span, section.as_variable());
    let Some(name) = named.filter(|_| section.is_whole()) else {
        return Err(unsupported("a reduction of a part of a variable by `scope`", span));
    };
    let Some((id, ty)) = meant_by(body, name) else { return Ok(None) };
    let of = ty.referred().clone();
    let Some(neutral) = neutral(op, &of) else {
        return Err(unsupported("a reduction of what is no scalar by `scope`", span));
    };
    let of_type = |kind: ExprKind| Expr { kind, ty: of.clone(), span, place: false };
    let (outside, own) = (variable(id, name, &of, span), variable(own_id(span), name, &of, span));
    let load = |place: Expr| of_type(ExprKind::Cast { kind: CastKind::Load, operand: Box::new(place) });
    let (left, right) = (load(outside.clone()), load(own));
    let binary = |op: BinaryOp| {
        let (left, right) = (Box::new(left.clone()), Box::new(right.clone()));
        of_type(ExprKind::Binary { op, left, right })
    };
    let chosen = |op: BinaryOp| {
        let (yes, no) = (Box::new(left.clone()), Box::new(right.clone()));
        of_type(ExprKind::Conditional { cond: Box::new(binary(op)), yes, no })
    };
    let value = match op {
        ReductionOp::Add => binary(BinaryOp::Add),
        ReductionOp::Mul => binary(BinaryOp::Mul),
        ReductionOp::BitAnd => binary(BinaryOp::BitAnd),
        ReductionOp::BitOr => binary(BinaryOp::BitOr),
        ReductionOp::BitXor => binary(BinaryOp::BitXor),
        ReductionOp::And => binary(BinaryOp::LogicalAnd),
        ReductionOp::Or => binary(BinaryOp::LogicalOr),
        ReductionOp::Max => chosen(BinaryOp::Gt),
        ReductionOp::Min => chosen(BinaryOp::Lt),
    };
    let combined = of_type(ExprKind::Assign { place: Box::new(outside), value: Box::new(value) });
    let combine = Ast { kind: StmtKind::Expr(combined), span };
    declare_own(body, (id, name, &ty), Some(of_type(neutral)), span, vec![combine]);
    Ok(Some(id))
}

/// The value that the operation leaves alone; `None`: not of this type.
fn neutral(op: ReductionOp, of: &Qual) -> Option<ExprKind> {
    let (least, most) = match *of.ty {
        Ty::Int { bits, signed: true } => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        Ty::Int { bits, signed: false } => (0, (1i128 << bits) - 1),
        Ty::Bool => (0, 1),
        Ty::Float { .. } => {
            return Some(ExprKind::Float(match op {
                ReductionOp::Mul | ReductionOp::And => 1.0,
                ReductionOp::Max => f64::NEG_INFINITY,
                ReductionOp::Min => f64::INFINITY,
                ReductionOp::Add | ReductionOp::Or => 0.0,
                ReductionOp::BitAnd | ReductionOp::BitOr | ReductionOp::BitXor => return None,
            }));
        }
        _ => return None,
    };
    Some(ExprKind::Int(match op {
        ReductionOp::Mul | ReductionOp::And => 1,
        ReductionOp::Max => least,
        ReductionOp::Min => most,
        ReductionOp::BitAnd if least == 0 => most,
        ReductionOp::BitAnd => -1,
        ReductionOp::Add | ReductionOp::Or | ReductionOp::BitOr | ReductionOp::BitXor => 0,
    }))
}

fn variable(id: DeclId, name: &str, ty: &Qual, span: Span) -> Expr {
    Expr { kind: ExprKind::Var(id, name.into()), ty: ty.clone(), span, place: true }
}

/// No declaration of the program's lies so high, nor does a loop's counter.
fn own_id(span: Span) -> DeclId {
    DeclId(u64::MAX / 4 - u64::from(span.start))
}

/// Puts a declaration before the block, in which the name means the new variable, and statements behind it.
fn declare_own(
    body: &mut Ast,
    (id, name, ty): (DeclId, &str, &Qual),
    init: Option<Expr>,
    span: Span,
    behind: Vec<Ast>,
) {
    let own = own_id(span);
    rename(body, id, own);
    let var = Var {
        id: own,
        name: name.to_owned(),
        ty: ty.referred().clone(),
        type_text: "".into(),
        span,
        decl_span: span,
        storage: Storage::Auto,
        extent: None,
        init,
        link_name: None,
    };
    let span = body.span;
    let declared = Ast { kind: StmtKind::Decl(vec![var]), span };
    let inner = std::mem::replace(body, Ast { kind: StmtKind::Compound(vec![]), span });
    body.kind = StmtKind::Compound([vec![declared, inner], behind].concat());
}

/// The variable from outside that a name means in a statement.
pub fn meant_by(s: &Ast, name: &str) -> Option<(DeclId, Qual)> {
    let mut declared = BTreeSet::new();
    walk::vars(s, &mut |var| {
        declared.insert(var.id);
    });
    let mut found = None;
    walk::exprs(s, &mut |e| match &e.kind {
        ExprKind::Var(id, of) if **of == *name && !declared.contains(id) => {
            found.get_or_insert((*id, e.ty.clone()));
        }
        _ => {}
    });
    found
}
