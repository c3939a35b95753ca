//! `private` and `firstprivate` of constructs in a block of threads that are no loops (OpenMP 5.2 §11.1 to §11.3).
//!
//! Those who run such a construct have a variable of its own, which begins with the value outside for `firstprivate`:
//!
//! ```text
//! scope firstprivate(x)               scope
//!   x++;                   becomes    { int x' = x; x'++; }
//! ```

use super::counters::rename;
use crate::ast::{DeclId, Expr, ExprKind, Qual, Stmt as Ast, StmtKind, Storage, Ty, Var};
use crate::lower::expr::unsupported;
use crate::lower::function::Fun;
use crate::lower::{Lowered, walk};
use accl_directives::{DeviceKind, DirectiveKind, Section, ThreadsKind};
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
            if d.kind == DirectiveKind::Threads(ThreadsKind::Scope) && !privates.reductions.is_empty() {
                return Err(unsupported("a reduction of `scope`", d.name_span));
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
    // No declaration of the program's lies so high, nor does a loop's counter.
    let own = DeclId(u64::MAX / 4 - u64::from(section.span.start));
    rename(body, id, own);
    let init = starts.then(|| Expr {
        kind: ExprKind::Var(id, name.into()),
        ty: ty.clone(),
        span: section.span,
        place: true,
    });
    let var = Var {
        id: own,
        name: name.to_owned(),
        ty: ty.referred().clone(),
        type_text: "".into(),
        span: section.span,
        decl_span: section.span,
        storage: Storage::Auto,
        extent: None,
        init,
        link_name: None,
    };
    let span = body.span;
    let declared = Ast { kind: StmtKind::Decl(vec![var]), span };
    let inner = std::mem::replace(body, Ast { kind: StmtKind::Compound(vec![]), span });
    body.kind = StmtKind::Compound(vec![declared, inner]);
    Ok(())
}

/// The variable from outside that a name means in a statement.
fn meant_by(s: &Ast, name: &str) -> Option<(DeclId, Qual)> {
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
