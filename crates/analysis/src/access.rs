//! The memory accesses of a construct, in the source's order, each with the loops around it.
//!
//! Both data movement and dependence start from this list. Accesses to variables declared inside the construct
//! are in a list of their own, which is dependence's alone; pointers declared inside are traced to their roots.

use crate::effects;
use crate::indirect::has_pointers;
use crate::provenance::{Provenance, Root};
use accl_ir::Access as Usage;
use accl_ir::{
    BinaryOp, Block, Compare, Expr, ExprKind, Function, Handle, Local, Stmt, StmtNode, Type, TypeKind, visit,
};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A condition, and the value it has.
pub type Guard = (Handle<Expr>, bool);

/// A loop of the construct; its index in [`Accesses::loops`] names it.
#[derive(Clone, Debug)]
pub struct LoopInfo {
    pub var: Handle<Local>,
    pub lower: Handle<Expr>,
    pub compare: Compare,
    pub bound: Handle<Expr>,
    pub step: Handle<Expr>,
    pub parent: Option<usize>,
    /// What its clauses make private.
    pub private: Vec<Handle<Local>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Access {
    pub root: Root,
    /// The place read or written. Where a called function accesses memory, the pointer argument stands here.
    pub place: Handle<Expr>,
    pub read: bool,
    pub written: bool,
    /// Enclosing loops, outermost first.
    pub loops: Vec<usize>,
    /// It stands under an `if`, a `while` or the like, so it may not happen.
    pub conditional: bool,
    /// How many of the loops enclose the innermost such condition.
    pub condition_depth: usize,
    /// What holds where the access happens: conditions around it, and whether they are true.
    pub guards: Vec<Guard>,
    pub atomic: bool,
    /// A called function accesses memory through this argument; which elements is not known.
    pub whole: bool,
    pub span: Span,
}

impl Access {
    /// The access happens in each iteration of loop `index`, provided that the loops inside have iterations.
    pub fn always_in(&self, index: usize) -> bool {
        let at = self.loops.iter().position(|l| *l == index);
        at.is_some_and(|at| !self.conditional || self.condition_depth <= at)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Accesses {
    /// In the order of their headers.
    pub loops: Vec<LoopInfo>,
    pub list: Vec<Access>,
    /// Accesses to arrays and structures that are declared inside the construct or private in it.
    pub inner: Vec<Inner>,
    /// Variables whose address is a value somewhere: what an unknown pointer may point to.
    pub escaping: BTreeSet<Handle<Local>>,
    /// Functions called, each once.
    pub calls: Vec<(Handle<Function>, Span)>,
}

/// An access to a variable of which each iteration of the outer loops has an instance of its own.
#[derive(Clone, Debug)]
pub struct Inner {
    pub access: Access,
    /// How many of the loops, counted from the outermost, enclose the declaration.
    pub depth: usize,
}

/// Collects the accesses of a block. Those to `private` variables, and to variables that an enclosing loop makes
/// private, are left out.
pub fn accesses(provenance: &Provenance<'_>, block: &Block, private: &[Handle<Local>]) -> Accesses {
    let mut collector = Collector {
        provenance,
        found: Accesses::default(),
        loops: vec![],
        conditional: false,
        condition_depth: 0,
        guards: vec![],
        private: private.to_vec(),
        depths: BTreeMap::new(),
    };
    collector.block(block);
    collector.found
}

struct Collector<'p, 'a> {
    provenance: &'p Provenance<'a>,
    found: Accesses,
    loops: Vec<usize>,
    conditional: bool,
    condition_depth: usize,
    guards: Vec<Guard>,
    private: Vec<Handle<Local>>,
    /// How many loops enclose the declaration of a variable of the construct; none for one in a `private` clause of
    /// the construct.
    depths: BTreeMap<Handle<Local>, usize>,
}

impl Collector<'_, '_> {
    fn block(&mut self, block: &Block) {
        for node in block {
            self.stmt(node);
        }
    }

    fn stmt(&mut self, node: &StmtNode) {
        self.own_accesses(node);
        match &node.kind {
            Stmt::Declare { local, .. } => {
                self.depths.insert(*local, self.loops.len());
            }
            Stmt::For(l) => {
                let this = self.found.loops.len();
                let own: Vec<_> = l.directive.iter().flat_map(|d| d.private.iter().copied()).collect();
                self.found.loops.push(LoopInfo {
                    var: l.var,
                    lower: l.lower,
                    compare: l.compare,
                    bound: l.bound,
                    step: l.step,
                    parent: self.loops.last().copied(),
                    private: own.clone(),
                    span: node.span,
                });
                let outside = self.private.len();
                self.private.push(l.var);
                self.loops.push(this);
                let depths: Vec<_> = own.iter().map(|l| self.depths.get(l).copied()).collect();
                for own in &own {
                    self.private.push(*own);
                    self.depths.insert(*own, self.loops.len());
                }
                self.block(&l.body);
                self.loops.pop();
                for (own, before) in own.into_iter().zip(depths) {
                    self.depths.remove(&own);
                    self.depths.extend(before.map(|depth| (own, depth)));
                }
                self.private.truncate(outside);
            }
            Stmt::If { cond, then, otherwise } => {
                self.under((*cond, true), |c| c.block(then));
                self.under((*cond, false), |c| c.block(otherwise));
            }
            Stmt::While { .. } | Stmt::Switch { .. } => {
                self.conditionally(|c| node.kind.blocks().into_iter().for_each(|b| c.block(b)));
            }
            other => other.blocks().into_iter().for_each(|b| self.block(b)),
        }
    }

    fn under(&mut self, guard: Guard, f: impl FnOnce(&mut Self)) {
        self.guards.push(guard);
        self.conditionally(f);
        self.guards.pop();
    }

    fn conditionally(&mut self, f: impl FnOnce(&mut Self)) {
        let before = (self.conditional, self.condition_depth);
        (self.conditional, self.condition_depth) = (true, self.loops.len());
        f(self);
        (self.conditional, self.condition_depth) = before;
    }

    fn own_accesses(&mut self, node: &StmtNode) {
        let atomic = matches!(node.kind, Stmt::Atomic(_));
        for (e, access) in node.kind.operands() {
            match access {
                // Only the place is atomic; what is stored there is read as in any statement.
                Usage::Value => self.value(e, false, node.span),
                Usage::Read | Usage::Write | Usage::ReadWrite => {
                    self.touch(e, access.reads(), access.writes(), atomic, node.span);
                }
                Usage::Address => continue,
            }
            self.calls_in(e, node.span);
        }
        match &node.kind {
            Stmt::Call { function, args, .. } => {
                let may_write = !effects::only_reads(self.provenance.scope.module, *function);
                self.call(*function, args, may_write, node.span);
            }
            Stmt::Store { place, value, .. } => self.given_away(*place, *value, node.span),
            _ => {}
        }
    }

    /// A pointer that is stored in memory is not traced any further: what it points to may be read and written.
    fn given_away(&mut self, place: Handle<Expr>, value: Handle<Expr>, span: Span) {
        let scope = self.provenance.scope;
        let ty = scope.body.exprs[value].ty;
        if !has_pointers(&scope.module.types, ty) || !self.provenance.storage(place).1 {
            return;
        }
        let written = !self.is_const(ty);
        for root in self.provenance.reached_roots(value) {
            self.push(root, value, (true, written), (false, true), span);
        }
    }

    /// The reads in a value.
    fn value(&mut self, e: Handle<Expr>, atomic: bool, span: Span) {
        match self.kind(e) {
            ExprKind::Load(place) => self.touch(place, true, false, atomic, span),
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => {
                self.found.escaping.extend(visit::root_local(self.provenance.scope.body, place));
                self.parts(place, atomic, span);
            }
            ExprKind::Select { cond, yes, no } => {
                self.value(cond, atomic, span);
                self.under((cond, true), |c| c.value(yes, atomic, span));
                self.under((cond, false), |c| c.value(no, atomic, span));
            }
            ExprKind::Binary { op: op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), left, right } => {
                self.value(left, atomic, span);
                self.under((left, op == BinaryOp::LogicalAnd), |c| c.value(right, atomic, span));
            }
            kind => kind.operands().into_iter().for_each(|o| self.value(o, atomic, span)),
        }
    }

    /// An access to a place, and the reads that compute where the place is. The steps of a path to a root (`this`
    /// of `this->x`) are not accesses of their own.
    fn touch(&mut self, place: Handle<Expr>, read: bool, written: bool, atomic: bool, span: Span) {
        self.place(place, read, written, atomic, span);
        if !self.provenance.is_path_root(place) {
            self.parts(place, atomic, span);
        }
    }

    fn parts(&mut self, place: Handle<Expr>, atomic: bool, span: Span) {
        match self.kind(place) {
            ExprKind::Index { base, index } => {
                if self.is_place(base) {
                    self.parts(base, atomic, span);
                } else {
                    self.value(base, atomic, span);
                }
                self.value(index, atomic, span);
            }
            ExprKind::Deref(pointer) => self.value(pointer, atomic, span),
            ExprKind::Member { base, .. } => self.parts(base, atomic, span),
            _ => {}
        }
    }

    fn is_place(&self, e: Handle<Expr>) -> bool {
        self.kind(e).is_place()
    }

    fn kind(&self, e: Handle<Expr>) -> ExprKind {
        self.provenance.scope.body.exprs[e].kind.clone()
    }

    fn place(&mut self, place: Handle<Expr>, read: bool, written: bool, atomic: bool, span: Span) {
        for root in self.provenance.place_roots(place) {
            self.push(root, place, (read, written), (atomic, false), span);
        }
    }

    /// Pure calls inside an expression read through their pointer arguments.
    fn calls_in(&mut self, e: Handle<Expr>, span: Span) {
        let body = self.provenance.scope.body;
        let mut calls = vec![];
        visit::for_each_operand(&body.exprs, e, &mut |e| {
            if let ExprKind::Call { function, args } = &body.exprs[e].kind {
                calls.push((*function, args.clone()));
            }
        });
        for (function, args) in calls {
            self.call(function, &args, false, span);
        }
    }

    fn call(&mut self, function: Handle<Function>, args: &[Handle<Expr>], may_write: bool, span: Span) {
        if self.found.calls.iter().all(|(f, _)| *f != function) {
            self.found.calls.push((function, span));
        }
        let scope = self.provenance.scope;
        for (i, arg) in args.iter().enumerate() {
            if !has_pointers(&scope.module.types, scope.body.exprs[*arg].ty) {
                continue;
            }
            let direct = self.provenance.value_roots(*arg);
            for root in self.provenance.reached_roots(*arg) {
                let is_read = direct.contains(&root) && self.is_read_through(function, i);
                self.push(root, *arg, (true, may_write && !is_read), (false, true), span);
            }
        }
    }

    /// Whether a function only reads what its parameter points to: it says so, or does no more.
    fn is_read_through(&self, function: Handle<Function>, parameter: usize) -> bool {
        self.param_is_const(function, parameter)
            || effects::only_reads_through(self.provenance.scope.module, function, parameter)
    }

    fn param_is_const(&self, function: Handle<Function>, i: usize) -> bool {
        let module = self.provenance.scope.module;
        let function = &module.functions[function];
        let ty = match (&function.body, function.params.get(i)) {
            (Some(body), Some(p)) => body.locals[*p].ty,
            _ => return false,
        };
        self.is_const(ty)
    }

    fn is_const(&self, ty: Handle<Type>) -> bool {
        let types = &self.provenance.scope.module.types;
        matches!(types.kind(ty), TypeKind::Pointer { constant: true, .. })
    }

    fn push(
        &mut self,
        root: Root,
        place: Handle<Expr>,
        (read, written): (bool, bool),
        (atomic, whole): (bool, bool),
        span: Span,
    ) {
        let own = match root {
            Root::Local(l) if self.provenance.is_inner(l) || self.private.contains(&l) => Some(l),
            _ => None,
        };
        let scope = self.provenance.scope;
        if own.is_some_and(|l| scope.module.types.is_scalar(scope.body.locals[l].ty)) {
            return;
        }
        let access = Access {
            root,
            place,
            read,
            written,
            loops: self.loops.clone(),
            conditional: self.conditional,
            condition_depth: self.condition_depth,
            guards: self.guards.clone(),
            atomic,
            whole,
            span,
        };
        match own {
            Some(l) => {
                let depth = self.depths.get(&l).copied().unwrap_or(0);
                self.found.inner.push(Inner { access, depth });
            }
            None => self.found.list.push(access),
        }
    }
}
