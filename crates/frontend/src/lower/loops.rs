//! Canonical loops (OpenACC 3.3 §2.9): `for (var = lower; var cmp bound; var += step)`.
//!
//! A canonical loop becomes a [`Loop`], with or without a directive; any other loop becomes a `While`. A directive
//! requires a canonical loop, and the message says what is missing.

use super::counted::{self, LoopForm};
use super::expr::unsupported;
use super::function::{Binding, Fun};
use super::iteration_copies::IterationCopies;
use super::team::Share;
use super::{Lowered, Refused, force, host_container, walk};
use crate::ast::{DeclId, Expr, ExprKind, Stmt as Ast, StmtKind, Ty, Var};
use crate::clang::fold;
use accl_directives::{Clause, ClauseKind, Collapse, DeviceKind, Sentinel};
use accl_ir::{
    BinaryOp, Block, Compare, Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind, Loop, LoopDirective,
    Stmt, TypeKind, UnaryOp,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

/// The parts of a canonical loop, in the source's terms.
pub struct Header<'a> {
    pub var: DeclId,
    /// Declared in the header.
    pub declared: Option<&'a Var>,
    pub lower: &'a Expr,
    pub compare: Compare,
    /// `None`: 0.
    pub bound: Option<&'a Expr>,
    /// `None`: 1.
    pub step: Option<&'a Expr>,
    /// `-=`, `--`.
    pub subtract: bool,
    /// The condition counts down: `i-- > 0` (true), `--i >= 0` (false).
    pub in_condition: Option<bool>,
    /// The variable, without a sign, passes an end of its type before it meets the bound: `i != -1u` counting down.
    pub wraps: bool,
    pub body: &'a Ast,
    pub span: Span,
}

/// Why a loop is not canonical.
pub struct NotCanonical {
    reason: String,
    span: Span,
    /// The reason, with the location `span`.
    label: &'static str,
    /// Another location that matters for it.
    other: Option<(Span, &'static str)>,
    /// The standards allow such a loop.
    valid: bool,
}

fn not(reason: impl Into<String>, span: Span) -> NotCanonical {
    NotCanonical { reason: reason.into(), span, label: "", other: None, valid: false }
}

impl Fun<'_, '_> {
    /// A `for` of device code, with the directive that stands on it.
    pub fn for_stmt(&mut self, s: &Ast, directive: Option<LoopDirective>) -> Lowered<()> {
        if directive.is_some() {
            return self.directed_loop(s, directive);
        }
        if self.try_canonical(s)? {
            return Ok(());
        }
        self.plain_for(s)
    }

    fn plain_for(&mut self, s: &Ast) -> Lowered<()> {
        let StmtKind::For { init, cond, step, body } = &s.kind else {
            return Err(unsupported("this loop", s.span));
        };
        let (block, ()) = self.try_block(|f| {
            init.iter().for_each(|s| f.stmt(s));
            f.while_loop(cond.as_ref(), step.as_ref(), &[body], false, s.span)
        })?;
        match init {
            Some(_) => self.emit(Stmt::Block(block), s.span),
            None => self.blocks.last_mut().into_iter().for_each(|b| b.extend(block.clone())),
        }
        Ok(())
    }

    /// Lowers the loop if it is canonical and nothing leaves it early.
    pub fn try_canonical(&mut self, s: &Ast) -> Lowered<bool> {
        let is_joined = self.joined_loops.contains(&s.span.start);
        let Ok(header) = self.header(s, is_joined) else { return Ok(false) };
        if walk::leaves_loop(header.body, self.cx.source.buffer).is_some() {
            return Ok(false);
        }
        let form = self.form(&header, None);
        if form == LoopForm::Unsuited {
            return Ok(false);
        }
        // In host code a bound that IR cannot express leaves the loop as text.
        match self.canonical(&header, None, form) {
            Ok(()) => Ok(true),
            Err(_) if !self.device => Ok(false),
            Err(refused) => Err(refused),
        }
    }

    fn directed_loop(&mut self, s: &Ast, directive: Option<LoopDirective>) -> Lowered<()> {
        let seq = directive.as_ref().is_some_and(|d| d.seq);
        let at = directive.as_ref().map_or(Span::NOWHERE, |d| d.span);
        let header = match self.header(s, true) {
            Ok(header) => header,
            // A sequential loop may have any form; what the directive says about it is true in any case.
            Err(_) if seq => return self.plain_for(s),
            Err(reason) => return Err(refuse_form(&reason, at)),
        };
        if let Some(diagnostic) = self.leaves_loop(header.body, header.span) {
            if seq {
                return self.plain_for(s);
            }
            return Err(Box::new(diagnostic));
        }
        let mut directive = directive;
        let depth = directive.as_ref().map_or(1, |d| d.collapse.max(d.tile.len() as u32));
        let joined = match self.check_nest(&header, depth, at) {
            Err(_) if self.is_openmp(at) && loops_in(header.body) + 1 >= depth => {
                self.last_values_of_rows(s, depth)?;
                let (depth, joined) = self.tight_part(&header, depth, at);
                directive.iter_mut().for_each(|d| d.collapse = depth);
                self.join_fewer(s, depth);
                joined
            }
            checked => checked?,
        };
        let openmp = self.is_openmp(at);
        self.joined_loops.extend(&joined);
        match self.form(&header, directive.as_ref()) {
            LoopForm::Unsuited => self.plain_for(s),
            form => {
                self.canonical(&header, directive, form)?;
                let emitted =
                    self.blocks.last_mut().into_iter().flatten().rfind(|n| n.span.start == header.span.start);
                if let Some(Stmt::For(l)) = emitted.map(|n| &mut n.kind) {
                    force::sink(&mut l.body, &joined);
                    if openmp && let Some(directive) = &mut l.directive {
                        directive.collapse = directive.collapse.min(1 + tight_loops(&l.body));
                    }
                }
                Ok(())
            }
        }
    }

    /// Loops with statements between them, or whose bounds differ (OpenMP 5.2 §4.4.1, §4.4.2): as many as stand directly in one
    /// another are joined, and each of their iterations runs the others. Also where the inner loops begin.
    pub fn tight_part(&mut self, outer: &Header<'_>, depth: u32, at: Span) -> (u32, Vec<u32>) {
        let joined = (1..depth).rev().find_map(|n| Some((n, self.check_nest(outer, n, at).ok()?)));
        joined.unwrap_or((1, vec![]))
    }

    /// The rows of a nest whose inner loops depend on the outer ones may be empty, so its last iteration need not be in the last.
    pub fn last_values_of_rows(&mut self, nest: &Ast, depth: u32) -> Lowered<()> {
        let leaves = |copies: &IterationCopies| !copies.last.is_empty() || !copies.counters.is_empty();
        if !self.iteration_copies.as_deref().is_some_and(leaves) {
            return Ok(());
        }
        let Some((name, span)) = self.uneven_bound(nest, depth) else { return Ok(()) };
        let message = format!("last values where a bound depends on `{name}` are not implemented");
        Err(Box::new(Diagnostic::error(codes::UNSUPPORTED, message).at(span)))
    }

    /// The first bound among so many loops of the nest that depends on a loop around it, and the name of that one's variable.
    pub fn uneven_bound(&mut self, nest: &Ast, depth: u32) -> Option<(String, Span)> {
        let (mut at, mut vars) = (Some(nest), vec![]);
        for _ in 0..depth {
            let Some(Ok(header)) = at.map(|s| self.header(s, true)) else { break };
            if let Some(found) = depends_on(&header, &vars) {
                return Some(found);
            }
            vars.push(header.var);
            at = first_loop(header.body);
        }
        None
    }

    pub fn is_openmp(&self, directive: Span) -> bool {
        self.cx.pragma_at(directive).is_some_and(|p| p.directive.origin == Sentinel::Omp)
    }

    /// `collapse(n)` and `tile` need n loops with nothing between them (§2.9.1), except with `force`. Returns where
    /// the inner loops begin.
    fn check_nest(&mut self, outer: &Header<'_>, depth: u32, at: Span) -> Lowered<Vec<u32>> {
        let mut vars = vec![outer.var];
        let mut body = outer.body;
        let mut joined = vec![];
        for level in 1..depth {
            let inner = loop {
                match &body.kind {
                    StmtKind::Compound(items) if items.len() == 1 => body = &items[0],
                    StmtKind::For { .. } => break body,
                    StmtKind::Directed { body: Some(inner), .. } => body = inner,
                    _ => match force::around_loop(body).filter(|_| self.forces(at)) {
                        Some((inner, between)) => {
                            let clause = self.joining_clause(at);
                            let cx = &mut *self.cx;
                            let mut pure = |id| cx.function_decl(id).is_none() || cx.pure(id);
                            force::check(&between, inner, clause, &mut pure)?;
                            vars.extend(force::set_between(&between));
                            body = inner;
                        }
                        None => return Err(not_nested(level, depth, body, self.joining_clause(at))),
                    },
                }
            };
            let header = self.header(inner, true).map_err(|reason| refuse_form(&reason, at))?;
            if let Some(diagnostic) = self.leaves_loop(header.body, header.span) {
                return Err(Box::new(diagnostic));
            }
            if let Some((name, span)) = depends_on(&header, &vars) {
                return Err(not_rectangular(&name, span, self.joining_clause(at)));
            }
            vars.push(header.var);
            joined.push(header.span.start);
            body = header.body;
        }
        Ok(joined)
    }

    /// The directive there has `collapse(force: n)`.
    fn forces(&self, directive: Span) -> bool {
        let pragma = self.cx.pragma_at(directive);
        let collapse = pragma.and_then(|p| p.directive.clauses_for(DeviceKind::Cuda).levels.collapse);
        collapse.is_some_and(|Collapse { force, count: _ }| *force)
    }

    /// The clause that joins loops, on the directive of this loop.
    fn joining_clause(&self, directive: Span) -> Span {
        let pragma = self.cx.pragma_at(directive);
        let joins = |c: &&Clause| matches!(c.kind, ClauseKind::Collapse(_) | ClauseKind::Tile(_));
        pragma.and_then(|p| p.directive.clauses.iter().find(joins)).map_or(directive, |c| c.span)
    }

    /// Divides a `for` into its parts. `trusted`: a directive asserts that the number of iterations is fixed.
    pub fn header<'a>(&mut self, s: &'a Ast, trusted: bool) -> Result<Header<'a>, NotCanonical> {
        let StmtKind::For { init, cond, step, body } = &s.kind else {
            return Err(not("it is not a for loop", s.span));
        };
        let init =
            init.as_deref().ok_or_else(|| not("it does not initialise a variable", s.span.at_start()))?;
        let (var, declared, lower) = initial(init)?;
        let cond = cond.as_ref().ok_or_else(|| not("it has no condition", s.span.at_start()))?;
        let falling = step.is_none().then(|| counted::falling(cond, var)).flatten();
        let (compare, bound, at, amount, subtract) = match (&falling, step) {
            (Some(f), _) => (f.compare, f.bound, cond.span, None, true),
            (None, Some(step)) => {
                let (compare, bound) = condition(cond, var)?;
                let (amount, subtract) = step_of(step, var)?;
                (compare, Some(bound), step.span, amount, subtract)
            }
            (None, None) => {
                condition(cond, var)?;
                return Err(not("it has no step", s.span.at_start()));
            }
        };
        if let Some(e) = bound.into_iter().chain(amount).find(|e| matches!(&*e.ty.ty, Ty::Float { .. })) {
            return Err(not("its bound or step is a floating-point number", e.span));
        }
        // The host's loops are counted in signed numbers of 64 bits.
        let beyond = |e: &&Expr| !self.device && fold(e).is_some_and(|n| i64::try_from(n).is_err());
        if let Some(e) = [Some(lower), bound].into_iter().flatten().find(beyond) {
            let reason = not("it counts to numbers of more than 63 bits", e.span);
            return Err(NotCanonical { valid: true, ..reason });
        }
        let text = self.text(Span { end: body.span.start, ..s.span });
        let span = Span { end: s.span.start + text.trim_end().len() as u32, ..s.span };
        let meets = compare == Compare::Ne;
        let compare = match (compare, amount.map_or(Some(1), fold)) {
            // The loop ends only when it meets the bound, so until then it is on the near side of it, or `wraps`.
            (Compare::Ne, Some(by)) if (by > 0) != subtract => Compare::Lt,
            (Compare::Ne, Some(_)) => Compare::Gt,
            (other, _) => other,
        };
        let in_condition = falling.map(|f| f.after);
        let step = amount;
        let wraps = false;
        let mut header =
            Header { var, declared, lower, compare, bound, step, subtract, in_condition, wraps, body, span };
        header.wraps = meets && self.wraps(&header);
        check_direction(&header, at)?;
        self.check_invariant(&header, trusted)?;
        Ok(header)
    }

    fn check_invariant(&mut self, header: &Header<'_>, trusted: bool) -> Result<(), NotCanonical> {
        let cx = &mut *self.cx;
        let mut called = walk::called(header.body);
        called.retain(|id| cx.function_decl(*id).is_none() || cx.pure(*id));
        let mut only_reads = |callee: &Expr, args: &[Expr], n: usize| cx.only_reads_argument(callee, args, n);
        let writes = walk::writes_but(header.body, &mut |id| called.contains(&id), &mut only_reads);
        let changed = writes.vars.contains(&header.var);
        if changed && is_untold(header.body) {
            let reason = not("what its body calls depends on the arguments of a generic lambda", header.span);
            return Err(NotCanonical { valid: true, ..reason });
        }
        if changed {
            let at = walk::first_write(header.body, header.var).unwrap_or(header.span);
            let other = (at != header.span).then_some((header.span, "this loop's variable"));
            let reason = not("its body changes the loop variable", at);
            return Err(NotCanonical { label: "changed here", other, ..reason });
        }
        if header.declared.is_none() && !self.vars.contains_key(&header.var) {
            return Err(not("its variable is not a local one", header.span));
        }
        let in_region = self.region;
        // The distance to the bound is counted from where a pointer starts.
        let start = Some(header.lower).filter(|e| is_pointer(e));
        for part in [header.bound, header.step, start].into_iter().flatten() {
            let mut reason = None;
            let mut other = None;
            walk::within(part, &mut |e| {
                let why = match &e.kind {
                    ExprKind::Var(id, name) if *id == header.var => {
                        Some(format!("its bound or step depends on `{name}`, its own variable"))
                    }
                    // An address in an array does not depend on its elements.
                    ExprKind::Var(..) if is_pointer(part) && holds_no_pointers(&e.ty.ty) => None,
                    // A construct does not change a container of the host.
                    ExprKind::Var(..) if in_region && host_container::has_data(&e.ty) => None,
                    // A method of the object may only use it: the directive says that the bound stays.
                    ExprKind::Var(id, _)
                        if trusted
                            && matches!(*e.ty.referred().ty, Ty::Record(_))
                            && !walk::assigns(header.body, *id) =>
                    {
                        None
                    }
                    ExprKind::Var(id, name) if writes.vars.contains(id) => {
                        other = walk::first_write(header.body, *id).map(|at| (at, "changed here"));
                        Some(format!("its body changes `{name}`, on which its bound or step depends"))
                    }
                    ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } | ExprKind::Step { .. } => {
                        Some("its bound or step has side effects".into())
                    }
                    ExprKind::Call { .. } if !trusted && writes.calls => {
                        Some("its bound is computed by a call".into())
                    }
                    ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Member { .. }
                        if !trusted && (writes.calls || writes.memory.contains(&e.ty.ty)) =>
                    {
                        Some("its bound is read from memory that its body may change".into())
                    }
                    _ => None,
                };
                if let Some(why) = why {
                    reason.get_or_insert(why);
                }
            });
            if let Some(reason) = reason {
                return Err(NotCanonical { other, ..not(reason, part.span) });
            }
        }
        Ok(())
    }

    fn canonical(
        &mut self,
        header: &Header<'_>,
        directive: Option<LoopDirective>,
        form: LoopForm,
    ) -> Lowered<()> {
        if form == LoopForm::Counted {
            return self.counted(header, directive);
        }
        let share = self.share.take();
        let directive = Share::directive(share.as_ref(), directive);
        let cyclic = share.as_ref().filter(|share| share.is_cyclic());
        let lowered = self.try_block(|f| {
            let (effects, lower) = f.try_block(|f| f.value(header.lower))?;
            if let Some(current) = f.blocks.last_mut() {
                current.extend(effects);
            }
            let int = f.i32();
            let bound = match header.bound {
                Some(bound) => f.value(bound)?,
                None => f.int(0, int, header.span),
            };
            let step = match header.step {
                Some(step) => f.value(step)?,
                None => f.int(1, int, header.span),
            };
            let var = f.loop_variable(header)?;
            let ty = f.body.locals[var].ty;
            let [lower, bound, step] = [lower, bound, step].map(|v| f.convert(v, ty, header.span));
            let step = if header.subtract { f.negated(step) } else { step };
            let body = f.loop_body(header, var, header.compare, [lower, bound, step]);
            let (lower, step) = match cyclic {
                Some(share) => f.dealt_bounds(share, lower, step, header.span)?,
                None => (lower, step),
            };
            Ok((var, lower, bound, step, body))
        });
        let (effects, (var, lower, bound, step, body)) = lowered?;
        let canonical = Loop {
            var,
            declared_here: header.declared.is_some(),
            lower,
            compare: header.compare,
            bound,
            step,
            body,
            directive,
            levels: None,
        };
        self.emit_dealt(share.as_ref(), effects, canonical, header.span.to(header.body.span))
    }

    pub fn loop_variable(&mut self, header: &Header<'_>) -> Lowered<Handle<Local>> {
        let var = match header.declared {
            Some(var) => self.declare(var, LocalKind::Auto),
            None => match self.vars.get(&header.var).map(|v| (v.binding, v.ty.is_reference())) {
                Some((Binding::Local(local), false)) => local,
                _ => return Err(unsupported("a loop variable that is not a local one", header.span)),
            },
        };
        match self.cx.module.types.kind(self.body.locals[var].ty) {
            TypeKind::Int { .. } => Ok(var),
            TypeKind::Pointer { .. } if self.device => Ok(var),
            _ => Err(unsupported("a loop variable that is no integer", header.span)),
        }
    }

    pub fn emit_loop(&mut self, effects: Block, mut canonical: Loop, span: Span) {
        if let Some(directive) = &mut canonical.directive {
            self.join_dimensions(directive, &mut canonical.body);
        }
        if let Some(current) = self.blocks.last_mut() {
            current.extend(effects);
        }
        self.emit(Stmt::For(Box::new(canonical)), span);
    }

    pub fn negated(&mut self, value: Handle<IrExpr>) -> Handle<IrExpr> {
        let (ty, span) = (self.ty_of(value), self.body.exprs[value].span);
        match (&self.body.exprs[value].kind, self.cx.module.types.kind(ty)) {
            // An unsigned variable counts down by adding a large number, which is read as a negative step.
            (Ir::Int(v), _) => {
                let minus = -*v;
                self.int(minus, ty, span)
            }
            _ => self.expr(Ir::Unary { op: UnaryOp::Neg, operand: value }, ty, span),
        }
    }
}

fn initial(init: &Ast) -> Result<(DeclId, Option<&Var>, &Expr), NotCanonical> {
    match &init.kind {
        StmtKind::Decl(vars) => match &vars[..] {
            [var] => match &var.init {
                Some(lower) if can_count(&var.ty.ty) => Ok((var.id, Some(var), lower)),
                Some(_) => {
                    let valid = matches!(*var.ty.ty, Ty::Record(_) | Ty::Opaque(_));
                    let reason =
                        not(format!("its variable `{}` is no integer or pointer", var.name), var.span);
                    Err(NotCanonical { valid, ..reason })
                }
                None => Err(not(format!("it does not initialise `{}`", var.name), var.span)),
            },
            _ => Err(not("it declares more than one variable", init.span)),
        },
        StmtKind::Expr(Expr { kind: ExprKind::Assign { place, value }, .. }) => match &place.kind {
            ExprKind::Var(id, _) if can_count(&place.ty.ty) => Ok((*id, None, value)),
            ExprKind::Var(_, name) => {
                Err(not(format!("its variable `{name}` is no integer or pointer"), place.span))
            }
            _ => Err(not("what it initialises is no variable", place.span)),
        },
        _ => Err(not("it does not initialise one variable", init.span)),
    }
}

/// Loops count with integers and with pointers (OpenACC 3.3 §2.9).
fn can_count(ty: &Ty) -> bool {
    matches!(ty, Ty::Int { .. } | Ty::Pointer { .. })
}

/// Only instances of a generic lambda have the types of what is used here.
pub fn is_untold(body: &Ast) -> bool {
    let mut untold = false;
    walk::exprs(body, &mut |e| {
        untold |= matches!(&*e.ty.ty, Ty::Opaque(text) if matches!(&**text, "<dependent type>" | "auto"))
    });
    // Nor has a generic lambda that nothing calls.
    walk::exprs(body, &mut |e| untold &= !matches!(&e.kind, ExprKind::Lambda(l) if l.calls.is_empty()));
    untold
}

fn is_pointer(e: &Expr) -> bool {
    matches!(*e.ty.ty, Ty::Pointer { .. })
}

fn holds_no_pointers(array: &Ty) -> bool {
    match array {
        Ty::Array { of, .. } => {
            matches!(&*of.ty, Ty::Int { .. } | Ty::Float { .. }) || holds_no_pointers(&of.ty)
        }
        _ => false,
    }
}

pub fn is_var(e: &Expr, var: DeclId) -> bool {
    matches!(&walk::bare(e).kind, ExprKind::Var(id, _) if *id == var)
}

fn condition(cond: &Expr, var: DeclId) -> Result<(Compare, &Expr), NotCanonical> {
    let cond = match &cond.kind {
        ExprKind::Cast { operand, .. } => operand,
        _ => cond,
    };
    let ExprKind::Binary { op, left, right } = &cond.kind else {
        return Err(not("its condition is no comparison", cond.span));
    };
    let compare = match op {
        BinaryOp::Lt => Compare::Lt,
        BinaryOp::Le => Compare::Le,
        BinaryOp::Gt => Compare::Gt,
        BinaryOp::Ge => Compare::Ge,
        BinaryOp::Ne => Compare::Ne,
        _ => return Err(not("its condition is not `<`, `<=`, `>`, `>=` or `!=`", cond.span)),
    };
    if is_var(left, var) {
        return Ok((compare, right));
    }
    if is_var(right, var) {
        return Ok((mirrored(compare), left));
    }
    Err(not("its condition does not compare the loop variable with a bound", cond.span))
}

fn mirrored(compare: Compare) -> Compare {
    match compare {
        Compare::Lt => Compare::Gt,
        Compare::Le => Compare::Ge,
        Compare::Gt => Compare::Lt,
        Compare::Ge => Compare::Le,
        Compare::Ne => Compare::Ne,
    }
}

/// The amount of the step, and whether it is subtracted.
fn step_of(step: &Expr, var: DeclId) -> Result<(Option<&Expr>, bool), NotCanonical> {
    let complaint =
        || not("its step is not of the form `i++`, `i--`, `i += c`, `i -= c` or `i = i + c`", step.span);
    match &step.kind {
        ExprKind::Step { operand, by, .. } if is_var(operand, var) => Ok((None, *by < 0)),
        ExprKind::CompoundAssign { op, place, value, .. } if is_var(place, var) => match op {
            BinaryOp::Add => Ok((Some(value), false)),
            BinaryOp::Sub => Ok((Some(value), true)),
            _ => Err(complaint()),
        },
        ExprKind::Assign { place, value } if is_var(place, var) => match &walk::bare(value).kind {
            ExprKind::Binary { op: BinaryOp::Add, left, right } if is_var(left, var) => {
                Ok((Some(right), false))
            }
            ExprKind::Binary { op: BinaryOp::Add, left, right } if is_var(right, var) => {
                Ok((Some(left), false))
            }
            ExprKind::Binary { op: BinaryOp::Sub, left, right } if is_var(left, var) => {
                Ok((Some(right), true))
            }
            _ => Err(complaint()),
        },
        _ => Err(complaint()),
    }
}

fn check_direction(header: &Header<'_>, at: Span) -> Result<(), NotCanonical> {
    let Some(amount) = header.step.map_or(Some(1), fold) else { return Ok(()) };
    let amount = if header.subtract { -amount } else { amount };
    match (header.compare, amount) {
        (_, 0) => Err(not("its step is zero", at)),
        (Compare::Lt | Compare::Le, ..0) => {
            Err(not("it counts down, but its condition bounds it from above", at))
        }
        (Compare::Gt | Compare::Ge, 1..) => {
            Err(not("it counts up, but its condition bounds it from below", at))
        }
        _ => Ok(()),
    }
}

/// How many loops are all that the block, and each of them, consists of.
fn tight_loops(block: &Block) -> u32 {
    match &block[..] {
        [one] => match &one.kind {
            Stmt::For(inner) => 1 + tight_loops(&inner.body),
            Stmt::Block(inner) => tight_loops(inner),
            _ => 0,
        },
        _ => 0,
    }
}

/// How many loops stand in one another.
fn loops_in(s: &Ast) -> u32 {
    let inside = walk::children(s).into_iter().map(loops_in).max().unwrap_or(0);
    inside + u32::from(matches!(s.kind, StmtKind::For { .. }))
}

fn refuse_form(reason: &NotCanonical, at: Span) -> Refused {
    let message = format!("the loop cannot be parallelised: {}", reason.reason);
    let span = if reason.span.is_nowhere() { at } else { reason.span };
    let code = if reason.valid { codes::NOT_IMPLEMENTED } else { codes::NOT_CANONICAL };
    let mut diagnostic = Diagnostic::error(code, message).label(span, reason.label);
    if let Some((span, label)) = reason.other {
        diagnostic = diagnostic.label(span, label);
    }
    Box::new(
        diagnostic
            .with_note(
                "a loop directive needs `for (i = first; i < last; i += step)`, with an integer or pointer i that the \
                 body does not change, so that the number of iterations is known before the first",
            )
            .with_help("bring the loop into this form, or add `seq`: then its iterations run in order"),
    )
}

/// `clause` joins `depth` loops, but `body`, the body of the loop at `level`, is not the next loop.
fn not_nested(level: u32, depth: u32, body: &Ast, clause: Span) -> Refused {
    let found = if level == 1 { "only 1 is".to_owned() } else { format!("only {level} are") };
    let message = format!("{depth} loops are to be joined, but {found} tightly nested");
    let items = match &body.kind {
        StmtKind::Compound(items) => &items[..],
        _ => std::slice::from_ref(body),
    };
    let is_loop =
        |s: &&Ast| matches!(s.kind, StmtKind::For { .. } | StmtKind::Directed { body: Some(_), .. });
    let (at, label) =
        match (items.iter().find(|s| !is_loop(s)), items.get(1), items.iter().any(|s| is_loop(&s))) {
            (Some(between), _, true) => (between.span, "stands between the loops"),
            (Some(other), _, false) => (other.span, "expected a `for` loop in place of this"),
            (None, Some(second), _) => (second.span, "a second loop beside the first"),
            (None, None, _) => (body.span, "expected a `for` loop here"),
        };
    Box::new(
        Diagnostic::error(codes::NOT_NESTED, message)
            .label(at, label)
            .label(clause, "joins the loops")
            .with_note("joined loops stand directly in one another (OpenACC 3.3 §2.9.1)")
            .with_help("move what stands between the loops into the inner one, or join fewer loops"),
    )
}

/// Which of the variables a loop's bounds use, and where.
fn depends_on(header: &Header<'_>, vars: &[DeclId]) -> Option<(String, Span)> {
    let mut uses = None;
    for bound in [Some(header.lower), header.bound, header.step].into_iter().flatten() {
        walk::within(bound, &mut |e| match &e.kind {
            ExprKind::Var(id, name) if vars.contains(id) => uses = Some((name.to_string(), bound.span)),
            _ => {}
        });
    }
    uses
}

/// The first loop in a statement.
pub fn first_loop(s: &Ast) -> Option<&Ast> {
    match s.kind {
        StmtKind::For { .. } => Some(s),
        _ => walk::children(s).into_iter().find_map(first_loop),
    }
}

fn not_rectangular(name: &str, span: Span, clause: Span) -> Refused {
    let message = format!("loops cannot be joined: a bound depends on `{name}`, which changes outside");
    Box::new(
        Diagnostic::error(codes::NOT_NESTED, message)
            .label(span, format!("depends on `{name}`"))
            .label(clause, "joins the loops")
            .with_note(
                "joined loops have as many iterations in each round of the outer one (OpenACC 3.3 §2.9.1)",
            )
            .with_help("join fewer loops, or let the inner one run over all values with an `if` inside"),
    )
}
