//! Arrays that statements fill with constants right after their declaration are written with an initialiser, as
//! people write them.
//!
//! Compilers keep such a table in constant memory, once. With stores each thread would fill it anew.

use super::body::BodyWriter;
use crate::Result;
use accl_ir::{ArrayLen, Expr, ExprKind, Handle, Local, Stmt, StmtNode, Type, TypeKind};

const MOST: usize = 4096;

/// An initialiser, and the number of statements after the declaration that it replaces.
pub struct Table {
    pub rows: Vec<String>,
    pub statements: usize,
}

/// The table that the statements after `local`'s declaration make, if they set each element once, in order.
pub fn table(body: &BodyWriter, local: Handle<Local>, after: &[StmtNode]) -> Result<Option<Table>> {
    let Some(extents) = extents(body, body.body.locals[local].ty) else { return Ok(None) };
    let count: u64 = extents.iter().product();
    if count < 2 || count > MOST as u64 || after.len() < count as usize {
        return Ok(None);
    }
    let mut values = vec![];
    for (at, node) in after[..count as usize].iter().enumerate() {
        match element(body, local, node, &extents) {
            Some((index, value)) if index == at as u64 => values.push(body.assigned(value)?),
            _ => return Ok(None),
        }
    }
    Ok(Some(Table { rows: rows(&values, &extents), statements: values.len() }))
}

/// The extents of an array of numbers.
fn extents(body: &BodyWriter, ty: Handle<Type>) -> Option<Vec<u64>> {
    match body.kind(ty) {
        TypeKind::Array { of, len: ArrayLen::Const(n) } => {
            let mut all = vec![*n];
            if let TypeKind::Array { .. } = body.kind(*of) {
                all.extend(extents(body, *of)?);
            } else if !matches!(body.kind(*of), TypeKind::Int { .. } | TypeKind::Float { .. }) {
                return None;
            }
            Some(all)
        }
        _ => None,
    }
}

/// The number and value of the element, where the statement sets an element of `local` to a literal.
fn element(
    body: &BodyWriter,
    local: Handle<Local>,
    node: &StmtNode,
    extents: &[u64],
) -> Option<(u64, Handle<Expr>)> {
    let Stmt::Store { place, op: None, value } = node.kind else { return None };
    let mut indices = vec![];
    let mut place = place;
    while let ExprKind::Index { base, index } = body.expr(place).kind {
        let ExprKind::Int(n) = body.expr(index).kind else { return None };
        indices.push(u64::try_from(n).ok()?);
        place = base;
    }
    let whole = body.expr(place).kind == ExprKind::Local(local) && indices.len() == extents.len();
    let literal = matches!(body.expr(value).kind, ExprKind::Int(_) | ExprKind::Float(_));
    if !whole || !literal {
        return None;
    }
    let number = indices
        .iter()
        .rev()
        .zip(extents)
        .try_fold(0u64, |sum, (index, extent)| (index < extent).then(|| sum * extent + index))?;
    Some((number, value))
}

/// `{1, 2, 3}`, in lines of a readable length; one line for each row of a matrix.
fn rows(values: &[String], extents: &[u64]) -> Vec<String> {
    let Some((_, inner)) = extents.split_first().filter(|(_, inner)| !inner.is_empty()) else {
        return wrapped(values);
    };
    let size: u64 = inner.iter().product();
    let mut all = vec!["{".to_owned()];
    let count = values.len() / size.max(1) as usize;
    for (at, part) in values.chunks(size.max(1) as usize).enumerate() {
        let end = if at + 1 < count { "," } else { "" };
        let lines = rows(part, inner);
        let last = lines.len() - 1;
        for (n, line) in lines.into_iter().enumerate() {
            all.push(format!("    {line}{}", if n == last { end } else { "" }));
        }
    }
    all.push("}".into());
    all
}

fn wrapped(values: &[String]) -> Vec<String> {
    let all = values.join(", ");
    if all.len() <= 80 {
        return vec![format!("{{{all}}}")];
    }
    let mut lines = vec!["{".to_owned()];
    let mut line = String::new();
    for (at, value) in values.iter().enumerate() {
        if line.len() + value.len() > 90 {
            lines.push(format!("    {}", line.trim_end()));
            line.clear();
        }
        line.push_str(value);
        line.push_str(if at + 1 < values.len() { ", " } else { "" });
    }
    lines.push(format!("    {line}"));
    lines.push("}".into());
    lines
}
