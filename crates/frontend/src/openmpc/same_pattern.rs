//! Whether the loop inside a shared loop can be shared, too, where iterations have scratch arrays.
//!
//! ```text
//! #pragma omp for
//! for (k = 0; k < d[2]; k++)
//!   for (jj = 0; jj <= d[1] - block; jj += block) { … fill y0, transform it, copy it to xout[k][j + jj] … }
//! ```
//!
//! The scratch arrays have no values before the loop, so the first of the inner iterations reads in them what it has written itself,
//! or the program is wrong already. Which elements an iteration writes and reads, and in which order, is the same for all of them if
//! neither conditions nor subscripts depend on the counter or on data. Then no iteration reads what another left. That they write
//! different elements of shared arrays is to be seen in one of the subscripts, the counter plus less than its step.

use super::canonical::{CanonicalLoop, canonical};
use super::unit::{SourceFile, ends_program};
use super::{flow, scratch};
use crate::ast::{BinaryOp, CastKind, DeclId, Expr, ExprKind, Stmt, StmtKind, Storage, Ty};
use crate::lower::walk;
use std::collections::{BTreeMap, BTreeSet};

/// Whether the iterations of a loop, the only statement of a shared one, are independent. `rows`: the scratch arrays; `own`: other
/// variables of the thread's.
pub fn is_parallel(
    unit: &SourceFile<'_>,
    outer: &CanonicalLoop<'_>,
    inner: &CanonicalLoop<'_>,
    rows: &BTreeSet<DeclId>,
    own: &dyn Fn(DeclId) -> bool,
) -> bool {
    let body = inner.body;
    let stores = Stores::of(unit, body, rows);
    let fixed = |e: &Expr| walk::uses(e, outer.counter) == 0 && stores.is_fixed(unit, outer.body, e);
    let bounds = [Some(inner.from), Some(inner.bound), inner.step];
    let carries = |(id, ..): &(DeclId, String, _)| {
        own(*id)
            && *id != inner.counter
            && !rows.contains(id)
            && unit.changes(body, *id)
            && flow::exposed(unit, body, *id).is_some()
    };
    bounds.into_iter().flatten().all(fixed)
        && !unit.used(body).iter().any(carries)
        && stores.go_to_blocks(unit, inner)
        && Pattern::of(unit, inner, rows, &stores)
}

/// What a loop's body stores into shared memory.
struct Stores<'s> {
    rows: &'s BTreeSet<DeclId>,
    /// The places, with the arrays that they belong to.
    shared: Vec<(DeclId, &'s Expr)>,
    /// A store of which nobody knows where it goes.
    unknown: bool,
    body: &'s Stmt,
}

impl<'s> Stores<'s> {
    fn of(unit: &SourceFile<'_>, body: &'s Stmt, rows: &'s BTreeSet<DeclId>) -> Stores<'s> {
        let mut stores = Stores { rows, shared: vec![], unknown: false, body };
        walk::exprs(body, &mut |e| {
            let (ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Step { operand: place, .. }) = &e.kind
            else {
                return;
            };
            match scratch::leads_from(place) {
                Some(id) if rows.contains(&id) => {}
                Some(id) if is_own_place(unit, place, id) => {}
                Some(id) => stores.shared.push((id, place)),
                None => stores.unknown = true,
            }
        });
        stores
    }

    /// The expression has the same value in all iterations.
    fn is_fixed(&self, unit: &SourceFile<'_>, body: &Stmt, e: &Expr) -> bool {
        let mut fixed = true;
        walk::within(e, &mut |e| match &e.kind {
            ExprKind::Var(id, _) if unit.is_scalar(*id) => fixed &= !unit.changes(body, *id),
            ExprKind::Cast { kind: CastKind::Load, .. } => fixed &= !self.may_store(&e.ty.ty),
            ExprKind::Call { .. } => fixed = false,
            _ => {}
        });
        fixed && !self.unknown
    }

    fn may_store(&self, ty: &Ty) -> bool {
        self.shared.iter().any(|(_, place)| same_scalar(&place.ty.ty, ty))
    }

    /// All accesses to what is stored into are the iteration's own: in one dimension the subscript is the counter plus less than
    /// its step. Functions that the body calls do not get there.
    fn go_to_blocks(&self, unit: &SourceFile<'_>, inner: &CanonicalLoop<'_>) -> bool {
        if self.unknown {
            return false;
        }
        let mut written = BTreeSet::new();
        for (id, _) in &self.shared {
            let Some(of) = origins(unit, *id, &mut BTreeSet::new()) else { return false };
            written.extend(of);
        }
        let mut counters = BTreeMap::new();
        block_counters(unit, self.body, inner, &mut counters);
        let mut dimension = None;
        let mut fits = true;
        each_access(self.body, &mut |id, place| {
            if self.rows.contains(&id) || is_own_place(unit, place, id) {
                return;
            }
            let Some(of) = origins(unit, id, &mut BTreeSet::new()) else { return fits = false };
            if of.is_disjoint(&written) {
                return;
            }
            let of_block = |index: &&Expr| is_block_subscript(index, inner, &counters);
            let indices = subscripts(place);
            match indices.iter().position(of_block) {
                Some(at) => fits &= *dimension.get_or_insert((at, indices.len())) == (at, indices.len()),
                None => fits = false,
            }
        });
        // Functions store into scratch arrays alone (`Pattern`); what they read by name is not stored into, either.
        unit.each_reached(self.body, &mut |s| {
            if std::ptr::eq(s, self.body) {
                return;
            }
            each_access(s, &mut |id, _| {
                let Some(var) = unit.var(id) else { return fits = false };
                let global = matches!(var.storage, Storage::Static | Storage::Extern);
                let is_pointer = matches!(&*var.ty.ty, Ty::Pointer { .. });
                fits &= !global || !is_pointer && !written.contains(&id);
            });
        });
        fits && !self.hands_on(unit, &written)
    }

    /// Whether a call is given memory of which some is stored into.
    fn hands_on(&self, unit: &SourceFile<'_>, written: &BTreeSet<DeclId>) -> bool {
        let mut hands = false;
        walk::exprs(self.body, &mut |e| {
            if let ExprKind::Call { args, .. } = &e.kind {
                for arg in args.iter().filter(|arg| matches!(&*arg.ty.ty, Ty::Pointer { .. })) {
                    let root = scratch::leads_from(arg);
                    let other = |id| {
                        let of = origins(unit, id, &mut BTreeSet::new());
                        of.is_some_and(|of| of.is_disjoint(written))
                    };
                    let own = |id: DeclId| self.rows.contains(&id) || is_own_address(unit, arg) || other(id);
                    hands |= !root.is_some_and(own);
                }
            }
        });
        hands
    }
}

/// A variable that each thread has for itself, not what a pointer leads to.
fn is_own_place(unit: &SourceFile<'_>, place: &Expr, id: DeclId) -> bool {
    let automatic = unit.var(id).is_some_and(|var| matches!(var.storage, Storage::Auto | Storage::Param));
    automatic && walk::root(place) == Some(id)
}

fn is_own_address(unit: &SourceFile<'_>, e: &Expr) -> bool {
    match &walk::bare(e).kind {
        ExprKind::AddrOf(place) => walk::root(place).is_some_and(|id| is_own_place(unit, place, id)),
        _ => false,
    }
}

fn same_scalar(a: &Ty, b: &Ty) -> bool {
    matches!(a, Ty::Record(_)) || a == b
}

/// The arrays that a variable may stand for: itself, or what a parameter is given.
fn origins(unit: &SourceFile<'_>, id: DeclId, seen: &mut BTreeSet<DeclId>) -> Option<BTreeSet<DeclId>> {
    let var = unit.var(id)?;
    if matches!(&*var.ty.ty, Ty::Array { .. }) && var.storage != Storage::Param {
        return Some(BTreeSet::from([id]));
    }
    if var.storage != Storage::Param || !seen.insert(id) {
        return (var.storage == Storage::Param).then(BTreeSet::new);
    }
    let holds = |f: &&crate::ast::Function| f.body.is_some() && f.params.iter().any(|p| p.id == id);
    let function = unit.program.functions.iter().find(holds)?;
    let number = function.params.iter().position(|p| p.id == id)?;
    let fixed = function.body.as_ref().is_some_and(|body| !walk::may_change(body, id));
    if !unit.is_internal(function) || !fixed {
        return None;
    }
    let mut all = BTreeSet::new();
    for (_, args) in unit.calls_of(function.id) {
        let arg = walk::bare(args.get(number)?);
        // A row of an array is part of it, and its subscripts are fewer.
        let ExprKind::Var(given, _) = &root_of_rows(arg).kind else { return None };
        all.extend(origins(unit, *given, seen)?);
    }
    Some(all)
}

fn root_of_rows(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Index { base, .. } => root_of_rows(walk::bare(base)),
        _ => e,
    }
}

/// Visits what is read and written of arrays: the outermost access, with the variable at its begin.
fn each_access<'s>(s: &'s Stmt, visit: &mut dyn FnMut(DeclId, &'s Expr)) {
    walk::exprs(s, &mut |e| {
        let place = match &e.kind {
            ExprKind::Cast { kind: CastKind::Load, operand, .. } => &**operand,
            ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Step { operand: place, .. } => place,
            _ => return,
        };
        if !matches!(walk::same_place(place).kind, ExprKind::Var(..))
            && let Some(id) = scratch::leads_from(place)
        {
            visit(id, place);
        }
    });
}

/// The subscripts of a place, the first dimension's first.
fn subscripts(place: &Expr) -> Vec<&Expr> {
    match &walk::bare(place).kind {
        ExprKind::Index { base, index } => {
            let mut all = subscripts(base);
            all.push(index);
            all
        }
        ExprKind::Member { base, .. } => subscripts(base),
        _ => vec![],
    }
}

/// Counters of loops from 0 that stay below the step of the loop around.
fn block_counters(
    unit: &SourceFile<'_>,
    s: &Stmt,
    inner: &CanonicalLoop<'_>,
    found: &mut BTreeMap<DeclId, bool>,
) {
    if let Some(l) = canonical(unit, s) {
        let below = |step: &Expr| {
            let (bound, step_value) = (unit.constant(l.bound), unit.constant(step));
            unit.same_text(l.bound, step) || bound.zip(step_value).is_some_and(|(bound, step)| bound <= step)
        };
        let fits = unit.constant(l.from) == Some(0) && l.is_up_below() && inner.step.is_some_and(below);
        let one = found.entry(l.counter).or_insert(true);
        *one &= fits;
    } else if let StmtKind::For { .. } = &s.kind
        && let Some((counter, _)) = unit.counter(s)
    {
        found.insert(counter, false);
    }
    walk::children(s).into_iter().for_each(|s| block_counters(unit, s, inner, found));
}

fn is_block_subscript(e: &Expr, inner: &CanonicalLoop<'_>, counters: &BTreeMap<DeclId, bool>) -> bool {
    let e = walk::bare(e);
    let is_counter = |e: &Expr| matches!(walk::bare(e).kind, ExprKind::Var(id, _) if id == inner.counter);
    let is_below =
        |e: &Expr| matches!(walk::bare(e).kind, ExprKind::Var(id, _) if counters.get(&id) == Some(&true));
    match &e.kind {
        ExprKind::Var(id, _) => *id == inner.counter,
        ExprKind::Binary { op: BinaryOp::Add, left, right } => {
            is_counter(left) && is_below(right) || is_below(left) && is_counter(right)
        }
        _ => false,
    }
}

/// Finds what depends on the counter or on data, and whether the pattern of accesses to scratch arrays does.
struct Pattern<'u, 'a> {
    unit: &'u SourceFile<'a>,
    stores: &'u Stores<'u>,
    /// Scratch arrays, and pointers into them.
    scratch: BTreeSet<DeclId>,
    /// Variables whose values differ among iterations.
    varies: BTreeSet<DeclId>,
    /// Functions whose results do.
    results: BTreeSet<DeclId>,
    /// Functions that were visited in this round.
    visited: BTreeSet<DeclId>,
    /// It stands in a function that is called, which may store into scratch arrays and its own variables alone.
    in_function: bool,
    same: bool,
}

impl Pattern<'_, '_> {
    fn of(
        unit: &SourceFile<'_>,
        inner: &CanonicalLoop<'_>,
        rows: &BTreeSet<DeclId>,
        stores: &Stores<'_>,
    ) -> bool {
        let mut pattern = Pattern {
            unit,
            stores,
            scratch: rows.clone(),
            varies: BTreeSet::from([inner.counter]),
            results: BTreeSet::new(),
            visited: BTreeSet::new(),
            in_function: false,
            same: true,
        };
        loop {
            let before = (pattern.scratch.len(), pattern.varies.len(), pattern.results.len());
            pattern.visited.clear();
            pattern.stmt(inner.body, false, None);
            let after = (pattern.scratch.len(), pattern.varies.len(), pattern.results.len());
            if before == after || !pattern.same {
                return pattern.same;
            }
        }
    }

    /// `depends`: whether it is reached depends on what varies. `function`: in which it stands.
    fn stmt(&mut self, s: &Stmt, depends: bool, function: Option<DeclId>) {
        match &s.kind {
            StmtKind::Decl(vars) => {
                for var in vars {
                    if let Some(init) = &var.init {
                        self.given(var.id, init, depends);
                    }
                }
            }
            StmtKind::If { init: None, cond, then, otherwise } => {
                let varies = self.expr(cond, depends);
                if !ends_program(then) {
                    self.stmt(then, depends || varies, function);
                }
                otherwise.iter().for_each(|s| self.stmt(s, depends || varies, function));
            }
            StmtKind::For { init, cond, step, body } => {
                init.iter().for_each(|s| self.stmt(s, depends, function));
                let varies = cond.iter().fold(depends, |varies, e| self.expr(e, depends) || varies);
                self.stmt(body, varies, function);
                step.iter().for_each(|e| _ = self.expr(e, varies));
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                let varies = self.expr(cond, depends) || depends;
                self.stmt(body, varies, function);
            }
            StmtKind::Expr(e) => _ = self.expr(e, depends),
            StmtKind::Return(value) => {
                let varies = value.iter().fold(depends, |varies, e| self.expr(e, depends) || varies);
                if varies {
                    self.results.extend(function);
                }
                self.same &= !depends;
            }
            StmtKind::Break | StmtKind::Continue => self.same &= !depends,
            StmtKind::Compound(items) => items.iter().for_each(|s| self.stmt(s, depends, function)),
            StmtKind::Null => {}
            StmtKind::If { .. }
            | StmtKind::RangeFor { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default(_)
            | StmtKind::Goto
            | StmtKind::Label(_)
            | StmtKind::Unsupported(..)
            | StmtKind::Directed { .. } => self.same = false,
        }
    }

    /// A variable gets a value.
    fn given(&mut self, id: DeclId, value: &Expr, depends: bool) {
        let varies = self.expr(value, depends) || depends;
        if self.is_scratch_address(value) {
            self.same &= !varies;
            self.scratch.insert(id);
        } else if varies {
            self.varies.insert(id);
        }
    }

    fn is_scratch_address(&self, e: &Expr) -> bool {
        matches!(&*e.ty.ty, Ty::Pointer { .. } | Ty::Array { .. }) && self.is_in_scratch(e)
    }

    fn is_in_scratch(&self, e: &Expr) -> bool {
        match &walk::bare(e).kind {
            ExprKind::Var(id, _) => self.scratch.contains(id),
            ExprKind::Index { base, .. }
            | ExprKind::Member { base, .. }
            | ExprKind::Deref(base)
            | ExprKind::AddrOf(base) => self.is_in_scratch(base),
            ExprKind::Binary { left, right, .. } => self.is_in_scratch(left) || self.is_in_scratch(right),
            ExprKind::Conditional { yes, no, .. } => self.is_in_scratch(yes) || self.is_in_scratch(no),
            _ => false,
        }
    }

    /// Whether the value varies.
    fn expr(&mut self, e: &Expr, depends: bool) -> bool {
        match &e.kind {
            ExprKind::Var(id, _) => {
                self.same &= !(depends && self.scratch.contains(id));
                self.varies.contains(id)
            }
            ExprKind::Index { base, index } => {
                let varies = self.expr(base, depends) | self.expr(index, depends);
                self.same &= !(varies && self.is_in_scratch(base));
                varies
            }
            ExprKind::Cast { kind: CastKind::Load, operand, .. } => {
                let varies = self.expr(operand, depends);
                // A pointer's own value is no data.
                let is_pointer = matches!(walk::same_place(operand).kind, ExprKind::Var(..));
                let is_variable = is_pointer
                    || walk::root(operand).is_some_and(|id| {
                        is_own_place(self.unit, operand, id) && !self.scratch.contains(&id)
                    });
                varies || !is_variable && (self.is_in_scratch(operand) || self.stores.may_store(&e.ty.ty))
            }
            ExprKind::Assign { place, value } => self.assigned(place, value, depends),
            ExprKind::CompoundAssign { place, value, .. } => {
                let varies = self.expr(value, depends);
                self.changed(place, varies, depends)
            }
            ExprKind::Step { operand, .. } => self.changed(operand, false, depends),
            ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, right } => {
                let varies = self.expr(left, depends);
                self.expr(right, depends || varies) | varies
            }
            ExprKind::Conditional { cond, yes, no } => {
                let varies = self.expr(cond, depends);
                self.expr(yes, depends || varies) | self.expr(no, depends || varies) | varies
            }
            ExprKind::AddrOf(place) => {
                let varies = self.expr(place, depends);
                // Whoever has the address may change it.
                match walk::root(place).filter(|id| !self.scratch.contains(id)) {
                    Some(id) => {
                        self.varies.insert(id);
                        true
                    }
                    None => varies,
                }
            }
            ExprKind::Call { callee, args } => self.call(callee, args, depends),
            ExprKind::Lambda(_) | ExprKind::Statements(_) | ExprKind::Unsupported(..) => {
                self.same = false;
                true
            }
            _ => walk::operands(e).into_iter().fold(false, |varies, e| self.expr(e, depends) | varies),
        }
    }

    fn assigned(&mut self, place: &Expr, value: &Expr, depends: bool) -> bool {
        if let ExprKind::Var(id, _) = walk::same_place(place).kind {
            self.given(id, value, depends);
            return self.varies.contains(&id);
        }
        // A pointer into scratch memory that lies in memory is lost sight of.
        self.same &= !(self.is_scratch_address(value) && matches!(&*place.ty.ty, Ty::Pointer { .. }));
        let varies = self.expr(value, depends);
        self.changed(place, varies, depends)
    }

    /// A place changes; the value's parts vary or not.
    fn changed(&mut self, place: &Expr, varies: bool, depends: bool) -> bool {
        let own = walk::root(place).is_some_and(|id| is_own_place(self.unit, place, id));
        self.same &= own || !self.in_function || self.is_in_scratch(place);
        let varies = self.expr(place, depends) || varies || depends;
        if let Some(id) = walk::root(place).filter(|id| !self.scratch.contains(id))
            && varies
        {
            self.varies.insert(id);
        }
        varies
    }

    fn call(&mut self, callee: &Expr, args: &[Expr], depends: bool) -> bool {
        let Some(id) = walk::callee(callee) else {
            self.same = false;
            return true;
        };
        let function = self.unit.function(id).filter(|f| f.body.is_some());
        let mut any = false;
        for (at, arg) in args.iter().enumerate() {
            match function.and_then(|f| f.params.get(at)) {
                Some(param) => self.given(param.id, arg, depends),
                None => self.same &= !self.is_in_scratch(arg),
            }
            any |= self.expr(arg, depends);
        }
        if let Some(body) = function.and_then(|f| f.body.as_ref())
            && self.visited.insert(id)
        {
            let outer = std::mem::replace(&mut self.in_function, true);
            self.stmt(body, false, Some(id));
            self.in_function = outer;
        }
        any || self.results.contains(&id)
    }
}
