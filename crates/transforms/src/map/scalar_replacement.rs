//! Scalar replacement: an array element that a sequential loop accumulates into stays in a register while the loop runs.
//!
//! ```text
//! c[i][j] *= beta;                                    float c_element = c[i][j] * beta;
//! for (k…) c[i][j] += a[i][k] * b[k][j];       →      for (k…) c_element += a[i][k] * b[k][j];
//!                                                     c[i][j] = c_element;
//! ```
//!
//! So every mapping that knows sums in local variables knows these too. It needs that no array which is written overlaps
//! another, by proof or because the variant requires it; that the subscripts do not change in the loop; and that nothing
//! else in the loop may name the same element. Each value is converted to the element's type where the program does it.
//! Compressed elements stay where they are: what is stored there is rounded each time.
//!
//! An element that the program does not touch must not be touched. So without a store before the loop, all of this stands
//! under the condition that the loop has iterations, and that each of them stores.

use super::hazards::Memory;
use super::straight_line::is_straight_with_loops;
use super::{indices, window};
use crate::build::{Builder, declare, if_then, store};
use crate::loop_sinking::innermost_block;
use crate::outline::trips;
use accl_analysis::provenance::{Root, touched_places};
use accl_ir::rewrite::rewrite_exprs;
use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, Handle, Kernel, Local, Loop, Module, Stmt, StmtNode, TypeKind,
    Types, visit,
};
use std::collections::BTreeSet;

/// Keeps elements of a kernel in registers whose arrays do not overlap.
pub fn run(module: &mut Module, kernel: &mut Kernel) {
    if let Some(body) = body(module, kernel) {
        kernel.body = body;
    }
}

/// The kernel's body for launches whose arrays do not overlap, with elements in registers; `None` where there are none.
pub fn body(module: &mut Module, kernel: &Kernel) -> Option<Body> {
    if !accumulates(&kernel.body) || window::has_windows(&kernel.body.block) {
        return None;
    }
    let memory = Memory::of(module, kernel, BTreeSet::new(), true);
    let mut body = kernel.body.clone();
    let mut block = std::mem::take(&mut body.block);
    let mut pass = Replacer { types: &mut module.types, body: &mut body, memory, replaced: false };
    pass.block(&mut block);
    let replaced = pass.replaced;
    body.block = block;
    replaced.then_some(body)
}

/// Some sequential loop may have such an element: a quick look at the statements.
fn accumulates(body: &Body) -> bool {
    let mut found = false;
    visit::for_each_stmt(&body.block, &mut |node| {
        found |= matches!(&node.kind, Stmt::For(l) if is_plain(l) && stores(body, l).iter().any(|s| {
            !accl_ir::rewrite::mentions(body, s.place, l.var)
        }));
    });
    found
}

/// A loop of one thread, around straight-line code.
fn is_plain(l: &Loop) -> bool {
    l.levels.as_ref().is_none_or(|levels| levels.is_seq()) && is_straight_with_loops(&l.body)
}

/// A place in memory that a loop stores to.
struct Stored<'a> {
    place: Handle<Expr>,
    /// The loops around it, outermost first, where it stands under no condition.
    always: Option<Vec<&'a Loop>>,
}

fn stores<'a>(body: &Body, l: &'a Loop) -> Vec<Stored<'a>> {
    let mut found = vec![];
    stores_in(body, &l.body, Some(vec![l]), &mut found);
    found
}

fn stores_in<'a>(body: &Body, block: &'a Block, always: Option<Vec<&'a Loop>>, found: &mut Vec<Stored<'a>>) {
    for node in block {
        match &node.kind {
            Stmt::Store { place, .. }
                if !matches!(visit::root_of(body, *place), Some(visit::Root::Local(_))) =>
            {
                found.push(Stored { place: *place, always: always.clone() });
            }
            Stmt::For(l) => {
                let around = always.iter().flatten().copied().chain([&**l]).collect();
                stores_in(body, &l.body, always.is_some().then_some(around), found);
            }
            Stmt::Block(inner) => stores_in(body, inner, always.clone(), found),
            other => other.blocks().into_iter().for_each(|inner| stores_in(body, inner, None, found)),
        }
    }
}

/// An element that a loop can keep.
struct KeptElement {
    place: Handle<Expr>,
    name: String,
    /// The statement before the loop that sets it, by its position in the block.
    set: Option<usize>,
    /// Otherwise, the headers of the loops that must have iterations: (lower, comparison, bound).
    trips: Vec<Loop>,
}

struct Replacer<'a> {
    types: &'a mut Types,
    body: &'a mut Body,
    memory: Memory,
    replaced: bool,
}

impl Replacer<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.len() {
            if let Some(element) = self.element(block, at) {
                self.replace(block, at, element);
                self.replaced = true;
                continue;
            }
            block[at].kind.blocks_mut().into_iter().for_each(|inner| self.block(inner));
            at += 1;
        }
    }

    /// An element that the loop at this position can keep.
    fn element(&self, block: &Block, at: usize) -> Option<KeptElement> {
        let Stmt::For(l) = &block[at].kind else { return None };
        if !is_plain(l) {
            return None;
        }
        stores(self.body, l).iter().find_map(|stored| self.kept(block, at, l, stored))
    }

    fn kept(&self, block: &Block, at: usize, l: &Loop, stored: &Stored<'_>) -> Option<KeptElement> {
        let place = stored.place;
        let root = self.root(place)?;
        if !self.is_alone(&block[at..=at], place, &root) || !self.is_read(&l.body, place) {
            return None;
        }
        let mut set = None;
        for before in (0..at).rev() {
            let node = &block[before];
            if !matches!(node.kind, Stmt::Declare { .. } | Stmt::Store { .. })
                || !self.is_alone(&block[before..=before], place, &root)
            {
                break;
            }
            if matches!(node.kind, Stmt::Store { place: to, .. } if visit::same_expr(self.body, to, place)) {
                set = Some(before);
            }
        }
        let name = self.body.locals[root].name.clone();
        if set.is_some() {
            return Some(KeptElement { place, name, set, trips: vec![] });
        }
        let around = stored.always.as_ref()?;
        let changed = self.changed(&block[at..=at]);
        let inner = around.iter().skip(1);
        let fixed = inner
            .clone()
            .all(|l| [l.lower, l.bound].iter().all(|e| visit::is_fixed(self.body, *e, &changed)));
        let may_be_empty = |l: &&&Loop| trips::constant(self.types, self.body, l).is_none_or(|n| n == 0);
        let trips = around.iter().filter(may_be_empty).map(|l| indices::shell(l)).collect();
        // Where an inner loop has no iterations, those around it must have nothing to do.
        let last = around.iter().rposition(|l| may_be_empty(&l)).unwrap_or(0);
        let does_nothing_else = |two: &[&Loop]| {
            let is_inner = |node: &StmtNode| match &node.kind {
                Stmt::For(l) => std::ptr::eq(&**l, two[1]),
                Stmt::Declare { .. } => true,
                _ => false,
            };
            innermost_block(&two[0].body).iter().all(is_inner)
        };
        let alone = around[..=last].windows(2).all(does_nothing_else);
        (fixed && alone).then_some(KeptElement { place, name, set, trips })
    }

    /// The parameter in whose memory a number lies that is neither compressed nor found through other memory.
    fn root(&self, place: Handle<Expr>) -> Option<Handle<Local>> {
        if !matches!(self.types.kind(self.body.ty(place)), TypeKind::Int { .. } | TypeKind::Float { .. })
            || !self.body.exprs[place]
                .kind
                .operands()
                .iter()
                .all(|e| visit::is_fixed(self.body, *e, &BTreeSet::new()))
        {
            return None;
        }
        match self.memory.root(place)? {
            Root::Local(l) => Some(*l),
            Root::Global(_) | Root::Member(_) | Root::Unknown => None,
        }
    }

    /// The statements change none of the subscripts, call nothing, and touch no memory that the element may lie in but as
    /// this element.
    fn is_alone(&self, part: &[StmtNode], place: Handle<Expr>, root: &Handle<Local>) -> bool {
        let (changed, root) = (self.changed(part), Root::Local(*root));
        let mut alone = self.is_fixed_place(place, &changed);
        let own = |e: Handle<Expr>| visit::same_expr(self.body, e, place);
        let apart = |e: Handle<Expr>| !self.memory.may_lie_in(self.body, e, &root);
        visit::for_each_stmt(part, &mut |node| {
            for used in node.kind.operands() {
                for (touched, _, _) in touched_places(self.body, used) {
                    alone &= own(touched) || apart(touched);
                }
                visit::for_each_operand(&self.body.exprs, used.0, &mut |e| match self.body.exprs[e].kind {
                    ExprKind::Call { .. } => alone = false,
                    ExprKind::AddrOf(named) | ExprKind::Decay(named) => alone &= apart(named),
                    _ => {}
                });
            }
        });
        alone
    }

    fn is_read(&self, block: &Block, place: Handle<Expr>) -> bool {
        let mut read = false;
        visit::for_each_stmt(block, &mut |node| {
            for used in node.kind.operands() {
                let touched = touched_places(self.body, used).into_iter();
                read |= touched.filter(|t| t.1).any(|t| visit::same_expr(self.body, t.0, place));
            }
        });
        read
    }

    /// The locals that the statements write, the counters of their loops included.
    fn changed(&self, part: &[StmtNode]) -> BTreeSet<Handle<Local>> {
        let mut all = BTreeSet::new();
        visit::for_each_local(self.body, part, &mut |l, access| {
            if access.writes() {
                all.insert(l);
            }
        });
        all
    }

    fn is_fixed_place(&self, place: Handle<Expr>, changed: &BTreeSet<Handle<Local>>) -> bool {
        self.body.exprs[place].kind.operands().iter().all(|e| visit::is_fixed(self.body, *e, changed))
    }

    fn replace(&mut self, block: &mut Block, at: usize, element: KeptElement) {
        let KeptElement { place, name, set, trips } = element;
        let local = self.body.temp(&format!("{name}_element"), self.body.ty(place));
        let from = set.unwrap_or(at);
        let mut part: Block = block.drain(from..=at).collect();
        let first = if set.is_some() { self.set_by(part.remove(0)) } else { self.body.load(place) };
        rewrite_exprs(self.body, &mut part, &mut |body, e| match visit::same_expr(body, e, place) {
            true => body.place(local),
            false => e,
        });
        let mut b = Builder { types: self.types, body: self.body };
        part.insert(0, declare(local, Some(first)));
        let last = b.load(local);
        part.push(store(place, last));
        let test = |l: &Loop| {
            let lower = b.cast(l.lower, b.body.locals[l.var].ty);
            b.binary(l.compare.operator(), lower, l.bound)
        };
        let tests: Vec<_> = trips.iter().map(test).collect();
        if let Some(all) = tests.into_iter().reduce(|a, c| b.binary(BinaryOp::LogicalAnd, a, c)) {
            part = vec![if_then(all, part)];
        }
        block.splice(from..from, part);
    }

    /// The value that a store sets its place to.
    fn set_by(&mut self, node: StmtNode) -> Handle<Expr> {
        match node.kind {
            Stmt::Store { place, op: Some(op), value } => {
                let before = self.body.load(place);
                self.body.binary(op, before, value)
            }
            Stmt::Store { value, .. } => value,
            _ => unreachable!("only a store sets an element"),
        }
    }
}
