//! Emits the code of unrolled and jammed iterations.

use super::plan::Group;
use super::wide;
use crate::build::{Builder, counting, declare, if_then, node, store};
use crate::map::grid_mapping::{self, over_grid};
use crate::map::indices::{self, for_at, linear, single};
use accl_ir::rewrite::{Cloner, Subst};
use accl_ir::{
    BinaryOp, Block, Builtin, Expr, ExprKind, Handle, Local, Loop, LoopLevels, MathFn, Stmt, StmtNode, Type,
    visit,
};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The loops of the launch around jammed groups.
pub fn kernel(
    b: &mut Builder<'_>,
    loops: &[(&Loop, Span)],
    inner: &Block,
    groups: &[Group],
    width: u32,
) -> Block {
    let rows = loops.len() > 1;
    let (l, span) = loops[usize::from(rows)];
    let first = first(b, l);
    let apart = apart(b, rows);
    let tile = ThreadTile::along(Axis { var: l.var, first, apart, width, lower: None });
    let mut block = tile.whole_or_tail(b, l, inner, groups);
    if !rows {
        let start = start(b, l, false, width);
        block.insert(0, declare(first, Some(start)));
        return block;
    }
    let (columns, _) = loops[0];
    let thread = thread(b, columns);
    block = single(b, columns, thread, block);
    block = over_rows(b, l, span, first, width, block);
    for (outer, span) in &loops[2..] {
        let thread = self::thread(b, outer);
        block = over_grid(b, outer, *span, thread, block);
    }
    block
}

/// A loop of which one thread takes `width` neighbouring iterations at a time. Compilers vectorise what the jammed
/// statements do to neighbouring elements.
pub fn strips(
    b: &mut Builder<'_>,
    l: &Loop,
    span: Span,
    inner: &Block,
    groups: &[Group],
    width: u32,
) -> StmtNode {
    let first = first(b, l);
    let ty = b.body.locals[l.var].ty;
    let apart = b.int(1, ty);
    let tile = ThreadTile::along(Axis { var: l.var, first, apart, width, lower: None });
    let body = tile.whole_or_tail(b, l, inner, groups);
    let step = b.int(i128::from(width), ty);
    let compare = indices::directed(b, l);
    for_at(Loop { var: first, declared_here: true, compare, step, ..sequential(l, body) }, span)
}

/// The variable that counts the first of the iterations.
fn first(b: &mut Builder<'_>, l: &Loop) -> Handle<Local> {
    let ty = b.body.locals[l.var].ty;
    let name = format!("{}_first", b.body.locals[l.var].name);
    b.body.temp(&name, ty)
}

fn thread(b: &mut Builder<'_>, l: &Loop) -> Handle<Expr> {
    let d = grid_mapping::dim(l);
    linear(b, l, Builtin::BlockIdx(d), Builtin::BlockDim(d), Builtin::ThreadIdx(d))
}

/// The distance between the iterations of a thread: one, or a block.
fn apart(b: &mut Builder<'_>, rows: bool) -> Handle<Expr> {
    if rows {
        let int = b.types.i32();
        return b.int(1, int);
    }
    b.builtin(Builtin::BlockDim(0))
}

/// The first iteration of this thread: with the threads of a block side by side, or its iterations.
fn start(b: &mut Builder<'_>, l: &Loop, rows: bool, width: u32) -> Handle<Expr> {
    let ty = b.body.locals[l.var].ty;
    let d = grid_mapping::dim(l);
    let int = b.types.i32();
    let width = b.int(i128::from(width), int);
    let iteration = if rows {
        let thread = thread(b, l);
        b.mul(thread, width)
    } else {
        let block = b.builtin(Builtin::BlockIdx(d));
        let block = indices::widen(b, l, block);
        let (threads, thread) = (b.builtin(Builtin::BlockDim(d)), b.builtin(Builtin::ThreadIdx(d)));
        let blocks = b.mul(block, threads);
        let blocks = b.mul(blocks, width);
        b.add(blocks, thread)
    };
    let iteration = b.cast(iteration, ty);
    b.add(l.lower, iteration)
}

/// `for (first = …; first < bound; first += rows of the grid)`
fn over_rows(
    b: &mut Builder<'_>,
    l: &Loop,
    span: Span,
    first: Handle<Local>,
    width: u32,
    body: Block,
) -> Block {
    let ty = b.body.locals[l.var].ty;
    let d = grid_mapping::dim(l);
    let lower = start(b, l, true, width);
    let blocks = b.builtin(Builtin::GridDim(d));
    let blocks = indices::widen(b, l, blocks);
    let threads = b.builtin(Builtin::BlockDim(d));
    let rows = b.mul(blocks, threads);
    let width = b.int(i128::from(width), ty);
    let rows = b.cast(rows, ty);
    let step = b.mul(rows, width);
    let compare = indices::directed(b, l);
    let l = Loop { var: first, declared_here: true, lower, compare, step, ..sequential(l, body) };
    vec![for_at(l, span)]
}

fn sequential(l: &Loop, body: Block) -> Loop {
    Loop { body, directive: None, levels: Some(LoopLevels::default()), ..indices::shell(l) }
}

/// `first < bound - 3`: the thread has all its iterations.
fn whole(b: &mut Builder<'_>, l: &Loop, axis: Axis) -> Handle<Expr> {
    let ty = b.body.locals[l.var].ty;
    let last = b.int(i128::from(axis.width) - 1, ty);
    let apart = b.cast(axis.apart, ty);
    let last = b.mul(last, apart);
    let bound = b.binary(BinaryOp::Sub, l.bound, last);
    let compare = indices::directed(b, l);
    let first = b.load(axis.first);
    b.binary(compare.operator(), first, bound)
}

/// The remaining iterations one after another, on locals of their own.
fn tail(b: &mut Builder<'_>, l: &Loop, axis: Axis, inner: &Block) -> StmtNode {
    let ty = b.body.locals[l.var].ty;
    let lower = b.load(axis.first);
    let step = b.cast(axis.apart, ty);
    let compare = indices::directed(b, l);
    let plain = Loop { lower, compare, step, declared_here: true, ..sequential(l, inner.clone()) };
    let block = vec![for_at(plain, Span::default())];
    Cloner::new().block_within(b.body, &block).remove(0)
}

/// The most reads from memory in loops that are unrolled. With more of them the code would not fit into the
/// instruction cache.
const UNROLLED: i128 = 4096;

/// How many reads from memory one iteration performs in a loop with constant bounds; `i128::MAX` where some loop in
/// it has other bounds.
fn reads(b: &Builder<'_>, group: &Group) -> i128 {
    match group {
        Group::Each { block, .. } => {
            let mut count = 0;
            visit::for_each_expr(b.body, block, &mut |e, _| {
                if let ExprKind::Load(place) = b.body.exprs[e].kind {
                    count += i128::from(!matches!(b.body.exprs[place].kind, ExprKind::Local(_)));
                }
            });
            count
        }
        Group::Inner { shell, body, .. } => {
            let ends = [shell.lower, shell.bound].map(|e| b.body.const_int(b.types, e));
            let trips = ends[0].zip(ends[1]).map(|(lower, bound)| bound - lower + 1);
            let trips = trips.filter(|n| (0..=32).contains(n)).unwrap_or(i128::MAX);
            trips.saturating_mul(all_reads(b, body).max(1))
        }
        Group::Branch { then, otherwise, .. } => all_reads(b, then).saturating_add(all_reads(b, otherwise)),
    }
}

/// The loops of the group are unrolled where so many iterations run side by side.
pub fn is_unrolled(b: &Builder<'_>, group: &Group, iterations: i128) -> bool {
    iterations.saturating_mul(reads(b, group)) <= UNROLLED
}

fn all_reads(b: &Builder<'_>, groups: &[Group]) -> i128 {
    groups.iter().fold(0, |all, group| all.saturating_add(reads(b, group)))
}

/// Gives the loop a variable of the compiler's own: code generators unroll such loops.
fn unrolled(b: &mut Builder<'_>, l: &mut Loop) {
    let (name, ty) = (b.body.locals[l.var].name.clone(), b.body.locals[l.var].ty);
    let var = b.body.temp(&name, ty);
    accl_ir::rewrite::substitute(b.body, &mut l.body, l.var, Subst::Local(var));
    l.var = var;
    l.directive = None;
}

/// The iterations of one thread along one loop: `first + k * apart` for each `k` below `width`.
#[derive(Clone, Copy)]
pub struct Axis {
    pub var: Handle<Local>,
    pub first: Handle<Local>,
    pub apart: Handle<Expr>,
    pub width: u32,
    /// Iterations before this one do not belong to the loop, since threads begin earlier.
    pub lower: Option<Handle<Expr>>,
}

/// Which of its iterations a thread runs a group for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Run<'a> {
    /// All of them.
    All,
    /// All of them; iterations past the last of a loop do what the last one does.
    Clamped(&'a [Handle<Expr>]),
    /// Those within the bounds.
    Inside(&'a [Handle<Expr>]),
}

/// The iterations of one thread.
pub struct ThreadTile {
    /// One axis for each dimension, x first.
    pub axes: Vec<Axis>,
    /// The number of iterations along x, where it is smaller than the axis' width.
    count: Option<Handle<Local>>,
    /// In x, threads begin where 16-byte accesses do, and write to memory with such accesses.
    pub vectors: bool,
    /// Locals that are live from one group to another. They are now arrays with an element for each iteration; the
    /// map gives their former types.
    pub arrays: BTreeMap<Handle<Local>, Handle<Type>>,
}

impl ThreadTile {
    pub fn new(axes: Vec<Axis>) -> ThreadTile {
        ThreadTile { axes, count: None, vectors: false, arrays: BTreeMap::new() }
    }

    /// Neighbouring iterations, `count` of them, which is no more than the width.
    pub fn strip(axis: Axis, count: Handle<Local>) -> ThreadTile {
        ThreadTile { count: Some(count), ..ThreadTile::along(axis) }
    }

    fn along(axis: Axis) -> ThreadTile {
        ThreadTile::new(vec![axis])
    }

    /// `if (first < bound - 3) jammed else one after another`
    fn whole_or_tail(mut self, b: &mut Builder<'_>, l: &Loop, inner: &Block, groups: &[Group]) -> Block {
        let axis = self.axes[0];
        let tail = tail(b, l, axis, inner);
        let all = whole(b, l, axis);
        let mut jammed = self.make_arrays(b, &[groups]);
        groups.iter().for_each(|g| self.group(b, g, Run::All, &mut jammed));
        vec![node(Stmt::If { cond: all, then: jammed, otherwise: vec![tail] })]
    }

    /// The declarations of the locals that are live from one of all these groups to another.
    pub fn make_arrays(&mut self, b: &mut Builder<'_>, all: &[&[Group]]) -> Block {
        let mut out = vec![];
        for local in live_across(b, all) {
            let scalar = b.body.locals[local].ty;
            let mut ty = scalar;
            for axis in &self.axes {
                ty = b.types.array(ty, u64::from(axis.width));
            }
            b.body.locals[local].ty = ty;
            self.arrays.insert(local, scalar);
            out.push(declare(local, None));
        }
        out
    }

    pub fn group(&self, b: &mut Builder<'_>, group: &Group, run: Run<'_>, out: &mut Block) {
        match group {
            Group::Each { block, .. } => out.extend(self.each(b, block, run)),
            Group::Inner { shell, span, body } => {
                let inner = self.groups(b, body, run);
                let mut l = Loop { body: inner, ..indices::shell(shell) };
                if is_unrolled(b, group, self.iterations()) {
                    unrolled(b, &mut l);
                }
                out.push(for_at(l, *span));
            }
            Group::Branch { cond, then, otherwise } => {
                let (then, otherwise) = (self.groups(b, then, run), self.groups(b, otherwise, run));
                out.push(node(Stmt::If { cond: *cond, then, otherwise }));
            }
        }
    }

    fn groups(&self, b: &mut Builder<'_>, groups: &[Group], run: Run<'_>) -> Block {
        let mut out = vec![];
        groups.iter().for_each(|g| self.group(b, g, run, &mut out));
        out
    }

    fn iterations(&self) -> i128 {
        self.axes.iter().map(|axis| i128::from(axis.width)).product()
    }

    /// `for (int k = 0; k < 4; k++) { int i = first + k; block }`
    pub fn each(&self, b: &mut Builder<'_>, block: &Block, run: Run<'_>) -> Option<StmtNode> {
        let block: Block = block.iter().filter_map(|n| self.without_declaration(b, n)).collect();
        if block.is_empty() {
            return None;
        }
        if let Run::Inside(last) = run
            && let Some(written) = wide::written(self, b, &block, last)
        {
            return Some(written);
        }
        let int = b.types.i32();
        let ks: Vec<Handle<Local>> = self.axes.iter().map(|_| b.body.temp("k", int)).collect();
        let mut cloner = self.cloner(b, &block, &ks);
        let mut first = vec![];
        let mut tests = vec![];
        for (d, axis) in self.axes.iter().enumerate() {
            let guarded = matches!(run, Run::Inside(_));
            if !guarded && !visit::names_local(b.body, &block, axis.var) {
                continue;
            }
            let i = cloner.fresh(b.body, axis.var);
            let value = self.iteration(b, *axis, ks[d]);
            let value = match run {
                Run::Clamped(last) => {
                    let ty = b.body.locals[i].ty;
                    let value = b.expr(ExprKind::Math { fun: MathFn::Min, args: vec![value, last[d]] }, ty);
                    let lower = axis.lower.map(|lower| vec![value, lower]);
                    lower.map_or(value, |args| b.expr(ExprKind::Math { fun: MathFn::Max, args }, ty))
                }
                Run::All | Run::Inside(_) => value,
            };
            first.push(declare(i, Some(value)));
            if let Run::Inside(last) = run {
                let at = b.load(i);
                tests.extend(axis.lower.map(|lower| b.binary(BinaryOp::Ge, at, lower)));
                tests.push(b.binary(BinaryOp::Le, at, last[d]));
            }
        }
        let inner = cloner.block_within(b.body, &block);
        let test = tests.into_iter().reduce(|left, right| b.binary(BinaryOp::LogicalAnd, left, right));
        match test {
            Some(test) => first.push(if_then(test, inner)),
            None => first.extend(inner),
        }
        let mut body = first;
        for (d, (axis, k)) in self.axes.iter().zip(ks).enumerate() {
            let count = match self.count {
                Some(count) if d == 0 => b.load(count),
                _ => b.int(axis.width.into(), int),
            };
            let count = b.cast(count, int);
            let (zero, one) = (b.int(0, int), b.int(1, int));
            body = vec![counting(k, zero, count, one, body)];
        }
        body.pop()
    }

    /// A cloner for one iteration's copy of the block: the elements at `ks` replace the arrays.
    pub(super) fn cloner(&self, b: &mut Builder<'_>, block: &Block, ks: &[Handle<Local>]) -> Cloner<'static> {
        let mut cloner = Cloner::new();
        for local in visit::declared_locals(block) {
            cloner.replace(local, Subst::Local(local));
        }
        let mut named = BTreeSet::new();
        visit::for_each_local(b.body, block, &mut |local, _| {
            named.insert(local);
        });
        for (local, scalar) in self.arrays.iter().filter(|(local, _)| named.contains(local)) {
            let mut element = b.place(*local);
            for k in ks.iter().rev() {
                let index = b.load(*k);
                let ty = b.types.element(b.ty(element)).unwrap_or(*scalar);
                element = b.expr(ExprKind::Index { base: element, index }, ty);
            }
            cloner.replace(*local, Subst::Place(element));
        }
        cloner
    }

    /// `first + k * apart`
    pub(super) fn iteration(&self, b: &mut Builder<'_>, axis: Axis, k: Handle<Local>) -> Handle<Expr> {
        let ty = b.body.locals[axis.var].ty;
        let (first, step) = (b.load(axis.first), b.load(k));
        let step = b.mul(step, axis.apart);
        let step = b.cast(step, ty);
        let value = b.add(first, step);
        b.cast(value, ty)
    }

    /// An array is declared before all groups; what is left here is its initial value.
    fn without_declaration(&self, b: &mut Builder<'_>, statement: &StmtNode) -> Option<StmtNode> {
        match statement.kind {
            Stmt::Declare { local, init } if self.arrays.contains_key(&local) => {
                let place = b.expr(ExprKind::Local(local), self.arrays[&local]);
                init.map(|value| store(place, value))
            }
            _ => Some(statement.clone()),
        }
    }
}

/// The locals that are live from one of all these groups to another.
pub fn live_across(b: &Builder<'_>, all: &[&[Group]]) -> Vec<Handle<Local>> {
    let mut lives = Lives::default();
    lives.collect(b, all);
    let several = lives.groups_of.into_iter().filter(|(_, groups)| groups.len() > 1);
    several.map(|(local, _)| local).collect()
}

/// The groups in which the locals of an iteration are named.
#[derive(Default)]
struct Lives {
    groups_of: BTreeMap<Handle<Local>, BTreeSet<usize>>,
    groups: usize,
}

impl Lives {
    fn collect(&mut self, b: &Builder<'_>, all: &[&[Group]]) {
        let mut declared = BTreeSet::new();
        all.iter().for_each(|groups| declarations(groups, &mut declared));
        all.iter().for_each(|groups| self.count(b, groups, &declared));
    }

    fn count(&mut self, b: &Builder<'_>, groups: &[Group], declared: &BTreeSet<Handle<Local>>) {
        for group in groups {
            match group {
                Group::Each { block, .. } => {
                    let mut named = visit::declared_locals(block);
                    visit::for_each_local(b.body, block, &mut |l, _| {
                        named.insert(l);
                    });
                    for local in named.intersection(declared) {
                        self.groups_of.entry(*local).or_default().insert(self.groups);
                    }
                    self.groups += 1;
                }
                Group::Inner { body, .. } => self.count(b, body, declared),
                Group::Branch { then, otherwise, .. } => {
                    self.count(b, then, declared);
                    self.count(b, otherwise, declared);
                }
            }
        }
    }
}

/// The groups at the top of a group.
fn declarations(groups: &[Group], out: &mut BTreeSet<Handle<Local>>) {
    for group in groups {
        match group {
            Group::Each { block, .. } => out.extend(block.iter().filter_map(|n| match n.kind {
                Stmt::Declare { local, .. } => Some(local),
                _ => None,
            })),
            Group::Inner { body, .. } => declarations(body, out),
            Group::Branch { then, otherwise, .. } => {
                declarations(then, out);
                declarations(otherwise, out);
            }
        }
    }
}
