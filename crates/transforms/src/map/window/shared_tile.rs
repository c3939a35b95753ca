//! The shared tile of one array of a window: where it begins, how large it is, and which accesses it replaces.

use super::affine;
use super::errors;
use super::facts::Facts;
use super::nest::Nest;
use super::sizes::{self, Count};
use super::sync;
use crate::build::Builder;
use accl_ir::{
    ArrayLen, BinaryOp, Check, DynamicTile, DynamicTileDim, Expr, ExprKind, HaloExtent, Handle, Local,
    SharedDecl, Staged, StmtNode, Type, TypeKind, WindowDim, WindowKind, visit,
};
use accl_source::Diagnostic;

type Value = Handle<Expr>;

#[derive(Clone, Debug)]
pub struct SharedTile {
    pub kind: WindowKind,
    pub name: String,
    pub span: accl_source::Span,
    /// The array's parameter.
    pub array: Handle<Local>,
    /// The block's copy.
    pub store: Handle<Local>,
    pub dims: Vec<TileDim>,
    /// An access to the array, as a pattern in which subscripts are replaced.
    pub element: Value,
    /// For an array of variable extents: the number of elements in a row of each dimension but the last.
    pub rows: Vec<Value>,
    pub ty: Handle<Type>,
    /// Each element belongs to one thread, so that only the copies need barriers.
    pub own: bool,
    /// How it is recorded that an element was written: by a flag of the thread's own, or by a mark for each
    /// element.
    pub written: Option<Written>,
    /// All writes go to the pivot.
    pub at_pivot: bool,
    /// Subscripts are tested.
    pub checked: bool,
    /// Arrays are short enough for subscripts of type int.
    pub narrow: bool,
    /// Rows are fetched in accesses of so many elements.
    pub numbers: Option<u32>,
    /// Only the launch knows its size: the copy has one dimension, whose length is made of parameters.
    pub launch: Option<DynamicTile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// All writes go to the pivot: each thread knows whether it wrote.
    Pivot(Handle<Local>),
    /// One mark for each element.
    Marks(Handle<Local>),
}

#[derive(Clone, Copy, Debug)]
pub struct TileDim {
    /// The subscript of the block's first element.
    pub base: Handle<Local>,
    pub extent: Count,
    /// The extent of one iteration's window.
    pub width: Count,
    /// The part of it before the pivot.
    pub before: Count,
    pub pivot: Value,
    /// The dimension of the block along which consecutive threads have neighbouring pivots.
    pub lane: Option<usize>,
}

impl SharedTile {
    /// Plans the copy of a window's array; `before` receives the declarations of the locals that it needs.
    pub fn plan(
        b: &mut Builder<'_>,
        facts: &Facts,
        nest: &Nest,
        staged: &Staged,
        before: &mut Vec<StmtNode>,
    ) -> Result<SharedTile, Diagnostic> {
        let array = sync::root(b.body, staged.element).ok_or_else(|| errors::no_array(staged))?;
        let rows = rows(b, staged)?;
        let (mut dims, mut spans) = (vec![], vec![]);
        for dim in &staged.dims {
            let moves = affine::moves(b.types, b.body, facts, nest, dim.pivot);
            let moves = moves.ok_or_else(|| errors::pivot(staged, &names_in(b, dim.pivot)))?;
            let first = origin(b, facts, nest, dim.pivot)
                .ok_or_else(|| errors::pivot(staged, &names_in(b, dim.pivot)))?;
            let (planned, span) = TileDim::plan(b, facts, staged, dim, first, moves.range(nest), before)?;
            dims.push(TileDim { lane: moves.lane(), ..planned });
            spans.push(span);
        }
        // For a compressed array the block keeps the decoded numbers.
        let ty = b.types.value_of(b.ty(staged.element));
        let own = !staged.kind.channels() && !sync::only_reads(staged.kind);
        let apart = !own || are_apart(b, facts, nest, staged);
        let launch = dims.iter().any(|d| d.extent.known().is_none());
        let element = b.types.size_of(ty).unwrap_or(0);
        let launch = launch.then(|| DynamicTile { array: staged.name.clone(), element, dims: spans });
        let whole = whole(b, ty, &dims);
        let store = b.body.temp(&format!("{}_window", plain(&staged.name)), whole);
        if launch.is_some() {
            name_rows(b, &plain(&staged.name), &mut dims, before);
        }
        let tile = SharedTile {
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
            numbers: None,
            launch,
        };
        match apart {
            true => Ok(tile),
            false => Err(errors::not_own(staged)),
        }
    }

    /// The copy's type, of other elements.
    pub fn type_of(&self, b: &mut Builder<'_>, ty: Handle<Type>) -> Handle<Type> {
        match (b.types.kind(b.body.locals[self.store].ty).clone(), &self.launch) {
            (TypeKind::Array { len, .. }, Some(_)) => b.types.intern(TypeKind::Array { of: ty, len }),
            _ => whole(b, ty, &self.dims),
        }
    }

    /// The bytes of the copy, where that is known.
    pub fn bytes(&self, b: &Builder<'_>) -> Option<u64> {
        b.types.size_of(b.body.locals[self.store].ty)
    }

    /// Elements that a block of one thread would have.
    pub fn fixed_elements(&self) -> u64 {
        let width = |d: &TileDim| d.width.known().and_then(|n| u64::try_from(n).ok()).unwrap_or(1);
        self.dims.iter().map(width).product()
    }

    /// The shared arrays of a block for this tile: the copy, and the marks of what is written to it.
    pub fn shared(&self) -> Vec<SharedDecl> {
        let of = |local, element: Option<u64>| {
            let tile = self.launch.clone();
            let sized = |a: DynamicTile| DynamicTile { element: element.unwrap_or(a.element), ..a };
            SharedDecl { local, dynamic: tile.map(sized) }
        };
        let mut all = vec![of(self.store, None)];
        match self.written {
            Some(Written::Marks(marks)) => all.push(of(marks, Some(1))),
            Some(Written::Pivot(_)) | None => {}
        }
        all
    }

    /// Each thread has one element as its pivot, and each element is the pivot of one thread.
    pub fn is_one_a_thread(&self, nest: &Nest) -> bool {
        let of = |d: usize| self.dims.iter().filter(move |dim| dim.lane == Some(d));
        let spread = (0..nest.loops.len()).all(|d| nest.threads(d) == 1 || of(d).count() == 1);
        let full =
            |dim: &TileDim| dim.extent.known() == Some(dim.lane.map_or(1, |d| i128::from(nest.threads(d))));
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

    /// A subscript that is tested at run time.
    fn check(&self, b: &mut Builder<'_>, index: Value, dim: &TileDim) -> Value {
        let first = b.load(dim.base);
        let ty = b.ty(first);
        let extent = dim.extent.value(b, ty);
        let end = b.add(first, extent);
        let (ty, span) = (b.ty(index), b.body.exprs[index].span);
        b.body.expr(
            ExprKind::Checked { what: Check::Window, array: self.name.clone(), index, first, end },
            ty,
            span,
        )
    }

    /// `i * row + j` of offsets `i` and `j`.
    fn flat(&self, b: &mut Builder<'_>, offsets: &[Value]) -> Value {
        let int = b.types.i32();
        let mut index = b.int(0, int);
        for (d, (offset, dim)) in offsets.iter().zip(&self.dims).enumerate() {
            if d > 0 {
                let row = dim.extent.value(b, int);
                index = b.mul(index, row);
            }
            index = b.add(index, *offset);
        }
        index
    }

    /// The copy's element at these offsets.
    pub fn at(&self, b: &mut Builder<'_>, of: Handle<Local>, offsets: &[Value]) -> Value {
        let mut place = b.place(of);
        if self.launch.is_some() {
            let index = self.flat(b, offsets);
            let ty = b.types.element(b.ty(place)).unwrap_or(self.ty);
            return b.expr(ExprKind::Index { base: place, index }, ty);
        }
        for offset in offsets {
            let ty = b.types.element(b.ty(place)).unwrap_or(self.ty);
            place = b.expr(ExprKind::Index { base: place, index: *offset }, ty);
        }
        place
    }
}

impl TileDim {
    /// One dimension, and what the launch must know of it. `first` is the pivot of the block's first thread; those
    /// of the others are `low` to `high` away from it.
    fn plan(
        b: &mut Builder<'_>,
        facts: &Facts,
        staged: &Staged,
        dim: &WindowDim,
        first: Value,
        (low, high): (i128, i128),
        declared: &mut Vec<StmtNode>,
    ) -> Result<(TileDim, DynamicTileDim), Diagnostic> {
        let mut count = |extent: &HaloExtent| {
            let names = extent.value().map(|e| changing_in(b, facts, e)).unwrap_or_default();
            Count::of(b, facts, extent).ok_or_else(|| errors::halo_extent(staged, &names))
        };
        let (before, after) = (count(&dim.before)?, count(&dim.after)?);
        let ty = b.ty(first);
        let start = match before {
            Count::Known(n) => {
                let shift = b.int(low - n, ty);
                b.add(first, shift)
            }
            Count::Launch(_) => {
                let low = b.int(low, ty);
                let (lowest, before) = (b.add(first, low), before.value(b, ty));
                b.binary(BinaryOp::Sub, lowest, before)
            }
        };
        let base = b.body.temp(&format!("{}_begin", plain(&staged.name)), ty);
        declared.push(crate::build::declare(base, Some(start)));
        let reached = before.plus(b, after);
        let (width, extent) =
            (reached.plus(b, Count::Known(1)), reached.plus(b, Count::Known(high - low + 1)));
        let ends = sizes::on_host(&dim.before).zip(sizes::on_host(&dim.after));
        let (host_before, host_after) = ends.ok_or_else(|| errors::halo_extent(staged, ""))?;
        let span = u64::try_from(high - low + 1).unwrap_or(u64::MAX);
        let on_host = DynamicTileDim { span, before: host_before, after: host_after };
        Ok((TileDim { base, extent, width, before, pivot: dim.pivot, lane: None }, on_host))
    }
}

/// The type of a block's copy of `ty`s: of one dimension where its size only the launch knows.
fn whole(b: &mut Builder<'_>, ty: Handle<Type>, dims: &[TileDim]) -> Handle<Type> {
    if dims.iter().all(|d| d.extent.known().is_some()) {
        let extents = dims.iter().rev().filter_map(|d| d.extent.known());
        return extents.fold(ty, |of, n| b.types.array(of, u64::try_from(n).unwrap_or(u64::MAX)));
    }
    let length = dims.iter().fold(Count::Known(1), |all, dim| all.times(b, dim.extent));
    let int = b.types.i32();
    let length = length.value(b, int);
    b.types.intern(TypeKind::Array { of: ty, len: ArrayLen::Expr(length) })
}

/// Row lengths are named by locals, since every access needs them.
fn name_rows(b: &mut Builder<'_>, array: &str, dims: &mut [TileDim], declared: &mut Vec<StmtNode>) {
    for dim in dims.iter_mut().skip(1) {
        if let Count::Launch(value) = dim.extent {
            let row = b.body.temp(&format!("{array}_row"), b.ty(value));
            declared.push(crate::build::declare(row, Some(value)));
            dim.extent = Count::Launch(b.load(row));
        }
    }
}

/// A value that was widened for the subscript of a large array, in its original type.
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

fn names_in(b: &Builder<'_>, e: Value) -> String {
    names_where(b, e, &|_| true)
}

/// Those that are not the same for the whole launch.
fn changing_in(b: &Builder<'_>, facts: &Facts, e: Value) -> String {
    names_where(b, e, &|place| !facts.is_parameter(b.body, place))
}

fn names_where(b: &Builder<'_>, e: Value, wanted: &dyn Fn(Value) -> bool) -> String {
    let mut names = vec![];
    accl_ir::visit::for_each_operand(&b.body.exprs, e, &mut |e| {
        if let ExprKind::Local(l) = b.body.exprs[e].kind
            && wanted(e)
        {
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

/// The same chain of subscripts, with other values in it.
fn with_subscripts(b: &mut Builder<'_>, place: Value, at: &[Value]) -> Value {
    let Some((last, outer)) = at.split_last() else { return place };
    let ExprKind::Index { base, .. } = b.body.exprs[place].kind else { return place };
    let base = with_subscripts(b, base, outer);
    let ty = b.ty(place);
    b.expr(ExprKind::Index { base, index: *last }, ty)
}

/// The value that an expression has in the block's first thread, computed from uniform values.
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
                    accl_ir::visit::for_each_operand(&b.body.exprs, definition, &mut |e| {
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
                alone && dim.width().is_some_and(|n| moves.steps[d].abs() >= i128::from(n))
            })
    })
}

/// Whether the type gives the extent of the array's outermost dimension; otherwise the present table must give it.
pub fn type_extent(b: &Builder<'_>, tile: &SharedTile, d: usize) -> Option<u64> {
    let mut place = tile.element;
    for _ in 0..tile.dims.len() - d {
        let ExprKind::Index { base, .. } = b.body.exprs[place].kind else { return None };
        place = base;
    }
    match b.types.kind(b.ty(place)) {
        TypeKind::Array { len: ArrayLen::Const(n), .. } => Some(*n),
        _ => None,
    }
}
