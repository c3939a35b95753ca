//! Values of a thread that outlive barriers: computed again in each segment of a block, or kept in an array of the team's. What
//! is too large for a team's memory lies in the construct's, which has a row of elements for each team.

use super::block::Parallel;
use super::{Count, Runners, independent};
use crate::ast::{DeclId, ExprKind, Qual, Stmt as Ast, StmtKind, Ty, Var};
use crate::lower::expr::unsupported;
use crate::lower::function::{Binding, Fun, Variable};
use crate::lower::walk;
use crate::lower::{Lowered, Refused};
use accl_directives::{CExpr, CExprKind, DeviceKind};
use accl_ir::{
    BinaryOp, DataFlags, DataItem, DataKind, DataVar, Expr as IrExpr, ExprKind as Ir, Handle, HostExpr,
    Local, LocalKind, LoopDirective, SectionDim, Stmt, Type,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};
use std::collections::{BTreeSet, HashSet};

/// How a segment comes by a thread's variable.
#[derive(Clone, Debug)]
pub enum ThreadValue {
    /// It is declared again.
    Again(Var),
    /// An array has it.
    Kept { id: DeclId, name: String, ty: Qual, array: OfThreads },
}

/// An array with an element for each thread.
#[derive(Clone, Copy, Debug)]
pub struct OfThreads {
    /// The team's array, or a pointer to the construct's memory.
    local: Handle<Local>,
    /// The number of the team's first element, in the construct's memory.
    first: Option<Handle<Local>>,
}

impl ThreadValue {
    fn id(&self) -> DeclId {
        match self {
            ThreadValue::Again(var) => var.id,
            ThreadValue::Kept { id, .. } => *id,
        }
    }

    fn is_used(&self, items: &[Ast], in_filters: &HashSet<String>) -> bool {
        let name = match self {
            ThreadValue::Again(var) => &var.name,
            ThreadValue::Kept { name, .. } => name,
        };
        in_filters.contains(name) || items.iter().any(|s| walk::uses_within(s, self.id()) > 0)
    }
}

/// What is stored in the team's array at the end of a segment.
enum Kept {
    Local(Handle<Local>),
    /// Of what a reference refers to.
    Address(Handle<IrExpr>),
}

/// Bytes of the team's memory for one variable of all its threads.
const MOST_KEPT: u64 = 32 << 10;

/// Bytes of it for all variables of a block.
const MOST_KEPT_IN_ALL: u64 = 40 << 10;

impl Fun<'_, '_> {
    /// An array of the team's with an element for each thread. `start`: the variable outside, with whose value each begins.
    pub(super) fn keep(
        &mut self,
        block: &Parallel<'_>,
        id: DeclId,
        of: &Qual,
        starts: bool,
        span: Span,
    ) -> Lowered<()> {
        let (ty, name) = (self.ty(of), self.text(span));
        let array = self.array_of_threads(block, ty, &name, span)?;
        if starts {
            let outside = self.var_place(id, &name, span)?;
            let directive = LoopDirective { vector: Some(None), ..independent(span) };
            self.loop_over_threads(&block.threads, directive, |f| {
                let place = f.element_of_thread(array, ty, span);
                f.copy_object(place, outside, span)
            })?;
        }
        self.thread_values.push(ThreadValue::Kept { id, name, ty: of.clone(), array });
        Ok(())
    }

    pub(super) fn array_of_threads(
        &mut self,
        block: &Parallel<'_>,
        ty: Handle<Type>,
        name: &str,
        span: Span,
    ) -> Lowered<OfThreads> {
        let count = match &block.threads {
            Count::Constant(n) => Some(*n),
            Count::Clause(e) => self.constant(e),
            Count::Limited(_) => Some(super::MOST_THREADS),
        };
        let Some(count) = count.and_then(|n| u64::try_from(n).ok()) else {
            return Err(Box::new(
                Diagnostic::error(
                    codes::NOT_IMPLEMENTED,
                    "a thread's variable outlives a barrier, and the number of threads is not constant",
                )
                .label(span, "this variable")
                .with_help("give `thread_limit` or `num_threads` a constant"),
            ));
        };
        let size = self.cx.module.types.size_of(ty);
        let bytes = size.and_then(|size| size.checked_mul(count));
        let in_all = |bytes: u64| block.kept.get().saturating_add(bytes);
        match bytes.filter(|bytes| *bytes <= MOST_KEPT && in_all(*bytes) <= MOST_KEPT_IN_ALL) {
            Some(bytes) => {
                block.kept.set(in_all(bytes));
                let elements = self.cx.module.types.array(ty, count);
                let local = self.local(&format!("{name}_of_thread"), elements, LocalKind::Auto, span);
                self.emit(Stmt::Declare { local, init: None }, span);
                Ok(OfThreads { local, first: None })
            }
            None if size.is_some() => self.row_of_team(&block.threads, ty, name, span),
            None => Err(too_large(span)),
        }
    }

    /// The construct gets memory with so many elements for each team, where the host knows how many teams and threads there are.
    fn row_of_team(
        &mut self,
        threads: &Count,
        element: Handle<Type>,
        name: &str,
        span: Span,
    ) -> Lowered<OfThreads> {
        let Runners::Numbered(team, teams) = self.team.clone() else { return Err(too_large(span)) };
        let (Some(rows), Some(length)) = (self.most_on_host(&teams), self.most_on_host(threads)) else {
            return Err(too_large(span));
        };
        let ty = self.cx.module.types.pointer(element);
        let local = self.local(&format!("{name}_of_threads"), ty, LocalKind::Auto, span);
        let text = format!("((long long)({rows}) * (long long)({length}))");
        let length = HostExpr { text, span, value: None };
        // The construct's memory stands in the place of the program's, which has none.
        let base = "((char *)0)".to_owned();
        self.private_sections.push(DataItem {
            flags: DataFlags { private: true, rows: true, ..DataFlags::default() },
            section: vec![SectionDim { lower: None, length: Some(length) }],
            ..DataItem::new(DataKind::Create, DataVar::Local(local), name.into(), base, ty, span)
        });
        let long = self.i64();
        let [left, right] = [self.load_local(team, span), self.count_value(threads, span)?];
        let [left, right] = [left, right].map(|value| self.convert(value, long, span));
        let first = self.expr(Ir::Binary { op: BinaryOp::Mul, left, right }, long, span);
        Ok(OfThreads { local, first: Some(self.spill("first", first, span)) })
    }

    /// A number that is no less, as the host computes it before the construct.
    fn most_on_host(&mut self, count: &Count) -> Option<String> {
        match count {
            Count::Constant(n) => Some(n.to_string()),
            Count::Clause(e) | Count::Limited(e) => self.most_of(e),
        }
    }

    fn most_of(&mut self, e: &CExpr) -> Option<String> {
        if let Some(n) = self.constant(e) {
            return Some(n.to_string());
        }
        if let CExprKind::Conditional { then, otherwise, .. } = &e.kind {
            let (then, otherwise) = (self.most_of(then)?, self.most_of(otherwise)?);
            return Some(format!("accl_larger({then}, {otherwise})"));
        }
        self.is_known_on_host(e).then(|| self.host_expr(e).text)
    }

    pub(super) fn element_of_thread(
        &mut self,
        array: OfThreads,
        ty: Handle<Type>,
        span: Span,
    ) -> Handle<IrExpr> {
        let number = match self.thread {
            Runners::Numbered(thread, _) => self.load_local(thread, span),
            Runners::One | Runners::Together(_) | Runners::Unknown => {
                let int = self.i32();
                self.int(0, int, span)
            }
        };
        self.kept_element(array, number, ty, span)
    }

    /// The element of the thread with this number.
    pub(super) fn kept_element(
        &mut self,
        array: OfThreads,
        number: Handle<IrExpr>,
        ty: Handle<Type>,
        span: Span,
    ) -> Handle<IrExpr> {
        let Some(first) = array.first else {
            let base = self.local_place(array.local, span);
            return self.expr(Ir::Index { base, index: number }, ty, span);
        };
        let (base, long) = (self.load_local(array.local, span), self.i64());
        let [left, right] = [self.load_local(first, span), self.convert(number, long, span)];
        let index = self.expr(Ir::Binary { op: BinaryOp::Add, left, right }, long, span);
        self.expr(Ir::Index { base, index }, ty, span)
    }

    /// Brings the thread's variables that the statements use, and keeps what they change.
    pub(super) fn with_thread_values(
        &mut self,
        items: &[Ast],
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let values = self.thread_values.clone();
        let declares = |id: DeclId| items.iter().flat_map(declared).any(|v| v.id == id);
        let in_filters = self.words_of_filters(items);
        let needed = needed_again(&values, items, &in_filters);
        let mut kept = vec![];
        for value in values.iter().filter(|v| !declares(v.id())) {
            match value {
                ThreadValue::Again(var) if needed.contains(&var.id) => {
                    // Nothing of what it is made of changes.
                    let later = self.later.replace(walk::Writes::default());
                    let declared = self.declare_var(var);
                    self.later = later;
                    declared?;
                }
                ThreadValue::Again(_) => {}
                ThreadValue::Kept { id, name, ty, array }
                    if needed.contains(id) || value.is_used(items, &in_filters) =>
                {
                    let changes = needed.contains(id) || items.iter().any(|s| walk::may_change(s, *id));
                    self.scopes.last_mut().into_iter().for_each(|scope| scope.push((name.clone(), *id)));
                    let local = self.bring_kept(*id, ty, *array).filter(|_| changes);
                    kept.extend(local.map(|local| (Kept::Local(local), *array)));
                }
                ThreadValue::Kept { .. } => {}
            }
        }
        inside(self)?;
        // A variable without a value so far has none to keep.
        let has_value = |id: DeclId| {
            let starts = items.iter().flat_map(declared).any(|v| v.id == id && v.init.is_some());
            starts || items.iter().any(|s| walk::may_change(s, id))
        };
        for value in &values {
            if let ThreadValue::Kept { id, array, .. } = value
                && declares(*id)
                && has_value(*id)
            {
                match self.vars.get(id) {
                    Some(Variable { binding: Binding::Local(local), .. }) => {
                        kept.push((Kept::Local(*local), *array))
                    }
                    Some(Variable { binding: Binding::Argument(address), ty, .. }) if ty.is_reference() => {
                        kept.push((Kept::Address(*address), *array));
                    }
                    _ => {}
                }
            }
        }
        let span = items.last().map_or(Span::NOWHERE, |s| s.span);
        for (value, array) in kept {
            let (value, ty) = match value {
                Kept::Local(local) => (self.load_local(local, span), self.body.locals[local].ty),
                Kept::Address(address) => (address, self.body.exprs[address].ty),
            };
            let place = self.element_of_thread(array, ty, span);
            self.emit(Stmt::Store { place, op: None, value }, span);
        }
        Ok(())
    }

    /// The words of `filter` clauses in these statements: each thread has its own value of them.
    pub(super) fn words_of_filters(&self, items: &[Ast]) -> HashSet<String> {
        let mut found = HashSet::new();
        for s in items {
            if let StmtKind::Directed { directive, .. } = &s.kind {
                let d = &self.cx.pragmas[*directive].directive;
                let filter = d.clauses_for(DeviceKind::Cuda).conditions.filter;
                found.extend(filter.into_iter().flat_map(|filter| self.words(filter.span)));
            }
            for inner in walk::children(s) {
                found.extend(self.words_of_filters(std::slice::from_ref(inner)));
            }
        }
        found
    }

    /// A scalar is a local here, to be stored at the end; an array or structure is used where it is.
    fn bring_kept(&mut self, id: DeclId, of: &Qual, array: OfThreads) -> Option<Handle<Local>> {
        let ty = self.ty(of);
        let span = self.body.locals[array.local].span;
        let place = self.element_of_thread(array, ty, span);
        if is_aggregate(of) {
            let pointer = self.cx.module.types.pointer(ty);
            let address = self.expr(Ir::AddrOf(place), pointer, span);
            let binding = Binding::Argument(address);
            let ty = Qual::new(Ty::Reference(of.clone()));
            self.vars.insert(id, Variable { binding, ty, value: None, extent: None });
            return None;
        }
        let name = self.text(span);
        let local = self.local(&name, ty, LocalKind::Auto, span);
        let value = self.load(place, span);
        self.emit(Stmt::Declare { local, init: Some(value) }, span);
        let binding = Binding::Local(local);
        self.vars.insert(id, Variable { binding, ty: of.clone(), value: None, extent: None });
        Some(local)
    }

    /// Where the thread's own array or structure lies.
    pub(super) fn place_of_thread(&mut self, id: DeclId, span: Span) -> Option<Handle<IrExpr>> {
        let (ty, array) = self.thread_values.iter().rev().find_map(|value| match value {
            ThreadValue::Kept { id: kept, ty, array, .. } if *kept == id => Some((ty.clone(), *array)),
            _ => None,
        })?;
        let ty = self.ty(&ty);
        Some(self.element_of_thread(array, ty, span))
    }

    pub(super) fn uses_thread_values(&self, s: &Ast) -> bool {
        self.thread_values.iter().any(|value| walk::uses_within(s, value.id()) > 0)
    }
}

fn too_large(span: Span) -> Refused {
    unsupported("a variable of each thread that outlives a barrier, and is so large,", span)
}

pub(super) fn is_aggregate(ty: &Qual) -> bool {
    matches!(*ty.ty, Ty::Array { .. } | Ty::Record(_))
}

pub(super) fn declared(s: &Ast) -> &[Var] {
    match &s.kind {
        StmtKind::Decl(vars) => vars,
        _ => &[],
    }
}

/// The values to be computed again for these statements, and those from which they are computed.
fn needed_again(values: &[ThreadValue], items: &[Ast], in_filters: &HashSet<String>) -> BTreeSet<DeclId> {
    let mut needed = BTreeSet::new();
    // Each is made of some that stand before it.
    for value in values.iter().rev() {
        let ThreadValue::Again(var) = value else { continue };
        if needed.contains(&var.id) || value.is_used(items, in_filters) {
            needed.insert(var.id);
            if let Some(init) = &var.init {
                walk::within(init, &mut |e| {
                    if let ExprKind::Var(of, _) = &e.kind {
                        needed.insert(*of);
                    }
                });
            }
        }
    }
    needed
}
