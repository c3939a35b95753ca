//! The code of jammed iterations.

use super::WIDTH;
use super::plan::Group;
use crate::build::{Builder, declare, node, store};
use crate::map::distributed::{self, over_grid};
use crate::map::indices::{self, for_at, linear, operator, single};
use accl_ir::rewrite::{Cloner, Subst};
use accl_ir::{
    BinaryOp, Block, Builtin, Expr, ExprKind, Handle, Local, Loop, Schedule, Stmt, StmtNode, Type, visit,
};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The loops of the launch around jammed groups.
pub fn kernel(b: &mut Builder<'_>, loops: &[(&Loop, Span)], inner: &Block, groups: &[Group]) -> Block {
    let rows = loops.len() > 1;
    let (l, span) = loops[usize::from(rows)];
    let first = first(b, l);
    let apart = apart(b, rows);
    let several = Several { var: l.var, first, apart, width: WIDTH, arrays: BTreeMap::new() };
    let mut block = several.whole_or_tail(b, l, inner, groups);
    if !rows {
        let start = start(b, l, false);
        block.insert(0, declare(first, Some(start)));
        return block;
    }
    let (columns, _) = loops[0];
    let thread = thread(b, columns);
    block = single(b, columns, thread, block);
    block = over_rows(b, l, span, first, block);
    for (outer, span) in &loops[2..] {
        let thread = self::thread(b, outer);
        block = over_grid(b, outer, *span, thread, block);
    }
    block
}

/// A loop whose iterations are taken `width` at a time, neighbours together, by one thread: what the jammed statements do
/// to neighbouring elements, compilers make vector code of.
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
    let several = Several { var: l.var, first, apart, width, arrays: BTreeMap::new() };
    let body = several.whole_or_tail(b, l, inner, groups);
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
    let d = distributed::dim(l);
    linear(b, l, Builtin::BlockIdx(d), Builtin::BlockDim(d), Builtin::ThreadIdx(d))
}

/// What lies between the iterations of a thread: one, or a block.
fn apart(b: &mut Builder<'_>, rows: bool) -> Handle<Expr> {
    if rows {
        let int = b.types.i32();
        return b.int(1, int);
    }
    b.builtin(Builtin::BlockDim(0))
}

/// The first iteration of this thread: with the threads of a block side by side, or its iterations.
fn start(b: &mut Builder<'_>, l: &Loop, rows: bool) -> Handle<Expr> {
    let ty = b.body.locals[l.var].ty;
    let d = distributed::dim(l);
    let int = b.types.i32();
    let width = b.int(i128::from(WIDTH), int);
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
fn over_rows(b: &mut Builder<'_>, l: &Loop, span: Span, first: Handle<Local>, body: Block) -> Block {
    let ty = b.body.locals[l.var].ty;
    let d = distributed::dim(l);
    let lower = start(b, l, true);
    let blocks = b.builtin(Builtin::GridDim(d));
    let blocks = indices::widen(b, l, blocks);
    let threads = b.builtin(Builtin::BlockDim(d));
    let rows = b.mul(blocks, threads);
    let width = b.int(i128::from(WIDTH), ty);
    let rows = b.cast(rows, ty);
    let step = b.mul(rows, width);
    let compare = indices::directed(b, l);
    let l = Loop { var: first, declared_here: true, lower, compare, step, ..sequential(l, body) };
    vec![for_at(l, span)]
}

fn sequential(l: &Loop, body: Block) -> Loop {
    Loop { body, directive: None, schedule: Some(Schedule::default()), ..indices::shell(l) }
}

/// `first < bound - 3`: the thread has all its iterations.
fn whole(b: &mut Builder<'_>, l: &Loop, several: &Several) -> Handle<Expr> {
    let ty = b.body.locals[l.var].ty;
    let last = b.int(i128::from(several.width) - 1, ty);
    let apart = b.cast(several.apart, ty);
    let last = b.mul(last, apart);
    let bound = b.binary(BinaryOp::Sub, l.bound, last);
    let compare = indices::directed(b, l);
    let first = b.load(several.first);
    b.binary(operator(compare), first, bound)
}

/// The iterations one after another, on locals of their own.
fn tail(b: &mut Builder<'_>, l: &Loop, several: &Several, inner: &Block) -> StmtNode {
    let ty = b.body.locals[l.var].ty;
    let lower = b.load(several.first);
    let step = b.cast(several.apart, ty);
    let compare = indices::directed(b, l);
    let plain = Loop { lower, compare, step, declared_here: true, ..sequential(l, inner.clone()) };
    let block = vec![for_at(plain, Span::default())];
    Cloner::new().block_within(b.body, &block).remove(0)
}

/// The iterations of one thread.
struct Several {
    var: Handle<Local>,
    first: Handle<Local>,
    apart: Handle<Expr>,
    width: u32,
    /// Locals that live from one group to another, now arrays of an element for each iteration, and what they were.
    arrays: BTreeMap<Handle<Local>, Handle<Type>>,
}

impl Several {
    /// `if (first < bound - 3) jammed else one after another`
    fn whole_or_tail(mut self, b: &mut Builder<'_>, l: &Loop, inner: &Block, groups: &[Group]) -> Block {
        let tail = tail(b, l, &self, inner);
        let all = whole(b, l, &self);
        let jammed = self.groups(b, groups);
        vec![node(Stmt::If { cond: all, then: jammed, otherwise: vec![tail] })]
    }

    fn groups(&mut self, b: &mut Builder<'_>, groups: &[Group]) -> Block {
        let mut out = self.make_arrays(b, groups);
        for group in groups {
            self.group(b, group, &mut out);
        }
        out
    }

    /// Their declarations.
    fn make_arrays(&mut self, b: &mut Builder<'_>, groups: &[Group]) -> Block {
        let mut lives = Lives::default();
        lives.collect(b, groups);
        let mut out = vec![];
        for (local, groups) in lives.groups_of {
            if groups.len() < 2 {
                continue;
            }
            let scalar = b.body.locals[local].ty;
            b.body.locals[local].ty = b.types.array(scalar, u64::from(self.width));
            self.arrays.insert(local, scalar);
            out.push(declare(local, None));
        }
        out
    }

    fn group(&self, b: &mut Builder<'_>, group: &Group, out: &mut Block) {
        match group {
            Group::Each { block, .. } => out.extend(self.each(b, block)),
            Group::Inner { shell, span, body } => {
                let mut inner = vec![];
                body.iter().for_each(|g| self.group(b, g, &mut inner));
                let l = Loop { body: inner, ..indices::shell(shell) };
                out.push(for_at(l, *span));
            }
        }
    }

    /// `for (int k = 0; k < 4; k++) { int i = first + k; block }`
    fn each(&self, b: &mut Builder<'_>, block: &Block) -> Option<StmtNode> {
        let block: Block = block.iter().filter_map(|n| self.without_declaration(b, n)).collect();
        if block.is_empty() {
            return None;
        }
        let int = b.types.i32();
        let k = b.body.temp("k", int);
        let mut cloner = Cloner::new();
        for local in visit::declared_locals(&block) {
            cloner.replace(local, Subst::Local(local));
        }
        for (local, scalar) in &self.arrays {
            let (base, index) = (b.place(*local), b.load(k));
            let element = b.expr(ExprKind::Index { base, index }, *scalar);
            cloner.replace(*local, Subst::Place(element));
        }
        let mut body = vec![];
        if mentions(b, &block, self.var) {
            let i = cloner.fresh(b.body, self.var);
            let ty = b.body.locals[i].ty;
            let (first, step) = (b.load(self.first), b.load(k));
            let step = b.mul(step, self.apart);
            let step = b.cast(step, ty);
            let value = b.add(first, step);
            body.push(declare(i, Some(value)));
        }
        body.extend(cloner.block_within(b.body, &block));
        Some(b.counted(k, self.width, body))
    }

    /// An array's declaration stands before all groups; what is left here is its first value.
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

fn mentions(b: &Builder<'_>, block: &Block, local: Handle<Local>) -> bool {
    let mut found = false;
    visit::for_each_local(b.body, block, &mut |l, _| found |= l == local);
    found
}

/// In which groups the locals of an iteration are named.
#[derive(Default)]
struct Lives {
    groups_of: BTreeMap<Handle<Local>, BTreeSet<usize>>,
    groups: usize,
}

impl Lives {
    fn collect(&mut self, b: &Builder<'_>, groups: &[Group]) {
        let mut declared = BTreeSet::new();
        declarations(groups, &mut declared);
        self.count(b, groups, &declared);
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
            }
        }
    }
}

/// Those at the top of a group.
fn declarations(groups: &[Group], out: &mut BTreeSet<Handle<Local>>) {
    for group in groups {
        match group {
            Group::Each { block, .. } => out.extend(block.iter().filter_map(|n| match n.kind {
                Stmt::Declare { local, .. } => Some(local),
                _ => None,
            })),
            Group::Inner { body, .. } => declarations(body, out),
        }
    }
}
