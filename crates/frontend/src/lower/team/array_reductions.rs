//! Reductions of arrays, sections and complex numbers in loops that numbered teams or threads share (OpenMP 5.2 §5.5.8).
//!
//! Each of those who share the loop has a copy of its own, so that the loop's body may do with it what it likes. After its
//! iterations it adds what it has, atomically and only where there is something to add: a thread to the copy of its team, and a
//! team to the variable outside. Copies are locals: nothing in the device's memory grows with the number of threads.
//!
//! An array of many elements that the loop only updates has no copy for each thread: the threads of a team update the team's,
//! atomically. What is too large for that, or of a length that only the running program knows, is updated where it is.

use super::declared_reductions::DeclaredReduction;
use super::shared::reference;
use super::{Count, Runners, independent};
use crate::ast::{DeclId, Expr, ExprKind, Library, Qual, Stmt as Ast, StmtKind, Ty};
use crate::lower::Lowered;
use crate::lower::choice::Memory;
use crate::lower::function::{Binding, Fun, Variable};
use crate::lower::scope::Named;
use crate::lower::{atomic, walk};
use accl_directives::{self as acc, Clause, ClauseKind, Directive, ReductionOp, Section, Sentinel};
use accl_ir::{
    Atomic, AtomicKind, BinaryOp, DataFlags, DataKind, Expr as IrExpr, ExprKind as Ir, Handle, Local,
    LocalKind, Loop, LoopDirective, MathFn, RegionClauses, Stmt, Type, TypeKind,
};
use accl_source::Span;

/// Bytes of one thread's copy.
const MOST_OF_A_THREAD: u64 = 8 << 10;
/// Bytes of a team's memory for all its copies.
const MOST_OF_A_TEAM: u64 = 16 << 10;
/// Elements of an array for which threads have copies though the loop only updates it.
const FEW: u64 = 32;
/// Elements of all threads' copies, where no clause says how many threads there are.
const MOST_OF_ALL: u64 = 1 << 21;
const MOST_TEAMS: u64 = 1024;

#[derive(Clone, Debug)]
pub struct ArrayReduction {
    pub section: Section,
    op: ReductionOp,
    pub(super) id: DeclId,
    pub(super) original: Variable,
    /// Of a pointer: its first element that is reduced, and how many are.
    elements: Option<(Option<acc::CExpr>, u64)>,
    /// How many numbers a copy has, and their bytes.
    numbers: u64,
    pub(super) bytes: u64,
    /// Nobody has a copy.
    in_place: bool,
    /// The loop does nothing but to update elements.
    only_updated: bool,
    pub(super) declared: Option<DeclaredReduction>,
}

impl ArrayReduction {
    pub(super) fn in_place(
        section: &Section,
        op: ReductionOp,
        id: DeclId,
        original: Variable,
    ) -> ArrayReduction {
        let section = section.clone();
        ArrayReduction {
            section,
            op,
            id,
            original,
            elements: None,
            numbers: 0,
            bytes: 0,
            in_place: true,
            only_updated: true,
            declared: None,
        }
    }

    pub(super) fn declared(
        section: Section,
        id: DeclId,
        original: Variable,
        bytes: u64,
        declared: DeclaredReduction,
    ) -> ArrayReduction {
        let declared = Some(declared);
        ArrayReduction {
            section,
            op: ReductionOp::Add,
            id,
            original,
            elements: None,
            numbers: 0,
            bytes,
            in_place: false,
            only_updated: false,
            declared,
        }
    }

    /// The variable.
    pub fn id(&self) -> DeclId {
        self.id
    }

    /// Those who share the loop have copies.
    pub fn has_copies(&self) -> bool {
        !self.in_place
    }

    pub fn is_only_updated(&self) -> bool {
        self.only_updated
    }

    pub fn is_declared(&self) -> bool {
        self.declared.is_some()
    }

    /// A number.
    fn is_scalar(&self) -> bool {
        let of = self.original.ty.referred();
        self.declared.is_none() && matches!(*of.ty, Ty::Int { .. } | Ty::Float { .. })
    }
}

/// A number, and how many there are.
type Spread = (Handle<IrExpr>, Handle<IrExpr>);

/// A thread's or a team's.
pub(super) struct Copy {
    pub(super) local: Handle<Local>,
    pub(super) reduction: ArrayReduction,
}

impl Fun<'_, '_> {
    /// The directive without those of its reductions that need a copy for each thread, and these.
    pub fn without_array_reductions(
        &mut self,
        d: &Directive,
        body: &Ast,
    ) -> (Directive, Vec<ArrayReduction>) {
        self.array_reductions_of(d, body, true)
    }

    /// The same of a construct whose teams each run the body. Scalars with which that does more than to update them are among them: what
    /// a team reads is its own.
    pub fn without_reductions_of_teams(
        &mut self,
        d: &Directive,
        body: &Ast,
    ) -> (Directive, Vec<ArrayReduction>) {
        let (mut rest, mut found) = self.array_reductions_of(d, body, true);
        found.extend(self.take_scalars(&mut rest, body, &|_| true));
        (rest, found)
    }

    /// Takes scalars with which the body does more than to update them out of the directive, where `may_be` says so.
    pub(super) fn take_scalars(
        &mut self,
        d: &mut Directive,
        body: &Ast,
        may_be: &dyn Fn(&Section) -> bool,
    ) -> Vec<ArrayReduction> {
        let mut found = vec![];
        for clause in &mut d.clauses {
            let ClauseKind::Reduction(reduction) = &mut clause.kind else { continue };
            let op = reduction.op;
            reduction.vars.retain(|section| {
                let scalar = self.scalar_reduction(op, section, body).filter(|_| may_be(section));
                let left = scalar.is_none();
                found.extend(scalar);
                left
            });
        }
        d.clauses.retain(|c| !matches!(&c.kind, ClauseKind::Reduction(r) if r.vars.is_empty()));
        found
    }

    fn scalar_reduction(&mut self, op: ReductionOp, section: &Section, body: &Ast) -> Option<ArrayReduction> {
        let Named::Variable(id, original) = self.lookup(section.as_variable()?)? else { return None };
        let of = original.ty.referred().clone();
        if !matches!(*of.ty, Ty::Int { .. } | Ty::Float { .. })
            || !self.can_be_added(op, &of)
            || only_updates(body, id, op)
        {
            return None;
        }
        let ty = self.ty(&of);
        let bytes = self.cx.module.types.size_of(ty)?;
        let reduction = ArrayReduction::in_place(section, op, id, original);
        Some(ArrayReduction { numbers: 1, bytes, in_place: false, only_updated: false, ..reduction })
    }

    /// `copies`: those who share the loop may have copies.
    pub(super) fn array_reductions_of(
        &mut self,
        d: &Directive,
        body: &Ast,
        copies: bool,
    ) -> (Directive, Vec<ArrayReduction>) {
        let mut rest = d.clone();
        let mut found = vec![];
        let may_be_declared = copies && d.origin == Sentinel::Omp;
        for clause in &mut rest.clauses {
            let mut take = |array: Option<ArrayReduction>| {
                let left = array.is_none();
                found.extend(array);
                left
            };
            match &mut clause.kind {
                ClauseKind::Reduction(reduction) => {
                    let op = reduction.op;
                    let is_left = |section: &Section| {
                        let declared =
                            may_be_declared.then(|| self.declared_reduction(op.symbol(), section)).flatten();
                        take(declared.or_else(|| self.array_reduction(op, section, body, copies)))
                    };
                    reduction.vars.retain(is_left);
                }
                ClauseKind::DeclaredReduction(name, list) if may_be_declared => {
                    list.retain(|section| take(self.declared_reduction(name, section)));
                }
                _ => {}
            }
        }
        rest.clauses.retain(|c| match &c.kind {
            ClauseKind::Reduction(reduction) => !reduction.vars.is_empty(),
            ClauseKind::DeclaredReduction(_, list) => !list.is_empty(),
            _ => true,
        });
        (rest, found)
    }

    /// Whether the directive divides a loop, and a reduction of it needs a copy for each of those who share it.
    pub fn copies_arrays(&mut self, d: &Directive, body: &Ast) -> bool {
        let shared = |c: &Clause| matches!(c.kind, ClauseKind::Gang(_) | ClauseKind::Vector(_));
        d.clauses.iter().any(shared)
            && self.without_array_reductions(d, body).1.iter().any(|array| !array.in_place)
    }

    /// `None`: a scalar, or what cannot be added atomically.
    fn array_reduction(
        &mut self,
        op: ReductionOp,
        section: &Section,
        body: &Ast,
        copies: bool,
    ) -> Option<ArrayReduction> {
        if self.is_reduced_part(section) {
            return None;
        }
        if !copies && self.is_in_place_only(section) {
            return self.reduction_in_place(op, section, body);
        }
        if !section.base.path.is_empty() || section.base.derefs > 0 || !self.is_more_than_a_scalar(section) {
            return None;
        }
        let Named::Variable(id, original) = self.lookup(&section.base.root.name)? else { return None };
        let of = original.ty.referred().clone();
        let (element, elements) = match &*of.ty {
            Ty::Pointer { to, .. } => {
                let (dim, rows) = section.dims.split_first()?;
                let length = match (&dim.length, dim.is_index) {
                    (Some(length), _) => self.constant(length).and_then(|n| u64::try_from(n).ok()),
                    (None, true) => Some(1),
                    (None, false) => return None,
                };
                // Parts of rows are updated in place.
                let length = length.filter(|_| rows.is_empty());
                (to.clone(), length.map(|length| (dim.lower.clone(), length)))
            }
            Ty::Array { .. } | Ty::Record(_) => (of.clone(), None),
            _ => return None,
        };
        if !self.can_be_added(op, &element) {
            return None;
        }
        let is_pointer = matches!(*of.ty, Ty::Pointer { .. });
        let count = match (&elements, is_pointer) {
            (Some((_, length)), _) => Some(*length),
            (None, true) => None,
            (None, false) => Some(1),
        };
        let ty = self.ty(&element);
        let bytes = count.and_then(|count| self.cx.module.types.size_of(ty)?.checked_mul(count));
        let in_place = !copies || !bytes.is_some_and(|bytes| (1..=MOST_OF_A_THREAD).contains(&bytes));
        let only_updated = only_updates(body, id, op);
        if in_place && !only_updated {
            return None;
        }
        let bytes = bytes.unwrap_or(0);
        // Smaller numbers have copies of the same cost.
        let numbers = bytes / if self.ends_in_long(&element) { 8 } else { 4 };
        let section = section.clone();
        let declared = None;
        Some(ArrayReduction {
            section,
            op,
            id,
            original,
            elements,
            numbers,
            bytes,
            in_place,
            only_updated,
            declared,
        })
    }

    fn ends_in_long(&self, of: &Qual) -> bool {
        match &*of.ty {
            Ty::Array { of, .. } => self.ends_in_long(of),
            Ty::Int { bits, .. } | Ty::Float { bits } => *bits == 64,
            _ => false,
        }
    }

    /// How many teams share a loop of which each thread has copies of these.
    pub fn teams_with_copies(arrays: &[ArrayReduction]) -> Option<i64> {
        let numbers: u64 = arrays.iter().filter(|a| !a.in_place).map(|a| a.numbers).sum();
        let teams = MOST_OF_ALL.checked_div(numbers * super::USUAL_THREADS as u64)?;
        Some(teams.clamp(super::USUAL_TEAMS as u64, MOST_TEAMS) as i64)
    }

    fn can_be_added(&mut self, op: ReductionOp, of: &Qual) -> bool {
        match &*of.ty {
            Ty::Array { of, .. } => self.can_be_added(op, of),
            Ty::Record(_) => {
                let complex =
                    self.cx.library_record(of).is_some_and(|(_, library)| library == Library::Complex);
                complex && op == ReductionOp::Add && !self.cx.source.buffer.contains("declare reduction")
            }
            Ty::Int { bits: 8 | 16 | 32 | 64, .. } => true,
            Ty::Float { bits: 32 | 64 } => {
                use ReductionOp::{Add, And, Max, Min, Mul, Or};
                matches!(op, Add | Mul | Max | Min | And | Or)
            }
            _ => false,
        }
    }

    /// What a target construct reduces is mapped, both ways (OpenMP 5.2 §5.8.1).
    pub fn map_reduced(&mut self, arrays: &[ArrayReduction], clauses: &mut RegionClauses) {
        let named = |name: &str| clauses.data.iter().any(|item| item.base == name);
        let object = |s: &Section, f: &mut Self| match f.lookup(&s.base.root.name) {
            Some(Named::Member) => "this".to_owned(),
            _ => s.base.root.name.clone(),
        };
        let all = arrays.iter().map(|a| a.section.clone());
        let sections: Vec<Section> = all.filter(|s| !named(&object(s, self))).collect();
        self.data_items(DataKind::Copy, DataFlags::default(), sections.iter(), &mut clauses.data);
    }

    /// Those for which there are copies; the others are updated in place from here on.
    pub fn update_in_place(&mut self, arrays: Vec<ArrayReduction>) -> Vec<ArrayReduction> {
        let (in_place, copied): (Vec<_>, Vec<_>) = arrays.into_iter().partition(|array| array.in_place);
        self.updated_in_place.extend(in_place.iter().map(|array| array.id));
        copied
    }

    /// Runs a loop that a team's threads share with copies of the team's own. `inside` gets those that its threads copy, too.
    pub fn with_copies_of_team(
        &mut self,
        arrays: Vec<ArrayReduction>,
        threads: &Count,
        span: Span,
        inside: impl FnOnce(&mut Self, Vec<ArrayReduction>) -> Lowered<()>,
    ) -> Lowered<()> {
        let (declared, arrays): (Vec<_>, Vec<_>) = arrays.into_iter().partition(|a| a.declared.is_some());
        if declared.is_empty() {
            return self.with_sums_of_team(arrays, threads, span, inside);
        }
        self.with_values_of_threads(declared, threads, span, |f, declared| {
            f.with_sums_of_team(arrays, threads, span, |f, mut arrays| {
                arrays.extend(declared);
                inside(f, arrays)
            })
        })
    }

    fn with_sums_of_team(
        &mut self,
        arrays: Vec<ArrayReduction>,
        threads: &Count,
        span: Span,
        inside: impl FnOnce(&mut Self, Vec<ArrayReduction>) -> Lowered<()>,
    ) -> Lowered<()> {
        let bytes: u64 = arrays.iter().map(|array| array.bytes).sum();
        if arrays.is_empty() || bytes > MOST_OF_A_TEAM || !matches!(self.team, Runners::Numbered(..)) {
            return inside(self, arrays);
        }
        let (vars, updated) = (self.vars.clone(), self.updated_in_place.len());
        let spread = LoopDirective { vector: Some(None), ..independent(span) };
        let lowered = self.try_block(|f| {
            let mut copies = vec![];
            for array in &arrays {
                let copy = f.reduced_copy(array, "team");
                f.loop_over_threads(threads, spread.clone(), |f| f.clear(&copy))?;
                copies.push(copy);
            }
            copies.iter().try_for_each(|copy| f.bring_copy(copy))?;
            let in_team = |array: &ArrayReduction| array.only_updated && array.numbers > FEW;
            let (of_team, of_threads): (Vec<_>, Vec<_>) = arrays.into_iter().partition(in_team);
            f.updated_in_place.extend(of_team.iter().map(|array| array.id));
            inside(f, of_threads)?;
            f.vars = vars.clone();
            copies
                .iter()
                .try_for_each(|copy| f.loop_over_threads(threads, spread.clone(), |f| f.add_copy(copy, true)))
        });
        self.vars = vars;
        self.updated_in_place.truncate(updated);
        let (block, ()) = lowered?;
        self.emit(Stmt::Block(block), span);
        Ok(())
    }

    /// Runs a shared loop with copies of the variables that it reduces.
    pub fn with_own_copies(
        &mut self,
        arrays: Vec<ArrayReduction>,
        span: Span,
        shared: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        if arrays.is_empty() {
            return shared(self);
        }
        let vars = self.vars.clone();
        let lowered = self.try_block(|f| {
            let copies: Vec<Copy> = arrays.iter().map(|array| f.reduced_copy(array, "thread")).collect();
            for copy in &copies {
                match copy.reduction.declared {
                    declared @ Some(_) => f.start(copy, declared)?,
                    None => f.fill(copy, None),
                }
            }
            copies.iter().try_for_each(|copy| f.bring_copy(copy))?;
            shared(f)?;
            f.vars = vars.clone();
            copies.iter().try_for_each(|copy| f.add_copy(copy, false))
        });
        self.vars = vars;
        let (block, ()) = lowered?;
        self.emit(Stmt::Block(block), span);
        Ok(())
    }

    pub(super) fn reduced_copy(&mut self, reduction: &ArrayReduction, whose: &str) -> Copy {
        let span = reduction.section.span;
        let of = reduction.original.ty.referred().clone();
        let ty = match (&reduction.elements, &*of.ty) {
            (Some((_, length)), Ty::Pointer { to, .. }) => {
                let element = self.ty(to);
                self.cx.module.types.array(element, *length)
            }
            // What threads of the team change is an element of an array, which all of them see.
            _ if reduction.is_scalar() && self.shared_scalars.contains(&reduction.id) => {
                let element = self.ty(&of);
                self.cx.module.types.array(element, 1)
            }
            _ => self.ty(&of),
        };
        let name = format!("{}_of_{whose}", reduction.section.base.root.name);
        let local = self.local(&name, ty, LocalKind::Auto, span);
        self.emit(Stmt::Declare { local, init: None }, span);
        Copy { local, reduction: reduction.clone() }
    }

    /// The threads of a team divide the elements.
    fn clear(&mut self, copy: &Copy) -> Lowered<()> {
        let spread = self.spread(copy.reduction.section.span)?;
        self.fill(copy, spread);
        Ok(())
    }

    /// The number of the thread at hand, and how many there are.
    pub(super) fn spread(&mut self, span: Span) -> Lowered<Option<Spread>> {
        let Runners::Numbered(number, count) = self.thread.clone() else { return Ok(None) };
        Ok(Some((self.load_local(number, span), self.count_value(&count, span)?)))
    }

    /// The copy starts with what the operation leaves alone.
    fn fill(&mut self, Copy { local, reduction }: &Copy, spread: Option<Spread>) {
        let (span, op) = (reduction.section.span, reduction.op);
        let place = self.place_of_copy(*local, reduction, span);
        self.each_number(&[place], spread, span, &mut |f, places| {
            let value = f.neutral(op, f.ty_of(places[0]), span);
            f.emit(Stmt::Store { place: places[0], op: None, value }, span);
        });
    }

    /// From here on the variable's name is the copy's.
    pub(super) fn bring_copy(&mut self, Copy { local, reduction }: &Copy) -> Lowered<()> {
        let (span, of) = (reduction.section.span, reduction.original.ty.referred().clone());
        if reduction.is_scalar() && self.shared_scalars.contains(&reduction.id) {
            let place = self.place_of_copy(*local, reduction, span);
            let element = self.ty_of(place);
            let pointer = self.cx.module.types.pointer(element);
            let address = self.expr(Ir::AddrOf(place), pointer, span);
            self.vars.insert(reduction.id, reference(&reduction.original, address));
            return Ok(());
        }
        let stands_for = match &reduction.elements {
            Some((lower, _)) => {
                let name = reduction.section.base.root.name.clone();
                self.pointer_before(*local, &of, lower.as_ref(), &name, span)?
            }
            None => *local,
        };
        let own = Variable { binding: Binding::Local(stands_for), ty: of, ..reduction.original.clone() };
        self.vars.insert(reduction.id, own);
        Ok(())
    }

    /// The copy itself, or the one element that stands for a number.
    fn place_of_copy(&mut self, local: Handle<Local>, of: &ArrayReduction, span: Span) -> Handle<IrExpr> {
        let is_array =
            matches!(self.cx.module.types.kind(self.body.locals[local].ty), TypeKind::Array { .. });
        match is_array && of.is_scalar() {
            true => self.only_element(local, span),
            false => self.local_place(local, span),
        }
    }

    /// A pointer whose element `lower` is the first of the array.
    pub fn pointer_before(
        &mut self,
        array: Handle<Local>,
        of: &Qual,
        lower: Option<&acc::CExpr>,
        name: &str,
        span: Span,
    ) -> Lowered<Handle<Local>> {
        let place = self.local_place(array, span);
        let first = self.decay_place(place, span);
        let ty = self.ty(of);
        let first = self.convert(first, ty, span);
        let start = match lower {
            Some(lower) => {
                // Compilers warn of a constant that leads out of the array.
                let right = self.clause_value(lower, span)?;
                let start = self.spill("start", right, span);
                let right = self.load_local(start, span);
                self.expr(Ir::Binary { op: BinaryOp::Sub, left: first, right }, ty, span)
            }
            None => first,
        };
        let pointer = self.local(name, ty, LocalKind::Auto, span);
        self.emit(Stmt::Declare { local: pointer, init: Some(start) }, span);
        self.points_to.insert(pointer, Memory::Own);
        Ok(pointer)
    }

    /// Adds a copy to the variable outside, whose binding is in force again. `together`: the threads of a team divide it.
    fn add_copy(&mut self, copy: &Copy, together: bool) -> Lowered<()> {
        let Copy { local, reduction } = copy;
        let (span, op) = (reduction.section.span, reduction.op);
        if let Some(declared) = reduction.declared {
            return self.keep_value(copy, declared, span);
        }
        let spread = if together { self.spread(span)? } else { None };
        let outside = self.var_place(reduction.id, &reduction.section.base.root.name, span)?;
        let own = self.place_of_copy(*local, reduction, span);
        let places = match &reduction.elements {
            Some((lower, _)) => {
                let pointer = self.load(outside, span);
                let pointer = match lower {
                    Some(lower) => {
                        let right = self.clause_value(lower, span)?;
                        let ty = self.ty_of(pointer);
                        self.expr(Ir::Binary { op: BinaryOp::Add, left: pointer, right }, ty, span)
                    }
                    None => pointer,
                };
                let first = self.spill("first", pointer, span);
                [own, self.load_local(first, span)]
            }
            None => [own, outside],
        };
        self.each_number(&places, spread, span, &mut |f, places| {
            let ty = f.ty_of(places[0]);
            let value = f.load(places[0], span);
            let (right, int) = (f.neutral(op, ty, span), f.i32());
            // What was neither true nor false before is 0 or 1 afterwards.
            let cond = match op {
                ReductionOp::And | ReductionOp::Or => f.int(1, int, span),
                _ => f.expr(Ir::Binary { op: BinaryOp::Ne, left: value, right }, int, span),
            };
            let kind = atomic_kind(op, f.cx.module.types.is_float(ty));
            let then = f.block(|f| {
                let update = Atomic { kind, place: places[1], value: Some(value), capture: None };
                f.emit(Stmt::Atomic(Box::new(update)), span);
            });
            f.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
        });
        Ok(())
    }

    /// Does something with each number of which the objects consist, which are of the same form as the first. An object may also
    /// be a pointer to the elements.
    fn each_number(
        &mut self,
        objects: &[Handle<IrExpr>],
        spread: Option<Spread>,
        span: Span,
        inside: &mut dyn FnMut(&mut Self, &[Handle<IrExpr>]),
    ) {
        let ty = self.ty_of(objects[0]);
        match self.cx.module.types.kind(ty).clone() {
            TypeKind::Array { .. } => {
                let (Some(element), Some(bytes)) =
                    (self.cx.module.types.element(ty), self.cx.module.types.size_of(ty))
                else {
                    return;
                };
                let count = self.cx.module.types.size_of(element).map_or(0, |size| bytes / size.max(1));
                let int = self.i32();
                let var = self.local("k", int, LocalKind::Auto, span);
                let body = self.block(|f| {
                    let index = f.load_local(var, span);
                    let elements: Vec<_> = objects
                        .iter()
                        .map(|base| f.expr(Ir::Index { base: *base, index }, element, span))
                        .collect();
                    f.each_number(&elements, None, span, inside);
                });
                let [lower, bound, step] = [0, count.into(), 1].map(|v| self.int(v, int, span));
                let (lower, step) = spread.unwrap_or((lower, step));
                let counting = Loop::counting(var, lower, bound, step, body);
                self.emit(Stmt::For(Box::new(counting)), span);
            }
            _ if let Some((left, _)) = spread => {
                let int = self.i32();
                let right = self.int(0, int, span);
                let cond = self.expr(Ir::Binary { op: BinaryOp::Eq, left, right }, int, span);
                let then = self.block(|f| f.each_number(objects, None, span, inside));
                self.emit(Stmt::If { cond, then, otherwise: vec![] }, span);
            }
            TypeKind::Struct(_) => {
                let Some(part) = self.cx.record_of(ty).map(|record| record.fields[0].ty.clone()) else {
                    return;
                };
                let part = self.ty(&part);
                for field in 0..2 {
                    let parts: Vec<_> = objects
                        .iter()
                        .map(|base| self.expr(Ir::Member { base: *base, field }, part, span))
                        .collect();
                    inside(self, &parts);
                }
            }
            _ => inside(self, objects),
        }
    }

    /// The value that the operation leaves alone.
    fn neutral(&mut self, op: ReductionOp, ty: Handle<Type>, span: Span) -> Handle<IrExpr> {
        let (least, most) = match *self.cx.module.types.kind(ty) {
            TypeKind::Int { bits, signed: true } => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            TypeKind::Int { bits, .. } => (0, (1i128 << bits) - 1),
            _ => {
                let number = match op {
                    ReductionOp::Mul | ReductionOp::And => 1.0,
                    ReductionOp::Max => f64::NEG_INFINITY,
                    ReductionOp::Min => f64::INFINITY,
                    _ => 0.0,
                };
                return self.expr(Ir::Float(number), ty, span);
            }
        };
        let number = match op {
            ReductionOp::Mul | ReductionOp::And => 1,
            ReductionOp::Max => least,
            ReductionOp::Min => most,
            // All bits are set.
            ReductionOp::BitAnd if least == 0 => most,
            ReductionOp::BitAnd => -1,
            _ => 0,
        };
        self.int(number, ty, span)
    }
}

/// Whether the statement does nothing with the variable but to update its elements with this operation.
pub(super) fn only_updates(s: &Ast, id: DeclId, op: ReductionOp) -> bool {
    match &s.kind {
        StmtKind::Expr(e) if atomic::update(e).is_some_and(|u| updates_element(&u, id, op)) => true,
        StmtKind::If { init: None, cond, then, otherwise: None }
            if atomic::guarded_update(cond, then).is_some_and(|u| updates_element(&u, id, op)) =>
        {
            true
        }
        StmtKind::Directed { directive: _, body: Some(inner) } => only_updates(inner, id, op),
        _ => {
            walk::own_exprs(s).into_iter().all(|e| uses(e, id) == 0)
                && walk::children(s).into_iter().all(|inner| only_updates(inner, id, op))
        }
    }
}

fn updates_element(update: &atomic::Update<'_>, id: DeclId, op: ReductionOp) -> bool {
    let fits = match update.kind {
        AtomicKind::Update(BinaryOp::Sub) => op == ReductionOp::Add,
        kind => kind == atomic_kind(op, matches!(*update.place.ty.ty, Ty::Float { .. })),
    };
    let base = match &update.place.kind {
        ExprKind::Index { base, .. } => base,
        ExprKind::Member { .. } | ExprKind::Var(..) => update.place,
        _ => return false,
    };
    let of_it = walk::leads_to(base, &|of| of == id);
    fits && of_it && uses(update.place, id) == 1 && update.value.is_none_or(|value| uses(value, id) == 0)
}

fn uses(e: &Expr, id: DeclId) -> usize {
    let mut count = 0;
    walk::within(e, &mut |e| {
        let named = match e.kind {
            ExprKind::Var(of, _) => of == id,
            ExprKind::Member { member, .. } => member == id,
            _ => false,
        };
        count += usize::from(named);
    });
    count
}

fn atomic_kind(op: ReductionOp, float: bool) -> AtomicKind {
    match op {
        ReductionOp::Mul => AtomicKind::Update(BinaryOp::Mul),
        ReductionOp::BitAnd => AtomicKind::Update(BinaryOp::BitAnd),
        ReductionOp::BitOr => AtomicKind::Update(BinaryOp::BitOr),
        ReductionOp::BitXor => AtomicKind::Update(BinaryOp::BitXor),
        ReductionOp::Max => AtomicKind::Extremum(if float { MathFn::Fmax } else { MathFn::Max }),
        ReductionOp::Min => AtomicKind::Extremum(if float { MathFn::Fmin } else { MathFn::Min }),
        ReductionOp::And => AtomicKind::Update(BinaryOp::LogicalAnd),
        ReductionOp::Or => AtomicKind::Update(BinaryOp::LogicalOr),
        ReductionOp::Add => AtomicKind::Update(BinaryOp::Add),
    }
}
