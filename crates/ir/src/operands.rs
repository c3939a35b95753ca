//! What one statement or expression names directly: its expressions, locals and blocks.
//!
//! Each function is one exhaustive `match`, so a new kind of statement is taken up here once and every
//! walk in [`visit`](crate::visit) and [`rewrite`](crate::rewrite) knows it.

use crate::{
    AtomicKind, Block, DataItem, DataVar, Expr, ExprKind, HaloExtent, Handle, Local, Reduction, Region,
    Standalone, Stmt,
};

/// How an expression or a local is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// A value is computed.
    Value,
    /// A place is read.
    Read,
    /// A place is written.
    Write,
    /// A place is read and written: `+=`, an atomic update, a loop's variable, a reduction.
    ReadWrite,
    /// A place is only named: its address is taken, or a clause lists it.
    Address,
}

impl Access {
    pub fn reads(self) -> bool {
        matches!(self, Access::Read | Access::ReadWrite)
    }
    pub fn writes(self) -> bool {
        matches!(self, Access::Write | Access::ReadWrite)
    }
}

impl ExprKind {
    /// Denotes a place, not a value.
    pub fn is_place(&self) -> bool {
        match self {
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. } => true,
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Load(_)
            | ExprKind::AddrOf(_)
            | ExprKind::Decay(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Cast(_)
            | ExprKind::Select { .. }
            | ExprKind::Checked { .. }
            | ExprKind::Math { .. }
            | ExprKind::Call { .. }
            | ExprKind::Builtin(_) => false,
        }
    }

    /// The expressions that this one names, in order of evaluation.
    pub fn operands(&self) -> Vec<Handle<Expr>> {
        match self {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Builtin(_) => vec![],
            ExprKind::Deref(e)
            | ExprKind::Member { base: e, .. }
            | ExprKind::Load(e)
            | ExprKind::AddrOf(e)
            | ExprKind::Decay(e)
            | ExprKind::Cast(e)
            | ExprKind::Unary { operand: e, .. } => vec![*e],
            ExprKind::Index { base: a, index: b } | ExprKind::Binary { left: a, right: b, .. } => {
                vec![*a, *b]
            }
            ExprKind::Checked { index, first, end, .. } => vec![*index, *first, *end],
            ExprKind::Select { cond, yes, no } => vec![*cond, *yes, *no],
            ExprKind::Math { args, .. } | ExprKind::Call { args, .. } => args.clone(),
        }
    }

    /// Calls `f` on each operand, to change it.
    pub fn operands_mut(&mut self, mut f: impl FnMut(&mut Handle<Expr>)) {
        match self {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Builtin(_) => {}
            ExprKind::Deref(e)
            | ExprKind::Member { base: e, .. }
            | ExprKind::Load(e)
            | ExprKind::AddrOf(e)
            | ExprKind::Decay(e)
            | ExprKind::Cast(e)
            | ExprKind::Unary { operand: e, .. } => f(e),
            ExprKind::Index { base: a, index: b } | ExprKind::Binary { left: a, right: b, .. } => {
                f(a);
                f(b);
            }
            ExprKind::Checked { index, first, end, .. } => {
                f(index);
                f(first);
                f(end);
            }
            ExprKind::Select { cond, yes, no } => {
                f(cond);
                f(yes);
                f(no);
            }
            ExprKind::Math { args, .. } | ExprKind::Call { args, .. } => args.iter_mut().for_each(f),
        }
    }
}

impl Stmt {
    /// The expressions of this statement itself (not of the statements in it) and how each is used, in the order in
    /// which they are evaluated: what is stored comes before the place it is stored in.
    pub fn operands(&self) -> Vec<(Handle<Expr>, Access)> {
        let mut out: Vec<(Handle<Expr>, Access)> = Vec::new();
        let value = |e: &Handle<Expr>| (*e, Access::Value);
        match self {
            Stmt::Declare { init, .. } => out.extend(init.iter().map(value)),
            Stmt::Store { place, op, value } => {
                let access = if op.is_some() { Access::ReadWrite } else { Access::Write };
                out.extend([(*value, Access::Value), (*place, access)]);
            }
            Stmt::Call { dest, args, .. } => {
                out.extend(args.iter().map(value));
                out.extend(dest.map(|d| (d, Access::Write)));
            }
            Stmt::Print { args, .. } => out.extend(args.iter().map(value)),
            Stmt::If { cond, .. } => out.push(value(cond)),
            Stmt::For(l) => out.extend([value(&l.lower), value(&l.bound), value(&l.step)]),
            Stmt::While { cond, .. } => out.extend(cond.iter().map(value)),
            Stmt::Switch { value: v, .. } => out.push(value(v)),
            Stmt::Return(e) => out.extend(e.iter().map(value)),
            Stmt::Atomic(a) => {
                let access = match a.kind {
                    AtomicKind::Read => Access::Read,
                    AtomicKind::Write => Access::Write,
                    AtomicKind::Update(_)
                    | AtomicKind::ReverseUpdate(_)
                    | AtomicKind::Extremum(_)
                    | AtomicKind::Replace(_) => Access::ReadWrite,
                };
                out.extend(a.kind.expected().iter().map(value));
                out.extend(a.value.iter().map(value));
                out.push((a.place, access));
                out.extend(a.capture.map(|(dest, _)| (dest, Access::Write)));
            }
            Stmt::Window(w) => {
                for staged in &w.arrays {
                    for d in &staged.dims {
                        let ends = [&d.before, &d.after].into_iter().filter_map(HaloExtent::value);
                        out.extend(std::iter::once(d.pivot).chain(ends).map(|e| (e, Access::Value)));
                    }
                    out.push((staged.element, staged_access(staged.kind)));
                }
            }
            Stmt::Region(r) => out.extend(members(&r.clauses.data)),
            Stmt::Directive(s) => out.extend(members(&s.data)),
            Stmt::TensorProduct(p) => {
                out.extend(p.left.iter().chain(&p.right).map(value));
                out.extend(p.sums.map(|sum| (sum, Access::ReadWrite)));
            }
            Stmt::VectorLoad { src, .. } => out.push((*src, Access::Read)),
            Stmt::VectorStore { dst, .. } => out.push((*dst, Access::Write)),
            Stmt::Break
            | Stmt::Continue
            | Stmt::Stop { .. }
            | Stmt::Block(_)
            | Stmt::Host
            | Stmt::Barrier(_)
            | Stmt::ReduceAcross { .. }
            | Stmt::ReduceGrid { .. }
            | Stmt::Measure { .. } => {}
        }
        out
    }

    /// Calls `f` on each of [`Stmt::operands`], to change it.
    pub fn operands_mut(&mut self, mut f: impl FnMut(&mut Handle<Expr>)) {
        match self {
            Stmt::Declare { init, .. } => init.iter_mut().for_each(f),
            Stmt::Store { place, value, .. } => {
                f(value);
                f(place);
            }
            Stmt::Call { dest, args, .. } => args.iter_mut().chain(dest).for_each(f),
            Stmt::Print { args, .. } => args.iter_mut().for_each(f),
            Stmt::If { cond, .. } => f(cond),
            Stmt::For(l) => {
                f(&mut l.lower);
                f(&mut l.bound);
                f(&mut l.step);
            }
            Stmt::While { cond, .. } => cond.iter_mut().for_each(f),
            Stmt::Switch { value, .. } => f(value),
            Stmt::Return(e) => e.iter_mut().for_each(f),
            Stmt::Atomic(a) => {
                if let AtomicKind::Replace(expected) = &mut a.kind {
                    f(expected);
                }
                a.value.iter_mut().for_each(&mut f);
                f(&mut a.place);
                a.capture.iter_mut().for_each(|(dest, _)| f(dest));
            }
            Stmt::Window(w) => {
                for staged in &mut w.arrays {
                    for d in &mut staged.dims {
                        f(&mut d.pivot);
                        [&mut d.before, &mut d.after]
                            .into_iter()
                            .filter_map(HaloExtent::value_mut)
                            .for_each(&mut f);
                    }
                    f(&mut staged.element);
                }
            }
            Stmt::Region(r) => members_mut(&mut r.clauses.data, f),
            Stmt::Directive(s) => members_mut(&mut s.data, f),
            Stmt::TensorProduct(p) => p.left.iter_mut().chain(&mut p.right).chain(&mut p.sums).for_each(f),
            Stmt::VectorLoad { src, .. } => f(src),
            Stmt::VectorStore { dst, .. } => f(dst),
            Stmt::Break
            | Stmt::Continue
            | Stmt::Stop { .. }
            | Stmt::Block(_)
            | Stmt::Host
            | Stmt::Barrier(_)
            | Stmt::ReduceAcross { .. }
            | Stmt::ReduceGrid { .. }
            | Stmt::Measure { .. } => {}
        }
    }

    /// The locals that this statement names outside its expressions, and how it uses them: declarations
    /// and loop variables, mapped statements, clauses.
    pub fn locals(&self) -> Vec<(Handle<Local>, Access)> {
        let mut copy = self.without_blocks();
        let mut out = Vec::new();
        copy.locals_mut(|l, access| out.push((*l, access)));
        out
    }

    /// Calls `f` on each of [`Stmt::locals`], to change it.
    pub fn locals_mut(&mut self, mut f: impl FnMut(&mut Handle<Local>, Access)) {
        match self {
            Stmt::Declare { local, .. } => f(local, Access::Write),
            Stmt::For(l) => {
                f(&mut l.var, Access::ReadWrite);
                if let Some(d) = &mut l.directive {
                    d.private.iter_mut().for_each(|l| f(l, Access::Address));
                    reductions_mut(&mut d.reductions, &mut f);
                    for search in &mut d.searches {
                        f(&mut search.best, Access::ReadWrite);
                        search.places.iter_mut().for_each(|place| f(place, Access::ReadWrite));
                    }
                }
            }
            Stmt::Region(r) => region_locals_mut(r, &mut f),
            Stmt::Directive(s) => standalone_locals_mut(s, &mut f),
            Stmt::ReduceAcross { local, .. } => f(local, Access::ReadWrite),
            Stmt::ReduceGrid { local, .. } => f(local, Access::Read),
            Stmt::Measure { counts } => counts.iter_mut().for_each(|local| f(local, Access::Read)),
            Stmt::VectorLoad { dst, .. } => f(dst, Access::Write),
            Stmt::VectorStore { src, .. } => f(src, Access::Read),
            Stmt::Store { .. }
            | Stmt::Call { .. }
            | Stmt::Print { .. }
            | Stmt::Stop { .. }
            | Stmt::If { .. }
            | Stmt::While { .. }
            | Stmt::Switch { .. }
            | Stmt::Break
            | Stmt::Continue
            | Stmt::Return(_)
            | Stmt::Block(_)
            | Stmt::Window(_)
            | Stmt::Atomic(_)
            | Stmt::Host
            | Stmt::TensorProduct(_)
            | Stmt::Barrier(_) => {}
        }
    }

    /// The blocks directly in this statement, in source order.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Stmt::If { then, otherwise, .. } => vec![then, otherwise],
            Stmt::For(l) => vec![&l.body],
            Stmt::While { body, step, .. } => vec![body, step],
            Stmt::Switch { cases, .. } => cases.iter().map(|c| &c.body).collect(),
            Stmt::Block(block) => vec![block],
            Stmt::Window(w) => vec![&w.body],
            Stmt::Region(r) => vec![&r.body],
            Stmt::Declare { .. }
            | Stmt::Store { .. }
            | Stmt::Call { .. }
            | Stmt::Print { .. }
            | Stmt::Stop { .. }
            | Stmt::Break
            | Stmt::Continue
            | Stmt::Return(_)
            | Stmt::Atomic(_)
            | Stmt::Directive(_)
            | Stmt::Host
            | Stmt::Barrier(_)
            | Stmt::ReduceAcross { .. }
            | Stmt::ReduceGrid { .. }
            | Stmt::Measure { .. }
            | Stmt::TensorProduct(_)
            | Stmt::VectorLoad { .. }
            | Stmt::VectorStore { .. } => Vec::new(),
        }
    }

    /// As [`Stmt::blocks`], to change them.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Stmt::If { then, otherwise, .. } => vec![then, otherwise],
            Stmt::For(l) => vec![&mut l.body],
            Stmt::While { body, step, .. } => vec![body, step],
            Stmt::Switch { cases, .. } => cases.iter_mut().map(|c| &mut c.body).collect(),
            Stmt::Block(block) => vec![block],
            Stmt::Window(w) => vec![&mut w.body],
            Stmt::Region(r) => vec![&mut r.body],
            Stmt::Declare { .. }
            | Stmt::Store { .. }
            | Stmt::Call { .. }
            | Stmt::Print { .. }
            | Stmt::Stop { .. }
            | Stmt::Break
            | Stmt::Continue
            | Stmt::Return(_)
            | Stmt::Atomic(_)
            | Stmt::Directive(_)
            | Stmt::Host
            | Stmt::Barrier(_)
            | Stmt::ReduceAcross { .. }
            | Stmt::ReduceGrid { .. }
            | Stmt::Measure { .. }
            | Stmt::TensorProduct(_)
            | Stmt::VectorLoad { .. }
            | Stmt::VectorStore { .. } => Vec::new(),
        }
    }

    /// A copy whose loop or region is empty, so that copying a nest to look at its head stays cheap.
    fn without_blocks(&self) -> Stmt {
        match self {
            Stmt::For(l) => Stmt::For(Box::new(crate::Loop {
                var: l.var,
                declared_here: l.declared_here,
                lower: l.lower,
                compare: l.compare,
                bound: l.bound,
                step: l.step,
                body: Block::new(),
                directive: l.directive.clone(),
                levels: l.levels.clone(),
            })),
            Stmt::Region(r) => Stmt::Region(Box::new(Region {
                kind: r.kind,
                combined: r.combined,
                clauses: r.clauses.clone(),
                body: Block::new(),
                directive_span: r.directive_span,
                copy: r.copy,
                body_span: r.body_span,
                kernels: Vec::new(),
            })),
            Stmt::If { .. } | Stmt::While { .. } | Stmt::Switch { .. } | Stmt::Block(_) | Stmt::Window(_) => {
                Stmt::Break
            }
            other => other.clone(),
        }
    }
}

/// What a window does with its array as a whole.
fn staged_access(kind: crate::WindowKind) -> Access {
    match (kind.fetches(), kind.writes_back()) {
        (true, true) => Access::ReadWrite,
        (true, false) => Access::Read,
        (false, true) => Access::Write,
        (false, false) => Access::Address,
    }
}

fn members(items: &[DataItem]) -> impl Iterator<Item = (Handle<Expr>, Access)> {
    items.iter().filter_map(|item| match item.var {
        DataVar::Member(e) => Some((e, Access::Address)),
        DataVar::Local(_) | DataVar::Global(_) => None,
    })
}

fn members_mut(items: &mut [DataItem], mut f: impl FnMut(&mut Handle<Expr>)) {
    for item in items {
        if let DataVar::Member(e) = &mut item.var {
            f(e);
        }
    }
}

fn data_locals_mut(items: &mut [DataItem], f: &mut impl FnMut(&mut Handle<Local>, Access)) {
    for item in items {
        if let DataVar::Local(l) = &mut item.var {
            f(l, Access::Address);
        }
    }
}

fn reductions_mut(list: &mut [Reduction], f: &mut impl FnMut(&mut Handle<Local>, Access)) {
    for reduction in list {
        f(&mut reduction.local, Access::ReadWrite);
    }
}

fn region_locals_mut(r: &mut Region, f: &mut impl FnMut(&mut Handle<Local>, Access)) {
    data_locals_mut(&mut r.clauses.data, f);
    r.clauses.private.iter_mut().for_each(|l| f(l, Access::Address));
    r.clauses.firstprivate.iter_mut().for_each(|l| f(l, Access::Read));
    reductions_mut(&mut r.clauses.reductions, f);
}

fn standalone_locals_mut(s: &mut Standalone, f: &mut impl FnMut(&mut Handle<Local>, Access)) {
    data_locals_mut(&mut s.data, f);
}
