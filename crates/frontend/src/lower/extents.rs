//! The extent that an array parameter was declared with.
//!
//! `double A[n][m]` is a pointer to rows; what the user wrote for `n` tells how much a data clause without a
//! section means, as it does for an array. The extent is an expression of the function's first line and is used
//! at a directive, so it must mean the same there: each of its names denotes one variable only, which nothing in
//! the function changes.

use super::function::{Fun, Variable};
use super::walk;
use crate::ast::{DeclId, Len, Qual, Ty};
use accl_directives::CExpr;
use accl_ir::{Handle, HostExpr, Local, SectionDim};
use accl_source::Span;

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
        self.means_the_same(&extent)?;
        Ok(Some(HostExpr { text: text.to_string(), span, value: self.constant(&extent) }))
    }

    fn means_the_same(&mut self, extent: &CExpr) -> Result<(), Reason> {
        for (name, _) in extent.identifiers() {
            let named = |(n, _): &&(String, DeclId)| n == name;
            let in_scope: Vec<_> = self.scopes.iter().flatten().filter(named).map(|(_, id)| *id).collect();
            let is_param = |id| self.decl.params.iter().any(|p| p.id == id);
            match in_scope[..] {
                [] => {}
                [id] if is_param(id) => {
                    if self.changes(id) {
                        return Err(format!(
                            "its declared extent depends on `{name}`, which the function changes"
                        ));
                    }
                }
                _ => {
                    return Err(format!(
                        "its declared extent depends on `{name}`, which names another variable here"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether anything in the function may change a parameter.
    fn changes(&self, id: DeclId) -> bool {
        self.decl.body.as_ref().is_some_and(|b| walk::may_change(b, id))
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
