//! Structures of a thread's into whose members a loop accumulates: `chk.re += a[j].re, chk.im += a[j].im`.
//!
//! A construct reduces scalars. So each member becomes one while the loop runs, and has its value again behind it.

use super::accumulate;
use super::edits::TextEdit;
use super::unit::SourceFile;
use crate::ast::{DeclId, Expr, ExprKind, Stmt, Ty};
use crate::lower::walk;
use accl_directives::ReductionOp;
use std::collections::BTreeMap;

pub struct Members {
    /// Declarations of the scalars.
    pub before: String,
    /// What gives the members their values.
    pub after: String,
    /// The scalars, by the operator that they are reduced with.
    pub reduced: Vec<(ReductionOp, String)>,
    pub edits: Vec<TextEdit>,
}

/// The scalars for a structure of which the loop does no more than to accumulate into members.
pub fn members(unit: &SourceFile<'_>, body: &Stmt, id: DeclId) -> Option<Members> {
    let var = unit.var(id)?;
    let Ty::Record(_) = &*var.ty.ty else { return None };
    let mut found = Found { unit, id, ops: BTreeMap::new(), mentions: 0, fits: true, edits: vec![] };
    accumulate::each_statement(body, &mut |s| found.statement(s));
    if !found.fits || found.mentions != unit.mentions(body, id) {
        return None;
    }
    let mut made =
        Members { before: String::new(), after: String::new(), reduced: vec![], edits: found.edits };
    for (member, (ty, op)) in &found.ops {
        let scalar = scalar_name(&var.name, member);
        made.before += &format!("{ty} {scalar} = {}.{member}; ", var.name);
        made.after += &format!(" {}.{member} = {scalar};", var.name);
        made.reduced.push((*op, scalar));
    }
    Some(made)
}

fn scalar_name(variable: &str, member: &str) -> String {
    format!("accl_{variable}_{member}")
}

struct Found<'u, 'a> {
    unit: &'u SourceFile<'a>,
    id: DeclId,
    /// The type of each member, and how it is updated.
    ops: BTreeMap<String, (&'static str, ReductionOp)>,
    mentions: usize,
    fits: bool,
    edits: Vec<TextEdit>,
}

impl Found<'_, '_> {
    fn statement(&mut self, e: &Expr) {
        let Some((place, op, mentions, values)) = accumulate::expression_parts(self.unit, e) else { return };
        let Some(name) = self.member(place) else { return };
        let Some(ty) = scalar_type(&place.ty.ty) else { return };
        if values.iter().any(|e| walk::uses(e, self.id) > 0) {
            return;
        }
        let same = *self.ops.entry(name.clone()).or_insert((ty, op));
        self.fits &= same == (ty, op);
        self.mentions += mentions;
        let scalar = self.unit.var(self.id).map(|var| scalar_name(&var.name, &name)).unwrap_or_default();
        walk::within(e, &mut |e| {
            if self.member(e).is_some() && matches!(e.kind, ExprKind::Member { .. }) {
                self.edits.push(TextEdit::replace(e.span.start..e.span.end, scalar.clone()));
            }
        });
    }

    /// The member's name, where it is one of the structure's own.
    fn member(&self, place: &Expr) -> Option<String> {
        let ExprKind::Member { base, arrow: false, name, .. } = &walk::same_place(place).kind else {
            return None;
        };
        let own = matches!(walk::same_place(base).kind, ExprKind::Var(id, _) if id == self.id);
        own.then(|| name.to_string())
    }
}

fn scalar_type(ty: &Ty) -> Option<&'static str> {
    Some(match ty {
        Ty::Float { bits: 64 } => "double",
        Ty::Float { bits: 32 } => "float",
        Ty::Int { bits: 32, signed: true } => "int",
        Ty::Int { bits: 64, signed: true } => "long",
        _ => return None,
    })
}
