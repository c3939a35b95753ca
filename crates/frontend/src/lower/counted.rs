//! Loops whose variable cannot count the iterations itself.
//!
//! Code that runs in parallel computes the variable of iterations beyond the last too, and tests it. In `for
//! (unsigned i = n; i > 0; i--)` an unsigned variable has no value below 0 for that test, and a short one wraps
//! around. `for (unsigned i = 0; i < n; i++)` with a long n, and `for (int i = low; i < n; i++)` with an unsigned
//! one, compare in a type that differs from the variable's. `for (i = n; i-- > 0;)` has its step in the condition,
//! and `for (p = a; p < a + n; p++)` counts with a pointer. Each of these becomes a loop over a counter of 64 bits,
//! from which each iteration computes the variable.

use super::Lowered;
use super::function::Fun;
use super::loops::{Header, is_var};
use super::team::Share;
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Ty};
use crate::clang::fold;
use accl_ir::{
    BinaryOp, Block, Body, Compare, ExprKind as Ir, Handle, Local, Loop, LoopDirective, Stmt, StmtNode,
    TypeKind,
};

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
            (Some(Reason::Falls), _) if seq => LoopForm::Plain,
            (Some(_), true) => LoopForm::Counted,
            (Some(_), false) => LoopForm::Unsuited,
        }
    }

    fn reason(&self, header: &Header<'_>) -> Option<Reason> {
        if header.in_condition.is_some() {
            return Some(Reason::Condition);
        }
        if !self.device {
            return None;
        }
        let ty = header.declared.map(|v| &v.ty).or_else(|| self.vars.get(&header.var).map(|v| &v.ty))?;
        if matches!(*ty.ty, Ty::Pointer { .. }) {
            return Some(Reason::Pointer);
        }
        let Ty::Int { bits, signed } = *ty.ty else { return None };
        let known = |e: &Expr| fold(e).is_some_and(|n| n >= 0);
        let step = header.step.map_or(Some(1), fold).map(|n| if header.subtract { -n } else { n });
        let down = step.map_or(matches!(header.compare, Compare::Gt | Compare::Ge), |n| n < 0);
        if bits < 32 || !signed && down {
            return Some(Reason::Falls);
        }
        let bound = header.bound?;
        match *bound.ty.ty {
            Ty::Int { bits: wide, signed: true } if !signed && wide > bits && !known(bound) => {
                Some(Reason::Compared)
            }
            Ty::Int { signed: false, .. } if signed && !down && !is_never_negative(header.lower) => {
                Some(Reason::Compared)
            }
            _ => None,
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
            let (lower, bound) = match start {
                Some(start) => (f.int(0, long, span), f.distance(start, bound)),
                None => (f.first_value(header, lower), bound),
            };
            let [bound, step] = [bound, step].map(|v| f.convert(v, long, span));
            let step = if header.subtract { f.negated(step) } else { step };
            let name = f.body.locals[var].name.clone();
            let counter = f.temp(&name, long, span);
            let body = f.loop_body(header, counter, [lower, bound], step);
            let (lower, step) = match cyclic {
                Some(share) => f.dealt_bounds(share, lower, step, span)?,
                None => (lower, step),
            };
            let value = match start {
                Some(left) => {
                    let right = f.load_local(counter, span);
                    f.expr(Ir::Binary { op: BinaryOp::Add, left, right }, ty, span)
                }
                None => f.value_of(header, counter, var),
            };
            let set = match header.declared {
                Some(_) => Stmt::Declare { local: var, init: Some(value) },
                None => Stmt::Store { place: f.local_place(var, span), op: None, value },
            };
            let mut body = body;
            sink(&f.body, &mut body, StmtNode { kind: set, span }, var);
            Ok((counter, lower, bound, step, body, var))
        });
        let (effects, (counter, lower, bound, step, body, var)) = lowered?;
        let mut directive = directive;
        if let (None, Some(d)) = (header.declared, &mut directive)
            && !d.private.contains(&var)
        {
            d.private.push(var);
        }
        let compare = match header.compare {
            Compare::Ne if header.subtract => Compare::Gt,
            other => other,
        };
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

    /// The first value as a long. A negative value that is compared as unsigned exceeds every bound.
    fn first_value(&mut self, header: &Header<'_>, lower: Handle<accl_ir::Expr>) -> Handle<accl_ir::Expr> {
        let span = header.span;
        let long = self.cx.module.types.int(64, true);
        let wide = self.convert(lower, long, span);
        if header.in_condition == Some(false) {
            let one = self.int(1, long, span);
            return self.expr(Ir::Binary { op: BinaryOp::Sub, left: wide, right: one }, long, span);
        }
        let unsigned = |e: &Expr| matches!(*e.ty.ty, Ty::Int { signed: false, .. });
        let compared_as_unsigned = header.bound.is_some_and(unsigned) && !is_never_negative(header.lower);
        if !compared_as_unsigned || header.subtract || unsigned(header.lower) {
            return wide;
        }
        let int = self.i32();
        let zero = self.int(0, long, span);
        let most = self.int(1 << 62, long, span);
        let cond = self.expr(Ir::Binary { op: BinaryOp::Lt, left: wide, right: zero }, int, span);
        self.expr(Ir::Select { cond, yes: most, no: wide }, long, span)
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

enum Reason {
    Pointer,
    Falls,
    Compared,
    Condition,
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
