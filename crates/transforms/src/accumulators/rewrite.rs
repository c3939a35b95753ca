//! Rewrites loops: their elements become scalars, and loops that must not run in parallel become sequential.

use super::{Change, ChangeKind, Guard, Sum, attempt, elements};
use crate::build::{Builder, counting, declare, if_then, node, store};
use crate::map::identity;
use accl_ir::{
    BinaryOp, Block, Body, Expr, Handle, Local, LocalKind, Loop, LoopDirective, ReductionOp, Stmt, StmtNode,
    Types, rewrite, visit,
};
use accl_source::Span;
use std::collections::BTreeMap;

pub struct Rewriter<'a> {
    pub types: &'a mut Types,
    pub body: &'a mut Body,
    /// Indexed by the number of the loop with the directive, in the order of headers.
    pub changes: BTreeMap<usize, Change>,
    pub next: usize,
}

impl Rewriter<'_> {
    pub fn block(&mut self, block: &mut Block) {
        for node in block {
            let Stmt::For(l) = &mut node.kind else {
                node.kind.blocks_mut().into_iter().for_each(|b| self.block(b));
                continue;
            };
            let index = self.next;
            self.next += 1;
            self.block(&mut l.body);
            if let Some(change) = self.changes.remove(&index) {
                let span = node.span;
                let Stmt::For(l) = std::mem::replace(&mut node.kind, Stmt::Host) else { unreachable!() };
                node.kind = self.change(*l, span, change);
            }
        }
    }

    fn change(&mut self, mut l: Loop, span: Span, change: Change) -> Stmt {
        let Some(mut d) = l.directive.take() else { return self.changed(l, span, None, change) };
        let count = d.collapse.max(d.tile.len() as u32).max(1);
        // The elements of a tile are the iterations of a collapsed loop.
        d.tile.clear();
        if change.joined == 0 {
            d.collapse = count;
            return self.changed(l, span, Some(d), change);
        }
        // The loops before this one stay joined; this one and those after it get a directive of their own.
        let own = LoopDirective {
            span: d.span,
            found: d.found,
            independent: d.independent,
            auto: d.auto,
            collapse: count - change.joined as u32,
            ..LoopDirective::default()
        };
        d.collapse = change.joined as u32;
        l.directive = Some(d);
        let mut kind = Stmt::For(Box::new(l));
        if let Some((inner, span)) = nth_loop(&mut kind, change.joined) {
            let Stmt::For(l) = std::mem::replace(inner, Stmt::Host) else { unreachable!() };
            *inner = self.changed(*l, span, Some(own), change);
        }
        kind
    }

    fn changed(&mut self, mut l: Loop, span: Span, d: Option<LoopDirective>, change: Change) -> Stmt {
        let outermost = change.outermost && change.joined == 0;
        let mut around = d.as_ref().filter(|_| outermost).map(|d| LoopDirective {
            span: d.span,
            found: d.found,
            gang: Some(None),
            collapse: 1,
            ..LoopDirective::default()
        });
        let inside = match change.kind {
            ChangeKind::Sequential => {
                l.directive = d.map(|d| sequential(&mut l, d, around.as_mut()));
                vec![StmtNode { kind: Stmt::For(Box::new(l)), span }]
            }
            ChangeKind::Try(elements) => {
                l.directive = d;
                attempt::tried(self.types, self.body, l, span, &elements)
            }
            ChangeKind::Reduce(sums) => {
                l.directive = d;
                if let (Some(around), Some(d)) = (&mut around, &mut l.directive) {
                    d.gang = None;
                    around.independent = d.independent;
                }
                self.reduced(l, span, sums)
            }
        };
        match around {
            Some(d) => self.once(d, inside),
            None => Stmt::Block(inside),
        }
    }

    /// The statement runs as one iteration, in one gang.
    fn once(&mut self, d: LoopDirective, inside: Block) -> Stmt {
        let mut b = Builder { types: self.types, body: self.body };
        let int = b.types.i32();
        let var = b.local("once", int, LocalKind::Temp);
        let [lower, bound, step] = [0, 1, 1].map(|n| b.int(n, int));
        let mut one = counting(var, lower, bound, step, inside).kind;
        if let Stmt::For(l) = &mut one {
            (l.directive, l.levels) = (Some(d), None);
        }
        one
    }

    fn reduced(&mut self, mut l: Loop, span: Span, sums: Vec<Sum>) -> Block {
        let (mut before, mut after) = (vec![], vec![]);
        for sum in sums {
            let scalar = self.body.temp(&format!("{}_sum", sum.variable), self.body.ty(sum.place));
            elements::in_scalar(self.body, &mut l.body, &sum.places, scalar);
            let ty = self.body.ty(sum.place);
            let start = identity::of(self.types, self.body, sum.op, ty);
            before.push(declare(scalar, Some(start)));
            let told = self.guard(&mut l.body, scalar, sum.guard, &mut before);
            after.push(self.finish(sum.place, sum.op, scalar, told));
        }
        before.push(StmtNode { kind: Stmt::For(Box::new(l)), span });
        before.extend(after);
        before
    }

    /// What says after the loop whether something was accumulated.
    fn guard(
        &mut self,
        block: &mut Block,
        scalar: Handle<Local>,
        guard: Guard,
        before: &mut Block,
    ) -> Option<Handle<Expr>> {
        let written = visit::written_locals(self.body, block);
        let mut b = Builder { types: self.types, body: self.body };
        let int = b.types.i32();
        match guard {
            Guard::Compare => None,
            Guard::Trips(trips) => {
                let tests: Vec<_> = trips
                    .into_iter()
                    .map(|(lower, compare, bound)| b.binary(compare.operator(), lower, bound))
                    .collect();
                let all = tests.into_iter().reduce(|a, c| b.binary(BinaryOp::LogicalAnd, a, c))?;
                if visit::is_fixed(b.body, all, &written) {
                    return Some(all);
                }
                let told = b.local("any", int, LocalKind::Temp);
                before.push(declare(told, Some(all)));
                Some(b.load(told))
            }
            Guard::Flag => {
                let told = b.local("any", int, LocalKind::Temp);
                let zero = b.int(0, int);
                before.push(declare(told, Some(zero)));
                rewrite::rewrite_block(block, &mut |stored| {
                    let is_update = matches!(stored.kind, Stmt::Store { place, .. }
                        if visit::root_local(b.body, place) == Some(scalar));
                    if !is_update {
                        return vec![stored];
                    }
                    let (place, one) = (b.place(told), b.int(1, int));
                    let set = Stmt::Store { place, op: Some(BinaryOp::BitOr), value: one };
                    vec![stored, node(set)]
                });
                Some(b.load(told))
            }
        }
    }

    /// `place = place op scalar`
    fn finish(
        &mut self,
        place: Handle<Expr>,
        op: ReductionOp,
        scalar: Handle<Local>,
        told: Option<Handle<Expr>>,
    ) -> StmtNode {
        let mut b = Builder { types: self.types, body: self.body };
        let (old, sum) = (b.load_place(place), b.load(scalar));
        let compare = match op {
            ReductionOp::Max => Some(BinaryOp::Gt),
            ReductionOp::Min => Some(BinaryOp::Lt),
            _ => None,
        };
        if let Some(compare) = compare {
            let better = b.binary(compare, sum, old);
            return if_then(better, vec![store(place, sum)]);
        }
        let value = identity::combine(&mut b, op, old, sum);
        let stored = store(place, value);
        match told {
            Some(told) => if_then(told, vec![stored]),
            None => stored,
        }
    }
}

/// The directive of a loop that is sequential now. Its levels move to the loop that it was joined with, and its
/// variables to the loop around it.
fn sequential(l: &mut Loop, d: LoopDirective, around: Option<&mut LoopDirective>) -> LoopDirective {
    let mut own =
        LoopDirective { span: d.span, found: d.found, seq: true, collapse: 1, ..LoopDirective::default() };
    match around {
        Some(around) => (around.private, around.reductions) = (d.private, d.reductions),
        None => (own.private, own.reductions) = (d.private, d.reductions),
    }
    if d.collapse > 1
        && let [StmtNode { kind: first, .. }] = l.body.as_mut_slice()
        && let Some((Stmt::For(inner), _)) = nth_loop(first, 0)
    {
        inner.directive = Some(LoopDirective {
            span: d.span,
            found: d.found,
            worker: d.worker,
            vector: d.vector,
            independent: d.independent,
            auto: d.auto,
            collapse: d.collapse - 1,
            ..LoopDirective::default()
        });
    }
    own
}

/// The loop that is `depth` levels inside tightly nested loops.
fn nth_loop(kind: &mut Stmt, depth: usize) -> Option<(&mut Stmt, Span)> {
    fn at(node: &mut StmtNode, depth: usize) -> Option<(&mut Stmt, Span)> {
        let span = node.span;
        if matches!(&node.kind, Stmt::For(_)) && depth == 0 {
            return Some((&mut node.kind, span));
        }
        match &mut node.kind {
            Stmt::For(l) => l.body.iter_mut().find_map(|n| at(n, depth - 1)),
            Stmt::Block(inner) => inner.iter_mut().find_map(|n| at(n, depth)),
            _ => None,
        }
    }
    match (depth, kind) {
        (0, kind @ Stmt::For(_)) => Some((kind, Span::default())),
        (_, Stmt::For(l)) => l.body.iter_mut().find_map(|n| at(n, depth - 1)),
        (_, Stmt::Block(inner)) => inner.iter_mut().find_map(|n| at(n, depth)),
        _ => None,
    }
}
