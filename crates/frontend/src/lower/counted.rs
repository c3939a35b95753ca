//! Loops whose variable cannot count the iterations itself.
//!
//! Code that runs in parallel computes the variable of iterations beyond the last too, and tests it. In `for
//! (unsigned i = n; i > 0; i--)` an unsigned variable has no value below 0 for that test, and a short one wraps
//! around. `for (unsigned i = 0; i < n; i++)` with a long n, and `for (int i = low; i < n; i++)` with an unsigned
//! one, compare in a type that differs from the variable's. `for (i = n; i-- > 0;)` has its step in the condition,
//! and `for (p = a; p < a + n; p++)` counts with a pointer. Each of these becomes a loop over a counter of 64 bits,
//! from which each iteration computes the variable. Where such a counter could not hold the variable's values, or those
//! beyond the last, as numbers of 64 unsigned bits, it counts the iterations.

use super::Lowered;
use super::function::Fun;
use super::loops::{Header, is_var};
use super::team::Share;
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Ty};
use crate::clang::fold;
use accl_ir::trips::{Calculator, Range, iterations};
use accl_ir::{
    BinaryOp, Block, Body, Compare, ExprKind as Ir, Handle, Local, Loop, LoopDirective, Stmt, StmtNode, Type,
    TypeKind,
};
use accl_source::Span;

/// What a loop of the source becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LoopForm {
    /// A loop over its own variable.
    Plain,
    /// A loop over a counter that the compiler adds.
    Counted,
    /// A `while`.
    Unsuited,
}

/// A condition that counts down: its comparison, and whether it compares the value from before the step.
pub struct Falling<'a> {
    pub compare: Compare,
    pub bound: Option<&'a Expr>,
    pub after: bool,
}

/// `i-- > bound`, `i--`, `--i >= bound`.
pub fn falling(cond: &Expr, var: DeclId) -> Option<Falling<'_>> {
    match &cond.kind {
        ExprKind::Cast { operand, .. } => falling(operand, var),
        ExprKind::Step { operand, by: -1, postfix } if is_var(operand, var) => {
            Some(Falling { compare: Compare::Gt, bound: None, after: *postfix })
        }
        ExprKind::Binary { op, left, right } => {
            let compare = match op {
                BinaryOp::Gt | BinaryOp::Ne => Compare::Gt,
                BinaryOp::Ge => Compare::Ge,
                _ => return None,
            };
            let stepped = falling(left, var).filter(|f| f.bound.is_none())?;
            Some(Falling { compare, bound: Some(right), ..stepped })
        }
        _ => None,
    }
}

impl Fun<'_, '_> {
    pub fn form(&self, header: &Header<'_>, directive: Option<&LoopDirective>) -> LoopForm {
        let seq = directive.is_some_and(|d| d.seq);
        let own_copy = header.declared.is_some() || directive.is_some() && !seq;
        match (self.reason(header), self.device && own_copy) {
            (None, _) => LoopForm::Plain,
            (Some(Reason::Falls | Reason::Far), _) if seq => LoopForm::Plain,
            (Some(_), true) => LoopForm::Counted,
            (Some(_), false) => LoopForm::Unsuited,
        }
    }

    /// Whether a loop that ends where its variable meets a constant bound starts on the far side of it, as all values below the type's
    /// greatest are that of a loop that counts down to it.
    pub fn wraps(&self, header: &Header<'_>) -> bool {
        let var = header.declared.map(|v| &v.ty).or_else(|| self.vars.get(&header.var).map(|v| &v.ty));
        let Some(Ty::Int { bits, signed: false }) = var.map(|ty| &*ty.ty) else { return false };
        let Some(bound) = header.bound.and_then(fold).filter(|n| (0..1 << bits).contains(n)) else {
            return false;
        };
        let by_one = header.step.is_none_or(|step| fold(step) == Some(1));
        let first = fold(header.lower);
        by_one
            && match header.subtract {
                true => bound >> (bits - 1) == 1 && first.is_none_or(|first| first < bound),
                false => first.is_some_and(|first| first > bound),
            }
    }

    fn reason(&self, header: &Header<'_>) -> Option<Reason> {
        if header.in_condition.is_some() {
            return Some(Reason::Condition);
        }
        if header.wraps {
            return Some(Reason::Wraps);
        }
        if !self.device {
            return None;
        }
        let ty = header.declared.map(|v| &v.ty).or_else(|| self.vars.get(&header.var).map(|v| &v.ty))?;
        if matches!(*ty.ty, Ty::Pointer { .. }) {
            return Some(Reason::Pointer);
        }
        let Ty::Int { bits, signed } = *ty.ty else { return None };
        if self.counts_far(header) {
            return Some(Reason::Far);
        }
        let known = |e: &Expr| fold(e).is_some_and(|n| n >= 0);
        let down = is_down(header);
        if bits < 32 || !signed && down {
            return Some(Reason::Falls);
        }
        let bound = header.bound?;
        match *bound.ty.ty {
            Ty::Int { bits: wide, signed: true } if !signed && wide > bits && !known(bound) => {
                Some(Reason::Compared)
            }
            _ => None,
        }
    }

    /// Neither the variable nor a counter of 64 signed bits tells by its value whether an iteration is one of the loop's.
    fn counts_far(&self, header: &Header<'_>) -> bool {
        let var = header.declared.map(|v| &v.ty).or_else(|| self.vars.get(&header.var).map(|v| &v.ty));
        let Some(Ty::Int { bits, signed }) = var.map(|ty| &*ty.ty) else { return false };
        let down = is_down(header);
        let constants = [Some(header.lower), header.bound].map(|e| e.map_or(Some(0), fold));
        let is_near = |n: Option<i128>| n.is_some_and(|n| n.unsigned_abs() < 1 << 62);
        let end = match (bits, signed, down) {
            // Numbers below its own are for a counter of 64 bits to hold.
            (..32, ..) | (32, false, true) => None,
            (_, true, true) => Some(-1i128 << (bits - 1)),
            (_, true, false) => Some(1i128 << (bits - 1)),
            (_, false, false) => Some(1i128 << bits),
            (_, false, true) => None,
        };
        let ends_at_limit =
            end.zip(constants[1]).is_some_and(|(end, bound)| (end - bound).unsigned_abs() <= 1 << 24);
        let unsigned_bound = header.bound.is_some_and(|e| matches!(*e.ty.ty, Ty::Int { signed: false, .. }));
        match (bits, signed) {
            _ if header.wraps || ends_at_limit => true,
            (64, false) if down => !is_near(constants[1]),
            (64, false) => constants.iter().any(|n| n.is_some() && !is_near(*n)),
            (_, true) => unsigned_bound && !down && !is_never_negative(header.lower),
            _ => false,
        }
    }

    /// `for (long count = …) { i = count; body }`
    pub fn counted(&mut self, header: &Header<'_>, directive: Option<LoopDirective>) -> Lowered<()> {
        let span = header.span;
        let share = self.share.take();
        let directive = Share::directive(share.as_ref(), directive);
        let cyclic = share.as_ref().filter(|share| share.is_cyclic());
        let lowered = self.try_block(|f| {
            let (effects, lower) = f.try_block(|f| f.value(header.lower))?;
            if let Some(current) = f.blocks.last_mut() {
                current.extend(effects);
            }
            let long = f.cx.module.types.int(64, true);
            let bound = match header.bound {
                Some(bound) => f.value(bound)?,
                None => f.int(0, long, span),
            };
            let step = match header.step {
                Some(step) => f.value(step)?,
                None => f.int(1, long, span),
            };
            let var = f.loop_variable(header)?;
            let ty = f.body.locals[var].ty;
            let lower = f.convert(lower, ty, span);
            let is_pointer = matches!(f.cx.module.types.kind(ty), TypeKind::Pointer { .. });
            let start = is_pointer.then_some(lower);
            let by = f.convert(step, long, span);
            let by = if header.subtract { f.negated(by) } else { by };
            let far = f.counts_far(header);
            let compare = match header.compare {
                _ if far => Compare::Lt,
                Compare::Ne if header.subtract => Compare::Gt,
                other => other,
            };
            let first = if far { f.first_value(header, lower, ty) } else { lower };
            let (lower, bound, step) = match start {
                Some(start) => (f.int(0, long, span), f.distance(start, bound), by),
                None if far => (
                    f.int(0, long, span),
                    f.number_of_iterations(header, first, bound, step),
                    f.int(1, long, span),
                ),
                None => (f.first_value(header, lower, long), bound, by),
            };
            let bound = f.convert(bound, long, span);
            f.leave_counters_after(header, by);
            let name = f.body.locals[var].name.clone();
            let counter = f.temp(&name, long, span);
            let body = f.loop_body(header, counter, compare, [lower, bound, step]);
            let (lower, step) = match cyclic {
                Some(share) => f.dealt_bounds(share, lower, step, span)?,
                None => (lower, step),
            };
            let value = match start {
                Some(left) => {
                    let right = f.load_local(counter, span);
                    f.expr(Ir::Binary { op: BinaryOp::Add, left, right }, ty, span)
                }
                None if far => f.value_in_iteration(header, counter, [first, by], ty),
                None => f.value_of(header, counter, var),
            };
            let set = match header.declared {
                Some(_) => Stmt::Declare { local: var, init: Some(value) },
                None => Stmt::Store { place: f.local_place(var, span), op: None, value },
            };
            let mut body = body;
            sink(&f.body, &mut body, StmtNode { kind: set, span }, var);
            Ok((counter, lower, bound, step, body, var, compare))
        });
        let (effects, (counter, lower, bound, step, body, var, compare)) = lowered?;
        let mut directive = directive;
        if let (None, Some(d)) = (header.declared, &mut directive)
            && !d.private.contains(&var)
        {
            d.private.push(var);
        }
        let counting = Loop {
            var: counter,
            declared_here: true,
            lower,
            compare,
            bound,
            step,
            body,
            directive,
            levels: None,
        };
        self.emit_dealt(share.as_ref(), effects, counting, span.to(header.body.span))
    }

    /// How many elements lie between two pointers: `n` from `a` to `a + n` and to `&a[n]`.
    fn distance(&mut self, from: Handle<accl_ir::Expr>, to: Handle<accl_ir::Expr>) -> Handle<accl_ir::Expr> {
        let (start, end) = (self.without_casts(from), self.without_casts(to));
        let (base, count) = match self.body.exprs[end].kind {
            Ir::Binary { op: BinaryOp::Add, left, right } => (self.without_casts(left), Some(right)),
            Ir::AddrOf(element) => match self.body.exprs[element].kind {
                Ir::Index { base, index } => (base, Some(index)),
                _ => (end, None),
            },
            _ => (end, None),
        };
        let start = match self.body.exprs[start].kind {
            Ir::Decay(array) if !matches!(self.kind_of(base), TypeKind::Pointer { .. }) => array,
            _ => start,
        };
        match count.filter(|_| accl_ir::visit::same_expr(&self.body, base, start)) {
            Some(count) => count,
            None => {
                let (long, span) = (self.cx.module.types.int(64, true), self.body.exprs[to].span);
                self.expr(Ir::Binary { op: BinaryOp::Sub, left: to, right: from }, long, span)
            }
        }
    }

    /// The pointer without conversions that change only `const` or `restrict` of what it points to.
    fn without_casts(&self, pointer: Handle<accl_ir::Expr>) -> Handle<accl_ir::Expr> {
        let element = |e| self.cx.module.types.element(self.ty_of(e));
        match self.body.exprs[pointer].kind {
            Ir::Cast(inner) if element(inner).is_some() && element(inner) == element(pointer) => {
                self.without_casts(inner)
            }
            _ => pointer,
        }
    }

    /// What the condition compares first.
    fn first_value(
        &mut self,
        header: &Header<'_>,
        lower: Handle<accl_ir::Expr>,
        ty: Handle<Type>,
    ) -> Handle<accl_ir::Expr> {
        let span = header.span;
        let first = self.convert(lower, ty, span);
        if header.in_condition != Some(false) {
            return first;
        }
        let one = self.int(1, ty, span);
        self.expr(Ir::Binary { op: BinaryOp::Sub, left: first, right: one }, ty, span)
    }

    /// How many iterations a loop has whose variable starts with this value: the distance to the bound, without a sign, divided by the
    /// step.
    fn number_of_iterations(
        &mut self,
        header: &Header<'_>,
        first: Handle<accl_ir::Expr>,
        bound: Handle<accl_ir::Expr>,
        step: Handle<accl_ir::Expr>,
    ) -> Handle<accl_ir::Expr> {
        let span = header.span;
        let ty = self.cx.module.types.int(64, false);
        if header.wraps {
            let own = self.ty_of(first);
            let [first, bound] = [first, bound].map(|e| self.convert(e, ty, span));
            let (left, right) = if header.subtract { (first, bound) } else { (bound, first) };
            let distance = self.expr(Ir::Binary { op: BinaryOp::Sub, left, right }, ty, span);
            let distance = self.convert(distance, own, span);
            return self.convert(distance, ty, span);
        }
        let first = self.convert(first, self.ty_of(bound), span);
        let mut step = self.convert(step, ty, span);
        if header.subtract {
            step = self.negated(step);
        }
        let step_is = fold_step(header).map(|n| (step, n));
        let mut counting = Counting { f: self, ty, span, step_is };
        iterations(
            &mut counting,
            &Range { lower: &first, compare: header.compare, bound: &bound, step: &step },
        )
    }

    /// `first + iteration * step`
    fn value_in_iteration(
        &mut self,
        header: &Header<'_>,
        iteration: Handle<Local>,
        [first, step]: [Handle<accl_ir::Expr>; 2],
        ty: Handle<Type>,
    ) -> Handle<accl_ir::Expr> {
        let span = header.span;
        let long = self.body.locals[iteration].ty;
        let work =
            if matches!(self.cx.module.types.kind(ty), TypeKind::Int { bits: 64, .. }) { ty } else { long };
        let iteration = self.load_local(iteration, span);
        let [first, step, iteration] = [first, step, iteration].map(|e| self.convert(e, work, span));
        let mut binary = |op, left, right| self.expr(Ir::Binary { op, left, right }, work, span);
        let first = match header.in_condition {
            Some(true) => binary(BinaryOp::Add, first, step),
            Some(false) | None => first,
        };
        let past = binary(BinaryOp::Mul, iteration, step);
        let value = binary(BinaryOp::Add, first, past);
        self.convert(value, ty, span)
    }

    /// The variable's value in an iteration.
    fn value_of(
        &mut self,
        header: &Header<'_>,
        counter: Handle<Local>,
        var: Handle<Local>,
    ) -> Handle<accl_ir::Expr> {
        let span = header.span;
        let long = self.body.locals[counter].ty;
        let count = self.load_local(counter, span);
        let value = match header.in_condition {
            Some(true) => {
                let one = self.int(1, long, span);
                self.expr(Ir::Binary { op: BinaryOp::Sub, left: count, right: one }, long, span)
            }
            Some(false) | None => count,
        };
        let ty = self.body.locals[var].ty;
        self.convert(value, ty, span)
    }
}

/// Counts iterations in expressions of 64 bits without a sign.
struct Counting<'f, 'a, 'b> {
    f: &'f mut Fun<'a, 'b>,
    ty: Handle<Type>,
    span: Span,
    /// The step as an expression, where it is a constant.
    step_is: Option<(Handle<accl_ir::Expr>, i128)>,
}

impl Counting<'_, '_, '_> {
    fn of(
        &mut self,
        op: BinaryOp,
        [left, right]: [Handle<accl_ir::Expr>; 2],
        ty: Handle<Type>,
    ) -> Handle<accl_ir::Expr> {
        self.f.expr(Ir::Binary { op, left, right }, ty, self.span)
    }
}

impl Calculator for Counting<'_, '_, '_> {
    type Value = Handle<accl_ir::Expr>;

    fn constant(&mut self, n: i128) -> Self::Value {
        self.f.int(n, self.ty, self.span)
    }

    fn known(&self, value: &Self::Value) -> Option<i128> {
        self.step_is.filter(|(step, _)| step == value).map(|(_, n)| n)
    }

    fn widened(&mut self, value: &Self::Value) -> Self::Value {
        self.f.convert(*value, self.ty, self.span)
    }

    fn binary(&mut self, op: BinaryOp, left: Self::Value, right: Self::Value) -> Self::Value {
        self.of(op, [left, right], self.ty)
    }

    fn compare(&mut self, op: BinaryOp, left: &Self::Value, right: &Self::Value) -> Self::Value {
        let int = self.f.i32();
        self.of(op, [*left, *right], int)
    }

    fn select(&mut self, cond: Self::Value, yes: Self::Value, no: Self::Value) -> Self::Value {
        self.f.expr(Ir::Select { cond, yes, no }, self.ty, self.span)
    }
}

enum Reason {
    Far,
    Pointer,
    Falls,
    Compared,
    Condition,
    Wraps,
}

/// What the loop adds, where it is a constant.
fn fold_step(header: &Header<'_>) -> Option<i128> {
    header.step.map_or(Some(1), fold).map(|n| if header.subtract { -n } else { n })
}

fn is_down(header: &Header<'_>) -> bool {
    fold_step(header).map_or(matches!(header.compare, Compare::Gt | Compare::Ge), |n| n < 0)
}

fn is_never_negative(e: &Expr) -> bool {
    match &e.kind {
        _ if fold(e).is_some_and(|n| n >= 0) => true,
        _ if matches!(*e.ty.ty, Ty::Int { signed: false, .. }) => true,
        ExprKind::Cast { kind: CastKind::Convert | CastKind::NoOp, operand, .. } => {
            let unsigned_narrow = matches!((&*operand.ty.ty, &*e.ty.ty),
                (Ty::Int { bits, signed: false }, Ty::Int { bits: wide, .. }) if bits < wide);
            unsigned_narrow || is_never_negative(operand) && same_width(operand, e)
        }
        _ => false,
    }
}

fn same_width(a: &Expr, b: &Expr) -> bool {
    match (&*a.ty.ty, &*b.ty.ty) {
        (Ty::Int { bits: x, signed: true }, Ty::Int { bits: y, signed: true }) => x <= y,
        _ => false,
    }
}

/// Puts the statement, which sets `var`, at the start of the block. Where the block is one loop that does not need
/// the value for its bounds, the statement goes to the start of the loop's body, so that the two loops stay tightly
/// nested.
fn sink(body: &Body, block: &mut Block, node: StmtNode, var: Handle<Local>) {
    let mentions = |e: Handle<accl_ir::Expr>| {
        let mut found = false;
        accl_ir::visit::walk_expr(body, e, accl_ir::Access::Read, &mut |e, _| {
            found |= body.exprs[e].kind == Ir::Local(var);
        });
        found
    };
    match block.as_mut_slice() {
        [StmtNode { kind: Stmt::For(inner), .. }]
            if ![inner.lower, inner.bound, inner.step].into_iter().any(mentions) =>
        {
            sink(body, &mut inner.body, node, var)
        }
        _ => block.insert(0, node),
    }
}
