//! `atomic` (OpenACC 3.3 §2.12): one update of one scalar place, with or without capture.

use super::atomic_compare::Replacement;
use super::function::Fun;
use super::{Lowered, Refused, walk};
use crate::ast::{Expr, ExprKind, Stmt as Ast, StmtKind};
use accl_directives::AtomicKind as Kind;
use accl_ir::{
    Atomic, AtomicKind, BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, MathFn, Stmt, Type, TypeKind,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

type Value = Handle<IrExpr>;

/// The update in a statement: what to `place` with what.
pub struct Update<'a> {
    pub place: &'a Expr,
    pub kind: AtomicKind,
    /// `None`: 1, of `++` and `--`.
    pub value: Option<&'a Expr>,
}

/// The usual forms of an update, for messages.
const UPDATES: &str = "`x++`, `x op= value` or `x = x op value`";

impl Fun<'_, '_> {
    pub fn atomic(&mut self, kind: Kind, body: &Ast, at: Span) -> Lowered<()> {
        let [before, after] = self.fences(kind, at);
        if before {
            self.fence(at);
        }
        self.unordered_atomic(kind, body, at)?;
        if after {
            self.fence(at);
        }
        Ok(())
    }

    /// Whether the operation flushes memory before and after it (OpenMP 5.2 §15.8.4, §8.2.1).
    fn fences(&self, kind: Kind, at: Span) -> [bool; 2] {
        let text = self.text(at);
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let said = ORDERS.into_iter().find(|order| words.contains(order));
        match said.unwrap_or_else(|| default_order(self.cx.source.buffer)) {
            "seq_cst" => [true, true],
            "acq_rel" => [kind != Kind::Read, kind != Kind::Write],
            "release" => [true, false],
            "acquire" => [false, true],
            _ => [false, false],
        }
    }

    /// `flush`, and what goes with the order of atomic operations.
    pub fn fence(&mut self, span: Span) {
        let void = self.cx.module.types.void();
        let function = self.cx.device_library(accl_ir::Function::FENCE, void);
        self.emit(Stmt::Call { dest: None, function, args: vec![] }, span);
    }

    fn unordered_atomic(&mut self, kind: Kind, body: &Ast, at: Span) -> Lowered<()> {
        if self.text(at).contains("compare")
            && let Some(replacement) = Replacement::of(body)
        {
            return self.replace(&replacement, body.span);
        }
        match (kind, &single(body).kind) {
            (Kind::Capture, StmtKind::Compound(items)) => match &items[..] {
                [first, second] => self.capture_pair(first, second, at),
                _ => Err(bad_form(
                    "two statements: an update of `x`, and `v = x` before or behind it",
                    body.span,
                    at,
                )),
            },
            (_, StmtKind::Expr(e)) => self.atomic_expr(kind, e, at),
            (Kind::Update, StmtKind::If { cond, then, otherwise: None, .. }) => {
                self.guarded_extremum(cond, then, at)
            }
            _ => Err(bad_form("an assignment", body.span, at)),
        }
    }

    fn atomic_expr(&mut self, kind: Kind, e: &Expr, at: Span) -> Lowered<()> {
        match kind {
            Kind::Read => match assignment(e) {
                Some((target, value)) => {
                    let (place, target) = self.pair(|f| f.place(walk::bare(value)), |f| f.place(target))?;
                    let capture = Some((target, false));
                    self.emit_atomic(AtomicKind::Read, place, None, capture, e.span)
                }
                None => Err(bad_form("`v = x`", e.span, at)),
            },
            Kind::Write => match assignment(e) {
                Some((target, value)) => {
                    let (value, place) = self.pair(|f| f.value(value), |f| f.place(target))?;
                    self.emit_atomic(AtomicKind::Write, place, Some(value), None, e.span)
                }
                None => Err(bad_form("`x = value`", e.span, at)),
            },
            Kind::Update => match update(e) {
                Some(update) => self.emit_update(update, None, e.span),
                None => Err(bad_form(UPDATES, e.span, at)),
            },
            Kind::Capture => self.capture_expr(e, at),
        }
    }

    /// `v = x++`, `v = x += value`, `v = x = x op value`.
    fn capture_expr(&mut self, e: &Expr, at: Span) -> Lowered<()> {
        let Some((target, value)) = assignment(e) else {
            return Err(bad_form("`v = x op= value` or `v = x++`", e.span, at));
        };
        let inner = walk::bare(value);
        let after = !matches!(inner.kind, ExprKind::Step { postfix: true, .. });
        let Some(update) = update(inner) else {
            return Err(bad_form("`v = x op= value` or `v = x++`", e.span, at));
        };
        self.emit_update(update, Some((target, after)), e.span)
    }

    /// `{ v = x; x op= value; }` and `{ x op= value; v = x; }`.
    fn capture_pair(&mut self, first: &Ast, second: &Ast, at: Span) -> Lowered<()> {
        let span = first.span.to(second.span);
        for (read, change, after) in [(first, second, false), (second, first, true)] {
            if let Some(change) = update_in(change)
                && let Some((target, value)) = assigned(read)
                && same_place(walk::bare(value), change.place)
            {
                return self.emit_update(change, Some((target, after)), span);
            }
        }
        // { v = x; x = value; }
        if let (Some((target, old)), Some((place, value))) = (assigned(first), assigned(second))
            && same_place(walk::bare(old), place)
        {
            let same_type = target.ty.ty == place.ty.ty;
            let write = match update_of(target, place, value).filter(|_| same_type) {
                Some(update) => update,
                None => Update { place, kind: AtomicKind::Write, value: Some(value) },
            };
            if [target, place].into_iter().all(|used| write.value.is_none_or(|value| !mentions(value, used)))
            {
                return self.emit_update(write, Some((target, false)), span);
            }
            return Err(bad_form(
                "a value that is computed without `v` and `x`, or `x = v op value`",
                span,
                at,
            ));
        }
        Err(bad_form("`v = x` and an update of `x`, in either order", span, at))
    }

    fn guarded_extremum(&mut self, cond: &Expr, then: &Ast, at: Span) -> Lowered<()> {
        match guarded_update(cond, then) {
            Some(update) => self.emit_update(update, None, then.span),
            None => Err(bad_guard(cond.span.to(then.span), then, at)),
        }
    }

    /// Updates an element of an array that the current loop reduces in place, or what a `scope` reduces.
    pub fn reduced_in_place(&mut self, s: &Ast) -> Lowered<bool> {
        let none = self.updated_in_place.is_empty() && self.combined_by_scopes.is_empty();
        let Some(change) = update_in(s).filter(|_| !none) else { return Ok(false) };
        if matches!(change.place.kind, ExprKind::Var(id, _) if self.combined_by_scopes.contains(&id)) {
            return self.emit_update(change, None, s.span).map(|()| true);
        }
        let base = match &change.place.kind {
            ExprKind::Index { base, .. } => base,
            ExprKind::Member { .. } => change.place,
            _ => return Ok(false),
        };
        if !walk::leads_to(base, &|id| self.updated_in_place.contains(&id)) {
            return Ok(false);
        }
        self.emit_update(change, None, s.span).map(|()| true)
    }

    fn emit_update(&mut self, update: Update<'_>, capture: Option<(&Expr, bool)>, span: Span) -> Lowered<()> {
        if let (None, Some(value), AtomicKind::Update(BinaryOp::Add | BinaryOp::Sub)) =
            (capture, update.value, update.kind)
            && self.is_complex(&update.place.ty)
        {
            return self.update_complex(update.kind, update.place, value, span);
        }
        let places = std::iter::once(update.place).chain(capture.map(|(target, _)| target));
        let value = update.value.map(|value| self.value(value)).transpose()?;
        let values = self.in_order(value.into_iter().collect(), places, |f, place| f.place(place))?;
        let (value, places) = values.split_at(usize::from(value.is_some()));
        let (value, place) = (value.first().copied(), places[0]);
        let capture = capture.map(|(_, after)| (places[1], after));
        let ty = self.ty_of(place);
        let value = match value {
            Some(value) => {
                let to = self.computed_in(update.kind, ty, self.ty_of(value));
                self.convert(value, to, span)
            }
            None if self.cx.module.types.is_float(ty) => self.expr(Ir::Float(1.0), ty, span),
            None => self.int(1, ty, span),
        };
        self.emit_atomic(update.kind, place, Some(value), capture, span)
    }

    /// The type of an update's operand: that of `x`, unless the operation gives another result in the type that C
    /// computes it in. Between floating types the difference is a rounding, which atomic functions may make.
    fn computed_in(&self, kind: AtomicKind, x: Handle<Type>, value: Handle<Type>) -> Handle<Type> {
        let types = &self.cx.module.types;
        let modular = match kind {
            AtomicKind::Update(op) | AtomicKind::ReverseUpdate(op) => match op {
                BinaryOp::Div | BinaryOp::Rem | BinaryOp::LogicalAnd | BinaryOp::LogicalOr => false,
                // The distance has a type of its own.
                BinaryOp::Shl | BinaryOp::Shr => return x,
                _ => true,
            },
            AtomicKind::Read | AtomicKind::Write | AtomicKind::Extremum(_) | AtomicKind::Replace(_) => {
                return x;
            }
        };
        match (types.kind(x), types.kind(value)) {
            (TypeKind::Int { .. }, TypeKind::Float { .. }) => value,
            // Clang has converted it to the common type.
            (TypeKind::Int { .. }, TypeKind::Int { .. }) if !modular => value,
            _ => x,
        }
    }

    pub fn emit_atomic(
        &mut self,
        kind: AtomicKind,
        place: Value,
        value: Option<Value>,
        capture: Option<(Value, bool)>,
        span: Span,
    ) -> Lowered<()> {
        let ty = self.ty_of(place);
        let types = &self.cx.module.types;
        let wide_enough = types.size_of(ty).is_some_and(|s| s <= 8);
        if !types.is_arithmetic(ty) || !wide_enough {
            return Err(Box::new(
                Diagnostic::error(codes::ATOMIC_FORM, "this cannot be updated atomically").label(
                    self.body.exprs[place].span,
                    "must be an integer or floating scalar of 8 bytes at most",
                ),
            ));
        }
        let Some((target, after)) = capture.filter(|(target, _)| self.ty_of(*target) != ty) else {
            self.emit(Stmt::Atomic(Box::new(Atomic { kind, place, value, capture })), span);
            return Ok(());
        };
        // What is captured has the type of `x`; its conversion to that of `v` is no part of the atomic operation.
        let local = self.temp("captured", ty, span);
        self.emit(Stmt::Declare { local, init: None }, span);
        let own = self.expr(Ir::Local(local), ty, span);
        let capture = Some((own, after));
        self.emit(Stmt::Atomic(Box::new(Atomic { kind, place, value, capture })), span);
        let value = self.expr(Ir::Load(own), ty, span);
        let value = self.convert(value, self.ty_of(target), span);
        self.emit(Stmt::Store { place: target, op: None, value }, span);
        Ok(())
    }
}

/// The strongest first.
const ORDERS: [&str; 5] = ["seq_cst", "acq_rel", "release", "acquire", "relaxed"];

/// `requires atomic_default_mem_order(order)`
fn default_order(buffer: &str) -> &str {
    let clause = buffer.split("atomic_default_mem_order").nth(1).unwrap_or("");
    let order = clause.trim_start().strip_prefix('(').unwrap_or("").trim_start();
    ORDERS.into_iter().find(|word| order.starts_with(word)).unwrap_or("relaxed")
}

/// The update that a statement is.
fn update_in(s: &Ast) -> Option<Update<'_>> {
    match &s.kind {
        StmtKind::Expr(e) => update(e),
        StmtKind::If { init: None, cond, then, otherwise: None } => guarded_update(cond, then),
        _ => None,
    }
}

pub fn single(s: &Ast) -> &Ast {
    match &s.kind {
        StmtKind::Compound(items) if items.len() == 1 => single(&items[0]),
        _ => s,
    }
}

fn assigned(s: &Ast) -> Option<(&Expr, &Expr)> {
    match &s.kind {
        StmtKind::Expr(e) => assignment(e),
        _ => None,
    }
}

pub fn assignment(e: &Expr) -> Option<(&Expr, &Expr)> {
    match &e.kind {
        ExprKind::Assign { place, value } => Some((place, value)),
        _ => None,
    }
}

/// `if (x < value) x = value;`
pub fn guarded_update<'a>(cond: &'a Expr, then: &'a Ast) -> Option<Update<'a>> {
    let StmtKind::Expr(body) = &single(then).kind else { return None };
    let (Some((place, value)), ExprKind::Binary { op, left, right }) =
        (assignment(body), &walk::bare(cond).kind)
    else {
        return None;
    };
    let less = match op {
        BinaryOp::Lt | BinaryOp::Le => true,
        BinaryOp::Gt | BinaryOp::Ge => false,
        _ => return None,
    };
    let (left, right, value_bare) = (walk::bare(left), walk::bare(right), walk::bare(value));
    let maximum = if same_place(left, place) && same_value(right, value_bare) {
        less
    } else if same_place(right, place) && same_value(left, value_bare) {
        !less
    } else {
        return None;
    };
    Some(Update { place, kind: AtomicKind::Extremum(extremum(maximum, place)), value: Some(value) })
}

pub fn update(e: &Expr) -> Option<Update<'_>> {
    match &e.kind {
        ExprKind::Step { operand, by, .. } => {
            let op = if *by > 0 { BinaryOp::Add } else { BinaryOp::Sub };
            Some(Update { place: operand, kind: AtomicKind::Update(op), value: None })
        }
        ExprKind::CompoundAssign { op, place, value, .. } => {
            Some(Update { place, kind: AtomicKind::Update(*op), value: Some(value) })
        }
        ExprKind::Assign { place, value } => {
            update_of(place, place, value).or_else(|| match &walk::bare(value).kind {
                ExprKind::Call { callee, args } => extremum_call(place, callee, args),
                ExprKind::Conditional { cond, yes, no } => extremum_choice(place, cond, yes, no),
                _ => None,
            })
        }
        _ => None,
    }
}

/// `x = x op value`, where `old` stands for the `x` on the right.
fn update_of<'a>(old: &Expr, place: &'a Expr, value: &'a Expr) -> Option<Update<'a>> {
    match &walk::bare(value).kind {
        ExprKind::Binary { op, left, right } if is_update(*op) => {
            if same_place(walk::bare(left), old) {
                Some(Update { place, kind: AtomicKind::Update(*op), value: Some(right) })
            } else if same_place(walk::bare(right), old) {
                let kind =
                    if commutes(*op) { AtomicKind::Update(*op) } else { AtomicKind::ReverseUpdate(*op) };
                Some(Update { place, kind, value: Some(left) })
            } else {
                None
            }
        }
        _ => None,
    }
}

fn mentions(value: &Expr, place: &Expr) -> bool {
    let mut found = false;
    walk::within(value, &mut |e| found |= same_place(e, place));
    found
}

/// `x = fmax(x, value)`
fn extremum_call<'a>(place: &'a Expr, callee: &'a Expr, args: &'a [Expr]) -> Option<Update<'a>> {
    let (ExprKind::Function(_, name), [a, b]) = (&walk::bare_function(callee).kind, args) else {
        return None;
    };
    let maximum = match &**name {
        "fmax" | "fmaxf" | "max" => true,
        "fmin" | "fminf" | "min" => false,
        _ => return None,
    };
    let value = if same_place(walk::bare(a), place) {
        b
    } else if same_place(walk::bare(b), place) {
        a
    } else {
        return None;
    };
    Some(Update { place, kind: AtomicKind::Extremum(extremum(maximum, place)), value: Some(value) })
}

/// `x = x > value ? x : value`
fn extremum_choice<'a>(place: &'a Expr, cond: &'a Expr, yes: &'a Expr, no: &'a Expr) -> Option<Update<'a>> {
    let ExprKind::Binary { op, left, right } = &walk::bare(cond).kind else { return None };
    let greater = match op {
        BinaryOp::Gt | BinaryOp::Ge => true,
        BinaryOp::Lt | BinaryOp::Le => false,
        _ => return None,
    };
    let is_place = |e: &Expr| same_place(walk::bare(e), place);
    let value = if is_place(left) { right } else { left };
    let (keeps_first, other) = if is_place(yes) { (true, no) } else { (false, yes) };
    if is_place(left) == is_place(right) || !same_value(walk::bare(value), walk::bare(other)) {
        return None;
    }
    // x > v ? x : v, v < x ? x : v, x < v ? v : x, v > x ? v : x
    let maximum = (greater == is_place(left)) == keeps_first;
    Some(Update { place, kind: AtomicKind::Extremum(extremum(maximum, place)), value: Some(other) })
}

fn extremum(maximum: bool, place: &Expr) -> MathFn {
    match (maximum, &*place.ty.ty) {
        (true, crate::ast::Ty::Float { .. }) => MathFn::Fmax,
        (false, crate::ast::Ty::Float { .. }) => MathFn::Fmin,
        (true, _) => MathFn::Max,
        (false, _) => MathFn::Min,
    }
}

fn is_update(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr) || !super::expr::is_comparison(op)
}

fn commutes(op: BinaryOp) -> bool {
    use BinaryOp::{Add, BitAnd, BitOr, BitXor, LogicalAnd, LogicalOr, Mul};
    matches!(op, Add | Mul | BitAnd | BitOr | BitXor | LogicalAnd | LogicalOr)
}

/// Whether two expressions denote the same object, as far as their form tells.
pub fn same_place(a: &Expr, b: &Expr) -> bool {
    same_value(a, b)
}

fn same_value(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Cast { kind: k, operand: c }, ExprKind::Cast { kind: l, operand: d }) => {
            k == l && a.ty.ty == b.ty.ty && same_value(c, d)
        }
        (ExprKind::Var(a, _), ExprKind::Var(b, _)) => a == b,
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::Float(a), ExprKind::Float(b)) => a == b,
        (ExprKind::This, ExprKind::This) => true,
        (ExprKind::Deref(a), ExprKind::Deref(b)) => same_value(a, b),
        (ExprKind::Index { base: a, index: i }, ExprKind::Index { base: b, index: j }) => {
            same_value(a, b) && same_value(i, j)
        }
        (ExprKind::Member { base: a, member: m, .. }, ExprKind::Member { base: b, member: n, .. }) => {
            m == n && same_value(a, b)
        }
        (ExprKind::Binary { op: o, left: a, right: b }, ExprKind::Binary { op: p, left: c, right: d }) => {
            o == p && same_value(a, c) && same_value(b, d)
        }
        (ExprKind::Unary { op: o, operand: a }, ExprKind::Unary { op: p, operand: b }) => {
            o == p && same_value(a, b)
        }
        (ExprKind::Call { callee: f, args: a }, ExprKind::Call { callee: g, args: b }) => {
            walk::callee(f).is_some()
                && walk::callee(f) == walk::callee(g)
                && a.len() == b.len()
                && a.iter().zip(b).all(|(a, b)| same_value(a, b))
        }
        _ => false,
    }
}

fn bad_form(expected: &str, span: Span, at: Span) -> Refused {
    Box::new(
        Diagnostic::error(codes::ATOMIC_FORM, "this statement cannot be atomic")
            .label(span, format!("expected {expected}"))
            .label(at, "required by this directive")
            .with_note("see OpenACC 3.3 §2.12"),
    )
}

/// `if` with something else than the smaller or larger of two values.
fn bad_guard(span: Span, then: &Ast, at: Span) -> Refused {
    let refused = bad_form(&format!("{UPDATES}; or `if (x < value) x = value;`"), span, at);
    match &single(then).kind {
        StmtKind::Expr(e) if update(e).is_some() => {
            Box::new(refused.with_help("move the directive into the `if`, directly before the update"))
        }
        _ => refused,
    }
}
