//! Walks over the tree, and functions that tell what it writes.

use super::math::writes_memory;
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Stmt, StmtKind, Ty, Var};
use accl_source::Span;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Operands, to be changed.
pub fn operands_mut(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::Var(..)
        | ExprKind::Function(..)
        | ExprKind::DefaultArg
        | ExprKind::SizeOf(_)
        | ExprKind::AlignOf(_)
        | ExprKind::Zero
        | ExprKind::This
        | ExprKind::Lambda(_)
        | ExprKind::OffsetOf(..)
        | ExprKind::Statements(_)
        | ExprKind::Unsupported(..) => vec![],
        ExprKind::Member { base: e, .. }
        | ExprKind::Deref(e)
        | ExprKind::AddrOf(e)
        | ExprKind::Unary { operand: e, .. }
        | ExprKind::Step { operand: e, .. }
        | ExprKind::Cast { operand: e, .. } => vec![e],
        ExprKind::Index { base: a, index: b }
        | ExprKind::Binary { left: a, right: b, .. }
        | ExprKind::Comma(a, b)
        | ExprKind::Assign { place: a, value: b }
        | ExprKind::CompoundAssign { place: a, value: b, .. } => vec![a, b],
        ExprKind::Conditional { cond, yes, no } => vec![cond, yes, no],
        ExprKind::Call { callee, args } => std::iter::once(&mut **callee).chain(args).collect(),
        ExprKind::InitList(items) | ExprKind::Construct { args: items, .. } => items.iter_mut().collect(),
    }
}

/// Direct substatements.
pub fn children(stmt: &Stmt) -> Vec<&Stmt> {
    match &stmt.kind {
        StmtKind::Compound(items) | StmtKind::Unsupported(_, items) => items.iter().collect(),
        StmtKind::If { init, then, otherwise, .. } => {
            init.iter().chain([then]).chain(otherwise).map(|b| &**b).collect()
        }
        StmtKind::For { init, body, .. } => init.iter().chain([body]).map(|b| &**b).collect(),
        StmtKind::RangeFor { setup, var, body, .. } => setup.iter().chain([&**var, &**body]).collect(),
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default(body)
        | StmtKind::Label(body)
        | StmtKind::Directed { body: Some(body), .. } => vec![body],
        StmtKind::Decl(_)
        | StmtKind::Expr(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Null
        | StmtKind::Goto
        | StmtKind::Directed { body: None, .. } => vec![],
    }
}

/// The same for those that may be changed.
pub fn children_mut(stmt: &mut Stmt, visit: &mut dyn FnMut(&mut Stmt)) {
    match &mut stmt.kind {
        StmtKind::Compound(items) | StmtKind::Unsupported(_, items) => items.iter_mut().for_each(visit),
        StmtKind::If { init, then, otherwise, .. } => {
            init.iter_mut().chain([then]).chain(otherwise).for_each(|s| visit(s))
        }
        StmtKind::For { init, body, .. } => init.iter_mut().chain([body]).for_each(|s| visit(s)),
        StmtKind::RangeFor { setup, var, body, .. } => {
            setup.iter_mut().for_each(&mut *visit);
            [var, body].into_iter().for_each(|s| visit(s));
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default(body)
        | StmtKind::Label(body)
        | StmtKind::Directed { body: Some(body), .. } => visit(body),
        StmtKind::Decl(_)
        | StmtKind::Expr(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Null
        | StmtKind::Goto
        | StmtKind::Directed { body: None, .. } => {}
    }
}

/// Whether it has a `return`.
pub fn returns(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Return(_)) || children(stmt).into_iter().any(returns)
}

/// Whether a jump may lead into the statement.
pub fn has_labels(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Label(_) | StmtKind::Case { .. } | StmtKind::Default(_))
        || children(stmt).into_iter().any(has_labels)
}

pub fn own_exprs(stmt: &Stmt) -> Vec<&Expr> {
    match &stmt.kind {
        StmtKind::Expr(e)
        | StmtKind::If { cond: e, .. }
        | StmtKind::While { cond: e, .. }
        | StmtKind::DoWhile { cond: e, .. }
        | StmtKind::Switch { value: e, .. }
        | StmtKind::Return(Some(e)) => vec![e],
        StmtKind::For { cond, step, .. } => cond.iter().chain(step).collect(),
        StmtKind::RangeFor { cond, step, .. } => vec![cond, step],
        StmtKind::Decl(vars) => vars.iter().filter_map(|v| v.init.as_ref()).collect(),
        StmtKind::Compound(_)
        | StmtKind::Case { .. }
        | StmtKind::Default(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None)
        | StmtKind::Null
        | StmtKind::Goto
        | StmtKind::Label(_)
        | StmtKind::Unsupported(..)
        | StmtKind::Directed { .. } => vec![],
    }
}

/// The same, to be changed.
pub fn own_exprs_mut(stmt: &mut Stmt) -> Vec<&mut Expr> {
    match &mut stmt.kind {
        StmtKind::Expr(e)
        | StmtKind::If { cond: e, .. }
        | StmtKind::While { cond: e, .. }
        | StmtKind::DoWhile { cond: e, .. }
        | StmtKind::Switch { value: e, .. }
        | StmtKind::Return(Some(e)) => vec![e],
        StmtKind::For { cond, step, .. } => cond.iter_mut().chain(step).collect(),
        StmtKind::RangeFor { cond, step, .. } => vec![cond, step],
        StmtKind::Decl(vars) => vars.iter_mut().filter_map(|v| v.init.as_mut()).collect(),
        _ => vec![],
    }
}

/// Every expression in a statement, operands after the operator.
pub fn exprs<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a Expr)) {
    own_exprs(stmt).into_iter().for_each(|e| within(e, visit));
    children(stmt).into_iter().for_each(|s| exprs(s, visit));
}

/// The expression and every operand in it.
pub fn within<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Unsupported(_, stmts) => stmts.iter().for_each(|s| exprs(s, visit)),
        ExprKind::Lambda(lambda) => {
            lambda.captures.iter().for_each(|c| within(&c.init, visit));
            // The body of a generic lambda as written has no types; the bodies of its calls have.
            match lambda.calls.is_empty() {
                true => exprs(&lambda.body, visit),
                false => lambda.calls.iter().for_each(|c| exprs(&c.body, visit)),
            }
        }
        ExprKind::Statements(body) => exprs(body, visit),
        _ => {}
    }
    operands(expr).into_iter().for_each(|e| within(e, visit));
}

/// As [`within`], without the statements in lambdas and statement expressions.
pub fn outer<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    operands(expr).into_iter().for_each(|e| outer(e, visit));
}

/// Operands, in the order of evaluation where there is one.
pub fn operands(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::Var(..)
        | ExprKind::Function(..)
        | ExprKind::DefaultArg
        | ExprKind::SizeOf(_)
        | ExprKind::AlignOf(_)
        | ExprKind::Zero
        | ExprKind::This
        | ExprKind::Lambda(_)
        | ExprKind::OffsetOf(..)
        | ExprKind::Statements(_)
        | ExprKind::Unsupported(..) => vec![],
        ExprKind::Member { base: e, .. }
        | ExprKind::Deref(e)
        | ExprKind::AddrOf(e)
        | ExprKind::Unary { operand: e, .. }
        | ExprKind::Step { operand: e, .. }
        | ExprKind::Cast { operand: e, .. } => vec![e],
        ExprKind::Index { base: a, index: b }
        | ExprKind::Binary { left: a, right: b, .. }
        | ExprKind::Comma(a, b)
        | ExprKind::Assign { place: a, value: b }
        | ExprKind::CompoundAssign { place: a, value: b, .. } => vec![a, b],
        ExprKind::Conditional { cond, yes, no } => vec![cond, yes, no],
        ExprKind::Call { callee, args } => std::iter::once(&**callee).chain(args).collect(),
        ExprKind::InitList(items) | ExprKind::Construct { args: items, .. } => items.iter().collect(),
    }
}

/// Every variable declared in a statement.
pub fn vars<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a Var)) {
    if let StmtKind::Decl(vars) = &stmt.kind {
        vars.iter().for_each(&mut *visit);
    }
    own_exprs(stmt).into_iter().for_each(|e| {
        outer(e, &mut |e| {
            if let ExprKind::Statements(body) = &e.kind {
                vars(body, visit);
            }
        });
    });
    children(stmt).into_iter().for_each(|s| vars(s, visit));
}

/// The variable of which a place is a part; none where the place is reached through a pointer.
pub fn root(place: &Expr) -> Option<DeclId> {
    match &place.kind {
        ExprKind::Var(id, _) => Some(*id),
        ExprKind::Member { base, arrow: false, .. } => root(base),
        ExprKind::Index { base, .. } => match &base.kind {
            ExprKind::Cast { kind: CastKind::Decay, operand, .. } => root(operand),
            _ => None,
        },
        ExprKind::Cast { kind: CastKind::NoOp, operand, .. } => root(operand),
        _ => None,
    }
}

/// Whether a place, or the pointer that leads to it, belongs to a variable or a member of which this holds.
pub fn leads_to(place: &Expr, wanted: &dyn Fn(DeclId) -> bool) -> bool {
    match &bare(place).kind {
        ExprKind::Var(id, _) => wanted(*id),
        ExprKind::Index { base, .. } => leads_to(base, wanted),
        ExprKind::Member { base, arrow, member, .. } => wanted(*member) || !arrow && leads_to(base, wanted),
        _ => false,
    }
}

/// The function called, if it is named.
pub fn callee(expr: &Expr) -> Option<DeclId> {
    match &expr.kind {
        ExprKind::Function(id, _) => Some(*id),
        ExprKind::Member { member, .. } => Some(*member),
        ExprKind::Cast { operand, .. } => callee(operand),
        _ => None,
    }
}

/// The functions that the statement calls by name.
pub fn called(body: &Stmt) -> Vec<DeclId> {
    let mut found = vec![];
    exprs(body, &mut |e| {
        if let ExprKind::Call { callee: function, .. } = &e.kind {
            found.extend(callee(function));
        }
    });
    found
}

/// A place, without casts that change only its qualifiers.
pub fn same_place(place: &Expr) -> &Expr {
    match &place.kind {
        ExprKind::Cast { kind: CastKind::NoOp, operand, .. } => same_place(operand),
        _ => place,
    }
}

/// An expression, without the conversion that the language adds: at most one conversion changes the value's type, a
/// second one would be the user's.
pub fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast { operand, kind: CastKind::Convert, .. } => unconverted(operand),
        ExprKind::Cast { operand, kind, .. } if *kind != CastKind::Function => bare(operand),
        _ => expr,
    }
}

fn unconverted(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast { kind: CastKind::Convert | CastKind::Function, .. } => expr,
        ExprKind::Cast { operand, .. } => unconverted(operand),
        _ => expr,
    }
}

/// What a piece of code may change.
#[derive(Clone, Debug, Default)]
pub struct Writes {
    /// Variables assigned, or whose address is taken.
    pub vars: Vec<DeclId>,
    /// Objects that methods may change, where somebody looked for them.
    pub objects: Vec<DeclId>,
    /// Types of what is written through pointers and into arrays.
    pub memory: Vec<Ty>,
    /// Types of all that is assigned; a variable may be another name of an object.
    pub types: Vec<Ty>,
    /// It calls a function that is not known to be harmless.
    pub calls: bool,
}

impl Writes {
    pub fn add(&mut self, others: Writes) {
        self.vars.extend(others.vars);
        self.objects.extend(others.objects);
        self.memory.extend(others.memory);
        self.types.extend(others.types);
        self.calls |= others.calls;
    }

    /// Whether an object that has other names, too, may change.
    pub fn may_reach(&self, object: &Ty) -> bool {
        let whole = matches!(object, Ty::Record(_) | Ty::Array { .. });
        self.calls || self.types.iter().any(|ty| whole || matches!(ty, Ty::Record(_)) || ty == object)
    }
}

/// What the statement may change; `pure` tells which functions write nothing.
pub fn writes(stmt: &Stmt, pure: &mut dyn FnMut(DeclId) -> bool) -> Writes {
    writes_but(stmt, pure, &mut |_, _, _| false)
}

/// The same without arguments that the function only reads, as in [`each_change_but`].
pub fn writes_but(
    stmt: &Stmt,
    pure: &mut dyn FnMut(DeclId) -> bool,
    only_reads: &mut dyn FnMut(&Expr, &[Expr], usize) -> bool,
) -> Writes {
    let mut result = Writes::default();
    exprs(stmt, &mut |expr| match &expr.kind {
        ExprKind::Assign { place, .. }
        | ExprKind::CompoundAssign { place, .. }
        | ExprKind::Step { operand: place, .. } => {
            result.types.push((*place.ty.ty).clone());
            if !matches!(place.kind, ExprKind::Var(..)) {
                result.memory.push((*place.ty.ty).clone());
            }
        }
        ExprKind::Call { callee: function, .. } => match callee(function) {
            Some(id) if pure(id) && !library_name(function).is_some_and(writes_memory) => {}
            _ => result.calls = true,
        },
        ExprKind::Construct { .. } | ExprKind::Unsupported(..) => result.calls = true,
        _ => {}
    });
    each_change_but(stmt, only_reads, &mut |id, _| result.vars.push(id));
    result
}

/// Whether an assignment in the statement changes the variable, or a part of it.
pub fn assigns(stmt: &Stmt, id: DeclId) -> bool {
    let mut found = false;
    exprs(stmt, &mut |expr| match &expr.kind {
        ExprKind::Assign { place, .. }
        | ExprKind::CompoundAssign { place, .. }
        | ExprKind::Step { operand: place, .. } => found |= root(place) == Some(id),
        _ => {}
    });
    found
}

/// Each variable that the statement changes or allows to be changed, with the place of the assignment, the address
/// taken, or the reference made.
pub fn each_change(stmt: &Stmt, visit: &mut dyn FnMut(DeclId, Span)) {
    each_change_but(stmt, &mut |_, _, _| false, visit);
}

/// The same without arguments that the function only reads, as `only_reads` tells of the callee (or the construction), the
/// arguments and the number of one.
pub fn each_change_but(
    stmt: &Stmt,
    only_reads: &mut dyn FnMut(&Expr, &[Expr], usize) -> bool,
    visit: &mut dyn FnMut(DeclId, Span),
) {
    exprs(stmt, &mut |expr| {
        let changed: Vec<DeclId> = match &expr.kind {
            ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Step { operand: place, .. }
            | ExprKind::AddrOf(place) => forwarded_root(place).into_iter().collect(),
            ExprKind::Call { callee, args } => {
                // A reference parameter takes the argument's address implicitly.
                let object = changed_object(callee, args);
                let referred = args.iter().enumerate().filter(|(_, a)| a.place && !a.ty.constant);
                let changed = referred.filter(|(n, _)| !only_reads(callee, args, *n)).map(|(_, a)| a);
                changed.chain(object).filter_map(forwarded_root).collect()
            }
            ExprKind::Construct { args, .. } => {
                let referred = args.iter().enumerate().filter(|(_, a)| a.place && !a.ty.constant);
                let changed = referred.filter(|(n, _)| !only_reads(expr, args, *n)).map(|(_, a)| a);
                changed.filter_map(forwarded_root).collect()
            }
            _ => return,
        };
        changed.into_iter().for_each(|id| visit(id, expr.span));
    });
    vars(stmt, &mut |var| {
        if let Some(init) = var.init.as_ref().filter(|i| var.ty.is_reference() && !i.ty.constant)
            && let Some(id) = forwarded_root(init)
        {
            visit(id, init.span);
        }
    });
}

/// The variable of which a place is a part, also where `std::forward` or `std::move` hands the place on.
pub fn forwarded_root(place: &Expr) -> Option<DeclId> {
    match &same_place(place).kind {
        ExprKind::Call { callee, args }
            if let ([object], Some("forward" | "move")) = (&args[..], library_name(callee)) =>
        {
            forwarded_root(object)
        }
        _ => root(place),
    }
}

/// The object that a method of the standard library's changes: `a.fill(0)`, `z.real(1)`.
fn changed_object<'e>(callee: &'e Expr, args: &[Expr]) -> Option<&'e Expr> {
    match &callee.kind {
        ExprKind::Member { base, arrow: false, name, .. } => {
            (!args.is_empty() && matches!(&**name, "fill" | "swap" | "real" | "imag")).then_some(base)
        }
        _ => None,
    }
}

/// What leaves a loop before its last iteration: the statement's name and place. `buffer` has the names of
/// labels, which the tree has not.
pub fn leaves_loop(body: &Stmt, buffer: &str) -> Option<(&'static str, Span)> {
    let mut inside = Vec::new();
    labels(body, buffer, &mut inside);
    leaves(body, true, &|jump: &Stmt| inside.contains(&jumps_to(jump, buffer)))
}

/// Whether a `break` in the statement leaves what is around it.
pub fn breaks(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break => true,
        StmtKind::For { .. }
        | StmtKind::RangeFor { .. }
        | StmtKind::While { .. }
        | StmtKind::DoWhile { .. }
        | StmtKind::Switch { .. } => false,
        _ => children(stmt).into_iter().any(breaks),
    }
}

/// The labels that the `goto`s in a statement name.
pub fn gotos<'b>(stmt: &Stmt, buffer: &'b str) -> Vec<&'b str> {
    match stmt.kind {
        StmtKind::Goto => vec![jumps_to(stmt, buffer)],
        _ => children(stmt).into_iter().flat_map(|s| gotos(s, buffer)).collect(),
    }
}

/// The label that a `goto` names.
pub fn jumps_to<'b>(jump: &Stmt, buffer: &'b str) -> &'b str {
    text(buffer, jump.span).trim_start_matches("goto").trim_end_matches(';').trim()
}

/// The name of a label.
pub fn label<'b>(stmt: &Stmt, buffer: &'b str) -> &'b str {
    text(buffer, stmt.span).split(':').next().unwrap_or("").trim()
}

fn leaves(stmt: &Stmt, of_loop: bool, stays: &dyn Fn(&Stmt) -> bool) -> Option<(&'static str, Span)> {
    match &stmt.kind {
        StmtKind::Break if of_loop => Some(("break", stmt.span)),
        StmtKind::Return(_) => Some(("return", stmt.span)),
        StmtKind::Goto => (!stays(stmt)).then_some(("goto", stmt.span)),
        StmtKind::For { body, .. }
        | StmtKind::RangeFor { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. } => leaves(body, false, stays),
        _ => children(stmt).into_iter().find_map(|s| leaves(s, of_loop, stays)),
    }
}

/// Whether a `continue` in the statement continues an enclosing loop.
pub fn continues(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Continue => true,
        StmtKind::For { .. }
        | StmtKind::RangeFor { .. }
        | StmtKind::While { .. }
        | StmtKind::DoWhile { .. } => false,
        _ => children(stmt).into_iter().any(continues),
    }
}

/// The names of the labels in a statement.
pub fn labels<'b>(stmt: &Stmt, buffer: &'b str, names: &mut Vec<&'b str>) {
    if let StmtKind::Label(_) = stmt.kind {
        names.push(label(stmt, buffer));
    }
    children(stmt).into_iter().for_each(|s| labels(s, buffer, names));
}

fn text(buffer: &str, span: Span) -> &str {
    buffer.get(span.start as usize..span.end as usize).unwrap_or("")
}

/// Whether a statement changes a variable or allows it to be changed, by taking its address or making a reference
/// to it.
pub fn may_change(stmt: &Stmt, var: DeclId) -> bool {
    writes(stmt, &mut |_| false).vars.contains(&var)
}

/// How often a statement names a variable.
pub fn uses_within(stmt: &Stmt, var: DeclId) -> usize {
    let mut count = 0;
    exprs(stmt, &mut |e| count += usize::from(matches!(e.kind, ExprKind::Var(id, _) if id == var)));
    count
}

/// Every use of a variable reads it, or an element or a member of it: no pointer or reference to it is made.
pub fn is_only_loaded(stmt: &Stmt, var: DeclId) -> bool {
    fn part_of(place: &Expr, var: DeclId) -> bool {
        match &place.kind {
            ExprKind::Var(id, _) => *id == var,
            ExprKind::Index { base, .. } | ExprKind::Member { base, arrow: false, .. } => part_of(base, var),
            ExprKind::Cast { kind: CastKind::Decay | CastKind::NoOp, operand } => part_of(operand, var),
            _ => false,
        }
    }
    let mut loads = 0;
    exprs(stmt, &mut |e| {
        if let ExprKind::Cast { kind: CastKind::Load, operand } = &e.kind {
            loads += usize::from(part_of(operand, var));
        }
    });
    loads == uses_within(stmt, var)
}

/// The statement uses an object otherwise than by naming a member of it.
pub fn uses_whole(stmt: &Stmt, var: DeclId) -> bool {
    let is_var = |e: &Expr| matches!(e.kind, ExprKind::Var(id, _) if id == var);
    let mut of_members = 0;
    exprs(stmt, &mut |e| {
        of_members += usize::from(
            matches!(&e.kind, ExprKind::Member { base, arrow: false, .. } if is_var(same_place(base))),
        );
    });
    uses_within(stmt, var) > of_members
}

/// Variables that are declared with a value, or assigned to elsewhere than in the head of a `for`.
pub fn valued(stmt: &Stmt) -> BTreeSet<DeclId> {
    let mut found = BTreeSet::new();
    vars(stmt, &mut |var| {
        if var.init.is_some() {
            found.insert(var.id);
        }
    });
    assigned_outside_heads(stmt, &mut found);
    found
}

fn assigned_outside_heads(stmt: &Stmt, found: &mut BTreeSet<DeclId>) {
    let head = match &stmt.kind {
        StmtKind::For { init, .. } => init.as_deref(),
        _ => {
            let own = own_exprs(stmt);
            own.into_iter().for_each(|e| within(e, &mut |e| found.extend(assigned(e))));
            None
        }
    };
    let inner = children(stmt).into_iter().filter(|inner| !head.is_some_and(|h| std::ptr::eq(h, *inner)));
    inner.for_each(|inner| assigned_outside_heads(inner, found));
}

/// The variable that an expression assigns to, or a part of it.
fn assigned(expr: &Expr) -> Option<DeclId> {
    match &expr.kind {
        ExprKind::Assign { place, .. } | ExprKind::CompoundAssign { place, .. } => root(place),
        _ => None,
    }
}

/// The first place where a statement changes a variable, or takes its address.
pub fn first_write(stmt: &Stmt, var: DeclId) -> Option<Span> {
    let mut found = None;
    exprs(stmt, &mut |expr| {
        let place = match &expr.kind {
            ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Step { operand: place, .. }
            | ExprKind::AddrOf(place) => place,
            _ => return,
        };
        if root(place) == Some(var) {
            found.get_or_insert(expr.span);
        }
    });
    found
}

/// The function that a callee names, without its decay to a pointer.
pub fn bare_function(callee: &Expr) -> &Expr {
    match &callee.kind {
        ExprKind::Cast { operand, .. } => bare_function(operand),
        _ => callee,
    }
}

/// A string literal, or the pointer to its characters.
pub fn is_text(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Str(_) => true,
        ExprKind::Cast { kind: CastKind::Decay | CastKind::NoOp, operand, .. } => is_text(operand),
        _ => false,
    }
}

/// The name of the function that is called, without classes and namespaces.
pub fn library_name(callee: &Expr) -> Option<&str> {
    match &bare_function(callee).kind {
        ExprKind::Function(_, name) => Some(name),
        _ => None,
    }
}

/// The returned expression of a function that consists of one return statement.
pub fn single_return(body: &Stmt) -> Option<&Expr> {
    match &body.kind {
        StmtKind::Compound(items) if items.len() == 1 => single_return(&items[0]),
        StmtKind::Return(Some(value)) => Some(value),
        _ => None,
    }
}

/// Whether an expression only reads: no assignment, construction or other object is made in it.
pub fn is_plain(expr: &Expr) -> bool {
    let mut plain = true;
    within(expr, &mut |e| {
        plain &= !matches!(
            e.kind,
            ExprKind::Assign { .. }
                | ExprKind::CompoundAssign { .. }
                | ExprKind::Step { .. }
                | ExprKind::Construct { .. }
                | ExprKind::InitList(_)
                | ExprKind::Comma(..)
                | ExprKind::Lambda(_)
                | ExprKind::Statements(_)
                | ExprKind::Unsupported(..)
        );
    });
    plain
}

/// Whether lowering a place emits no statements, since the place is an expression of variables and memory alone.
pub fn only_reads(expr: &Expr) -> bool {
    let mut calls = false;
    within(expr, &mut |e| calls |= matches!(e.kind, ExprKind::Call { .. } | ExprKind::Conditional { .. }));
    !calls && is_plain(expr)
}

/// How often an expression names a variable.
pub fn uses(expr: &Expr, var: DeclId) -> usize {
    let mut count = 0;
    within(expr, &mut |e| match &e.kind {
        ExprKind::Var(id, _) if *id == var => count += 1,
        _ => {}
    });
    count
}

/// Names the variable only to discard its value, `(void)var`, if at all.
pub fn discards(body: &Stmt, var: DeclId) -> bool {
    let (mut named, mut discarded) = (0, 0);
    exprs(body, &mut |e| match &e.kind {
        ExprKind::Var(id, _) if *id == var => named += 1,
        ExprKind::Cast { kind: CastKind::ToVoid, operand, .. } => {
            discarded += usize::from(matches!(&bare(operand).kind, ExprKind::Var(id, _) if *id == var));
        }
        _ => {}
    });
    named == discarded
}

/// Whether a statement of a method may change the method's object, or lets others do so.
pub fn may_change_this(body: &Stmt) -> bool {
    fn is_of_this(place: &Expr) -> bool {
        match &place.kind {
            ExprKind::This => true,
            ExprKind::Member { base: of, .. } | ExprKind::Index { base: of, .. } => is_of_this(of),
            ExprKind::Deref(of) => is_of_this(of),
            ExprKind::Cast { kind, operand } => *kind != CastKind::Load && is_of_this(operand),
            _ => false,
        }
    }
    let is_given = |e: &Expr| {
        let is_constant = match &*e.ty.ty {
            Ty::Pointer { to, .. } => to.constant,
            _ => e.ty.constant,
        };
        !is_constant && is_of_this(e)
    };
    let mut found = false;
    exprs(body, &mut |e| {
        found |= match &e.kind {
            ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Step { operand: place, .. }
            | ExprKind::AddrOf(place) => is_of_this(place),
            ExprKind::Call { callee, args } => {
                let object = match &callee.kind {
                    ExprKind::Member { base, .. } => Some(&**base),
                    _ => None,
                };
                args.iter().chain(object).any(is_given)
            }
            ExprKind::Construct { args, .. } => args.iter().any(is_given),
            _ => false,
        }
    });
    vars(body, &mut |var| {
        let may_lead = !matches!(*var.ty.ty, Ty::Int { .. } | Ty::Float { .. } | Ty::Bool);
        found |= may_lead && var.init.as_ref().is_some_and(is_given);
    });
    found
}

/// The variables of which methods are called that are not `const`, and so may change them.
pub fn objects_of_methods(stmt: &Stmt) -> Vec<DeclId> {
    let mut found = vec![];
    exprs(stmt, &mut |e| {
        if let ExprKind::Call { callee, .. } = &e.kind
            && let ExprKind::Member { base, arrow: false, .. } = &callee.kind
            && !base.ty.constant
        {
            found.extend(root(base));
        }
    });
    found
}

/// Of references that a statement declares, the variables that they name, or parts of which.
pub fn named_by_references(body: &Stmt) -> HashMap<DeclId, DeclId> {
    let mut found = HashMap::new();
    vars(body, &mut |var| {
        if let Some(init) = var.init.as_ref().filter(|_| var.ty.is_reference())
            && let Some(id) = root(init)
        {
            found.insert(var.id, *found.get(&id).unwrap_or(&id));
        }
    });
    found
}

/// Variables whose address is taken, by `&` or by an array's decay.
pub fn addressed(body: &Stmt) -> HashSet<DeclId> {
    let mut found = HashSet::new();
    exprs(body, &mut |e| {
        if let ExprKind::AddrOf(operand) = &e.kind {
            found.extend(root(operand));
        }
    });
    found
}
