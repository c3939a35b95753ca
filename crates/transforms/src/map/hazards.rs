//! Memory accesses of a block's threads that a barrier must separate.
//!
//! Between two barriers threads run in any order. [`Pending`] holds what has been accessed since the last barrier;
//! an access that conflicts with it needs a barrier first. Accesses of one thread alone never conflict with
//! each other. Registers are no memory.

use super::alias;
use accl_analysis::provenance::{Provenance, Root, touched_places};
use accl_ir::{Body, Expr, ExprKind, Handle, Kernel, Local, Module, ParamKind, Stmt, StmtNode, visit};
use std::collections::{BTreeMap, BTreeSet};

/// Which threads access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// The first thread of the block (or lane of the warp).
    One,
    /// Any.
    All,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    pub root: Root,
    pub who: Who,
    pub written: bool,
}

/// Accesses since the last barrier.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    touched: BTreeSet<Touch>,
}

impl Pending {
    pub fn is_empty(&self) -> bool {
        self.touched.is_empty()
    }
    pub fn clear(&mut self) {
        self.touched.clear();
    }
    pub fn add(&mut self, touches: Vec<Touch>) {
        self.touched.extend(touches);
    }
    /// Forgets all but the gang's own arrays.
    pub fn keep_shared(&mut self, memory: &Memory) {
        self.touched.retain(|t| matches!(t.root, Root::Local(l) if memory.shared.contains(&l)));
    }
    pub fn union(&mut self, other: &Pending) {
        self.touched.extend(other.touched.iter().cloned());
    }
    pub fn conflicts(&self, memory: &Memory, next: &[Touch]) -> bool {
        next.iter().any(|n| {
            self.touched.iter().any(|p| {
                (n.written || p.written)
                    && !(n.who == Who::One && p.who == Who::One)
                    && memory.may_overlap(&n.root, &p.root)
            })
        })
    }
}

/// The variables in which the kernel's places lie, and which of them may overlap.
pub struct Memory {
    roots: BTreeMap<Handle<Expr>, BTreeSet<Root>>,
    /// Private arrays of the gang, which its lanes share.
    pub shared: BTreeSet<Handle<Local>>,
    params: BTreeMap<Handle<Local>, ParamFacts>,
    /// No two parameters overlap where one is written.
    pub distinct: bool,
}

#[derive(Clone, Copy)]
struct ParamFacts {
    separate: bool,
    object: bool,
}

impl Memory {
    pub fn of(module: &Module, kernel: &Kernel, shared: BTreeSet<Handle<Local>>, distinct: bool) -> Memory {
        let body = &kernel.body;
        let provenance = Provenance::new(module, body, &body.block, BTreeSet::new());
        let mut roots = BTreeMap::new();
        visit::for_each_stmt(&body.block, &mut |node| {
            for used in node.kind.operands() {
                for (place, _, _) in touched_places(body, used) {
                    roots.insert(place, provenance.place_roots(place));
                }
            }
            for (arg, _) in call_arguments(body, node) {
                roots.insert(arg, provenance.reached_roots(arg));
            }
        });
        let params = kernel.params.iter().filter_map(|p| Some((p.local, facts(module, kernel, &p.kind)?)));
        Memory { roots, shared, params: params.collect(), distinct }
    }

    fn may_overlap(&self, a: &Root, b: &Root) -> bool {
        match (a, b) {
            (Root::Unknown, _) | (_, Root::Unknown) => true,
            (Root::Local(x), Root::Local(y)) => x == y || self.params_overlap(*x, *y),
            _ => a == b,
        }
    }

    fn params_overlap(&self, x: Handle<Local>, y: Handle<Local>) -> bool {
        match (self.params.get(&x), self.params.get(&y)) {
            (Some(a), Some(b)) => !(self.distinct || a.separate || b.separate || a.object && b.object),
            // A private array does not lie in any parameter's memory.
            _ => false,
        }
    }

    /// The memory that a statement itself touches.
    pub fn touches(&self, body: &Body, node: &StmtNode, who: Who) -> Vec<Touch> {
        let mut found = vec![];
        for used in node.kind.operands() {
            for (place, read, written) in touched_places(body, used) {
                if read {
                    self.touch(body, place, who, false, &mut found);
                }
                if written {
                    self.touch(body, place, who, true, &mut found);
                }
            }
        }
        for (arg, written) in call_arguments(body, node) {
            let roots = self.roots.get(&arg).into_iter().flatten();
            found.extend(roots.map(|root| Touch { root: root.clone(), who, written }));
        }
        found
    }

    fn touch(&self, body: &Body, place: Handle<Expr>, who: Who, written: bool, found: &mut Vec<Touch>) {
        if self.is_register(body, place) {
            return;
        }
        match self.roots.get(&place) {
            Some(roots) => {
                found.extend(roots.iter().map(|root| Touch { root: root.clone(), who, written }));
            }
            None => found.push(Touch { root: Root::Unknown, who, written }),
        }
    }

    /// The place belongs to one thread.
    pub fn is_register(&self, body: &Body, place: Handle<Expr>) -> bool {
        match visit::root_of(body, place) {
            Some(visit::Root::Local(l)) => !self.shared.contains(&l),
            Some(visit::Root::Global(_) | visit::Root::Pointer(_)) | None => false,
        }
    }

    /// The one variable in which a place of memory lies.
    pub fn root(&self, place: Handle<Expr>) -> Option<&Root> {
        let roots = self.roots.get(&place)?;
        roots.first().filter(|_| roots.len() == 1)
    }

    /// Whether a place that is read or written may lie in the variable's memory.
    pub fn may_lie_in(&self, body: &Body, place: Handle<Expr>, root: &Root) -> bool {
        let overlaps = |roots: &BTreeSet<Root>| roots.iter().any(|of| self.may_overlap(of, root));
        !self.is_register(body, place) && self.roots.get(&place).is_none_or(overlaps)
    }

    /// All that a block's statements touch.
    pub fn touches_within(&self, body: &Body, block: &[StmtNode], who: Who) -> Vec<Touch> {
        let mut found = vec![];
        visit::for_each_stmt(block, &mut |node| {
            found.extend(self.touches(body, node, who));
        });
        found
    }
}

/// The arguments of a statement's calls, and whether the function may write what they lead to. A call that is an expression only reads.
fn call_arguments(body: &Body, node: &StmtNode) -> Vec<(Handle<Expr>, bool)> {
    let mut found = vec![];
    if let Stmt::Call { args, .. } = &node.kind {
        found.extend(args.iter().map(|arg| (*arg, true)));
    }
    for (used, _) in node.kind.operands() {
        visit::for_each_operand(&body.exprs, used, &mut |e| {
            if let ExprKind::Call { args, .. } = &body.exprs[e].kind {
                found.extend(args.iter().map(|arg| (*arg, false)));
            }
        });
    }
    found
}

fn facts(module: &Module, kernel: &Kernel, kind: &ParamKind) -> Option<ParamFacts> {
    let arg = alias::arg(module, kernel, kind)?;
    Some(ParamFacts { separate: arg.restrict, object: arg.object })
}
