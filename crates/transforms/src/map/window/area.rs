//! One array's part of a window: where it begins, how large it is, and which accesses it stands in for.

use super::affine;
use super::errors;
use super::facts::Facts;
use super::nest::Nest;
use super::sync;
use crate::build::Builder;
use accl_ir::{
    BinaryOp, Check, Expr, ExprKind, Handle, Local, Staged, StmtNode, Type, TypeKind, WindowKind, visit,
};
use accl_source::Diagnostic;

type Value = Handle<Expr>;

#[derive(Clone, Debug)]
pub struct Area {
    pub kind: WindowKind,
    pub name: String,
    pub span: accl_source::Span,
    /// The array's parameter.
    pub array: Handle<Local>,
    /// The block's copy.
    pub store: Handle<Local>,
    pub dims: Vec<AreaDim>,
    /// An access to the array, its subscripts to be replaced.
    pub element: Value,
    /// Of an array of variable extents: elements in a row of each dimension but the last.
    pub rows: Vec<Value>,
    pub ty: Handle<Type>,
    /// Each element belongs to one thread, so that no barrier is needed but for the copies.
    pub own: bool,
    /// What tells that an element was written: of the thread's own, or one for each.
    pub written: Option<Written>,
    /// All writes go to the pivot.
    pub at_pivot: bool,
    /// Subscripts are tested.
    pub checked: bool,
    /// Arrays are short enough for subscripts of type int.
    pub narrow: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// All writes go to the pivot: each thread knows whether it wrote.
    Pivot(Handle<Local>),
    /// One mark for each element.
    Marks(Handle<Local>),
}

#[derive(Clone, Copy, Debug)]
pub struct AreaDim {
    /// The subscript of the block's first element.
    pub base: Handle<Local>,
    pub extent: u64,
    /// Of one iteration's window.
    pub width: u64,
    /// Of these, before the pivot.
    pub before: i64,
    pub pivot: Value,
    /// The dimension of the block whose threads have neighbouring pivots in turn.
    pub lane: Option<usize>,
}

impl Area {
    /// The copies of a window's array; `before`: where the locals it needs are declared.
    pub fn plan(
        b: &mut Builder<'_>,
        facts: &Facts,
        nest: &Nest,
        staged: &Staged,
        before: &mut Vec<StmtNode>,
    ) -> Result<Area, Diagnostic> {
        let array = sync::root(b.body, staged.element).ok_or_else(|| errors::no_array(staged))?;
        let rows = rows(b, staged)?;
        let mut dims = vec![];
        for dim in &staged.dims {
            let moves = affine::moves(b.types, b.body, facts, nest, dim.pivot);
            let moves = moves.ok_or_else(|| errors::pivot(staged, &pivot_text(b, dim.pivot)))?;
            let (low, high) = moves.reach(nest);
            let width = i128::from(dim.before) + i128::from(dim.after) + 1;
            let first = origin(b, facts, nest, dim.pivot)
                .ok_or_else(|| errors::pivot(staged, &pivot_text(b, dim.pivot)))?;
            let shift = b.int(low - i128::from(dim.before), b.ty(first));
            let start = b.add(first, shift);
            let base = b.body.temp(&format!("{}_begin", plain(&staged.name)), b.ty(start));
            before.push(crate::build::declare(base, Some(start)));
            let extent = u64::try_from(high - low + width).unwrap_or(u64::MAX);
            let width = u64::try_from(width).unwrap_or(1);
            let (pivot, before, lane) = (dim.pivot, dim.before, moves.lane());
            dims.push(AreaDim { base, extent, width, before, pivot, lane });
        }
        // Of a compressed array the block keeps the numbers.
        let ty = b.types.value_of(b.ty(staged.element));
        let own = !staged.kind.channels() && !sync::only_reads(staged.kind);
        let apart = !own || are_apart(b, facts, nest, staged);
        let mut whole = ty;
        for dim in dims.iter().rev() {
            whole = b.types.array(whole, dim.extent);
        }
        let store = b.body.temp(&format!("{}_window", plain(&staged.name)), whole);
        let area = Area {
            kind: staged.kind,
            name: staged.name.clone(),
            span: staged.span,
            array,
            store,
            dims,
            element: staged.element,
            rows,
            ty,
            own,
            written: None,
            at_pivot: false,
            checked: false,
            narrow: false,
        };
        match apart {
            true => Ok(area),
            false => Err(errors::not_own(staged)),
        }
    }

    pub fn bytes(&self, b: &Builder<'_>) -> u64 {
        b.types.size_of(b.body.locals[self.store].ty).unwrap_or(u64::MAX)
    }

    /// Elements that a block of one thread would have.
    pub fn fixed_elements(&self) -> u64 {
        self.dims.iter().map(|d| d.width).product()
    }

    /// Each thread has one element as its pivot, and each element is one thread's.
    pub fn is_one_a_thread(&self, nest: &Nest) -> bool {
        let of = |d: usize| self.dims.iter().filter(move |dim| dim.lane == Some(d));
        let spread = (0..nest.loops.len()).all(|d| nest.threads(d) == 1 || of(d).count() == 1);
        let full = |dim: &AreaDim| dim.extent == dim.lane.map_or(1, |d| u64::from(nest.threads(d)));
        spread && self.dims.iter().all(full)
    }

    /// The subscripts of an access to the array, one for each dimension.
    pub fn subscripts(&self, b: &Builder<'_>, place: Value) -> Option<Vec<Value>> {
        let mut found = vec![];
        let mut at = place;
        while let ExprKind::Index { base, index } = b.body.exprs[at].kind {
            found.insert(0, index);
            at = base;
        }
        if found.is_empty() || sync::root(b.body, place) != Some(self.array) || !self.is_base(b, at) {
            return None;
        }
        match self.rows.is_empty() {
            true => (found.len() == self.dims.len()).then_some(found),
            false if found.len() == 1 => split(b, found[0], &self.rows),
            false => None,
        }
    }

    /// The subscripted expression is the array's start itself.
    fn is_base(&self, b: &Builder<'_>, e: Value) -> bool {
        match b.body.exprs[e].kind {
            ExprKind::Local(l) => l == self.array,
            ExprKind::Load(p) | ExprKind::Deref(p) => self.is_base(b, p),
            _ => false,
        }
    }

    /// The array's element at these subscripts.
    pub fn global(&self, b: &mut Builder<'_>, at: &[Value]) -> Value {
        if self.rows.is_empty() {
            return with_subscripts(b, self.element, at);
        }
        let wide = b.types.int(if self.narrow { 32 } else { 64 }, true);
        let mut index = b.int(0, wide);
        for (d, value) in at.iter().enumerate() {
            let value = b.cast(*value, wide);
            let term = match self.rows.get(d) {
                Some(row) => {
                    let row = unwidened(b, *row, wide);
                    let row = b.cast(row, wide);
                    b.mul(value, row)
                }
                None => value,
            };
            index = b.add(index, term);
        }
        with_subscripts(b, self.element, &[index])
    }

    /// The copy's element that stands for these subscripts of the array.
    pub fn local(&self, b: &mut Builder<'_>, of: Handle<Local>, at: &[Value]) -> Value {
        let at: Vec<Value> = match self.checked {
            true => at.iter().zip(&self.dims).map(|(value, dim)| self.check(b, *value, dim)).collect(),
            false => at.to_vec(),
        };
        let offsets: Vec<Value> = at
            .iter()
            .zip(&self.dims)
            .map(|(value, dim)| {
                let base = b.load(dim.base);
                let value = unwidened(b, *value, b.ty(base));
                b.binary(BinaryOp::Sub, value, base)
            })
            .collect();
        self.at(b, of, &offsets)
    }

    /// A subscript that is tested when the program runs.
    fn check(&self, b: &mut Builder<'_>, index: Value, dim: &AreaDim) -> Value {
        let first = b.load(dim.base);
        let extent = b.int(dim.extent.into(), b.ty(first));
        let behind = b.add(first, extent);
        let (ty, span) = (b.ty(index), b.body.exprs[index].span);
        b.body.expr(
            ExprKind::Checked { what: Check::Window, array: self.name.clone(), index, first, behind },
            ty,
            span,
        )
    }

    /// The copy's element at these offsets.
    pub fn at(&self, b: &mut Builder<'_>, of: Handle<Local>, offsets: &[Value]) -> Value {
        let mut place = b.place(of);
        for offset in offsets {
            let ty = b.types.element(b.ty(place)).unwrap_or(self.ty);
            place = b.expr(ExprKind::Index { base: place, index: *offset }, ty);
        }
        place
    }
}

/// A value that was widened for the subscript of a large array, as the type it had.
pub fn unwidened(b: &Builder<'_>, value: Value, ty: Handle<Type>) -> Value {
    match b.body.exprs[value].kind {
        ExprKind::Cast(inner) if b.ty(inner) == ty => inner,
        _ => value,
    }
}

/// `a` of `grid->a[0]`.
fn plain(name: &str) -> String {
    let stem = name.rsplit(['.', '>', '*']).next().unwrap_or(name);
    stem.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn pivot_text(b: &Builder<'_>, pivot: Value) -> String {
    let mut names = vec![];
    accl_analysis::walk::expr_tree(&b.body.exprs, pivot, &mut |e| {
        if let ExprKind::Local(l) = b.body.exprs[e].kind {
            names.push(b.body.locals[l].name.clone());
        }
    });
    names.dedup();
    names.join("`, `")
}

/// The element counts of rows, from the window's own linear subscript.
fn rows(b: &Builder<'_>, staged: &Staged) -> Result<Vec<Value>, Diagnostic> {
    let mut depth = 0;
    let mut at = staged.element;
    let mut last = None;
    while let ExprKind::Index { base, index } = b.body.exprs[at].kind {
        last = Some(index);
        depth += 1;
        at = base;
    }
    if depth == staged.dims.len() {
        return Ok(vec![]);
    }
    let mut found = vec![];
    let mut left = last.filter(|_| depth == 1).ok_or_else(|| errors::no_array(staged))?;
    for _ in 1..staged.dims.len() {
        let ExprKind::Binary { op: BinaryOp::Add, left: l, .. } = b.body.exprs[left].kind else {
            return Err(errors::no_array(staged));
        };
        let term = match b.body.exprs[l].kind {
            ExprKind::Binary { op: BinaryOp::Add, right, .. } => right,
            _ => l,
        };
        let ExprKind::Binary { op: BinaryOp::Mul, right: row, .. } = b.body.exprs[term].kind else {
            return Err(errors::no_array(staged));
        };
        found.insert(0, row);
        left = l;
    }
    Ok(found)
}

/// `i` and `j` of `i * m + j`.
fn split(b: &Builder<'_>, index: Value, rows: &[Value]) -> Option<Vec<Value>> {
    let ExprKind::Binary { op: BinaryOp::Add, left, right } = b.body.exprs[index].kind else { return None };
    let mut found = split_terms(b, left, rows)?;
    found.push(right);
    Some(found)
}

/// `h` and `i` of `h * l + i * m`.
fn split_terms(b: &Builder<'_>, e: Value, rows: &[Value]) -> Option<Vec<Value>> {
    let (row, outer) = rows.split_last()?;
    let times = |e: Value| match b.body.exprs[e].kind {
        ExprKind::Binary { op: BinaryOp::Mul, left, right } if visit::same_expr(b.body, right, *row) => {
            Some(left)
        }
        _ => None,
    };
    if outer.is_empty() {
        return Some(vec![times(e)?]);
    }
    let ExprKind::Binary { op: BinaryOp::Add, left, right } = b.body.exprs[e].kind else { return None };
    let mut found = split_terms(b, left, outer)?;
    found.push(times(right)?);
    Some(found)
}

/// The same chain of subscripts with others in it.
fn with_subscripts(b: &mut Builder<'_>, place: Value, at: &[Value]) -> Value {
    let Some((last, outer)) = at.split_last() else { return place };
    let ExprKind::Index { base, .. } = b.body.exprs[place].kind else { return place };
    let base = with_subscripts(b, base, outer);
    let ty = b.ty(place);
    b.expr(ExprKind::Index { base, index: *last }, ty)
}

/// The value that an expression has in the block's first thread, from what all threads know.
pub fn origin(b: &mut Builder<'_>, facts: &Facts, nest: &Nest, e: Value) -> Option<Value> {
    let kind = b.body.exprs[e].kind.clone();
    if let ExprKind::Load(place) = kind {
        return match b.body.exprs[place].kind {
            ExprKind::Local(l) => match nest.var(l) {
                Some(d) => Some(b.load(nest.loops[d].base)),
                None if facts.uniform.contains(&l) => Some(e),
                None => {
                    let definition = *facts.definitions.get(&l)?;
                    let mut fixed = true;
                    accl_analysis::walk::expr_tree(&b.body.exprs, definition, &mut |e| {
                        if let ExprKind::Local(l) = b.body.exprs[e].kind {
                            fixed &= facts.is_fixed(l);
                        }
                    });
                    let value = fixed.then(|| origin(b, facts, nest, definition)).flatten()?;
                    let ty = b.body.locals[l].ty;
                    Some(b.cast(value, ty))
                }
            },
            _ => facts.is_uniform(b.body, e).then_some(e),
        };
    }
    let mut copy = kind;
    let mut operands = vec![];
    for operand in copy.operands() {
        operands.push(origin(b, facts, nest, operand)?);
    }
    let mut next = operands.into_iter();
    copy.operands_mut(|o| *o = next.next().unwrap_or(*o));
    let ty = b.ty(e);
    Some(b.expr(copy, ty))
}

/// No two threads' windows share an element.
fn are_apart(b: &Builder<'_>, facts: &Facts, nest: &Nest, staged: &Staged) -> bool {
    nest.loops.iter().enumerate().all(|(d, l)| {
        l.threads == 1
            || staged.dims.iter().any(|dim| {
                let Some(moves) = affine::moves(b.types, b.body, facts, nest, dim.pivot) else {
                    return false;
                };
                let alone = moves.steps.iter().enumerate().all(|(other, s)| other == d || *s == 0);
                alone && moves.steps[d].abs() > i128::from(dim.before) + i128::from(dim.after)
            })
    })
}

/// Whether the array's outermost dimension ends where its type says; else the present table must tell.
pub fn type_extent(b: &Builder<'_>, area: &Area, d: usize) -> Option<u64> {
    let mut place = area.element;
    for _ in 0..area.dims.len() - d {
        let ExprKind::Index { base, .. } = b.body.exprs[place].kind else { return None };
        place = base;
    }
    match b.types.kind(b.ty(place)) {
        TypeKind::Array { len: accl_ir::ArrayLen::Const(n), .. } => Some(*n),
        _ => None,
    }
}
