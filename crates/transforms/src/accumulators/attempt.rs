//! Loops whose iterations use and set an element under conditions that few of them may meet, as searches of sorted nodes do:
//!
//! ```text
//! #pragma acc loop vector
//! for (j = 0; j < n; j++)
//!     if (key[at][j] <= k && key[at][j + 1] > k) next[i] = child[next[i]][j];
//! ```
//!
//! Threads run the iterations side by side, and set a variable in the element's place. Each notes the first of its iterations that sets it
//! and the last one that uses the element. Where no iteration uses what one before it has set, the last value is stored, and else the loop
//! runs again, as the program has it: so far the element has not been changed.

use super::locals_in;
use crate::build::{Builder, declare, if_then, node, store};
use crate::map::{identity, last_values};
use accl_ir::{
    BinaryOp, Block, Body, Expr, ExprKind, Handle, Local, LocalKind, Loop, LoopDirective, Module,
    ReductionOp, Stmt, StmtNode, Types, rewrite, visit,
};
use accl_source::Span;
use std::collections::BTreeSet;

type Places = BTreeSet<Handle<Expr>>;

/// The loop does nothing but to set these elements, each by a value that no iteration uses after it has set it.
pub fn suits(module: &Module, body: &Body, l: &Loop, tried: &[Places]) -> bool {
    let mut own = visit::declared_locals(&l.body);
    own.extend(visit::loop_variables(&l.body));
    let number = |e: Handle<Expr>| module.types.is_arithmetic(body.exprs[e].ty);
    let mut plain = l.directive.as_ref().is_some_and(|d| {
        let levels = LoopDirective {
            span: d.span,
            worker: d.worker.clone(),
            vector: d.vector.clone(),
            independent: d.independent,
            auto: d.auto,
            collapse: 1,
            ..LoopDirective::default()
        };
        *d == levels
    });
    visit::for_each_stmt(&l.body, &mut |inner| {
        plain &= match &inner.kind {
            Stmt::Declare { .. } | Stmt::If { .. } | Stmt::Block(_) => true,
            Stmt::For(l) => l.directive.is_none() && l.declared_here,
            Stmt::Store { place, op, .. } => match element(tried, *place) {
                Some(_) => op.is_none() && number(*place),
                None => {
                    matches!(visit::root_of(body, *place), Some(visit::Root::Local(l)) if own.contains(&l))
                }
            },
            _ => false,
        };
    });
    own.insert(l.var);
    let named = |places: &Places| places.iter().all(|place| locals_in(body, *place).is_disjoint(&own));
    plain && tried.iter().all(named) && !is_used_behind(body, &l.body, tried, &mut BTreeSet::new())
}

fn element(tried: &[Places], place: Handle<Expr>) -> Option<usize> {
    tried.iter().position(|places| places.contains(&place))
}

/// Which of the elements the statement itself reads.
fn reads(body: &Body, tried: &[Places], kind: &Stmt) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for (e, _) in kind.operands() {
        visit::for_each_operand(&body.exprs, e, &mut |e| {
            if let ExprKind::Load(place) = body.exprs[e].kind {
                found.extend(element(tried, place));
            }
        });
    }
    found
}

/// An iteration may read an element after it has set it. `set`: those that it may have set by then.
fn is_used_behind(body: &Body, block: &Block, tried: &[Places], set: &mut BTreeSet<usize>) -> bool {
    block.iter().any(|node| {
        let before = set.clone();
        if !reads(body, tried, &node.kind).is_disjoint(set) {
            return true;
        }
        if let Stmt::Store { place, .. } = &node.kind {
            set.extend(element(tried, *place));
        }
        let used = node.kind.blocks().into_iter().any(|inner| {
            let mut inside = before.clone();
            let used = is_used_behind(body, inner, tried, &mut inside);
            set.extend(inside);
            used
        });
        // A loop inside comes to its beginning again.
        let again = matches!(node.kind, Stmt::For(_)) && *set != before;
        used || again && {
            let mut inside = set.clone();
            node.kind.blocks().into_iter().any(|inner| is_used_behind(body, inner, tried, &mut inside))
        }
    })
}

/// What a thread notes of an element.
struct Noted {
    value: Handle<Local>,
    first_set: Handle<Local>,
    last_read: Handle<Local>,
}

/// The loop, tried in parallel.
pub fn tried(types: &mut Types, body: &mut Body, mut l: Loop, span: Span, tried: &[Places]) -> Block {
    let in_order = l.directive.as_ref().map(|d| LoopDirective {
        span: d.span,
        seq: true,
        collapse: 1,
        ..Default::default()
    });
    let again = StmtNode { kind: Stmt::For(Box::new(Loop { directive: in_order, ..l.clone() })), span };
    let again = rewrite::Cloner::new().block_within(body, &vec![again]);
    let mut b = Builder { types, body };
    let number_type = last_values::number_type(&mut b, &l);
    let mut before = vec![];
    let mut new = |b: &mut Builder<'_>, name: &str, ty, op| {
        let local = b.local(name, ty, LocalKind::Temp);
        let value = match op {
            Some(op) => identity::of(b.types, b.body, op, ty),
            None => {
                let int = b.types.i32();
                let zero = b.int(0, int);
                b.cast(zero, ty)
            }
        };
        before.push(declare(local, Some(value)));
        local
    };
    let stored: Vec<_> = tried.iter().filter_map(|places| places.first().copied()).collect();
    let mut noted = vec![];
    for place in &stored {
        let ty = b.ty(*place);
        noted.push(Noted {
            value: new(&mut b, "set", ty, None),
            first_set: new(&mut b, "first_set", number_type, Some(ReductionOp::Min)),
            last_read: new(&mut b, "last_read", number_type, Some(ReductionOp::Max)),
        });
    }
    let number = last_values::number(&mut b, &l, false);
    let mut attempt = Attempt { b, tried, noted: &noted, number };
    attempt.block(&mut l.body);
    let mut b = attempt.b;
    let meets = noted.iter().map(|n| {
        let (first, last) = (b.load(n.first_set), b.load(n.last_read));
        b.binary(BinaryOp::Lt, first, last)
    });
    let meets: Vec<_> = meets.collect();
    let any = meets.into_iter().reduce(|a, c| b.binary(BinaryOp::LogicalOr, a, c));
    let none = identity::of(b.types, b.body, ReductionOp::Min, number_type);
    let kept = noted.iter().zip(stored).map(|(n, place)| {
        let (first, value) = (b.load(n.first_set), b.load(n.value));
        let is_set = b.binary(BinaryOp::Ne, first, none);
        if_then(is_set, vec![store(place, value)])
    });
    let kept: Block = kept.collect();
    before.push(StmtNode { kind: Stmt::For(Box::new(l)), span });
    before.extend(any.map(|cond| node(Stmt::If { cond, then: again, otherwise: kept })));
    before
}

struct Attempt<'a> {
    b: Builder<'a>,
    tried: &'a [Places],
    noted: &'a [Noted],
    number: Handle<Expr>,
}

impl Attempt<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut node in std::mem::take(block) {
            self.split(&mut node);
            let read = reads(self.b.body, self.tried, &node.kind);
            for n in read {
                block.push(self.note(self.noted[n].last_read, BinaryOp::Gt));
            }
            node.kind.blocks_mut().into_iter().for_each(|inner| self.block(inner));
            let set = match node.kind {
                Stmt::Store { place, .. } => element(self.tried, place),
                _ => None,
            };
            if let (Some(n), Stmt::Store { place, .. }) = (set, &mut node.kind) {
                *place = self.b.place(self.noted[n].value);
            }
            block.push(node);
            block.extend(set.map(|n| self.note(self.noted[n].first_set, BinaryOp::Lt)));
        }
    }

    /// What stands behind `&&` is used only where the condition before it holds.
    fn split(&mut self, node: &mut StmtNode) {
        let Stmt::If { cond, otherwise, .. } = &node.kind else { return };
        let ExprKind::Binary { op: BinaryOp::LogicalAnd, left, right } = self.b.body.exprs[*cond].kind else {
            return;
        };
        if otherwise.is_empty() && !reads(self.b.body, self.tried, &node.kind).is_empty() {
            let Stmt::If { cond, then, .. } = &mut node.kind else { return };
            let inner = Stmt::If { cond: right, then: std::mem::take(then), otherwise: vec![] };
            (*cond, *then) = (left, vec![StmtNode { kind: inner, span: node.span }]);
            self.split(node);
        }
    }

    /// `if (number < first) first = number;`
    fn note(&mut self, local: Handle<Local>, compare: BinaryOp) -> StmtNode {
        let old = self.b.load(local);
        let better = self.b.binary(compare, self.number, old);
        let place = self.b.place(local);
        if_then(better, vec![store(place, self.number)])
    }
}
