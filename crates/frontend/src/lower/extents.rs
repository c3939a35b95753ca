//! Extents that are known at run time only, and those that array parameters were declared with.
//!
//! C evaluates the extents of `double a[n][m]` where the array is declared. Here they are expressions that are
//! evaluated where the array is used, so they must have the same value there: each of their names denotes one
//! variable, which nothing after the declaration changes. Otherwise the array is refused.
//!
//! A parameter `double A[n][m]` is a pointer to rows. As for an array, what the user wrote for `n` is the extent
//! that a data clause without a section refers to.

use super::function::{Binding, Fun, Variable};
use super::{Refused, walk};
use crate::ast::{DeclId, Function, Len, Qual, Ty, Var};
use accl_directives::CExpr;
use accl_ir::{Handle, HostExpr, Local, SectionDim};
use accl_source::{Diagnostic, Span, codes::frontend as codes};
use std::collections::HashMap;
use std::rc::Rc;

/// Why a declared extent cannot be used, for a note.
pub type Reason = String;

impl Fun<'_, '_> {
    /// The outermost extent of an array parameter, as an expression at the directive; `None` for other variables.
    pub fn declared_extent(
        &mut self,
        variable: &Variable,
        local: Handle<Local>,
        span: Span,
    ) -> Result<Option<HostExpr>, Reason> {
        let name = &self.body.locals[local].name;
        let own = self.decl.params.iter().find(|p| p.name == *name).map(|p| p.id);
        if own.is_some_and(|id| self.changes(id)) {
            return Err(format!(
                "its declared extent counts from where `{name}` points at first, and the function changes `{name}`"
            ));
        }
        let text = match &variable.extent {
            Some(Len::Const(n)) => {
                let value = i64::try_from(*n).ok();
                return Ok(Some(HostExpr { text: n.to_string(), span, value }));
            }
            Some(Len::Text(text)) => text.clone(),
            Some(Len::Unknown) | None => return Ok(None),
        };
        let Some(extent) = super::cexpr::parse_extent(&text) else { return Ok(None) };
        self.means_the_same(&text, &extent)?;
        Ok(Some(HostExpr { text: text.to_string(), span, value: self.constant(&extent) }))
    }

    /// Tells the analyses how many elements the function's array parameters have, where that number does not
    /// change.
    pub fn note_extents(&mut self, params: &[Handle<Local>]) {
        let decl = self.decl;
        for param in decl.params.iter().filter(|p| p.extent.is_some()) {
            let Some(variable) = self.vars.get(&param.id).cloned() else { continue };
            let Binding::Local(local) = variable.binding else { continue };
            let Ok(Some(extent)) = self.declared_extent(&variable, local, param.span) else { continue };
            let Ty::Pointer { to: row, .. } = &*param.ty.ty else { continue };
            let Ok((Some(rows), row)) = self.attempt(|f| {
                let text = super::cexpr::parse_extent(&extent.text);
                let long = f.i64();
                let rows = text.map(|t| f.clause_value(&t, Span::NOWHERE)).transpose()?;
                Ok((rows.map(|r| f.convert(r, long, Span::NOWHERE)), f.flat_count(row)?))
            }) else {
                continue;
            };
            let count = self.multiply(rows, row);
            if self.hidden_somewhere(count) {
                continue;
            }
            // The text form declares parameters in their order.
            let mut known = true;
            accl_ir::visit::walk_expr(&self.body, count, accl_ir::Access::Read, &mut |e, _| {
                if let accl_ir::ExprKind::Local(l) = self.body.exprs[e].kind {
                    known &= params.contains(&l) && l < local;
                }
            });
            if known {
                self.body.extents.insert(local, count);
            }
        }
    }

    /// Whether a variable of the function has the name of a variable in the expression. At some directive the
    /// expression would then mean that one.
    fn hidden_somewhere(&self, e: Handle<accl_ir::Expr>) -> bool {
        let mut names = Vec::new();
        accl_ir::visit::walk_expr(&self.body, e, accl_ir::Access::Read, &mut |e, _| match self.body.exprs[e]
            .kind
        {
            accl_ir::ExprKind::Local(l) => names.push(self.body.locals[l].name.clone()),
            accl_ir::ExprKind::Global(g) => names.push(self.cx.module.globals[g].name.clone()),
            _ => {}
        });
        let mut hidden = false;
        if let Some(body) = &self.decl.body {
            walk::vars(body, &mut |v| hidden |= names.contains(&v.name));
        }
        hidden
    }

    /// Whether an extent still has the value that it had where the array was declared.
    pub fn means_the_same(&mut self, text: &str, extent: &CExpr) -> Result<(), Reason> {
        let decl = self.decl;
        let facts = self.extents.get_or_insert_with(|| Extents::of(decl)).clone();
        let declared = facts.declared.get(text).copied().unwrap_or(0);
        for (name, _) in extent.identifiers() {
            let named = |(n, _): &&(String, DeclId)| n == name;
            let in_scope: Vec<_> = self.scopes.iter().flatten().filter(named).map(|(_, id)| *id).collect();
            let hides = |id| self.declared_behind(id, declared);
            match in_scope[..] {
                [] => {}
                [id] if !hides(id) => {
                    if facts.changed.get(&id).is_some_and(|at| *at >= declared) {
                        return Err(format!("its extent depends on `{name}`, which the function changes"));
                    }
                }
                _ => {
                    return Err(format!("its extent depends on `{name}`, which names another variable here"));
                }
            }
        }
        Ok(())
    }

    /// A local whose name came into scope only after a place of the function's text.
    fn declared_behind(&self, id: DeclId, at: u32) -> bool {
        let Some(Variable { binding: Binding::Local(local), .. }) = self.vars.get(&id) else { return false };
        let is_param = self.decl.params.iter().any(|p| p.id == id);
        !is_param && self.body.locals[*local].span.start > at
    }

    /// Whether anything in the function may change a parameter.
    fn changes(&self, id: DeclId) -> bool {
        self.decl.body.as_ref().is_some_and(|b| walk::may_change(b, id))
    }
}

/// Where a function declares arrays of variable extent, and where it changes variables: offsets in the buffer.
#[derive(Debug, Default)]
pub struct Extents {
    /// By the extent's text; the first of the arrays that have it.
    declared: HashMap<Rc<str>, u32>,
    /// The last place where a variable may change.
    changed: HashMap<DeclId, u32>,
}

impl Extents {
    fn of(function: &Function) -> Rc<Extents> {
        let mut facts = Extents::default();
        function.params.iter().for_each(|p| facts.declare(p, &p.ty));
        let Some(body) = &function.body else { return Rc::new(facts) };
        walk::vars(body, &mut |v| facts.declare(v, &v.ty));
        walk::each_change(body, &mut |id, span| {
            let last = facts.changed.entry(id).or_default();
            *last = (*last).max(span.start);
        });
        Rc::new(facts)
    }

    fn declare(&mut self, var: &Var, ty: &Qual) {
        let text = match &*ty.ty {
            Ty::Array { len: Len::Text(text), .. } => Some(text),
            _ => None,
        };
        let own = match &var.extent {
            Some(Len::Text(text)) => Some(text),
            _ => None,
        };
        for text in text.into_iter().chain(own) {
            let first = self.declared.entry(text.clone()).or_insert(var.span.start);
            *first = (*first).min(var.span.start);
        }
        match &*ty.ty {
            Ty::Array { of: inner, .. } | Ty::Pointer { to: inner, .. } | Ty::Reference(inner) => {
                self.declare(var, inner)
            }
            _ => {}
        }
    }
}

/// The first dimension of a section where the user left its length to the declaration.
pub fn complete(dims: &mut Vec<SectionDim>, extent: HostExpr) {
    let Some(first) = dims.first_mut() else {
        return dims.push(SectionDim { lower: None, length: Some(extent) });
    };
    if first.length.is_some() {
        return;
    }
    first.length = Some(match first.lower.as_ref().filter(|l| l.value != Some(0)) {
        None => extent,
        Some(lower) => HostExpr {
            value: extent.value.zip(lower.value).and_then(|(n, from)| n.checked_sub(from)),
            text: format!("({}) - ({})", extent.text, lower.text),
            span: extent.span,
        },
    });
}

/// The whole array that a parameter stands for, as messages show it: `[:n][:m]`.
pub fn shown(pointer: &Qual, extent: &HostExpr) -> String {
    let mut text = format!("[:{}]", extent.text);
    let Ty::Pointer { to, .. } = &*pointer.ty else { return text };
    let mut row = to;
    while let Ty::Array { of, len } = &*row.ty {
        text += &match len {
            Len::Const(n) => format!("[:{n}]"),
            Len::Text(extent) => format!("[:{extent}]"),
            Len::Unknown => "[:]".to_owned(),
        };
        row = of;
    }
    text
}

/// The message about an extent, which has no location of its own, points to the array's use.
pub fn located(refused: Refused, at: Span) -> Refused {
    if refused.labels.is_empty() { Box::new(refused.at(at)) } else { refused }
}

/// Kernels compute with the extents themselves, so an array whose extents have changed cannot be used.
pub fn refused(extent: &str, reason: &str) -> Refused {
    Box::new(
        Diagnostic::error(
            codes::UNSUPPORTED,
            format!("an array of extent `{extent}` cannot be used here: {reason}"),
        )
        .with_help("declare the array with a variable of its own, which nothing changes"),
    )
}
