//! Rows of arrays of pointers that a construct dereferences: `a[i][j]` of `float **a`.

use crate::data::{Summary, Variable};
use crate::provenance::Root;
use crate::section;
use accl_ir::{BinaryOp, Expr, ExprKind, Handle, TypeKind};
use accl_source::Span;

/// How a construct uses the rows of one array of pointers.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    pub span: Span,
    pub written: bool,
    /// `[0:n][0:m]`, as far as the subscripts tell.
    pub section: Option<String>,
}

/// The rows of pointer `v` that are dereferenced, if it points to pointers.
pub fn dereferenced(summary: &Summary<'_>, v: &Variable) -> Option<Rows> {
    let types = &summary.provenance.scope.module.types;
    let element = types.element(v.ty)?;
    if !matches!(types.kind(element), TypeKind::Pointer { .. }) {
        return None;
    }
    let mut found: Option<Rows> = None;
    for access in summary.accesses.list.iter().filter(|a| a.root == Root::Unknown) {
        let Some(subscripts) = subscripts(summary, &v.root, access.place) else { continue };
        let dims = subscripts.into_iter().map(|e| section::of_subscript(summary, access, e?));
        let section = dims.collect::<Option<Vec<String>>>().map(|dims| dims.concat());
        match &mut found {
            None => found = Some(Rows { span: access.span, written: access.written, section }),
            Some(rows) => {
                rows.written |= access.written;
                if rows.section != section {
                    rows.section = None;
                }
            }
        }
    }
    found
}

/// The subscripts between the variable and a place that is reached through the pointers in it, outermost first;
/// `None` stands for a subscript that has another form.
fn subscripts(summary: &Summary<'_>, root: &Root, place: Handle<Expr>) -> Option<Vec<Option<Handle<Expr>>>> {
    let scope = summary.provenance.scope;
    let kind = &scope.body.exprs[place].kind;
    match kind {
        ExprKind::Local(l) => (*root == Root::Local(*l)).then(Vec::new),
        ExprKind::Global(g) => (*root == Root::Global(*g)).then(Vec::new),
        ExprKind::Member { .. }
            if summary.provenance.member_text(place).map(Root::Member).as_ref() == Some(root) =>
        {
            Some(vec![])
        }
        ExprKind::Index { base, index } => {
            let mut all = subscripts(summary, root, *base)?;
            all.push(Some(*index));
            Some(all)
        }
        ExprKind::Deref(pointer) => {
            let mut all = subscripts(summary, root, *pointer)?;
            all.push(None);
            Some(all)
        }
        ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, .. } => subscripts(summary, root, *left),
        ExprKind::Load(_)
        | ExprKind::Decay(_)
        | ExprKind::Cast(_)
        | ExprKind::AddrOf(_)
        | ExprKind::Member { .. } => subscripts(summary, root, kind.operands()[0]),
        _ => None,
    }
}
